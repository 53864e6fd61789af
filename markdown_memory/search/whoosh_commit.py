"""Writing the full-text index: one lock, one commit, one rename.

On disk: `state.json` names the folder of the live index, the versions it was built with, the catalog
generation it holds and its segments. It is replaced by rename, so a reader sees one commit or the next. A
new index is built in a folder of its own and goes live with the same rename; then the old folder is
deleted.

This module imports Whoosh; it is imported when something is written.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from json import dumps
from secrets import token_hex
from shutil import rmtree
from time import monotonic, sleep
from typing import Any, NamedTuple

from whoosh.util.filelock import FileLock

from markdown_memory.errors import StorageError
from markdown_memory.search import documents, whoosh_schema
from markdown_memory.search.port import Doc, Progress
from markdown_memory.search.scorer import Snapshot

STATE = "state.json"
State = dict[str, Any]


class Batch(NamedTuple):
    """What one commit changes."""

    docs: Iterable[Doc]
    removed: tuple[str, ...]
    generation: int
    progress: Progress | None


@contextmanager
def locked(folder: str, seconds: float) -> Iterator[None]:
    """The one lock of an index; StorageError when another process holds it for longer than `seconds`."""
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


def build(folder: str, version: str, batch: Batch) -> None:
    """A new index of exactly the batch's notes, in place of whatever is there."""
    home = f"index-{token_hex(6)}"
    os.mkdir(os.path.join(folder, home))
    try:
        whoosh_schema.create(os.path.join(folder, home))
        write(folder, {"version": version, "folder": home}, batch._replace(removed=()), None)
    except BaseException:
        rmtree(os.path.join(folder, home), ignore_errors=True)
        raise
    _sweep(folder, home)


def write(folder: str, state: State, batch: Batch, snapshot: Snapshot | None) -> None:
    """Add one commit to the index that `state` and `snapshot` describe."""

    def committed(described: State) -> None:
        write_state(folder, {**state, "generation": batch.generation, **described})

    writer = whoosh_schema.Writer(os.path.join(folder, state["folder"]), committed)
    try:
        for path in batch.removed:
            _delete(writer, snapshot, path)
        for done, doc in enumerate(batch.docs, 1):
            _delete(writer, snapshot, doc.header.path)
            whoosh_schema.add(writer, documents.indexed(doc))
            if batch.progress and done % 100 == 0:
                batch.progress(done, -1)
        writer.commit(mergetype=whoosh_schema.merge_policy)
    except BaseException:
        if not writer.is_closed:
            writer.cancel()
        raise


def _delete(writer: Any, snapshot: Snapshot | None, path: str) -> None:
    document = snapshot.document_of(path) if snapshot else None
    if document is not None:
        writer.delete_document(document)


def write_state(folder: str, state: State) -> None:
    """Make a commit the one that readers see."""
    staged = os.path.join(folder, f"{STATE}.{os.getpid()}")
    with open(staged, "w", encoding="utf-8") as file:
        file.write(dumps(state))
    os.replace(staged, os.path.join(folder, STATE))


def _sweep(folder: str, live: str) -> None:
    """Delete what earlier builds left; what another process still holds is left for the next time."""
    for name in os.listdir(folder):
        if name.startswith("index-") and name != live:
            rmtree(os.path.join(folder, name), ignore_errors=True)
