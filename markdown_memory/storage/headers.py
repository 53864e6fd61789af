"""From a file to its header, whatever the file is; and whether its stat signature can be relied upon next time.

A signature is taken before the bytes are read. When the file could still change within the same tick of the disk's
clock, nobody would see it later (git calls such entries racy), so such a signature is not kept and the file is read
again next time.
"""

import os

from markdown_memory.core.note import MAX_SIZE, Header, read_header, unread
from markdown_memory.core.problem import Problem
from markdown_memory.errors import MarkdownMemoryError, NotFound
from markdown_memory.storage import files

_HASHED = 256_000_000  # bytes; of a larger file not even the digest is taken
_TICK = 50_000_000  # ns; kernels stamp files with a clock that ticks every 4 to 10 ms
_COARSE_TICK = 2_100_000_000  # ns; FAT counts in steps of two seconds
_SECOND = 1_000_000_000


def header_of(root: str, path: str, size: int) -> Header | None:
    """The header of a file that a listing has seen with that size; None when it has gone meanwhile."""
    try:
        if size > MAX_SIZE:
            return _of_large(root, path, size)
        return read_header(path, files.read(root, path, None))
    except NotFound:
        return None
    except MarkdownMemoryError as error:
        problem = Problem("note-unreadable", path, 0, str(error), "Make it readable, or move it out of the vault.")
        return unread(Header(path, "", size), problem)


def was_read(header: Header) -> bool:
    """Whether the bytes behind this header could be read."""
    return bool(header.sha256) or header.size > _HASHED


def settled(mtime_ns: int, ctime_ns: int, looked_at: int) -> bool:
    """Whether a file with these stamps, listed after `looked_at` (ns), cannot change any more without showing it."""
    stamp = mtime_ns if os.name == "nt" else ctime_ns  # Windows has the time of creation there
    return stamp < looked_at - (_TICK if stamp % _SECOND else _COARSE_TICK)


def _of_large(root: str, path: str, size: int) -> Header:
    digest = "" if size > _HASHED else files.read_prefix(root, path, 0)[1]
    message = f"The file has {size:,} bytes; more than {MAX_SIZE:,} are not read as a note."
    problem = Problem("note-too-large", path, 0, message, "Split it, or move it out of the vault.")
    return unread(Header(path, digest, size), problem)
