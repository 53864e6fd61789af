"""Reads the files of a Whoosh segment (codec W3 of whoosh-reloaded 2.7.5) without importing Whoosh.

Importing Whoosh costs more than everything else in a cold search, and its matcher tree is most of a warm
one. What a query needs is little: find a term in an on-disk hash, decode its posting blocks, look up two
columns. The layout read here, all numbers big-endian:

* `.trm`: magic `HSH3`, a byte that names the hash, 8 bytes unused; then (key length, value length, key,
  value) in key order; 256 hash tables of (hash, position); their directory of (position, slots); a pickled
  dict; an array of key positions; the length of these last two. A key is the field's number and the term; a
  value is document frequency and such, and where the postings are.
* `.pst`: per term the magic `W3Bl` and blocks of (length, negative in the last one; a pickled tuple; a
  pickled, perhaps deflated tuple of document gaps, weights, values).
* `.col`: bytes of all values, then their lengths, then perhaps offsets, type codes last. Lengths are one
  byte each.

Everything is read through memory maps. Whatever looks different from this raises, and the caller falls back
to Whoosh.
"""

import mmap
import os
import sys
from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from struct import Struct, calcsize
from typing import Any

from markdown_memory.search.snapshot import Found

_LENGTHS = Struct("!ii")
_POINTER = Struct("!Iq")
_DIRECTORY = Struct("!qi")
_INFO = Struct("!BfIBBfII")
_EXTENT = Struct("!qi")
_INT = Struct("!i")
_DIRECTORY_SIZE = 256 * _DIRECTORY.size
_OPCODE_ARGUMENTS = {0x4B: 1, 0x4D: 2, 0x4A: 4, 0x47: 8, 0x71: 1, 0x28: 0, 0x74: 0, 0x4E: 0}
_HASHES_BY_MD5 = 0

Weights = float | tuple[float, ...] | None
Block = tuple[Sequence[int], Weights]


class Malformed(Exception):
    """The files are not laid out as this module knows it."""


class Segment:
    """One segment: terms, postings, lengths, values. All files are opened at once: a writer may delete them."""

    def __init__(
        self,
        folder: str,
        name: str,
        documents: int,
        deleted: frozenset[int],
        columns: tuple[str, ...],
        scored: tuple[str, ...],
    ) -> None:
        self.name, self.documents, self.deleted = name, documents, deleted
        self._prefix = os.path.join(folder, name)
        self._terms = _Terms(_map(self._prefix + ".trm"))
        self._posts = _map(self._prefix + ".pst")
        self._columns = {name: _Column(_map(f"{self._prefix}.{name}.col"), documents) for name in columns}
        self._lengths = {name: self._length_codes(name) for name in scored}

    def find(self, field: str, term: bytes) -> Found | None:
        """A term's frequency, greatest weight and where its postings lie."""
        return self._terms.find(field, term)

    def prefixed(self, field: str, prefix: bytes, limit: int) -> list[bytes]:
        """The field's first `limit` terms that begin with `prefix`, in order."""
        return self._terms.prefixed(field, prefix, limit)

    def blocks(self, offset: int, length: int) -> Iterator[Block]:
        """The postings block by block: document numbers, and weights (None: all 1; one number: all that)."""
        return _blocks(self._posts, offset, length)

    def documents_with(self, field: str, term: bytes) -> list[int]:
        """The document numbers that have a term, deleted ones included."""
        found = self.find(field, term)
        if found is None:
            return []
        return [number for numbers, _ in self.blocks(found.offset, found.length) for number in numbers]

    def terms(self, field: str) -> Iterator[tuple[bytes, list[int], list[float]]]:
        """All terms of a field in order, with their documents and weights."""
        for term, offset, length in self._terms.all(field):
            numbers: list[int] = []
            weights: list[float] = []
            for block, weight in self.blocks(offset, length):
                numbers += block
                weights += weight if isinstance(weight, tuple) else [1.0 if weight is None else weight] * len(block)
            yield term, numbers, weights

    def lengths(self, field: str) -> bytes:
        """The length code of each document, one byte each."""
        return self._lengths[field]

    def _length_codes(self, field: str) -> bytes:
        return bytes(_map(f"{self._prefix}._{field}_len.col")[:]).ljust(self.documents, b"\0")

    def value(self, column: str, number: int) -> bytes:
        """A document's value in a column of byte strings."""
        return self._columns[column].value(number)

    def close(self) -> None:
        self._columns.clear()


def _map(path: str) -> Any:
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _loads(data: bytes) -> Any:
    from pickle import loads

    return loads(data)  # our own cache, written by this package


