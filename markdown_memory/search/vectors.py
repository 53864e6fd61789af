"""Vectors beside the full-text index: which note's passages mean what, in two files that can be rebuilt.

`vectors-….f32` holds the rows, float32, read through a memory map and compared with a query all at once
(exact; a few milliseconds for a hundred thousand). `vectors.jsonl` says what the rows are: a first line
with the model, its dimensions and the text form, then lines that are only ever appended:

    [path, hash of the passages, first row, how many]     the newest line of a path holds; 0 rows: the note
    is gone [null, "", catalog generation, 0]                     everything up to here is of this
    generation

Rows are on disk before their line is. A torn last line and rows without a line are passed over. A file of
another model, text form or layout counts as absent: models are never mixed.
"""

import json
import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from markdown_memory.errors import StorageError
from markdown_memory.search.embedders import Embedder, Vectors
from markdown_memory.search.lock import locked
from markdown_memory.search.passages import VERSION, passages
from markdown_memory.search.port import Change, Doc

JOURNAL = "vectors.jsonl"
_LAYOUT = 1
_BATCH = 64
_COMPACT_FROM = 2000


class Rows(NamedTuple):
    """Where a note's vectors are, and of which text."""

    digest: str
    first: int
    rows: int


class VectorFile:
    """The vectors of one audience's notes by one model."""

    def __init__(self, folder: str, embedder: Embedder, lock_seconds: float = 10.0) -> None:
        self.folder, self.embedder = folder, embedder
        self._lock_seconds = lock_seconds
        self._stamp: tuple[int, int] | None = None
        self._forget()

    def _forget(self) -> None:
        self._rows: dict[str, Rows] = {}
        self._generation = -1
        self._data: Vectors = np.zeros((0, 1), np.float32)
        self._owner: NDArray[np.int32] = np.zeros(0, np.int32)
        self._paths: list[str] = []
        self._name = ""
        self._lines = 0

    # reading

    def generation(self) -> int:
        """The catalog generation held; -1 when there are no vectors of this model."""
        self._load()
        return self._generation

    def __len__(self) -> int:
        self._load()
        return len(self._rows)

    def _load(self) -> None:
        stamp = _stamp(os.path.join(self.folder, JOURNAL))
        if stamp == self._stamp and stamp is not None:
            return
        self._forget()
        self._stamp = stamp
        if stamp is not None:
            try:
                self._read()
            except (OSError, ValueError, KeyError, TypeError, IndexError):
                self._forget()

    def _read(self) -> None:
        with open(os.path.join(self.folder, JOURNAL), "rb") as file:
            head, *lines = file.read().split(b"\n")[:-1]
        described = json.loads(head)
        if described["made"] != self._made():
            return
        self._name, width = described["rows"], described["dimensions"]
        for path, digest, first, count in json.loads(b"[" + b",".join(lines) + b"]"):
            if path is None:
                self._generation = first
            elif count:
                self._rows[path] = Rows(digest, first, count)
            else:
                self._rows.pop(path, None)
        self._lines = len(lines)
        data = os.path.join(self.folder, self._name)
        whole = os.path.getsize(data) // (4 * width) if os.path.exists(data) else 0
        if whole:
            self._data = np.memmap(data, np.float32, "r", shape=(whole, width))
        if any(rows.first + rows.rows > whole for rows in self._rows.values()):
            raise ValueError("rows are missing")
        self._paths = list(self._rows)
        self._owner = np.full(whole, -1, np.int32)
        for at, rows in enumerate(self._rows.values()):
            self._owner[rows.first : rows.first + rows.rows] = at

    def _made(self) -> str:
        return f"{_LAYOUT}/{VERSION} {self.embedder.id}"

    def similar(self, query: str) -> "Similar":
        """How near every note is to a query."""
        self._load()
        if not self._rows:
            return Similar([], np.zeros(0, np.float32))
        cosines = np.asarray(self._data @ self.embedder.embed([query])[0], dtype=np.float32)
        alive = self._owner >= 0
        best = np.full(len(self._paths), -1, np.float32)
        np.maximum.at(best, self._owner[alive], cosines[alive])
        return Similar(self._paths, best)

    # writing

    def apply(self, change: Change) -> bool:
        """Embed what changed. Notes whose passages are as before keep their rows."""
        try:
            with locked(self.folder, self._lock_seconds):
                if change.since not in (-1, self.generation()):
                    return False
                if self._generation < 0:
                    self._begin()
                keep = None if change.since >= 0 else set[str]()
                for batch in _batches(change.docs):
                    self._add(batch)
                    if keep is not None:
                        keep.update(doc.header.path for doc in batch)
                gone = change.removed if keep is None else [path for path in self._rows if path not in keep]
                self._note([(path, "", 0, 0) for path in gone if path in self._rows])
                self._note([(None, "", change.generation, 0)])
                self._compact()
        except OSError as error:
            raise StorageError(
                f"The vectors at {self.folder} could not be written: {error.strerror or error}."
            ) from error
        return True

    def _begin(self) -> None:
        """Empty files of this model; what another model left is swept away."""
        width = int(self.embedder.embed(["width"]).shape[1])
        for name in os.listdir(self.folder):
            if name.startswith("vectors-"):
                os.remove(os.path.join(self.folder, name))
        self._write_head(f"vectors-{os.urandom(6).hex()}.f32", width, [])
        self._load()

    def _write_head(self, name: str, width: int, lines: Sequence[Sequence[Any]]) -> None:
        head = {"made": self._made(), "rows": name, "dimensions": width}
        staged = os.path.join(self.folder, f"{JOURNAL}.{os.getpid()}")
        with open(staged, "wb") as file:
            file.write(b"".join(_line(one) for one in (head, *lines)))
        os.replace(staged, os.path.join(self.folder, JOURNAL))
        self._stamp, self._name = None, name

    def _add(self, docs: list[Doc]) -> None:
        texts = {doc.header.path: passages(doc) for doc in docs}
        digests = {
            path: sha256("\0".join(held).encode("utf-8", "replace")).hexdigest()[:16] for path, held in texts.items()
        }
        new = [path for path in texts if path not in self._rows or self._rows[path].digest != digests[path]]
        if not new:
            return
        vectors = self.embedder.embed([text for path in new for text in texts[path]])
        with open(os.path.join(self.folder, self._name), "ab") as file:
            width = 4 * vectors.shape[1]
            file.truncate(file.tell() // width * width)
            first = file.tell() // width
            file.write(vectors.tobytes())
        lines = []
        for path in new:
            lines.append((path, digests[path], first, len(texts[path])))
            first += len(texts[path])
        self._note(lines)

    def _note(self, lines: Sequence[tuple[str | None, str, int, int]]) -> None:
        with open(os.path.join(self.folder, JOURNAL), "ab") as file:
            file.write(b"".join(_line(line) for line in lines))
        for path, digest, first, count in lines:
            if path is None:
                self._generation = first
            elif count:
                self._rows[path] = Rows(digest, first, count)
            else:
                self._rows.pop(path, None)
        self._lines += len(lines)
        self._stamp = None

    def _compact(self) -> None:
        """Rewrite both files once more is dead than alive."""
        self._load()
        live = sum(rows.rows for rows in self._rows.values())
        if len(self._data) < max(_COMPACT_FROM, 2 * live) and self._lines < max(_COMPACT_FROM, 2 * len(self._rows)):
            return
        old, name, lines, first = self._name, f"vectors-{os.urandom(6).hex()}.f32", list[Sequence[Any]](), 0
        with open(os.path.join(self.folder, name), "wb") as file:
            for path, rows in self._rows.items():
                file.write(self._data[rows.first : rows.first + rows.rows].tobytes())
                lines.append((path, rows.digest, first, rows.rows))
                first += rows.rows
        lines.append((None, "", self._generation, 0))
        self._write_head(name, self._data.shape[1], lines)
        self._load()
        os.remove(os.path.join(self.folder, old))

    def close(self) -> None:
        """Let go of the files."""
        self._forget()
        self._stamp = None


class Similar:
    """Cosines of all notes with one query: the best passage of each."""

    def __init__(self, paths: list[str], cosines: "NDArray[np.float32]") -> None:
        self._paths, self._cosines = paths, cosines
        self._at: dict[str, int] | None = None

    def __bool__(self) -> bool:
        return bool(self._paths)

    @property
    def least(self) -> float:
        """The smallest cosine of all notes."""
        return float(self._cosines.min()) if self._paths else 0.0

    def best(self, count: int) -> list[str]:
        """The paths of the `count` nearest notes, nearest first."""
        count = min(count, len(self._paths))
        if not count:
            return []
        some = np.argpartition(-self._cosines, count - 1)[:count]
        return sorted((self._paths[int(at)] for at in some), key=lambda path: (-self.of(path), path))

    def of(self, path: str) -> float:
        """The cosine of one note; the smallest of all when it has no vector."""
        if self._at is None:
            self._at = {one: at for at, one in enumerate(self._paths)}
        at = self._at.get(path)
        return self.least if at is None else float(self._cosines[at])


def _batches(docs: Iterable[Doc]) -> Iterable[list[Doc]]:
    held: list[Doc] = []
    for doc in docs:
        held.append(doc)
        if len(held) == _BATCH:
            yield held
            held = []
    if held:
        yield held


def _digest(texts: Sequence[str]) -> str:
    return sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()[:16]


def _line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
