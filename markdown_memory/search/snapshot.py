"""An index at one commit: its segments, and the sums over them that a score needs."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from math import log
from typing import TYPE_CHECKING, NamedTuple, Protocol

from markdown_memory.search import boosts

if TYPE_CHECKING:
    from markdown_memory.search.w3 import Block

TEXT, NAME, FACET, PATH, PLACE = "text", "name", "facet", "path", "place"
_REMEMBERED = 1_000_000  # postings, of 8 bytes each


class Found(NamedTuple):
    """A term in a segment: in how many documents, the greatest weight, and where the postings lie."""

    frequency: int
    heaviest: float
    offset: int
    length: int


class Readable(Protocol):
    """A segment's files, as the scorer needs them: `w3.Segment`, or Whoosh's own `StockSegment`."""

    documents: int
    deleted: frozenset[int]

    def find(self, field: str, term: bytes) -> "Found | None": ...
    def prefixed(self, field: str, prefix: bytes, limit: int) -> list[bytes]: ...
    def blocks(self, offset: int, length: int) -> "Iterable[Block]": ...
    def documents_with(self, field: str, term: bytes) -> list[int]: ...
    def terms(self, field: str) -> "Iterable[tuple[bytes, list[int], list[float]]]": ...
    def lengths(self, field: str) -> bytes: ...
    def value(self, column: str, number: int) -> bytes: ...
    def close(self) -> None: ...


class Posted(NamedTuple):
    """A term's documents in one segment; `documents` are segment-local and ascending."""

    documents: "array[int]"
    weights: "array[float]"


class Snapshot:
    """All segments of one commit, and the sums over them that BM25 needs."""

    def __init__(
        self,
        segments: Sequence[Readable],
        total_length: int,
        lengths: Sequence[int],
        hidden: frozenset[int] = frozenset(),
    ) -> None:
        self.segments = list(segments)
        self.bases: list[int] = []
        self.documents = 0
        for segment in self.segments:
            self.bases.append(self.documents)
            self.documents += segment.documents
        self.total_length, self.lengths = total_length, list(lengths)
        self.average = total_length / self.documents if self.documents else 0.0
        average = self.average or 1.0
        self.norms = [boosts.K1 * (1 - boosts.B + boosts.B * length / average) for length in lengths]
        self.deleted = {base + n for base, s in zip(self.bases, self.segments, strict=True) for n in s.deleted}
        self.deleted |= hidden
        self.live = self.documents - len(self.deleted)
        self._postings: dict[bytes, Postings] = {}
        self._remembered = 0
        self.memo: dict[object, object] = {}
        """What others derive from this commit, for as long as it is open."""

    def idf(self, frequency: int) -> float:
        """Whoosh's inverse document frequency; deleted documents count until they are merged away."""
        return log(self.documents / (frequency + 1)) + 1

    def postings(self, term: bytes) -> "Postings":
        """A term's documents over all segments; the last ones asked for are remembered."""
        if term not in self._postings:
            text, names = self._column(TEXT, term), self._column(NAME, term)
            self._remembered += text.frequency + names.frequency
            if self._remembered > _REMEMBERED:
                self._postings.clear()
                self._remembered = text.frequency + names.frequency
            self._postings[term] = Postings(term, text, self.idf(text.frequency), names, self.idf(names.frequency))
        return self._postings[term]

    def _column(self, field: str, term: bytes) -> "PostedList":
        found = [segment.find(field, term) for segment in self.segments]
        per_segment = [
            _decoded(segment, place) if place else None for segment, place in zip(self.segments, found, strict=True)
        ]
        held = [place for place in found if place]
        return PostedList(
            sum(place.frequency for place in held), max((place.heaviest for place in held), default=0.0), per_segment
        )

    def with_facets(self, facets: Iterable[str]) -> set[int]:
        """The documents that have any of these facets."""
        found: set[int] = set()
        for facet in facets:
            for base, segment in zip(self.bases, self.segments, strict=True):
                numbers = segment.documents_with(FACET, facet.encode("utf-8", "surrogateescape"))
                found.update([base + n for n in numbers] if base else numbers)
        return found

    def facet_values(self, key: str) -> list[str]:
        """All values of a facet key in the index."""
        prefix = f"{key}:".encode()
        found = {term for segment in self.segments for term in segment.prefixed(FACET, prefix, 1 << 20)}
        return sorted(term[len(prefix) :].decode("utf-8", "surrogateescape") for term in found)

    def prefixed(self, prefix: str) -> list[bytes]:
        """The terms that a `prefix*` stands for, most frequent segments' first ones in order."""
        found: set[bytes] = set()
        for segment in self.segments:
            found.update(segment.prefixed(TEXT, prefix.encode(), boosts.PREFIX_TERMS))
        return sorted(found)[: boosts.PREFIX_TERMS]

    def value(self, column: str, document: int) -> str:
        """What a column holds for a document."""
        at, number = self.locate(document)
        return self.segments[at].value(column, number).decode("utf-8", "surrogateescape")

    def document_of(self, path: str) -> int | None:
        """The live document of a path."""
        term = path.encode("utf-8", "surrogateescape")
        for base, segment in zip(self.bases, self.segments, strict=True):
            for number in segment.documents_with(PATH, term):
                if base + number not in self.deleted:
                    return base + number
        return None

    def locate(self, document: int) -> tuple[int, int]:
        """Which segment a document is in, and its number there."""
        at = len(self.bases) - 1
        while self.bases[at] > document:
            at -= 1
        return at, document - self.bases[at]

    def length_code(self, document: int) -> int:
        """The code of a document's length."""
        at, number = self.locate(document)
        return self.segments[at].lengths(TEXT)[number]

    def close(self) -> None:
        for segment in self.segments:
            segment.close()


class PostedList(NamedTuple):
    """A term's documents in one field over all segments, how many they are, and the greatest weight among them."""

    frequency: int
    heaviest: float
    per_segment: list[Posted | None]

    def weight(self, segment: int, number: int) -> float:
        """The weight in one document of a segment; 0 when it does not hold the term."""
        posted = self.per_segment[segment]
        if posted is None:
            return 0.0
        at = bisect_left(posted.documents, number)
        return posted.weights[at] if at < len(posted.documents) and posted.documents[at] == number else 0.0

    def documents(self, bases: Sequence[int]) -> set[int]:
        """All documents that hold the term."""
        found: set[int] = set()
        for base, posted in zip(bases, self.per_segment, strict=True):
            if posted:
                found.update(base + n for n in posted.documents)
        return found


class Postings(NamedTuple):
    """One term in the text and in the names, each with its inverse document frequency."""

    term: bytes
    text: PostedList
    idf: float
    names: PostedList
    named_idf: float


def _decoded(segment: Readable, place: Found) -> Posted:
    documents, weights = array("I"), array("f")
    for numbers, weight in segment.blocks(place.offset, place.length):
        documents.extend(numbers)
        if isinstance(weight, tuple):
            weights.extend(weight)
        else:
            weights.extend(array("f", (1.0 if weight is None else weight,)) * len(numbers))
    return Posted(documents, weights)
