"""BM25F term at a time: the same sums as Whoosh's matcher tree makes, without the tree.

For each term the posting blocks are added into one dictionary of scores; norms come from a table of 256
length codes; deletions and filters are sets, applied at the end. A test compares scores and order with
Whoosh's own search.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from heapq import nlargest
from math import log
from typing import TYPE_CHECKING, NamedTuple, Protocol

from markdown_memory.search import boosts

if TYPE_CHECKING:
    from markdown_memory.search.w3 import Block

TEXT, NAME, FACET, PATH, PLACE = "text", "name", "facet", "path", "place"


class Readable(Protocol):
    """A segment's files, as the scorer needs them: `w3.Segment`, or Whoosh's own `StockSegment`."""

    documents: int
    deleted: frozenset[int]

    def find(self, field: str, term: bytes) -> tuple[int, int, int] | None: ...
    def prefixed(self, field: str, prefix: bytes, limit: int) -> list[bytes]: ...
    def blocks(self, offset: int, length: int) -> "Iterable[Block]": ...
    def documents_with(self, field: str, term: bytes) -> list[int]: ...
    def terms(self, field: str) -> "Iterable[tuple[bytes, list[int], list[float]]]": ...
    def lengths(self, field: str) -> bytes: ...
    def value(self, column: str, number: int) -> bytes: ...
    def close(self) -> None: ...


class Posted(NamedTuple):
    """A term's documents in one segment; `documents` are segment-local and ascending."""

    documents: list[int]
    weights: list[float]


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
        self.memo: dict[str, object] = {}
        """What others derive from this commit, for as long as it is open."""

    def idf(self, frequency: int) -> float:
        """Whoosh's inverse document frequency; deleted documents count until they are merged away."""
        return log(self.documents / (frequency + 1)) + 1

    def postings(self, term: bytes) -> "Postings":
        """A term's documents over all segments."""
        frequency, per_segment = self._posted(TEXT, term)
        named, names = self._posted(NAME, term)
        return Postings(term, frequency, self.idf(frequency), per_segment, self.idf(named), names)

    def _posted(self, field: str, term: bytes) -> "tuple[int, list[Posted | None]]":
        found = [segment.find(field, term) for segment in self.segments]
        per_segment = [
            _decoded(segment, place[1], place[2]) if place else None
            for segment, place in zip(self.segments, found, strict=True)
        ]
        return sum(place[0] for place in found if place), per_segment

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


class Postings(NamedTuple):
    """One term over all segments: in the text field, and in the names."""

    term: bytes
    frequency: int
    idf: float
    per_segment: list[Posted | None]
    named_idf: float
    names: list[Posted | None]

    def documents(self, bases: Sequence[int]) -> set[int]:
        """All documents that hold the term."""
        found: set[int] = set()
        for base, posted in zip(bases, self.per_segment, strict=True):
            if posted:
                found.update(base + n for n in posted.documents)
        return found

    def weight(self, segment: int, number: int) -> float:
        """How often (weighted) one document of a segment holds the term."""
        posted = self.per_segment[segment]
        at = _found(posted, number)
        return posted.weights[at] if posted and at >= 0 else 0.0

    def names_it(self, segment: int, number: int) -> bool:
        """Whether a document is called by this term."""
        return _found(self.names[segment], number) >= 0


def _found(posted: Posted | None, number: int) -> int:
    if posted is None:
        return -1
    at = bisect_left(posted.documents, number)
    return at if at < len(posted.documents) and posted.documents[at] == number else -1


def _decoded(segment: Readable, offset: int, length: int) -> Posted:
    documents: list[int] = []
    weights: list[float] = []
    for numbers, weight in segment.blocks(offset, length):
        documents += numbers
        if weight is None:
            weights += [1.0] * len(numbers)
        elif isinstance(weight, float):
            weights += [weight] * len(numbers)
        else:
            weights += weight
    return Posted(documents, weights)


def scores(snapshot: Snapshot, terms: Iterable[Postings]) -> dict[int, float]:
    """The sum over text and names of every document that holds any of the terms, deleted ones included."""
    found: dict[int, float] = {}
    get = found.get
    norms = snapshot.norms
    for postings in terms:
        factor, named = postings.idf * (boosts.K1 + 1), postings.named_idf * boosts.NAMED
        for at, (base, segment) in enumerate(zip(snapshot.bases, snapshot.segments, strict=True)):
            if posted := postings.per_segment[at]:
                codes = segment.lengths(TEXT)
                for number, weight in zip(posted.documents, posted.weights, strict=True):
                    document = base + number
                    found[document] = get(document, 0.0) + factor * weight / (weight + norms[codes[number]])
            if names := postings.names[at]:
                for number in names.documents:
                    document = base + number
                    found[document] = get(document, 0.0) + named
    return found


def best(found: dict[int, float], limit: int) -> list[tuple[int, float]]:
    """The `limit` best documents and whatever ties with the last of them, best first."""
    if len(found) > limit:
        threshold = nlargest(limit, found.values())[-1]
        kept = [(document, score) for document, score in found.items() if score >= threshold]
    else:
        kept = list(found.items())
    return sorted(kept, key=lambda pair: (-pair[1], pair[0]))
