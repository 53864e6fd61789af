"""Brings a catalog up to the files: list, compare, read what changed, add it, and only then remove what is gone.

One way for the first fill, the check before every command, and repair. Rules:

1. A file counts as unchanged while its stat signature is the one that was kept (headers.py says when one may be kept).
   One blob per folder holds all its signatures, so that an unchanged folder costs one comparison.
2. A note is removed only by positive absence: its folder could be read, the note was not in it, and it is still not
   there when the removal is written. Below an unreadable folder nothing is removed.
3. When more than a third of the notes, and at least ten, are gone at once and have not turned up elsewhere, they are
   kept and the changes are suspicious, until somebody confirms: an emptied folder is more often an unmounted disk.
"""

import marshal
import os
import stat
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from markdown_memory.core.layout import LOG_FOLDER, private_owner
from markdown_memory.core.note import Header
from markdown_memory.core.problem import Problem
from markdown_memory.storage.headers import header_of, settled, was_read
from markdown_memory.storage.scan import SUFFIX, Findings, walk

Progress = Callable[[int, int], None]
_BATCH = 500  # notes in one transaction
_MANY = 10
NOT_NOTES = frozenset((LOG_FOLDER,))
_LOGS = f"{LOG_FOLDER}/"  # log files have a reader of their own


class Changes(NamedTuple):
    """What a refresh found. `missing` are notes that are gone but kept, because too much was gone at once."""

    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def suspicious(self) -> bool:
        """Whether so much is gone at once that a person should look first."""
        return bool(self.missing)


class Known(NamedTuple):
    """What the catalog holds of a file: its stat signature and the digest of its bytes."""

    signature: str
    sha256: str


class Note(NamedTuple):
    """A header to keep, and the signature that its file had before it was read."""

    header: Header
    signature: str


class Rows(Protocol):
    """The catalog as far as a refresh needs it."""

    def folders(self) -> dict[str, bytes]:
        """The blob of every folder that has notes; b"" where single files have to be compared."""

    def known_in(self, folder: str) -> dict[str, Known]:
        """What is known of the files of one folder, by path."""

    def known(self, path: str) -> Known | None:
        """What is known of one file."""

    def count(self, owner: str | None = None) -> int:
        """How many notes are known; of one private folder, or ("") of none."""

    def together(self) -> AbstractContextManager[object]:
        """One transaction for all that is written inside."""

    def keep(self, notes: Sequence[Note], same: Sequence[tuple[str, str]], gone: Sequence[str]) -> None:
        """Write headers, new signatures of unchanged notes, and removals, in one transaction."""

    def keep_folders(self, blobs: dict[str, bytes], emptied: Iterable[str]) -> None:
        """Write the blobs of folders, and forget folders without notes."""


class _Found(NamedTuple):
    path: str
    mtime_ns: int
    size: int
    ctime_ns: int
    signature: str
    before: Known | None


class _Plan:
    def __init__(self) -> None:
        self.changed: list[_Found] = []
        self.missing: dict[str, str] = {}  # path to digest
        self.blobs: dict[str, bytes] = {}
        self.emptied: list[str] = []


def refresh(
    rows: Rows,
    root: str,
    progress: Progress | None = None,
    confirmed: bool = False,
    findings: Findings | None = None,
) -> Changes:
    """Compare the whole vault with the catalog and write the difference; `confirmed` also writes a suspicious one."""
    findings = findings or Findings()
    looked_at, began = time.time_ns(), time.process_time()
    plan = _compare(rows, root, findings)
    findings.cost = time.process_time() - began
    read = _Reading(root, plan, looked_at).into(rows, progress)
    gone = _gone(root, plan.missing)
    lost = [path for path in gone if plan.missing[path] not in read.digests]
    kept = [] if confirmed else _suspicious(rows, lost, read.added)
    for path in kept:
        plan.blobs[_folder(path)] = b""
    removed = _remove(rows, gone, kept, plan)
    problems = (*findings.problems, *(one for paths in _by_owner(kept).values() for one in _loss(paths)))
    return Changes(tuple(read.added), tuple(read.modified), removed, problems, tuple(kept))


def touch(rows: Rows, root: str, paths: Iterable[str]) -> Changes:
    """Look at single files again: what this process has just written or removed."""
    looked_at = time.time_ns()
    plan = _Plan()
    for path in paths:
        before = rows.known(path)
        plan.blobs[_folder(path)] = b""
        if found := _look(root, path, before):
            plan.changed.append(found)
        elif before:
            plan.missing[path] = before.sha256
    if not plan.blobs:
        return Changes()
    with rows.together():
        read = _Reading(root, plan, looked_at).into(rows)
        removed = _remove(rows, _gone(root, plan.missing), (), plan)
    return Changes(tuple(read.added), tuple(read.modified), removed)


def outdated(rows: Rows, root: str, paths: Iterable[str]) -> list[str]:
    """Those of the files that are not, by their stat signatures, what the catalog knows of them."""
    found = []
    for path in paths:
        before = rows.known(path)
        now = _look(root, path, before)
        if (now and now.signature) != (before and before.signature):
            found.append(path)
    return found


def _remove(rows: Rows, gone: Iterable[str], kept: Iterable[str], plan: _Plan) -> tuple[str, ...]:
    removed = tuple(sorted(set(gone).difference(kept)))
    if removed:
        rows.keep((), (), removed)
    emptied = [folder for folder in plan.emptied if folder not in plan.blobs]
    if plan.blobs or emptied:
        rows.keep_folders(plan.blobs, emptied)
    return removed


