"""A full-text index that lives in this process only, for where nothing can be written."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory.search.documents import indexed
from markdown_memory.search.overlay import MemorySegment
from markdown_memory.search.port import Change, Doc, Filter, Matches
from markdown_memory.search.snapshot import Snapshot

if TYPE_CHECKING:
    from markdown_memory.core.query import Query

# What a length code stands for: exact for short notes, ever coarser for long ones, as in Whoosh.
_LENGTHS = [round((1.033**code - 1) * 27) for code in range(256)]


class VolatileIndex:
    """The `FullText` port in memory."""

    def __init__(self) -> None:
        self._docs: dict[str, Doc] = {}
        self._generation = -1
        self._snapshot: Snapshot | None = None

    def generation(self) -> int:
        """The catalog generation held; -1 before the first `apply`."""
        return self._generation

    def apply(self, change: Change) -> bool:
        """Take a change over."""
        if change.since not in (-1, self._generation):
            return False
        docs = {} if change.since < 0 else dict(self._docs)
        for path in change.removed:
            docs.pop(path, None)
        docs.update((doc.header.path, doc) for doc in change.docs)
        self._docs, self._generation, self._snapshot = docs, change.generation, None
        return True

    def search(self, query: "Query", limit: int, accept: Filter, also: Sequence[str] = ()) -> Matches:
        """The best matches of a query."""
        from markdown_memory.search.matching import search

        return search(self._opened(), query, limit, accept, also) if self._docs else Matches()

    def near(self, path: str, called: Sequence[str], accept: Filter) -> tuple[tuple[str, str], ...]:
        """Accepted notes beside one in its source, and those that link to it."""
        from markdown_memory.search.matching import near

        return near(self._opened(), path, called, accept) if self._docs else ()

    def _opened(self) -> Snapshot:
        if self._snapshot is None:
            notes = MemorySegment((indexed(doc) for doc in self._docs.values()), _LENGTHS)
            self._snapshot = Snapshot([notes], notes.total_length, _LENGTHS)
        return self._snapshot

    def close(self) -> None:
        """Forget everything."""
        self._docs, self._generation, self._snapshot = {}, -1, None
