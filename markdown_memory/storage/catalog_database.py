"""The catalog's tables, and the only place that speaks SQL.

Paths and names are stored as the bytes that they have on the disk, since not every file name is valid text. Readers are
never blocked (write-ahead log), and writes are short. A write does not wait for the disk: after a power cut the last
ones may be missing, as a whole, and the files show what they were. The catalog loads this module when it is first asked
something.
"""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from markdown_memory import __version__
from markdown_memory.core.layout import PRIVATE_FOLDER
from markdown_memory.core.names import nfc_key, slug
from markdown_memory.core.note import HEADER_VERSION, Header, header_from_bytes, header_to_bytes
from markdown_memory.core.scope import folder_of
from markdown_memory.storage.catalog_refresh import Known, Note

MADE_BY = f"2 {HEADER_VERSION} {__version__}"
MEMORY = ":memory:"
Failure = sqlite3.Error
_BUSY = frozenset((5, 6))  # SQLite's result codes: another process writes
_NOT_KEPT = frozenset((3, 8, 10, 13, 14))  # no permission, read-only, disk error, full, cannot be opened
_WAIT = 10.0  # seconds for another process's write

_SCHEMA = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID",
    "CREATE TABLE folders (folder BLOB PRIMARY KEY, files BLOB) WITHOUT ROWID",
    """CREATE TABLE notes (id INTEGER PRIMARY KEY, path BLOB UNIQUE, folder BLOB, signature TEXT, sha256 TEXT,
       generation INTEGER, status TEXT, type TEXT, scope BLOB, owner TEXT, pinned INTEGER, importance REAL, kin BLOB,
       name BLOB, header BLOB)""",
    "CREATE INDEX notes_strength ON notes (status, owner, importance DESC, kin, name, path, scope)",
    "CREATE INDEX notes_scope ON notes (status, owner, scope)",
    "CREATE INDEX notes_folder ON notes (folder)",
    "CREATE INDEX notes_generation ON notes (generation)",
    "CREATE TABLE names (key BLOB, id INTEGER, PRIMARY KEY (key, id)) WITHOUT ROWID",
    "CREATE INDEX names_id ON names (id)",
    "CREATE TABLE gone (path BLOB PRIMARY KEY, generation INTEGER) WITHOUT ROWID",
)
_UPSERT = """
INSERT INTO notes (path, folder, signature, sha256, generation, status, type, scope, owner,
  pinned, importance, kin, name, header)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (path) DO UPDATE SET signature = excluded.signature, sha256 = excluded.sha256,
  generation = excluded.generation, status = excluded.status, type = excluded.type, scope = excluded.scope,
  owner = excluded.owner, pinned = excluded.pinned, importance = excluded.importance, kin = excluded.kin,
  name = excluded.name, header = excluded.header
"""


