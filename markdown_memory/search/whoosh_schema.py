"""The Whoosh side of the index: schema, writer, and the stock search that the fast one is tested against.

Imported only when an index is written or the fast reader does not know the files. Whoosh carries no types.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from whoosh import columns, fields, formats
from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.filestore import FileStorage
from whoosh.index import TOC, FileIndex, clean_files
from whoosh.util.numeric import byte_to_length, length_to_byte
from whoosh.writing import SegmentWriter

from markdown_memory.search import boosts
from markdown_memory.search.documents import Indexed

INDEX_NAME = "notes"
_BLOCK = 1024  # postings: few large blocks decode fastest
_COMPRESSION = 1


class WeightedTerms(fields.FieldType):  # type: ignore[misc]
    """A field whose value is a mapping from term to weight and the length to normalise by."""

    def __init__(self) -> None:
        self.format = formats.Existence()
        self.scorable, self.stored, self.unique, self.vector, self.column_type = (
            True,
            False,
            False,
            None,
            None,
        )
        self.analyzer = None
        self.spelling = False

    def index(self, value: tuple[dict[str, float], int], **_: object) -> Iterator[tuple[bytes, int, float, bytes]]:
        weights, length = value
        first = True
        for term, weight in weights.items():
            # Whoosh sums the frequencies into the length: the first term carries it.
            yield term.encode("utf-8", "surrogateescape"), length if first else 0, weight, b""
            first = False


class Values(fields.FieldType):  # type: ignore[misc]
    """A field of exact values, not scored; with `column`, the first value can be read back by document."""

    def __init__(self, column: bool, indexed: bool = True) -> None:
        self.format = formats.Existence()
        self.indexed = indexed
        self.scorable, self.stored, self.unique, self.vector = False, False, False, None
        self.column_type = columns.VarBytesColumn() if column else None
        self.analyzer = None
        self.spelling = False

    def index(self, value: Iterable[bytes], **_: object) -> Iterator[tuple[bytes, int, float, bytes]]:
        return ((item, 1, 1.0, b"") for item in dict.fromkeys(value))

    def to_column_value(self, value: tuple[bytes, ...]) -> bytes:
        return value[0]


def schema() -> Any:
    return fields.Schema(
        text=WeightedTerms(),
        name=WeightedTerms(),
        facet=Values(column=False),
        path=Values(column=True),
        place=Values(column=True, indexed=False),
    )


def create(folder: str) -> None:
    """An empty index in an existing folder."""
    TOC.create(FileStorage(folder), schema(), INDEX_NAME)


def open_index(folder: str) -> Any:
    return FileIndex(FileStorage(folder), indexname=INDEX_NAME)


def add(writer: Any, note: Indexed) -> None:
    """Queue one note."""
    path = note.path.encode("utf-8", "surrogateescape")
    writer.add_document(
        text=(note.weights, note.length),
        name=(dict.fromkeys(note.names, 1.0), 1),
        facet=[facet.encode("utf-8", "surrogateescape") for facet in note.facets],
        path=(path,),
        place=(note.place.encode("utf-8", "surrogateescape"),),
    )


class Writer(SegmentWriter):  # type: ignore[misc]
    """Whoosh's writer, telling its caller about the new state before it deletes the files of the old one."""

    def __init__(self, folder: str, on_commit: Any, memory: int = 256) -> None:
        self._on_commit = on_commit
        codec = W3Codec(blocklimit=_BLOCK, compression=_COMPRESSION, inlinelimit=0)
        super().__init__(open_index(folder), _lk=False, codec=codec, compound=False, limitmb=memory)

    def _commit_toc(self, segments: list[Any]) -> None:
        TOC(self.schema, segments, self.generation).write(self.storage, self.indexname)
        self._on_commit(described(segments, self.generation))
        clean_files(self.storage, self.indexname, self.generation, segments)


def described(segments: Iterable[Any], toc: int) -> dict[str, Any]:
    """What a reader needs to know of a commit, as JSON."""
    return {
        "toc": toc,
        "segments": [
            {
                "name": segment.segment_id(),
                "documents": segment.doc_count_all(),
                "deleted": sorted(segment.deleted_docs()),
                "length": segment._fieldlengths.get("text", 0),
            }
            for segment in segments
        ],
        "lengths": [byte_to_length(code) for code in range(256)],
    }