def _compare(rows: Rows, root: str, findings: Findings) -> _Plan:
    plan = _Plan()
    folders = rows.folders()
    for folder, files in walk(root, findings, skip=NOT_NOTES):
        blob = marshal.dumps(files, 2)  # version 2: the same values give the same bytes
        if folders.pop(folder, None) == blob:
            continue
        if files:
            plan.blobs[folder] = blob
        else:
            plan.emptied.append(folder)
        _compare_folder(rows, folder, files, plan)
    for folder in folders:
        if not findings.hides(f"{folder}/"):
            plan.emptied.append(folder)
            plan.missing |= {path: before.sha256 for path, before in rows.known_in(folder).items()}
    return plan


def _compare_folder(rows: Rows, folder: str, files: list[tuple[str, int, int, int, int]], plan: _Plan) -> None:
    known = rows.known_in(folder)
    head = f"{folder}/" if folder else ""
    for name, mtime_ns, size, inode, ctime_ns in files:
        signature = f"{mtime_ns} {size} {inode} {ctime_ns}"
        before = known.pop(head + name, None)
        if before is None or before.signature != signature:
            plan.changed.append(_Found(head + name, mtime_ns, size, ctime_ns, signature, before))
    plan.missing |= {path: before.sha256 for path, before in known.items()}


class _Reading:
    """Reads the changed files and sorts them by what they turned out to be."""

    def __init__(self, root: str, plan: _Plan, looked_at: int) -> None:
        self.root, self.plan, self.looked_at = root, plan, looked_at
        self.added: list[str] = []
        self.modified: list[str] = []
        self.digests: set[str] = set()

    def into(self, rows: Rows, progress: Progress | None = None) -> "_Reading":
        """Read all that has changed and keep it, batch by batch."""
        changed = self.plan.changed
        for start in range(0, len(changed), _BATCH):
            notes: list[Note] = []
            same: list[tuple[str, str]] = []
            for found in changed[start : start + _BATCH]:
                self._read(found, notes, same)
            rows.keep(notes, same, ())
            if progress:
                progress(min(start + _BATCH, len(changed)), len(changed))
        return self

    def _read(self, found: _Found, notes: list[Note], same: list[tuple[str, str]]) -> None:
        header = header_of(self.root, found.path, found.size)
        if header is None:
            return
        signature = found.signature
        if not was_read(header) or not settled(found.mtime_ns, found.ctime_ns, self.looked_at):
            signature = _unreliable(signature) if was_read(header) else ""
            self.plan.blobs[_folder(found.path)] = b""
        if found.before and found.before.sha256 == header.sha256 and was_read(header):
            same.append((found.path, signature))
            return
        notes.append(Note(header, signature))
        self.digests.add(header.sha256)
        (self.modified if found.before else self.added).append(found.path)


def _unreliable(signature: str) -> str:
    """A signature that no file has, so that the file is read again; a glance finds the inode in it, and is content."""
    return f"- - {signature.split(' ')[2]} -"


def _look(root: str, path: str, before: Known | None) -> _Found | None:
    try:
        found = os.lstat(os.path.join(root, path))
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode) or not path.lower().endswith(SUFFIX) or path.startswith(_LOGS):
        return None
    signature = f"{found.st_mtime_ns} {found.st_size} {found.st_ino} {found.st_ctime_ns}"
    return _Found(path, found.st_mtime_ns, found.st_size, found.st_ctime_ns, signature, before)


def _gone(root: str, paths: Iterable[str]) -> list[str]:
    """Those of the paths that are positively absent; every folder is listed once, however many of its notes went."""
    listed: dict[str, frozenset[str] | None] = {}
    return [path for path in paths if _is_gone(root, path, listed)]


def _is_gone(root: str, path: str, listed: dict[str, frozenset[str] | None]) -> bool:
    """The folder can be read, and no regular file in it has the name, by its exact spelling."""
    folder, _, name = path.rpartition("/")
    if folder not in listed:
        listed[folder] = _names(root, folder)
    names = listed[folder]
    if names is None or name not in names:
        return names is not None
    try:
        return not stat.S_ISREG(os.lstat(os.path.join(root, path)).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return os.path.isdir(root)
    except OSError:
        return False


def _names(root: str, folder: str) -> frozenset[str] | None:
    """What is in a folder; None when nobody can know."""
    try:
        return frozenset(os.listdir(os.path.join(root, folder)))
    except (FileNotFoundError, NotADirectoryError):
        return frozenset() if os.path.isdir(root) else None
    except OSError:
        return None


def _suspicious(rows: Rows, lost: list[str], added: list[str]) -> list[str]:
    """The paths to keep: each private folder is looked at by itself, so that no other's notes hang on it."""
    kept: list[str] = []
    new = _by_owner(added)
    for owner, paths in _by_owner(lost).items():
        if len(paths) >= _MANY and len(paths) * 3 > rows.count(owner) - len(new.get(owner, ())):
            kept += paths
    return sorted(kept)


def _by_owner(paths: Iterable[str]) -> dict[str, list[str]]:
    """Paths by whose private folder they lie in, "" for none."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(private_owner(path), []).append(path)
    return found


def _loss(kept: list[str]) -> Iterable[Problem]:
    if kept:
        message = f"{len(kept)} notes are gone at once ({kept[0]} …); they are kept in mind until you confirm it."
        remedy = "Mount the disk or wait for the sync tool; if you removed them yourself, `mdmem index` confirms it."
        yield Problem("notes-missing", os.path.commonpath(kept), 0, message, remedy)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
