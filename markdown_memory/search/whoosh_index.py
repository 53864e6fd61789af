"""The full-text index on Whoosh, and how it stays whole.

On disk: `state.json` names the folder of the live index, the versions it was built with, the catalog
generation it holds and its segments. It is replaced by rename, so a reader sees one commit or the next. A
missing or broken index, or one of another version, is built anew in a folder of its own and goes live with
the same rename; the old folder is then deleted.

Writers take one lock for the whole index. Reading takes none: when a file of the state just read is gone, a
writer has committed meanwhile, and the state is read again.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

from markdown_memory.errors import StorageError
from markdown_memory.search import analyzer, boosts, documents
from markdown_memory.search.port import Doc, Filter, Matches, Progress
from markdown_memory.search.scorer import Readable, Snapshot
from markdown_memory.search.w3 import Segment

if TYPE_CHECKING:
    from markdown_memory.core.query import Query

STATE = "state.json"
_LAYOUT = 1
VERSION = f"{_LAYOUT}.{analyzer.VERSION}.{documents.VERSION}/{boosts.BODY}/{boosts.NAME}/{boosts.DESCRIPTION}"
_LOCK_SECONDS = 10.0
_OPEN_TRIES = 20
_SLOW = (
    "The search index has a layout that the fast reader does not know; Whoosh itself reads it, more slowly."
)


class Batch(NamedTuple):
    """What one commit changes."""

    docs: Iterable[Doc]
    removed: tuple[str, ...]
    generation: int
    progress: Progress | None


class WhooshIndex:
    """The `FullText` port on Whoosh."""

    def __init__(self, folder: str, lock_seconds: float = _LOCK_SECONDS) -> None:
        self.folder = folder
        self._lock_seconds = lock_seconds
        self._state: dict[str, Any] | None = None
        self._snapshot: Snapshot | None = None
        self._stamp: tuple[int, int] | None = None
        self._slow = False

    # reading

    def generation(self) -> int:
        """The catalog generation held; -1 when there is no usable index."""
        snapshot = self.snapshot()
        return int(self._state["generation"]) if snapshot and self._state else -1

    def search(self, query: "Query", limit: int, accept: Filter) -> Matches:
        """The best matches of a query."""
        from markdown_memory.search.matching import search

        snapshot = self.snapshot()
        if snapshot is None:
            return Matches()
        try:
            found = search(snapshot, query, limit, accept)
        except Exception:  # noqa: BLE001  # a damaged derived file: the next refresh builds it anew
            self._forget()
            return Matches()
        return found._replace(notices=(_SLOW,)) if self._slow else found

    def snapshot(self) -> Snapshot | None:
        """The newest commit, opened; None when there is none that can be read."""
        for attempt in range(_OPEN_TRIES):
            stamp = _stamp(os.path.join(self.folder, STATE))
            if stamp is not None and stamp == self._stamp:
                return self._snapshot
            self.close()
            try:
                return self._open(stamp)
            except FileNotFoundError:
                sleep(0.005 * attempt)
            except Exception:  # noqa: BLE001  # whatever is wrong with a derived file, it is built anew
                return None
        return None

    def _open(self, stamp: tuple[int, int] | None) -> Snapshot | None:
        if stamp is None:
            return None
        state = _read_state(self.folder)
        if state.get("version") != VERSION:
            return None
        home = os.path.join(self.folder, state["folder"])
        segments = self._segments(home, state["segments"])
        total = sum(segment["length"] for segment in state["segments"])
        self._state, self._stamp = state, stamp
        self._snapshot = Snapshot(segments, total, state["lengths"])
        return self._snapshot

    def _segments(self, home: str, described: list[dict[str, Any]]) -> "list[Readable]":
        try:
            return [Segment(home, s["name"], s["documents"], frozenset(s["deleted"])) for s in described]
        except FileNotFoundError:
            raise
        except Exception:  # noqa: BLE001  # a layout that the fast reader does not know: Whoosh may
            from markdown_memory.search.whoosh_schema import stock_segments

            self._slow = True
            return stock_segments(home)

    def _forget(self) -> None:
        self.close()
        with suppress(OSError):
            os.remove(os.path.join(self.folder, STATE))

    def close(self) -> None:
        """Let go of all files."""
        if self._snapshot:
            self._snapshot.close()
        self._state = self._snapshot = self._stamp = None
        self._slow = False

    # writing

    def apply(
        self, docs: Iterable[Doc], removed: Iterable[str], generation: int, progress: Progress | None = None
    ) -> None:
        """One commit: `removed` and the old versions of `docs` go, `docs` come."""
        try:
            os.makedirs(self.folder, exist_ok=True)
            with self._lock():
                self._apply(Batch(docs, tuple(removed), generation, progress))
        except OSError as error:
            raise StorageError(
                f"The search index at {self.folder} could not be written: {error.strerror or error}. "
                "Free some space or check the folder's permissions; the notes themselves are untouched."
            ) from error

    def _apply(self, batch: "Batch") -> None:
        snapshot = self.snapshot()
        if snapshot is None or self._state is None:
            self._build(batch)
            return
        pending = iter(batch.docs)
        first = next(pending, None)
        try:
            if first is not None or batch.removed:
                docs = pending if first is None else chain((first,), pending)
                self._write(self._state["folder"], batch._replace(docs=docs), snapshot)
            else:
                _write_state(self.folder, {**self._state, "generation": batch.generation})
        finally:
            self.close()

    def _build(self, batch: "Batch") -> None:
        from secrets import token_hex

        from markdown_memory.search import whoosh_schema

        home = f"index-{token_hex(6)}"
        os.mkdir(os.path.join(self.folder, home))
        try:
            whoosh_schema.create(os.path.join(self.folder, home))
            self._write(home, batch._replace(removed=()), None)
        except BaseException:
            _delete_folder(os.path.join(self.folder, home))
            raise
        self.close()
        self._sweep(home)

    def _write(self, home: str, batch: "Batch", snapshot: Snapshot | None) -> None:
        from markdown_memory.search import whoosh_schema

        def committed(described: dict[str, Any]) -> None:
            state = {"version": VERSION, "folder": home, "generation": batch.generation}
            _write_state(self.folder, {**state, **described})

        writer = whoosh_schema.Writer(os.path.join(self.folder, home), committed)
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

    @contextmanager
    def _lock(self) -> Iterator[None]:
        from whoosh.util.filelock import FileLock

        lock = FileLock(os.path.join(self.folder, "write.lock"))
        deadline = monotonic() + self._lock_seconds
        while not lock.acquire():
            if monotonic() > deadline:
                raise StorageError(
                    f"The search index at {self.folder} is being written by another process for more than "
                    f"{self._lock_seconds:g} s; the notes are safe and will be indexed by the next search."
                )
            sleep(0.02)
        try:
            yield
        finally:
            lock.release()

    def _sweep(self, live: str) -> None:
        """Delete what earlier builds left; what another process still holds is left for the next time."""
        for name in os.listdir(self.folder):
            if name.startswith("index-") and name != live:
                _delete_folder(os.path.join(self.folder, name))


def _delete(writer: Any, snapshot: Snapshot | None, path: str) -> None:
    document = snapshot.document_of(path) if snapshot else None
    if document is not None:
        writer.delete_document(document)


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def _read_state(folder: str) -> dict[str, Any]:
    from json import loads

    with open(os.path.join(folder, STATE), "rb") as file:
        state: dict[str, Any] = loads(file.read())
        return state


def _write_state(folder: str, state: dict[str, Any]) -> None:
    from json import dumps

    staged = os.path.join(folder, f"{STATE}.{os.getpid()}")
    with open(staged, "w", encoding="utf-8") as file:
        file.write(dumps(state))
    os.replace(staged, os.path.join(folder, STATE))


def _delete_folder(folder: str) -> None:
    from shutil import rmtree

    rmtree(folder, ignore_errors=True)