class Database:
    """An open database of this version; it is made when the file is new, empty or of another version."""

    def __init__(self, file: str) -> None:
        self.connection = sqlite3.connect(file, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        try:
            self.connection.execute("PRAGMA synchronous = NORMAL")
            if not self._is_ours():
                self._make()
        except BaseException:
            self.connection.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    # what a refresh needs

    def folders(self) -> dict[str, bytes]:
        """The blob of every folder that has notes; b"" where single files have to be compared."""
        rows = self._all("SELECT folder, files FROM folders")
        return {os.fsdecode(folder): files for folder, files in rows}

    def known_in(self, folder: str) -> dict[str, Known]:
        """What is known of the files of one folder, by path."""
        rows = self._all("SELECT path, signature, sha256 FROM notes WHERE folder = ?", os.fsencode(folder))
        return {os.fsdecode(path): Known(signature, sha256) for path, signature, sha256 in rows}

    def known(self, path: str) -> Known | None:
        """What is known of one file."""
        rows = self._all("SELECT signature, sha256 FROM notes WHERE path = ?", os.fsencode(path))
        return Known(*rows[0]) if rows else None

    def count(self, owner: str | None = None) -> int:
        """How many notes are known; of one private folder, or ("") of none."""
        if owner is None:
            return int(self._all("SELECT count(*) FROM notes")[0][0])
        inside = os.fsencode(f"{PRIVATE_FOLDER}/{owner}/" if owner else f"{PRIVATE_FOLDER}/")
        (number,) = self._all("SELECT count(*) FROM notes WHERE path >= ? AND path < ?", inside, inside[:-1] + b"0")[0]
        return int(number) if owner else self.count() - int(number)

    def keep(self, notes: Sequence[Note], same: Sequence[tuple[str, str]], gone: Sequence[str]) -> None:
        """Write headers, new signatures of unchanged notes, and removals, in one transaction."""
        with self.together() as run:
            if same:
                pairs = [(signature, os.fsencode(path)) for path, signature in same]
                run("UPDATE notes SET signature = ? WHERE path = ?", pairs)
            if not notes and not gone:
                return
            generation = max(self.generation() + 1, _moment())  # higher than any that a power cut has taken away
            paths = [(os.fsencode(note.header.path),) for note in notes]
            absent = [(os.fsencode(path),) for path in gone]
            run("DELETE FROM names WHERE id = (SELECT id FROM notes WHERE path = ?)", [*paths, *absent])
            run("DELETE FROM notes WHERE path = ?", absent)
            run("INSERT OR REPLACE INTO gone VALUES (?, ?)", [(path, generation) for (path,) in absent])
            run("DELETE FROM gone WHERE path = ?", paths)
            run(_UPSERT, [_row(note, generation) for note in notes])
            keys = [(key, os.fsencode(note.header.path)) for note in notes for key in _keys(note.header)]
            run("INSERT OR IGNORE INTO names SELECT ?, id FROM notes WHERE path = ?", keys)
            run("UPDATE meta SET text = ? WHERE key = 'generation'", [(str(generation),)])

    def keep_folders(self, blobs: dict[str, bytes], emptied: Iterable[str]) -> None:
        """Write the blobs of folders, and forget folders without notes."""
        with self.together() as run:
            rows = [(os.fsencode(folder), files) for folder, files in blobs.items()]
            run("INSERT OR REPLACE INTO folders VALUES (?, ?)", rows)
            run("DELETE FROM folders WHERE folder = ?", [(os.fsencode(folder),) for folder in emptied])

    # asking

    def generation(self) -> int:
        """The number of the newest batch of changes."""
        return int(self.meta("generation"))

    def born(self) -> int:
        """The generation that this database began with; it knows of no removal before."""
        return int(self.meta("born"))

    def meta(self, key: str) -> str:
        """A text that was kept under a key; "" when there is none."""
        rows = self._all("SELECT text FROM meta WHERE key = ?", key)
        return str(rows[0][0]) if rows else ""

    def set_meta(self, key: str, text: str) -> None:
        """Keep a text under a key."""
        with self.together() as run:
            run("INSERT OR REPLACE INTO meta VALUES (?, ?)", [(key, text)])

    def headers(self, where: str = "", *values: str | bytes | int) -> list[Header]:
        """Headers of the rows that an SQL clause selects, in the order of their paths."""
        return self.ordered(where, "path", *values)

    def ordered(self, where: str, order: str, *values: str | bytes | int) -> list[Header]:
        """The same in another order, or as many of them as that says."""
        rows = self._all(f"SELECT header FROM notes {where} ORDER BY {order}", *values)
        return [header_from_bytes(data) for (data,) in rows]

    def number_by(self, column: str, where: str, *values: str | bytes | int) -> list[tuple[Any, int]]:
        """How many of the rows that an SQL clause selects have which value."""
        return self._all(f"SELECT {column}, count(*) FROM notes {where} GROUP BY {column}", *values)

    def changed_since(self, generation: int) -> list[Header]:
        """Headers that changed after a generation. The `+` keeps SQLite from walking all notes in order of path."""
        rows = self._all("SELECT header FROM notes WHERE generation > ? ORDER BY +path", generation)
        return [header_from_bytes(data) for (data,) in rows]

    def named(self, name: str) -> list[Header]:
        """All notes that could be meant by a name."""
        keys = sorted(asked_keys(name))
        return self.headers(f"WHERE id IN (SELECT id FROM names WHERE key IN ({marks(keys)}))", *keys)

    def gone_since(self, generation: int) -> list[str]:
        """Paths that were removed after a generation and have not come back."""
        rows = self._all("SELECT path FROM gone WHERE generation > ? ORDER BY path", generation)
        return [os.fsdecode(path) for (path,) in rows]

    # the connection

    def _all(self, statement: str, *values: str | bytes | int) -> list[Any]:
        return self.connection.execute(statement, values).fetchall()

    @contextmanager
    def together(self) -> Iterator[Any]:
        """One transaction for all that is written inside, or none of it; may be nested."""
        nested = self.connection.in_transaction
        if nested:
            yield self.connection.executemany
            return
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection.executemany
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Several questions, one state of the database."""
        self.connection.execute("BEGIN")
        try:
            yield
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def _is_ours(self) -> bool:
        if not self._all("SELECT 1 FROM sqlite_master WHERE name = 'meta'"):
            return False
        return self.meta("made by") == MADE_BY

    def _make(self) -> None:
        self.connection.execute("PRAGMA journal_mode = WAL")
        with self.together() as run:
            if self._is_ours():
                return  # another process was faster
            for name, kind in self._all("SELECT name, type FROM sqlite_master WHERE type = 'table'"):
                self.connection.execute(f'DROP {kind} "{name}"')
            for statement in _SCHEMA:
                self.connection.execute(statement)
            born = str(_moment())  # after all generations of a database that was here before
            run("INSERT INTO meta VALUES (?, ?)", [("made by", MADE_BY), ("born", born), ("generation", born)])


def _moment() -> int:
    return time.time_ns() // 1_000_000


def is_busy(error: Exception) -> bool:
    """Whether another process held the database for too long."""
    return _code(error) in _BUSY


def cannot_be_kept(error: Exception) -> bool:
    """Whether the disk is in the way, and not what the database holds."""
    return _code(error) in _NOT_KEPT


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def marks(values: Sequence[object]) -> str:
    """As many question marks as there are values, for SQL's IN."""
    return ", ".join("?" * len(values))


def asked_keys(name: str) -> set[bytes]:
    """Under which keys a note may be kept that somebody asks for by this name, path or `type/name`."""
    whole = nfc_key(name.strip())
    forms = (whole, whole.partition("/")[2], whole.rpartition("/")[2])
    return {key for form in forms if form for key in _forms(form.removesuffix(".md"))} | set(_forms(whole))


def _keys(header: Header) -> set[bytes]:
    stem = header.path.rpartition("/")[2].removesuffix(".md")
    return {key for name in (header.name, stem, *header.aliases) for key in _forms(name)}


def _forms(name: str) -> set[bytes]:
    folded = nfc_key(name).casefold()
    return {form.encode("utf-8", "surrogateescape") for form in (folded, slug(name)) if form}


def _row(note: Note, generation: int) -> tuple[str | bytes | float, ...]:
    from markdown_memory.rules.memory_index import kin, sortable

    header, folder = note.header, note.header.path.rpartition("/")[0]
    return (
        os.fsencode(header.path),
        os.fsencode(folder),
        note.signature,
        header.sha256,
        generation,
        header.status,
        header.type,
        os.fsencode(folder_of(header.scope)) if header.scope else b"",
        header.owner,
        header.pinned,
        header.importance,
        kin(header),
        sortable(header.name),
        header_to_bytes(header),
    )
