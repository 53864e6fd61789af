"""The full-text index on Whoosh, as everybody else sees it.

Reading takes no lock: when a file of the state just read is gone, a writer has committed meanwhile, and the
state is read again. An index that is missing, broken or of another version holds nothing (generation -1),
and the next `apply` builds it anew. A few changed notes are kept in memory, on top of what is on disk,
until a commit is worth its price.
"""

import os
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from time import sleep
from typing import TYPE_CHECKING, Any

from markdown_memory.errors import StorageError
from markdown_memory.search import analyzer, boosts, documents
from markdown_memory.search.port import Change, Doc, Filter, Matches
from markdown_memory.search.snapshot import NAME, PATH, PLACE, TEXT, Readable, Snapshot
from markdown_memory.search.sums import sound
from markdown_memory.search.w3 import Segment

if TYPE_CHECKING:
    from markdown_memory.core.query import Query

_LAYOUT = 2
VERSION = f"{_LAYOUT}.{analyzer.VERSION}.{documents.VERSION}/{boosts.BODY}/{boosts.NAME}/{boosts.DESCRIPTION}"
IN_MEMORY = 32
_STATE = "state.json"
Stamp = tuple[int, int, int]
_LOCK_SECONDS = 10.0
_OPEN_TRIES = 20
_SLOW = "The search index has a layout that the fast reader does not know; Whoosh itself reads it, more slowly."


class _Fresh:
    """Changes since the commit of generation `base` that are not on disk."""

    def __init__(self, base: int) -> None:
        self.base, self.generation = base, base
        self.docs: dict[str, Doc] = {}
        self.gone: set[str] = set()

    def take(self, docs: Iterable[Doc], removed: Iterable[str], generation: int) -> None:
        for path in removed:
            self.docs.pop(path, None)
            self.gone.add(path)
        for doc in docs:
            self.docs[doc.header.path] = doc
        self.generation = generation

    def __len__(self) -> int:
        return len(self.docs) + len(self.gone)


