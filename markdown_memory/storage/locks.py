"""One writer at a time: locks that the system takes back when their holder dies.

The lock file itself stays empty and is never removed or rewritten, so that no sync tool has a reason to replace it
while somebody holds it. Who holds the vault stands in a file beside it, for the sentence that a waiting process ends
with; and whoever wants the vault waits at that file first, so that writers come in the order in which they asked, and
the one who has just written does not push in before those who wait.

Where there is flock(2) it is taken directly, as filelock does, which also takes longer to import than reading a note
may take; elsewhere filelock does it.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from markdown_memory.errors import MarkdownMemoryError, StorageError
from markdown_memory.storage.inside import failure
from markdown_memory.storage.places import make_private

if sys.platform != "win32":
    import errno
    import fcntl

FOLDER = ".mdmem"
WAIT = 10.0  # seconds
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def vault_lock(root: str, timeout: float = WAIT) -> Iterator[None]:
    """Hold the vault's write lock. Not re-entrant: a second one in the same process waits like any other."""
    _make_lock_folder(root)
    path = os.path.join(root, FOLDER, "lock")
    with _held(path, f"The vault {root}", timeout, in_order=True):
        yield


@contextmanager
def file_lock(path: str, what: str, timeout: float = WAIT) -> Iterator[None]:
    """Hold a lock in a folder of ours outside the vault; `what` begins the sentence when it stays busy."""
    make_private(os.path.dirname(path))
    with _held(path, what, timeout):
        yield


@contextmanager
def _held(path: str, what: str, timeout: float, in_order: bool = False) -> Iterator[None]:
    if sys.platform == "win32":
        with _held_by_filelock(path, what, timeout):
            if in_order:
                _sign(path)
            yield
        return
    handle = _opened(path)
    try:
        _acquire(handle, path, what, timeout, in_order)
        yield
    finally:
        os.close(handle)


@contextmanager
def _held_by_filelock(path: str, what: str, timeout: float) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=timeout, poll_interval=0.02, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        raise _busy(path, what, timeout) from None
    except NotImplementedError as error:
        raise _unlockable(what) from error
    except OSError as error:
        raise failure(path, "cannot be locked", error) from error
    try:
        yield
    finally:
        lock.release()


def _acquire(handle: int, path: str, what: str, timeout: float, in_order: bool) -> None:
    deadline = time.monotonic() + timeout
    try:
        if not in_order:
            if not _taken(handle, deadline):
                raise _busy(path, what, timeout)
            return
        turn = _opened(f"{path}-holder")
        try:
            if not (_taken(turn, deadline) and _taken(handle, deadline)):
                raise _busy(path, what, timeout)
            _sign(path)
        finally:
            os.close(turn)
    except OSError as error:
        if error.errno in (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP):
            raise _unlockable(what) from error
        raise failure(path, "cannot be locked", error) from error


def _taken(handle: int, deadline: float) -> bool:
    """Lock an open file; False when it is still another's at the deadline.

    The system wakes who waits, in order. Waiting is left to a thread, since it cannot be given a limit: who gives up
    closes the file, and what the thread is still granted goes back at once.
    """
    if sys.platform == "win32":
        return False
    with suppress(BlockingIOError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    from threading import Thread

    outcome: list[OSError | None] = []

    def wait() -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            outcome.append(None)
        except OSError as error:
            outcome.append(error)

    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(max(0.0, deadline - time.monotonic()))
    for error in outcome:
        if error:
            raise error
    return bool(outcome)


def _opened(path: str) -> int:
    try:
        return os.open(path, _FLAGS, 0o666)
    except OSError as error:
        raise failure(path, "cannot be locked", error) from error


def _busy(path: str, what: str, timeout: float) -> MarkdownMemoryError:
    return StorageError(f"{what} is being changed by {_holder(path)}; waited {timeout:g} s. Try again.")


def _unlockable(what: str) -> MarkdownMemoryError:
    return StorageError(f"{what} lies on a disk without locks, so it cannot be changed safely.")


def _make_lock_folder(root: str) -> None:
    path = os.path.join(root, FOLDER)
    if os.path.isdir(path):
        return
    try:
        os.mkdir(path)
        with open(os.path.join(path, ".gitignore"), "w", encoding="utf-8") as file:
            file.write("*\n")
    except FileExistsError:
        return
    except OSError as error:
        raise failure(f"The vault {root}", "cannot be changed", error) from error


def _sign(path: str) -> None:
    try:
        with open(f"{path}-holder", "w", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
    except OSError:
        return  # only the sentence for others gets poorer


def _holder(path: str) -> str:
    try:
        with open(f"{path}-holder", encoding="utf-8") as file:
            pid = file.readline().strip()
    except OSError:
        pid = ""
    return f"process {pid}" if pid.isdecimal() else "another process"
