"""The lock of one writer: held for less than a millisecond, a thousand times an hour, by processes that start fresh.

Where there is flock(2) it is taken directly: that costs a fortieth of what filelock's bookkeeping does, and a command
that only appends to the log need not load it. The kernel takes the lock back when its holder dies. On Windows filelock
does it.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from markdown_memory.errors import StorageError
from markdown_memory.storage.inside import failure
from markdown_memory.storage.places import make_private

if sys.platform != "win32":
    import fcntl

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
_SHORTEST, _LONGEST = 0.0005, 0.02  # seconds between two attempts


@contextmanager
def writer_lock(path: str, what: str, timeout: float) -> Iterator[None]:
    """Hold the lock file at `path`; `what` begins the sentence when it stays busy. Not re-entrant."""
    if sys.platform == "win32":
        from markdown_memory.storage.locks import file_lock

        with file_lock(path, what, timeout):
            yield
    else:
        handle = _opened(path)
        try:
            _acquire(handle, path, what, timeout)
            yield
        finally:
            os.close(handle)


def _opened(path: str) -> int:
    try:
        return os.open(path, _FLAGS, 0o600)
    except FileNotFoundError:
        make_private(os.path.dirname(path))
        return _opened(path)
    except OSError as error:
        raise failure(path, "cannot be opened", error) from error


def _acquire(handle: int, path: str, what: str, timeout: float) -> None:
    deadline, wait = time.monotonic() + timeout, _SHORTEST
    while not _taken(handle, path):
        if time.monotonic() > deadline:
            raise StorageError(f"{what} is being written by another process; waited {timeout:g} s. Try again.")
        time.sleep(wait)
        wait = min(wait * 2, _LONGEST)


def _taken(handle: int, path: str) -> bool:
    if sys.platform == "win32":
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise failure(path, "cannot be locked", error) from error
    return True
