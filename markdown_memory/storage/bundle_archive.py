"""A zip file of stored files, whose bytes depend on nothing but names and contents.

The standard library's writer takes longer for a thousand small files than reading them does, and the file would have to
be read again for its hash. What is written here any program reads; more than 65,535 files or 4 GB are told in the
zip64 form.
"""

import struct
from collections.abc import Iterable
from typing import BinaryIO
from zlib import crc32

LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s4B4H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_END_64 = struct.Struct("<4sQ2H2I4Q")
_LOCATOR = struct.Struct("<4sIQI")
_DATE = (1980 - 1980) << 9 | 1 << 5 | 1  # 1 January 1980
_UNIX, _VERSION, _VERSION_64 = 3, 20, 45
_UTF8 = 0x800
_MODE = 0o100644 << 16
_MOST, _FULL = 0xFFFF, 0xFFFFFFFF


def write(out: BinaryIO, entries: Iterable[tuple[str, bytes]]) -> str:
    """Write names and contents; the SHA-256 of the whole file."""
    from hashlib import sha256

    hashed, at = sha256(), 0
    directory: list[bytes] = []
    for name, data in entries:
        local, central = _headers(name, data, at)
        for piece in (local, data):
            out.write(piece)
            hashed.update(piece)
        at += len(local) + len(data)
        directory.append(central)
    end = b"".join(directory)
    end += _ending(len(directory), len(end), at)
    out.write(end)
    hashed.update(end)
    return hashed.hexdigest()


def _headers(name: str, data: bytes, at: int) -> tuple[bytes, bytes]:
    """What stands before a file's bytes, and what the directory at the end says of it."""
    raw = name.encode()
    flags = 0 if name.isascii() else _UTF8
    far = at >= _FULL
    version = _VERSION_64 if far else _VERSION
    extra = struct.pack("<2HQ", 1, 8, at) if far else b""
    sums = crc32(data), len(data), len(data), len(raw)
    local = LOCAL.pack(b"PK\3\4", _VERSION, flags, 0, 0, _DATE, *sums, 0)
    head = (b"PK\1\2", version, _UNIX, version, 0, flags, 0, 0, _DATE)
    central = _CENTRAL.pack(*head, *sums, len(extra), 0, 0, 0, _MODE, _FULL if far else at)
    return local + raw, central + raw + extra


def _ending(count: int, size: int, at: int) -> bytes:
    """The end of the directory, which has `count` rows in `size` bytes and begins at `at`."""
    wide = b""
    if count >= _MOST or at >= _FULL or size >= _FULL:
        wide = _END_64.pack(b"PK\6\6", 44, _VERSION_64, _VERSION_64, 0, 0, count, count, size, at)
        wide += _LOCATOR.pack(b"PK\6\7", 0, at + size, 1)
    rows = min(count, _MOST)
    return wide + _END.pack(b"PK\5\6", 0, 0, rows, rows, min(size, _FULL), min(at, _FULL), 0)
