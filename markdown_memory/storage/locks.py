"""One writer at a time: locks that the system takes back when their holder dies.

The lock file itself stays empty and is never removed or rewritten, so that no sync tool has a reason to replace it
while somebody holds it. Who holds the vault stands in a file beside it, only for the sentence that a waiting process
ends with. filelock takes longer to import than reading a note may take; only what writes comes here.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from markdown_memory.errors import StorageError
from markdown_memory.storage.inside import failure
from markdown_memory.storage.places import make_private

FOLDER = ".mdmem"
WAIT = 10.0  # seconds


@contextmanager
def vault_lock(root: str, timeout: float = WAIT) -> Iterator[None]:
    """Hold the vault's write lock. Not re-entrant: a second one in the same process waits like any other."""
    _make_lock_folder(root)
    path = os.path.join(root, FOLDER, "lock")
    with _held(path, f"The vault {root}", timeout):
        _sign(path)
        yield


@contextmanager
def file_lock(path: str, what: str, timeout: float = WAIT) -> Iterator[None]:
    """Hold a lock in a folder of ours outside the vault; `what` begins the sentence when it stays busy."""
    make_private(os.path.dirname(path))
    with _held(path, what, timeout):
        yield


@contextmanager
def _held(path: str, what: str, timeout: float) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=timeout, poll_interval=0.02, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        raise StorageError(f"{what} is being changed by {_holder(path)}; waited {timeout:g} s. Try again.") from None
    except NotImplementedError as error:
        raise StorageError(f"{what} lies on a disk without locks, so it cannot be changed safely.") from error
    except OSError as error:
        raise failure(path, "cannot be locked", error) from error
    try:
        yield
    finally:
        lock.release()


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