def current(folder: str) -> dict[str, Any]:
    """`described` of the newest commit on disk."""
    toc = TOC.read(FileStorage(folder), INDEX_NAME)
    return described(toc.segments, toc.generation)


class StockSegment:
    """A segment read by Whoosh itself, for layouts that `w3` does not know. Offsets count terms."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self._terms: list[tuple[str, bytes]] = []
        self.documents = reader.doc_count_all()
        self.deleted = frozenset(n for n in range(self.documents) if reader.is_deleted(n))

    def find(self, field: str, term: bytes) -> tuple[int, int, int] | None:
        if (field, term) not in self._reader:
            return None
        self._terms.append((field, term))
        return self._reader.doc_frequency(field, term), len(self._terms) - 1, 0

    def prefixed(self, field: str, prefix: bytes, limit: int) -> list[bytes]:
        return list(islice(self._reader.expand_prefix(field, prefix), limit))

    def blocks(self, offset: int, length: int) -> Iterator[tuple[list[int], tuple[float, ...]]]:
        matcher = self._reader.postings(*self._terms[offset])
        numbers, weights = [], []
        while matcher.is_active():
            numbers.append(matcher.id())
            weights.append(matcher.weight())
            matcher.next()
        yield numbers, tuple(weights)

    def documents_with(self, field: str, term: bytes) -> list[int]:
        found = self.find(field, term)
        return next(self.blocks(found[1], 0))[0] if found else []

    def lengths(self, field: str) -> bytes:
        lengths = (self._reader.doc_field_length(n, field) or 0 for n in range(self.documents))
        return bytes(length_to_byte(length) for length in lengths)

    def value(self, column: str, number: int) -> bytes:
        return bytes(self._reader.column_reader(column, translate=False)[number])

    def close(self) -> None:
        self._reader.close()


def stock_segments(folder: str) -> list[Any]:
    """All segments of the newest commit, read by Whoosh. Deleted documents still count in its frequencies."""
    reader = open_index(folder).reader()
    leaves = [leaf for leaf, _ in reader.leaf_readers()]
    return [StockSegment(leaf) for leaf in leaves]


def merge_policy(writer: Any, segments: list[Any]) -> list[Any]:
    """Merge the small ones once there are more than eight: each note is rewritten a few times in all."""
    from whoosh.reading import SegmentReader

    merged = choose(segments)
    for segment in merged:
        reader = SegmentReader(writer.storage, writer.schema, segment)
        writer.add_reader(reader)
        reader.close()
    return [segment for segment in segments if segment not in merged]


def choose(segments: list[Any]) -> list[Any]:
    """Which segments to merge: those half deleted, and the smallest ones when there are too many."""
    hollow = [s for s in segments if s.deleted_count() * 2 > s.doc_count_all()]
    rest = sorted((s for s in segments if s not in hollow), key=lambda s: s.doc_count_all())
    if len(rest) <= 8:
        return hollow
    total, small = 0, list[Any]()
    for segment in rest:
        if len(small) > 1 and segment.doc_count_all() > 2 * total:
            break
        small.append(segment)
        total += segment.doc_count_all()
    return hollow + small


def stock_search(
    folder: str, terms: list[str], limit: int | None, accepted: set[int] | None = None
) -> list[tuple[int, float]]:
    """Whoosh's own search: (document, score), best first. Slow, and right by definition."""
    from whoosh.query import Or, Term
    from whoosh.scoring import BM25F
    from whoosh.searching import Searcher

    index = open_index(folder)
    model = BM25F(B=boosts.B, K1=boosts.K1, name_B=0.0)
    with Searcher(index.reader(), weighting=model, fromindex=index) as searcher:
        wanted = [term.encode("utf-8", "surrogateescape") for term in terms]
        named = [Term("name", term, boost=boosts.NAMED) for term in wanted]
        query = Or([Term("text", term) for term in wanted] + named)
        results = searcher.search(query, limit=limit, filter=accepted)
        return [(number, score) for score, number in results.top_n]
