"""Which embedding model the user chose, in `embeddings.json` of the config folder.

It stands in the user's config and never in a vault: a vault that somebody sends must not make this machine
talk to a server. Loads neither numpy nor a model. A key is read from the environment variable that the file
names.
"""

import os
from typing import NamedTuple

from markdown_memory.errors import UserError

FILE = "embeddings.json"
PROVIDERS = ("packaged", "endpoint", "local")


class Choice(NamedTuple):
    """A provider, and for an endpoint its model, URL and key variable, for a local model its folder as `model`."""

    provider: str
    model: str = ""
    url: str = ""
    key_variable: str = ""


def load(config: str) -> Choice | None:
    """The user's choice; None where embeddings are not enabled."""
    try:
        with open(os.path.join(config, FILE), "rb") as file:
            data = file.read()
    except OSError:
        return None
    import json

    try:
        told = json.loads(data)
        return check(Choice(*(str(told.get(key, "")) for key in Choice._fields)))
    except (ValueError, AttributeError) as error:
        raise UserError(f"{os.path.join(config, FILE)} cannot be read: {error}") from error


def save(config: str, choice: Choice) -> str:
    """Write the choice; the path of the file."""
    import json

    os.makedirs(config, mode=0o700, exist_ok=True)
    path = os.path.join(config, FILE)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump({key: value for key, value in choice._asdict().items() if value}, file, indent=2)
    os.replace(path + ".new", path)
    return path


def remove(config: str) -> bool:
    """Forget the choice; whether there was one."""
    try:
        os.remove(os.path.join(config, FILE))
    except FileNotFoundError:
        return False
    return True


def check(choice: Choice) -> Choice:
    """The choice, when it is complete."""
    if choice.provider not in PROVIDERS:
        raise UserError(f"There is no embedding provider {choice.provider!r}; there are {', '.join(PROVIDERS)}.")
    if choice.provider == "endpoint" and not (choice.url.startswith(("http://", "https://")) and choice.model):
        raise UserError("An embedding endpoint needs a URL, beginning with http:// or https://, and a model.")
    if choice.provider == "local" and not os.path.isdir(choice.model):
        raise UserError(f"There is no model folder at {choice.model!r}; for a local model, name its folder.")
    return choice


def need_numpy() -> None:
    """UserError where the extra is not installed."""
    from importlib.util import find_spec

    if find_spec("numpy") is None:
        raise UserError("Search by meaning needs more packages; install markdown-memory-toolkit[embeddings].")
