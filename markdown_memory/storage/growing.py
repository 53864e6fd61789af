"""Files of other programs that grow line by line: read from any place in them, however large they are."""

import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from markdown_memory.errors import FormatError, NotFound, StorageError
from markdown_memory.storage.places import reason

LONGEST_LINE = 4_000_000
"""Bytes of a line that are kept: a longer one holds a picture or a tool's output."""


class Place(NamedTuple):
    """Where a line begins: its byte, and its number (1-based)."""

    offset: int = 0
    line: int = 1


START = Place()


class GrownLine(NamedTuple):
    """A line, where it begins, and where the next one does; `ended` = its writer has finished it."""

    data: bytes
    place: Place
    after: Place
    ended: bool


def lines(path: str, start: Place = START, most: int = 0) -> Iterator[GrownLine]:
    """The lines from `start` on, no more than about `most` bytes of them (0 = all); too long ones come empty."""
    try:
        with open(path, "rb") as file:
            _check_regular(path, os.fstat(file.fileno()).st_mode)
            file.seek(start.offset)
            at = start
            while data := file.readline(LONGEST_LINE):
                size = len(data)
                while not data.endswith(b"\n") and size % LONGEST_LINE == 0 and (more := file.readline(LONGEST_LINE)):
                    size, data = size + len(more), b"\n" if more.endswith(b"\n") else b""
                after = Place(at.offset + size, at.line + 1)
                yield GrownLine(data, at, after, data.endswith(b"\n"))
                at = after
                if most and at.offset - start.offset >= most:
                    return
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.") from None
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {reason(error)}.") from error


def bytes_before(path: str, offset: int, count: int = 64) -> bytes:
    """The last bytes before a place: the same as long as the file only grew; b"" when it is shorter now."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, offset - count))
            found = file.read(min(count, offset))
    except OSError:
        return b""
    return found if len(found) == min(count, offset) else b""


def _check_regular(path: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise FormatError(f"{path} is no regular file, so it cannot be a transcript.")
