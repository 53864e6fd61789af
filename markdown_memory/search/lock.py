"""One writer at a time in an index folder, by a lock of the operating system that a killed process lets go of."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

from markdown_memory.errors import StorageError


@contextmanager
def locked(folder: str, seconds: float) -> Iterator[None]:
    """The one lock of an index; StorageError when another process holds it for longer than `seconds`."""
    from whoosh.util.filelock import FileLock

    os.makedirs(folder, exist_ok=True)
    lock = FileLock(os.path.join(folder, "write.lock"))
    deadline = monotonic() + seconds
    while not lock.acquire():
        if monotonic() > deadline:
            raise StorageError(
                f"The search index at {folder} has been in use by another process for {seconds:g} s. The notes are "
                "safe; the next search will index what is missing."
            )
        sleep(0.02)
    try:
        yield
    finally:
        lock.release()