class _Terms:
    def __init__(self, data: Any) -> None:
        if data[:4] != b"HSH3" or data[4] != _HASHES_BY_MD5:
            raise Malformed("unknown term file")
        self._data = data
        end = len(data) - _INT.size
        extras_at = end - _INT.unpack_from(data, end)[0]
        self._directory = extras_at - _DIRECTORY_SIZE
        extras = _loads(data[extras_at:end])
        self._fields: dict[str, int] = extras["fieldmap"]
        self._count: int = extras["indexlen"]
        self._position = Struct("!" + extras["indextype"])
        self._positions = end - self._count * self._position.size

    def find(self, field: str, term: bytes) -> Found | None:
        if field not in self._fields:
            return None
        key = self._fields[field].to_bytes(2, "big") + term
        for at, size in self._candidates(key):
            info = self._data[at : at + size]
            inlined, _, frequency, _, _, heaviest, _, _ = _INFO.unpack_from(info)
            if inlined:
                raise Malformed("inlined postings")
            offset, length = _EXTENT.unpack_from(info, _INFO.size)
            return Found(frequency, heaviest, offset, length)
        return None

    def all(self, field: str) -> Iterator[tuple[bytes, int, int]]:
        if field not in self._fields:
            return
        prefix = self._fields[field].to_bytes(2, "big")
        for i in range(self._first_from(prefix), self._count):
            at = self._position.unpack_from(self._data, self._positions + i * self._position.size)[0]
            key_length = _LENGTHS.unpack_from(self._data, at)[0]
            at += _LENGTHS.size
            key = self._data[at : at + key_length]
            if key[:2] != prefix:
                return
            offset, length = _EXTENT.unpack_from(self._data, at + key_length + _INFO.size)
            yield bytes(key[2:]), offset, length

    def _candidates(self, key: bytes) -> Iterator[tuple[int, int]]:
        from hashlib import md5

        data = self._data
        code = int.from_bytes(md5(key, usedforsecurity=False).digest()[-4:], "big")
        start, slots = _DIRECTORY.unpack_from(data, self._directory + (code & 255) * _DIRECTORY.size)
        for step in range(slots):
            slot = ((code >> 8) + step) % slots
            found, at = _POINTER.unpack_from(data, start + slot * _POINTER.size)
            if not at:
                return
            if found == code:
                key_length, size = _LENGTHS.unpack_from(data, at)
                at += _LENGTHS.size
                if data[at : at + key_length] == key:
                    yield at + key_length, size

    def prefixed(self, field: str, prefix: bytes, limit: int) -> list[bytes]:
        if field not in self._fields:
            return []
        key = self._fields[field].to_bytes(2, "big") + prefix
        found: list[bytes] = []
        for i in range(self._first_from(key), self._count):
            candidate = self._key(i)
            if not candidate.startswith(key) or len(found) == limit:
                break
            found.append(candidate[2:])
        return found

    def _first_from(self, key: bytes) -> int:
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._key(middle) < key:
                low = middle + 1
            else:
                high = middle
        return low

    def _key(self, i: int) -> bytes:
        at = self._position.unpack_from(self._data, self._positions + i * self._position.size)[0]
        length = _LENGTHS.unpack_from(self._data, at)[0]
        return bytes(self._data[at + _LENGTHS.size : at + _LENGTHS.size + length])


def _blocks(data: Any, offset: int, length: int) -> Iterator[Block]:
    if data[offset : offset + 4] != b"W3Bl":
        raise Malformed("unknown posting list")
    at, end = offset + 4, offset + length
    while at < end:
        size = abs(_INT.unpack_from(data, at)[0])
        at += _INT.size
        body = data[_end_of_info(data, at) : at + size]
        if body[:1] != b"\x80":
            from zlib import decompress

            body = decompress(body)
        gaps, weights, _ = _loads(body)
        yield list(accumulate(gaps)), weights
        at += size


def _end_of_info(data: Any, at: int) -> int:
    """Steps over a block's pickled tuple of numbers: `pickle` does not say where it stopped."""
    at += 2
    while data[at] != 0x2E:
        at += 1 + _OPCODE_ARGUMENTS[data[at]]
    return at + 1


class _Column:
    def __init__(self, data: Any, documents: int) -> None:
        self._data = data
        end = len(data) - 1
        code = chr(data[end]) if documents else "B"
        self._offsets: Any = None
        if code == "X":
            code, offset_code = chr(data[end - 2]), chr(data[end - 1])
            end -= 2 + documents * calcsize(offset_code)
            self._offsets = _array(data, end, offset_code, documents)
        start = end - documents * calcsize(code)
        self._lengths = _array(data, start, code, documents)
        if self._offsets is None:
            self._offsets = [0, *accumulate(self._lengths)]

    def value(self, number: int) -> bytes:
        at = self._offsets[number]
        return bytes(self._data[at : at + self._lengths[number]])


def _array(data: Any, start: int, code: str, count: int) -> "array[int]":
    found: array[int] = array(code)
    found.frombytes(data[start : start + count * found.itemsize])
    if sys.byteorder == "little":
        found.byteswap()
    return found
