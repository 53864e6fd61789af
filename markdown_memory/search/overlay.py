"""A segment in memory: notes that changed since the last commit, searched together with those on disk.

A commit costs the import of Whoosh and some files, however little changed. So a few changed notes are
indexed in memory by every process that searches, and written when they have become many.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from markdown_memory.search.documents import Indexed
from markdown_memory.search.snapshot import FACET, NAME, PATH, PLACE, TEXT, Found

if TYPE_CHECKING:
    from markdown_memory.search.w3 import Block

Posting = tuple[list[int], list[float]]


class MemorySegment:
    """The `Readable` of a few notes. `length_codes` gives a length's code as Whoosh would store it."""

    def __init__(self, notes: Iterable[Indexed], lengths: list[int]) -> None:
        self._notes = list(notes)
        self._fields: dict[str, dict[bytes, Posting]] = {TEXT: {}, NAME: {}, FACET: {}, PATH: {}}
        self._found: list[Posting] = []
        for number, note in enumerate(self._notes):
            self._add(number, note)
        self.documents = len(self._notes)
        self.deleted: frozenset[int] = frozenset()
        self.total_length = sum(note.length for note in self._notes)
        self._codes = bytes(_code(note.length, lengths) for note in self._notes)

    def _add(self, number: int, note: Indexed) -> None:
        for term, weight in note.weights.items():
            self._post(TEXT, term, number, weight)
        for term in note.names:
            self._post(NAME, term, number, 1.0)
        for facet in dict.fromkeys(note.facets):
            self._post(FACET, facet, number, 1.0)
        self._post(PATH, note.path, number, 1.0)

    def _post(self, field: str, term: bytes, number: int, weight: float) -> None:
        numbers, weights = self._fields[field].setdefault(term, ([], []))
        numbers.append(number)
        weights.append(weight)

    def find(self, field: str, term: bytes) -> Found | None:
        """As a segment on disk; the offset counts the postings found so far."""
        posting = self._fields[field].get(term)
        if posting is None:
            return None
        self._found.append(posting)
        return Found(len(posting[0]), max(posting[1]), len(self._found) - 1, 0)

    def prefixed(self, field: str, prefix: bytes, limit: int) -> list[bytes]:
        """The field's first `limit` terms that begin with `prefix`, in order."""
        return sorted(term for term in self._fields[field] if term.startswith(prefix))[:limit]

    def blocks(self, offset: int, length: int) -> "Iterable[Block]":
        """One block."""
        numbers, weights = self._found[offset]
        return [(numbers, tuple(weights))]

    def documents_with(self, field: str, term: bytes) -> list[int]:
        """The document numbers that have a term."""
        return self._fields[field].get(term, ([], []))[0]

    def terms(self, field: str) -> Iterable[tuple[bytes, list[int], list[float]]]:
        """All terms of a field in order, with their documents and weights."""
        return [(term, *posting) for term, posting in sorted(self._fields[field].items())]

    def lengths(self, field: str) -> bytes:
        """The length code of each note."""
        return self._codes

    def value(self, column: str, number: int) -> bytes:
        """A note's path or place."""
        return self._notes[number].place if column == PLACE else self._notes[number].path

    def close(self) -> None:
        """Nothing is open."""


def _code(length: int, lengths: list[int]) -> int:
    from bisect import bisect_left

    return min(255, bisect_left(lengths, length))