class WhooshIndex:
    """The `FullText` port on Whoosh."""

    def __init__(self, folder: str, lock_seconds: float = _LOCK_SECONDS, in_memory: int = IN_MEMORY) -> None:
        self.folder = folder
        self._lock_seconds, self._in_memory = lock_seconds, in_memory
        self._state: dict[str, Any] | None = None
        self._stamp: Stamp | None = None
        self._disk: Snapshot | None = None
        self._fresh: _Fresh | None = None
        self._whole: Snapshot | None = None
        self._damaged: Stamp | None = None
        self._slow = False

    # reading

    def generation(self) -> int:
        """The catalog generation held; -1 when there is no usable index."""
        if self.snapshot() is None or self._state is None:
            return -1
        return self._fresh.generation if self._fresh else int(self._state["generation"])

    def search(self, query: "Query", limit: int, accept: Filter, also: Sequence[str] = ()) -> Matches:
        """The best matches of a query."""
        from markdown_memory.search.matching import search

        while True:
            snapshot, stamp = self.snapshot(), self._stamp
            if snapshot is None:
                return Matches()
            try:
                found = search(snapshot, query, limit, accept, also)
            except Exception:  # noqa: BLE001  # a damaged derived file: the next refresh builds it anew
                if _stamp(os.path.join(self.folder, _STATE)) == stamp:
                    self._damaged = stamp
                    return Matches()
            else:
                return found._replace(notices=(_SLOW,)) if self._slow else found

    def near(self, path: str, called: Sequence[str], accept: Filter) -> tuple[tuple[str, str], ...]:
        """Accepted notes beside one in its source, and those that link to it."""
        from markdown_memory.search.matching import near

        snapshot = self.snapshot()
        return near(snapshot, path, called, accept) if snapshot else ()

    def snapshot(self) -> Snapshot | None:
        """The newest commit and what is newer in memory; None when there is no index that can be read."""
        disk = self._committed()
        if disk is None or self._state is None:
            return None
        held = int(self._state["generation"])
        if self._fresh and not self._fresh.base <= held < self._fresh.generation:
            self._fresh = self._whole = None
        if self._fresh is None:
            return disk
        if self._whole is None:
            self._whole = _overlaid(disk, self._fresh)
        return self._whole

    def _committed(self) -> Snapshot | None:
        for attempt in range(_OPEN_TRIES):
            stamp = _stamp(os.path.join(self.folder, _STATE))
            if stamp is not None and stamp == self._stamp != self._damaged:
                return self._disk
            self._release()
            try:
                return self._open(stamp)
            except FileNotFoundError:
                sleep(0.005 * attempt)
            except Exception:  # noqa: BLE001  # whatever is wrong with a derived file, it is built anew
                return None
        return None

    def _open(self, stamp: Stamp | None) -> Snapshot | None:
        if stamp is None or stamp == self._damaged:
            return None
        state = _read_state(self.folder)
        if state.get("version") != VERSION:
            return None
        home = os.path.join(self.folder, state["folder"])
        if not sound(home, state["files"]):
            return None
        segments = self._segments(home, state["segments"])
        total = sum(segment["length"] for segment in state["segments"])
        self._disk = Snapshot(segments, total, state["lengths"])
        self._state, self._stamp = state, stamp
        return self._disk

    def _segments(self, home: str, described: list[dict[str, Any]]) -> list[Readable]:
        try:
            return [_segment(home, one) for one in described]
        except FileNotFoundError:
            raise
        except Exception:  # noqa: BLE001  # a layout that the fast reader does not know: Whoosh may
            from markdown_memory.search.whoosh_schema import stock_segments

            self._slow = True
            return stock_segments(home)

    def _release(self) -> None:
        if self._disk:
            self._disk.close()
        self._state = self._stamp = self._disk = self._whole = None
        self._slow = False

    def close(self) -> None:
        """Let go of all files, and of what is in memory only."""
        self._release()
        self._fresh = None

    # writing

    def apply(self, change: Change) -> bool:
        """Take a change over; False when it does not begin where this index is now."""
        docs, first = iter(change.docs), list[Doc]()
        if change.since >= 0:
            if self.generation() != change.since or self._state is None:
                return False
            fresh = self._fresh or _Fresh(int(self._state["generation"]))
            room = self._in_memory - len(fresh) - len(change.removed)
            first = list(islice(docs, max(0, room) + 1))
            if len(first) <= room:
                fresh.take(first, change.removed, change.generation)
                self._fresh, self._whole = fresh, None
                return True
        return self._commit(change._replace(docs=chain(first, docs)))

    def _commit(self, change: Change) -> bool:
        from markdown_memory.search import whoosh_commit
        from markdown_memory.search.lock import locked

        try:
            with locked(self.folder, self._lock_seconds):
                if change.since < 0:
                    whoosh_commit.build(self.folder, VERSION, change)
                elif self.generation() != change.since or self._disk is None or self._state is None:
                    return False
                else:
                    whoosh_commit.write(self.folder, self._state, self._with_fresh(change), self._disk)
                self.close()
        except OSError as error:
            raise StorageError(
                f"The search index at {self.folder} could not be written: {error.strerror or error}. "
                "Free some space or check the folder's permissions; the notes themselves are untouched."
            ) from error
        return True

    def _with_fresh(self, change: Change) -> Change:
        """The change together with what was in memory only."""
        if self._fresh is None:
            return change
        newer = {doc.header.path: doc for doc in change.docs}
        kept = {path: doc for path, doc in self._fresh.docs.items() if path not in change.removed}
        return change._replace(docs=(kept | newer).values(), removed=(*self._fresh.gone, *change.removed))


def _overlaid(disk: Snapshot, fresh: _Fresh) -> Snapshot:
    from markdown_memory.search.overlay import MemorySegment

    notes = MemorySegment((documents.indexed(doc) for doc in fresh.docs.values()), disk.lengths)
    found = (disk.document_of(path) for path in (*fresh.docs, *fresh.gone))
    hidden = frozenset(document for document in found if document is not None)
    total = disk.total_length + notes.total_length
    return Snapshot([*disk.segments, notes], total, disk.lengths, hidden)


def _segment(home: str, described: dict[str, Any]) -> Segment:
    deleted = frozenset(described["deleted"])
    return Segment(home, described["name"], described["documents"], deleted, (PATH, PLACE), (TEXT, NAME))


def _stamp(path: str) -> Stamp | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size


def _read_state(folder: str) -> dict[str, Any]:
    from json import dumps, loads
    from zlib import crc32

    with open(os.path.join(folder, _STATE), "rb") as file:
        state: dict[str, Any] = loads(file.read())
    if state.pop("sum", None) != crc32(dumps(state).encode()):
        raise ValueError("the state is not as it was written")
    return {**state, "generation": int(state["generation"])}
