"""`mdmem init`: a new vault, or the subfolder Memory/ in an Obsidian vault of a person's own.

The account's trust comes first, then Settings.md, which marks the folder, then everything else. So a run that was cut
off is finished by the next one, and a run on a finished vault changes nothing and says what is there. What exists is
never overwritten.
"""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from markdown_memory.core import layout, times
from markdown_memory.core.names import check_agent
from markdown_memory.core.scope import Scope
from markdown_memory.core.settings import render_settings
from markdown_memory.errors import AccessError, MarkdownMemoryError
from markdown_memory.features.vaults import starting
from markdown_memory.features.vaults.placing import Spot, spot_for
from markdown_memory.rules.access import Access
from markdown_memory.rules.scoping import Located
from markdown_memory.storage import files, git
from markdown_memory.storage.inside import failure
from markdown_memory.storage.places import Places
from markdown_memory.storage.registry import Registry, Trusted
from markdown_memory.storage.scan import scan
from markdown_memory.storage.vaults import (
    OPTION,
    Found,
    id_of,
    open_catalog,
    person_slug,
    read_settings,
    set_default,
)
from markdown_memory.workspace import Workspace

_NO_NAME = ("memory", "vault", "notes", "mdmem")


class Made(NamedTuple):
    """What `init` did: the vault's folder and id, the files it made and those it found, what a person should know."""

    root: str
    vault_id: str
    created: tuple[str, ...]
    present: tuple[str, ...]
    agents: tuple[str, ...]
    person: str
    is_default: bool
    around: str = ""
    notices: tuple[str, ...] = ()


def init(
    path: str,
    *,
    places: Places,
    clock: Callable[[], float],
    agents: Sequence[str] = (),
    person: str = "",
    inside: str | None = None,
    git: bool = False,
    default: bool = True,
    via: str = "api",
) -> Made:
    """Make a vault; with `default` it becomes the one of the user's config, when that names none yet."""
    slugs = tuple(dict.fromkeys(map(check_agent, agents)))
    spot = spot_for(path, inside)
    making = _Making(spot, places, clock, slugs, " ".join(person.split()), git)
    making.mark()
    making.fill()
    making.sign(via)
    return making.result(default)


class _Making:
    def __init__(
        self, spot: Spot, places: Places, clock: Callable[[], float], agents: tuple[str, ...], person: str, git: bool
    ) -> None:
        self.root, self.around = spot
        self.places, self.clock, self.agents, self.person, self.git = places, clock, agents, person, git
        self.registry = Registry(places)
        self.slug = person_slug(person)
        self.vault_id = id_of(self.root)
        self.created: list[str] = []
        self.present: list[str] = []
        self.notices: list[str] = []

    def mark(self) -> None:
        """Trust the folder and write Settings.md."""
        if self.vault_id:
            known = self.registry.entry(self.vault_id, self.root)
            if known is None:
                raise AccessError(
                    f"{self.root} is a vault already, and nobody has trusted it on this account; "
                    f"`mdmem trust {self.root}` does."
                )
            self.slug = known.person or self.slug
        else:
            self.vault_id = _new_id()
            self._trust("")
            _make_root(self.root)
        if self.git:
            git.make_repository(self.root)
        self._write(layout.SETTINGS, self._settings())

    def fill(self) -> None:
        """Write whatever a vault begins with and this one has not."""
        for folder in starting.folders(self.agents):
            files.make_folder(self.root, folder)
        start = self._start()
        for path, data in starting.first_files(start).items():
            self._write(path, data)
        self.notices += starting.collisions(start)
        self._write(layout.MEMORY_INDEX, self._index())

    def sign(self, via: str) -> None:
        """Make the keys, root them in the person's, and enter the new files in the ledger."""
        space = self._workspace(via)
        writer = space.logs.root_person(self.slug, via)
        self._trust(writer.fingerprint)
        confirmed = {one.values().get("writer") for one in space.logs.read("keys").entries if one.kind == "confirm"}
        for agent in self.agents:
            new = space.logs.writer(agent)
            space.logs.introduce(new, via)
            if new.id not in confirmed:
                space.logs.confirm(writer, new, via)
        attested = [path for path in self.created if not path.startswith(".")]
        if attested:
            space.attest(attested, kind="init", text=f"made the vault with {len(attested)} files")
        space.catalog.close()

    def result(self, default: bool) -> Made:
        """What was done; the user's config is the last thing to change."""
        is_default = False
        if default:
            try:
                is_default = set_default(self.places, self.root, self.person)
            except MarkdownMemoryError as error:
                self.notices.append(str(error))
        lists = (tuple(self.created), tuple(self.present), self.agents)
        return Made(self.root, self.vault_id, *lists, self.slug, is_default, self.around, tuple(self.notices))

    def _write(self, path: str, data: bytes) -> None:
        if files.exists(self.root, path):
            self.present.append(path)
            return
        files.write_durable(self.root, path, data)
        self.created.append(path)

    def _trust(self, root_key: str) -> None:
        since = times.utc(self.clock())
        self.registry.trust(Trusted(self.vault_id, self.root, root_key, self.slug, since))

    def _settings(self) -> bytes:
        here = git.repo(self.root)
        if here is None or self.around or here.worktree == self.root:
            return render_settings(self.vault_id).encode()
        name = os.path.basename(here.main_worktree)
        if here.remote:
            name = here.remote.rpartition("/")[2]
        return render_settings(self.vault_id, name, git.default_branch(here), here.remotes).encode()

    def _start(self) -> starting.Start:
        outer = self.around or self.root
        name = os.path.basename(outer)
        return starting.Start(
            self.agents,
            self.person or "the person",
            "our work" if name.casefold() in _NO_NAME else name,
            times.utc(self.clock())[:10],
            os.path.relpath(self.root, self.around).replace(os.sep, "/") if self.around else "",
            self._taken(),
            self.git or git.repo(self.root) is not None,
        )

    def _taken(self) -> frozenset[str]:
        """The names of the notes and bases that lie around the vault."""
        if not self.around:
            return frozenset()
        own = os.path.relpath(self.root, self.around).replace(os.sep, "/") + "/"
        found = (one.path for suffix in (".md", ".base") for one in scan(self.around, suffix))
        return frozenset(path.rpartition("/")[2].lower() for path in found if not path.startswith(own))

    def _index(self) -> bytes:
        from markdown_memory.rules.memory_index import merge_into, render

        catalog = open_catalog(self.places, self.vault_id, self.root)
        catalog.refresh()
        block = render(catalog.headers(), read_settings(self.root, catalog).settings)
        catalog.close()
        return merge_into(None, block)

    def _workspace(self, via: str) -> Workspace:
        catalog = open_catalog(self.places, self.vault_id, self.root)
        parsed = read_settings(self.root, catalog)
        scope = Scope("", parsed.settings.default_branch(""))
        return Workspace(
            Found(self.root, self.vault_id, OPTION, True, None, person=self.slug),
            places=self.places,
            parsed=parsed,
            catalog=catalog,
            clock=self.clock,
            access=Access(),
            located=Located(scope, (scope,), True),
            via=via,
        )


def _new_id() -> str:
    """Eighty random bits, as sixteen letters and digits."""
    from base64 import b32encode

    return b32encode(os.urandom(10)).decode().lower()


def _make_root(root: str) -> None:
    try:
        os.makedirs(root, exist_ok=True)
    except OSError as error:
        raise failure(root, "cannot be made", error) from error
