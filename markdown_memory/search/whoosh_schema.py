"""The Whoosh side of the index: schema, Whoosh as a reader, and the search that the fast one is tested
against.

Imported only when an index is written or the fast reader does not know the files. Whoosh carries no types.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from whoosh import columns, fields, formats
from whoosh.filedb.filestore import FileStorage
from whoosh.index import TOC, FileIndex
from whoosh.util.numeric import byte_to_length, length_to_byte

from markdown_memory.search import boosts
from markdown_memory.search.snapshot import Found

INDEX_NAME = "notes"


class Terms(fields.FieldType):  # type: ignore[misc]
    """A field whose postings come from `segment_writer`; with `column`, a value can be read back by document."""

    def __init__(self, scorable: bool = False, column: bool = False, indexed: bool = True) -> None:
        self.format = formats.Existence()
        self.scorable, self.indexed = scorable, indexed
        self.column_type = columns.VarBytesColumn() if column else None
        self.stored = self.unique = self.spelling = False
        self.vector = self.analyzer = None

    def index(self, value: object, **_: object) -> Any:
        raise NotImplementedError("notes are added by segment_writer")


def schema() -> Any:
    """The fields as Whoosh knows them."""
    return fields.Schema(
        text=Terms(scorable=True),
        name=Terms(scorable=True),
        facet=Terms(),
        path=Terms(column=True),
        place=Terms(column=True, indexed=False),
    )


def create(folder: str) -> None:
    """An empty index in an existing folder."""
    TOC.create(FileStorage(folder), schema(), INDEX_NAME)


def open_index(folder: str) -> Any:
    return FileIndex(FileStorage(folder), indexname=INDEX_NAME)


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

    def find(self, field: str, term: bytes) -> Found | None:
        if (field, term) not in self._reader:
            return None
        self._terms.append((field, term))
        info = self._reader.term_info(field, term)
        return Found(info.doc_frequency(), info.max_weight(), len(self._terms) - 1, 0)

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
        return next(self.blocks(found.offset, 0))[0] if found else []

    def terms(self, field: str) -> Iterator[tuple[bytes, list[int], list[float]]]:
        for term in self.prefixed(field, b"", 1 << 62):
            if found := self.find(field, term):
                numbers, weights = next(self.blocks(found.offset, 0))
                yield term, numbers, list(weights)

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
