"""The catalog: what is known of every note without opening it, kept in the cache folder.

It is derived and never the truth; catalog_refresh.py says how it follows the files, catalog_database.py how it is kept.
Rules:

1. Every batch of changes has a higher generation than all before it, also across a rebuild, and what was removed leaves
   a tombstone. An index that is older than `born` must begin anew.
2. Whatever is wrong with the database, or whichever other version made it, it is made anew and filled again; where it
   cannot be kept on the disk, it lives in memory for this process.
"""

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from markdown_memory.core.note import Header
from markdown_memory.errors import StorageError
from markdown_memory.rules.freshness import LONGEST, believed_for
from markdown_memory.storage import catalog_refresh
from markdown_memory.storage.catalog_refresh import Changes, Progress
from markdown_memory.storage.glance import Glance
from markdown_memory.storage.places import make_private
from markdown_memory.storage.scan import Findings

if TYPE_CHECKING:
    from markdown_memory.storage.catalog_database import Database

T = TypeVar("T")
_AT_ONCE = 500  # values in one question to the database


class Catalog:
    """The headers of one vault's notes. `file` is where they are kept; nothing is opened before it is needed."""

    def __init__(self, file: str, root: str) -> None:
        self.file, self.root = file, root
        self._opened: Database | None = None
        self._glance: Glance | None = None
        self._scanned, self._believed = 0.0, 0.0

    # following the files

    def refresh(self, progress: Progress | None = None, *, confirmed: bool = False) -> Changes:
        """Compare with the files and write the difference; `confirmed` also when suspiciously much is gone."""
        looked_at, findings = time.time_ns(), Findings()
        action = catalog_refresh.refresh
        changes = self._safely(lambda db: action(db, self.root, progress, confirmed, findings), fill=False)
        self._glance = None if changes.suspicious or findings.unseen else Glance(findings, looked_at)
        self._scanned, self._believed = time.monotonic(), believed_for(findings.cost)
        return changes

    def follow(self) -> None:
        """Bring what is known up to the files, with a whole scan only when it is time for one: rules/freshness.py."""
        if self.is_due() or not self.glance():
            self.refresh()

    def is_due(self, patient: bool = False) -> bool:
        """Whether it is time for a whole scan; who is `patient` takes any of the last seconds, if scans cost much."""
        believed = LONGEST if patient and self._believed else self._believed
        return self._glance is None or time.monotonic() - self._scanned >= believed

    def glance(self) -> bool:
        """Follow what came, went or was replaced since the last `refresh`, for little; False when that is not enough.

        A file that was written in place is not seen.
        """
        before = self._glance
        if before is None:
            return False
        found = self._safely(lambda db: before.suspects(self.root, db.known_in, db.known))
        if found:
            self.touch(found)
        return found is not None

    def check(self, paths: Iterable[str]) -> bool:
        """Look at these files by their stat signatures, and again at those that changed; whether any did."""
        listed = tuple(paths)
        changed = self._safely(lambda db: catalog_refresh.outdated(db, self.root, listed))
        if changed:
            self.touch(changed)
        return bool(changed)

    def touch(self, paths: Iterable[str]) -> Changes:
        """Look at these files again: what this process has just written, moved or removed."""
        listed = tuple(paths)
        return self._safely(lambda db: catalog_refresh.touch(db, self.root, listed))

    # asking

    def get(self, path: str) -> Header | None:
        """The header of the note at a path."""
        found = self._safely(lambda db: db.headers("WHERE path = ?", os.fsencode(path)))
        return found[0] if found else None

    def get_all(self, paths: Iterable[str]) -> dict[str, Header]:
        """The headers of the notes at these paths, of those that are known."""
        from markdown_memory.storage.catalog_database import marks

        wanted = [os.fsencode(path) for path in paths]
        found: dict[str, Header] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            rows = self._safely(lambda db, some=some: db.headers(f"WHERE path IN ({marks(some)})", *some))  # type: ignore[misc]
            found.update((header.path, header) for header in rows)
        return found

    def by_name(self, name: str) -> list[Header]:
        """All notes that could be meant by a name: by path, name, file name or alias, without regard to case."""
        return self._safely(lambda db: db.named(name))

    def names(self) -> list[str]:
        """The names of all notes, each once."""
        return sorted({header.name for header in self.headers()})

    def headers(
        self,
        status: Collection[str] = (),
        *,
        types: Collection[str] = (),
        scopes: Collection[str] | None = None,
        owners: Collection[str] | None = None,
    ) -> list[Header]:
        """Headers in the order of their paths. `scopes` are folders (see `folder_of`), "" what is seen everywhere."""
        where, values = _where({"status": status or None, "type": types or None, "scope": scopes, "owner": owners})
        return self._safely(lambda db: db.headers(where, *values))

    def strongest(self, status: str, scopes: Collection[str], most: int) -> list[Header]:
        """The first shared notes of that status in these scopes, in the order of rules.memory_index.strength."""
        where, values = _where({"status": (status,), "owner": ("",), "scope": scopes})
        order = "importance DESC, kin, name, path LIMIT ?"
        return self._safely(lambda db: db.ordered(f"INDEXED BY notes_strength {where}", order, *values, most))

    def nearest(
        self, status: Collection[str], scopes: Sequence[str], owners: Collection[str], most: int
    ) -> tuple[list[Header], int]:
        """The first of what is seen from the nearest of these scopes, and the number of all.

        They come by being pinned, by importance, by how near their scope is (what is seen everywhere is as near as the
        nearest), and by name.
        """
        where, values = _where({"status": status, "owner": owners, "scope": ("", *scopes)})
        near = " ".join(f"WHEN ? THEN {at}" for at in range(len(scopes)))
        order = f"pinned DESC, importance DESC, {f'CASE scope {near} ELSE 0 END, ' if near else ''}name, path LIMIT ?"
        folders = [os.fsencode(scope) for scope in scopes]

        def ask(db: "Database") -> tuple[list[Header], int]:
            found = db.ordered(where, order, *values, *folders, most)
            return found, sum(number for _, number in db.number_by("scope", where, *values))

        return self._safely(ask)

    def number_by_scope(self, status: str) -> dict[str, int]:
        """How many shared notes have that status, by the folder of their scope."""
        where, values = _where({"status": (status,), "owner": ("",)})
        rows = self._safely(lambda db: db.number_by("scope", where, *values))
        return {os.fsdecode(scope): number for scope, number in rows}

    def count(self) -> int:
        """How many notes are known."""
        return self._safely(lambda db: db.count())

    @property
    def generation(self) -> int:
        """The number of the newest batch of changes."""
        return self._safely(lambda db: db.generation())

    @property
    def born(self) -> int:
        """The generation that this catalog began with: it knows of no removal before."""
        return self._safely(lambda db: db.born())

    def changed_since(self, generation: int) -> tuple[list[Header], list[str], int]:
        """Headers that changed and paths that went after a generation (-1: all there is), and the present one."""

        def ask(db: "Database") -> tuple[list[Header], list[str], int]:
            with db.reading():
                changed = db.changed_since(generation)
                return changed, db.gone_since(generation), db.generation()

        return self._safely(ask)

    def meta(self, key: str) -> str:
        """A text that was kept under a key; "" when there is none."""
        return self._safely(lambda db: db.meta(f"kept {key}"))

    def set_meta(self, key: str, text: str) -> None:
        """Keep a text under a key until the catalog is made anew."""
        self._safely(lambda db: db.set_meta(f"kept {key}", text))

    def close(self) -> None:
        """Let go of the database."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    # the database, whatever happens to it

    def _safely(self, action: "Callable[[Database], T]", fill: bool = True) -> T:
        from markdown_memory.storage.catalog_database import Failure

        try:
            return action(self._database())
        except Failure as error:
            self._renew(error)
        try:
            if fill:
                catalog_refresh.refresh(self._database(), self.root)
            return action(self._database())
        except Failure as error:
            raise StorageError(f"The catalog {self.file} cannot be used ({error}); delete it and try again.") from error

    def _database(self) -> "Database":
        if self._opened is None:
            from markdown_memory.storage.catalog_database import MEMORY, Database

            if self.file != MEMORY:
                try:
                    make_private(os.path.dirname(self.file))
                except StorageError:
                    self.file = MEMORY
            self._opened = Database(self.file)
        return self._opened

    def _renew(self, error: Exception) -> None:
        from markdown_memory.storage.catalog_database import MEMORY, cannot_be_kept, is_busy

        self.close()
        self._glance = None
        if is_busy(error):
            raise StorageError(f"The catalog {self.file} is being written by another process. Try again.") from error
        if cannot_be_kept(error):
            self.file = MEMORY
            return
        try:
            for end in ("", "-wal", "-shm"):
                if os.path.exists(self.file + end):
                    os.unlink(self.file + end)
        except OSError:
            self.file = MEMORY


def _where(chosen: "Mapping[str, Collection[str] | None]") -> tuple[str, list[str | bytes]]:
    """SQL for rows that have one of these values in each column (None: any), and the values."""
    from markdown_memory.storage.catalog_database import marks

    clauses: list[str] = []
    values: list[str | bytes] = []
    for column, some in chosen.items():
        if some is not None:
            clauses.append(f"{column} IN ({marks(tuple(some))})")
            values += [os.fsencode(one) if column == "scope" else one for one in some]
    return (f"WHERE {' AND '.join(clauses)}" if clauses else ""), values
