"""Writes a Whoosh segment (codec W3 of whoosh-reloaded 2.7.5) from postings that were gathered in memory.

Whoosh's own writer takes one posting at a time through a sorting pool, five calls each; most of a first
index is that. Here each term's postings are two arrays, and whole blocks are written. The files are those
that Whoosh writes, with its own classes for the hash table, the columns and the table of contents; a test
has Whoosh read and search them.

This module imports Whoosh.
"""

from array import array
from operator import sub
from pickle import dumps
from struct import Struct
from typing import Any
from zlib import compress

from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.filetables import OrderedHashWriter
from whoosh.util.numeric import byte_to_length, length_to_byte

from markdown_memory.search.documents import Indexed
from markdown_memory.search.snapshot import FACET, NAME, PATH, PLACE, TEXT, Readable

_BLOCK = 4096  # postings: few large blocks decode fastest
_COMPRESSED = 256  # bytes from which on deflating is worth its time
_INFO = Struct("!BfIBBfII")
_EXTENT = Struct("!qi")
_INT = Struct("!i")
_SCORED = (TEXT, NAME)
_FIELDS = (FACET, NAME, PATH, TEXT)  # in the order of their names, as Whoosh wants them


class _Postings(dict[bytes, "tuple[array[int], array[float]]"]):
    """By term: document numbers, ascending, and weights."""

    def __missing__(self, term: bytes) -> "tuple[array[int], array[float]]":
        found = self[term] = (array("I"), array("f"))
        return found


class SegmentWriter:
    """One new segment: notes and whole old segments go in, `finish` writes it."""

    def __init__(self, storage: Any, schema: Any, index_name: str) -> None:
        self._storage, self._schema = storage, schema
        codec = W3Codec()
        self.segment = codec.new_segment(storage, index_name)
        self._columns = codec.per_document_writer(storage, self.segment)
        self._fields = {name: _Postings() for name in _FIELDS}
        self._lengths: dict[str, bytearray] = {name: bytearray() for name in _SCORED}
        self.documents = 0
        self.postings = 0

    def add(self, note: Indexed) -> None:
        """One note."""
        number = self.documents
        self._document(note.path, note.place, {TEXT: note.length, NAME: 1})
        text = self._fields[TEXT]
        for term, weight in note.weights.items():
            numbers, weights = text[term]
            numbers.append(number)
            weights.append(weight)
        for field, terms in ((NAME, note.names), (FACET, dict.fromkeys(note.facets)), (PATH, (note.path,))):
            postings = self._fields[field]
            for term in terms:
                numbers, weights = postings[term]
                numbers.append(number)
                weights.append(1.0)
        self.postings += len(note.weights)

    def _document(self, path: bytes, place: bytes, lengths: dict[str, int]) -> None:
        columns, schema = self._columns, self._schema
        columns.start_doc(self.documents)
        for field, length in lengths.items():
            columns.add_field(field, schema[field], None, length)
            self._lengths[field].append(length_to_byte(length))
        columns.add_column_value(PATH, schema[PATH].column_type, path)
        columns.add_column_value(PLACE, schema[PLACE].column_type, place)
        columns.finish_doc()
        self.documents += 1

    def add_segment(self, old: Readable, deleted: frozenset[int]) -> None:
        """The notes of a segment that is to go, but for the deleted ones."""
        moved: dict[int, int] = {}
        text_codes, name_codes = old.lengths(TEXT), old.lengths(NAME)
        for number in range(old.documents):
            if number not in deleted:
                moved[number] = self.documents
                known = {TEXT: byte_to_length(text_codes[number]), NAME: byte_to_length(name_codes[number])}
                self._document(old.value(PATH, number), old.value(PLACE, number), known)
        for field in _FIELDS:
            for term, numbers, weights in old.terms(field):
                kept = [(moved[n], w) for n, w in zip(numbers, weights, strict=True) if n in moved]
                if kept:
                    posting = self._fields[field][term]
                    posting[0].extend(n for n, _ in kept)
                    posting[1].extend(w for _, w in kept)

    def finish(self) -> Any:
        """Write the files; the segment for Whoosh's table of contents."""
        self._columns.close()
        self.segment.set_doc_count(self.documents)
        terms = OrderedHashWriter(self.segment.create_file(self._storage, W3Codec.TERMS_EXT))
        posts = self.segment.create_file(self._storage, W3Codec.POSTS_EXT)
        try:
            field_numbers = terms.extras["fieldmap"] = {name: at for at, name in enumerate(_FIELDS)}
            for name in _FIELDS:
                prefix = field_numbers[name].to_bytes(2, "big")
                codes = self._lengths.get(name)
                offset = posts.tell()
                for term, (numbers, weights) in sorted(self._fields.pop(name).items()):
                    data, info = _posting_list(numbers, weights, codes)
                    posts.write(data)
                    terms.add(prefix + term, info + _EXTENT.pack(offset, len(data)))
                    offset += len(data)
        finally:
            posts.close()
            terms.close()
        return self.segment

    def cancel(self) -> None:
        """Let go of everything; the files are garbage for the next commit to clean."""
        if not self._columns.is_closed:
            self._columns.close()


def _posting_list(numbers: "array[int]", weights: "array[float]", codes: bytearray | None) -> tuple[bytes, bytes]:
    """The bytes of a posting list, and the first part of its term's entry."""
    if len(numbers) <= _BLOCK:
        heaviest, (shortest, longest) = max(weights), _span(numbers, codes)
        block = _block(numbers, weights, heaviest, shortest, longest)
        info = _INFO.pack(0, sum(weights), len(numbers), shortest, longest, heaviest, numbers[0], numbers[-1])
        return b"".join((b"W3Bl", _INT.pack(-len(block)), block)), info
    parts = [b"W3Bl"]
    for at in range(0, len(numbers), _BLOCK):
        some, their = numbers[at : at + _BLOCK], weights[at : at + _BLOCK]
        block = _block(some, their, max(their), *_span(some, codes))
        parts += (_INT.pack(len(block) if at + _BLOCK < len(numbers) else -len(block)), block)
    shortest, longest = _span(numbers, codes)
    first, last = numbers[0], numbers[-1]
    return b"".join(parts), _INFO.pack(0, sum(weights), len(numbers), shortest, longest, max(weights), first, last)


def _block(numbers: "array[int]", weights: "array[float]", heaviest: float, shortest: int, longest: int) -> bytes:
    first, last, count = numbers[0], numbers[-1], len(numbers)
    gaps = (first,) if count == 1 else (first, *map(sub, numbers[1:], numbers))
    body = dumps((gaps, _small(weights), None), 2)
    compression = 0
    if len(body) > _COMPRESSED:
        body, compression = compress(body, 1), 1
    return dumps((count, last, heaviest, compression, shortest, longest), 2) + body


def _small(weights: "array[float]") -> "tuple[float, ...] | float | None":
    first = weights[0]
    if weights.count(first) < len(weights):
        return tuple(weights)
    return None if first == 1.0 else first


def _span(numbers: "array[int]", codes: bytearray | None) -> tuple[int, int]:
    """The codes of the shortest and the longest document."""
    if codes is None:
        return 0, 0
    if len(numbers) == 1:
        return codes[numbers[0]], codes[numbers[0]]
    held = [codes[number] for number in numbers]
    return min(held), max(held)
