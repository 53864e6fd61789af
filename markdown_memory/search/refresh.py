"""Brings a full-text index up to the catalog: only what changed is read and written.

One index per audience: the shared one never sees a private note, so nothing in its answers, counts or
statistics can depend on one. A note that cannot be read, or is binary, is known by its name only and stops
nothing else.
"""

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from markdown_memory.errors import MarkdownMemoryError, StorageError
from markdown_memory.search.port import Change, Doc, Follower, Progress

if TYPE_CHECKING:
    from markdown_memory.core.note import Header

PRIVATE_ROOT = "memory/private/"
SEARCHABLE = frozenset(
    ("accepted", "proposal", "archived", "page", "identity", "skill", "agent-note", "state", "checkpoint")
)
_SNIFFED = 8192
_TRIES = 5


class Changed(Protocol):
    """The catalog, as far as an index needs it."""

    def changed_since(self, generation: int) -> "tuple[list[Header], list[str], int]":
        """Headers that changed and paths that went since a generation (-1: all), and the present one."""

    @property
    def born(self) -> int:
        """The generation at which this catalog began: an index that is older must begin anew."""


class Refreshed(NamedTuple):
    """What a refresh did. `failed` is a sentence when nothing could be written and the old index is used."""

    generation: int
    written: int = 0
    removed: int = 0
    rebuilt: bool = False
    notices: tuple[str, ...] = ()
    failed: str = ""


def audience_of(path: str) -> str:
    """Whose index a note belongs to: "" is the shared one, else the agent that owns the note."""
    return path[len(PRIVATE_ROOT) :].partition("/")[0] if path.startswith(PRIVATE_ROOT) else ""


def index_folder(cache: str, vault_id: str, root: str, audience: str) -> str:
    """Where an audience's index lies: by vault and real path, since copies of a vault share its id."""
    from hashlib import sha256

    place = sha256(os.path.realpath(root).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return os.path.join(cache, f"{vault_id}-{place}", f"fulltext-private-{audience}" if audience else "fulltext-shared")


def age(folder: str) -> float:
    """Seconds since an index was last written; 0 when there is none."""
    from time import time

    try:
        return max(0.0, time() - os.stat(os.path.join(folder, "state.json")).st_mtime)
    except OSError:
        return 0.0


def bring(
    index: Follower,
    catalog: Changed,
    read: Callable[[str], bytes],
    audience: str = "",
    *,
    purge: bool = True,
    progress: Progress | None = None,
) -> Refreshed:
    """Apply what the catalog saw change. With `purge` off (suspiciously much is gone) nothing is removed."""
    for _ in range(_TRIES):
        done = _once(index, catalog, read, audience, purge, progress)
        if done is not None:
            return done
    return Refreshed(index.generation(), failed="The search index is being rewritten by other processes all the time.")


def _once(
    index: Follower,
    catalog: Changed,
    read: Callable[[str], bytes],
    audience: str,
    purge: bool,
    progress: Progress | None,
) -> Refreshed | None:
    """One try; None when another process changed the index meanwhile."""
    held = index.generation()
    if held < catalog.born:
        held = -1
    changed, gone, generation = catalog.changed_since(held)
    if held > generation:  # a power cut has taken from the catalog what the index has seen
        held = -1
        changed, gone, generation = catalog.changed_since(held)
    if held == generation:
        return Refreshed(generation)
    headers = [header for header in changed if audience_of(header.path) == audience]
    wanted = [header for header in headers if header.status in SEARCHABLE]
    unwanted = [header.path for header in headers if header.status not in SEARCHABLE]
    removed = [path for path in gone if audience_of(path) == audience] if purge else []
    notices: list[str] = []
    docs = _docs(wanted, read, notices, progress)
    try:
        if not index.apply(Change(docs, (*removed, *unwanted), held, generation if purge else max(held, 0))):
            return None
    except StorageError as error:
        return Refreshed(held, failed=str(error))
    return Refreshed(generation, len(wanted), len(removed), held < 0, tuple(notices))


def _docs(
    headers: "list[Header]",
    read: Callable[[str], bytes],
    notices: list[str],
    progress: Progress | None,
) -> Iterator[Doc]:
    for done, header in enumerate(headers, 1):
        try:
            data = read(header.path)
        except MarkdownMemoryError as error:
            data = b""
            notices.append(str(error))
        text = "" if b"\0" in data[:_SNIFFED] else data.decode("utf-8", "replace").removeprefix("\ufeff")
        yield Doc(header, text)
        if progress and (done % 50 == 0 or done == len(headers)):
            progress(done, len(headers))
