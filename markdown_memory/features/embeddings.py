"""Search by meaning: switching it on for this user, giving the notes their vectors, saying how it stands.

The choice is the user's, for all vaults of this machine, and lies in the config folder; vectors lie in the
cache folder beside the full-text index. Nothing is downloaded: the packaged model comes with the
`embeddings` extra.
"""

from collections.abc import Callable
from typing import NamedTuple


class Status(NamedTuple):
    """Whether search by meaning is on, with what, and where that is written; `notes` have vectors after a refresh."""

    enabled: bool
    provider: str = ""
    model: str = ""
    file: str = ""
    notes: int = 0


class Embeddings:
    """The verbs of `mdmem embeddings`."""

    def __init__(self, config: str, embed: Callable[[], int]) -> None:
        self._config, self._embed = config, embed

    def enable(self, provider: str = "packaged", *, model: str = "", url: str = "", key_variable: str = "") -> Status:
        """Choose a provider, try it, and give every note of the open vault its vectors."""
        from markdown_memory.search import embedding_config

        choice = embedding_config.check(embedding_config.Choice(provider, model, url, key_variable))
        embedding_config.need_numpy()
        from markdown_memory.search.embedders import make

        make(choice).embed(["Does it work?"])
        file = embedding_config.save(self._config, choice)
        return Status(True, provider, model, file, self._embed())

    def refresh(self) -> Status:
        """Give their vectors to the notes that have none of their present text."""
        notes = self._embed()
        return self.status()._replace(notes=notes)

    def disable(self) -> bool:
        """Search by words only again; whether it was on. The vectors stay in the cache."""
        from markdown_memory.search import embedding_config

        return embedding_config.remove(self._config)

    def status(self) -> Status:
        """How it stands."""
        from markdown_memory.search import embedding_config

        choice = embedding_config.load(self._config)
        return Status(False) if choice is None else Status(True, choice.provider, choice.model)
