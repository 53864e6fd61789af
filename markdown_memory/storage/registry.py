"""Which vaults a person trusts on this account, and which code repositories belong to which vault.

    <state>/vaults.json     trusted vaults: id, real path, fingerprint of the person's key that roots the `keys` log
    <config>/links.json     links: a repository (by its remote, or by its common dir without one) to a vault and project

Both lie outside every vault, so that nothing that arrives with a cloned repository can write there. A file that cannot
be understood trusts and links nothing, and says so.
"""

import json
import os
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from markdown_memory.errors import FormatError
from markdown_memory.storage.places import Places, read_private, write_private

VERSION = 1


class Trusted(NamedTuple):
    """A vault that a person has trusted at one path. `root_key` is "" when no person's key roots its logs; `person` is
    the slug under which this account's person signs there."""

    vault_id: str
    path: str
    root_key: str = ""
    person: str = ""
    since: str = ""


class Link(NamedTuple):
    """A code repository's vault and project; `common_dir` counts only where there is no `remote`."""

    vault_id: str
    path: str
    project: str
    remote: str = ""
    common_dir: str = ""
    since: str = ""


R = TypeVar("R", Trusted, Link)


class Registry:
    """The account's two lists."""

    def __init__(self, places: Places) -> None:
        self._vaults = os.path.join(places.state, "vaults.json")
        self._links = os.path.join(places.config, "links.json")

    def trusted(self) -> list[Trusted]:
        """Every trusted vault, in the order in which they were trusted."""
        return _read(self._vaults, Trusted)

    def entry(self, vault_id: str, path: str) -> Trusted | None:
        """What was noted when a person trusted this vault at this real path; None when nobody has."""
        return next((one for one in self.trusted() if (one.vault_id, one.path) == (vault_id, path)), None)

    def copies_of(self, vault_id: str) -> list[str]:
        """Where the vault with that id has been trusted."""
        return [one.path for one in self.trusted() if one.vault_id == vault_id]

    def trust(self, vault: Trusted) -> None:
        """Trust a vault from now on."""
        _change(self._vaults, Trusted, lambda kept: [*(one for one in kept if one.path != vault.path), vault])

    def distrust(self, path: str) -> bool:
        """Trust no vault at that real path any more; whether one was trusted."""
        return _change(self._vaults, Trusted, lambda kept: [one for one in kept if one.path != path])

    def links(self) -> list[Link]:
        """Every link."""
        return _read(self._links, Link)

    def link_for(self, remotes: Iterable[str], common_dir: str) -> Link | None:
        """The link made for a repository: by its remotes, the first counting most, else by its common dir."""
        links = self.links()
        for remote in remotes:
            if found := next((link for link in links if link.remote == remote), None):
                return found
        return next((link for link in links if not link.remote and link.common_dir == common_dir), None)

    def link(self, link: Link) -> None:
        """Make a link; one that the repository had is replaced."""
        _change(self._links, Link, lambda kept: [*(one for one in kept if not _same(one, link)), link])

    def unlink(self, link: Link) -> bool:
        """Remove a repository's link; whether there was one."""
        return _change(self._links, Link, lambda kept: [one for one in kept if not _same(one, link)])


def _same(one: Link, other: Link) -> bool:
    return one.remote == other.remote and (bool(one.remote) or one.common_dir == other.common_dir)


def _read(path: str, kind: type[R]) -> list[R]:
    text = read_private(path)
    if not text.strip():
        return []
    try:
        rows = json.loads(text)["entries"]
        known = kind._fields
        return [kind(**{key: str(row[key]) for key in known if key in row}) for row in rows]
    except (ValueError, TypeError, KeyError, AttributeError):
        raise FormatError(f"{path} cannot be understood; delete it, then trust and link your vaults again.") from None


def _change(path: str, kind: type[R], change: Callable[[list[R]], list[R]]) -> bool:
    from markdown_memory.storage.locks import file_lock

    with file_lock(f"{path}.lock", path):
        before = _read(path, kind)
        after = change(before)
        if after != before:
            document: dict[str, Any] = {"version": VERSION, "entries": [one._asdict() for one in after]}
            write_private(path, json.dumps(document, indent=1) + "\n")
    return after != before
