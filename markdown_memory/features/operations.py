"""What was done to the files of a vault, newest first, and taking it back by the ledger.

Undoing an operation puts every file of it back as it was, and is an operation itself. What the operation had made is
moved to archive/, so undoing loses nothing either. A file that somebody has changed since stays: then nothing is done.

The bytes of before are looked for in the files that the operation moved them to, and among the earlier texts that this
host keeps. Redacting and purging cannot be undone; that is what they are for.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.log_names import ledger_of, short
from markdown_memory.errors import AccessError, ConflictError, NotFound, UserError
from markdown_memory.storage.ledger_reading import changes_of
from markdown_memory.workspace import Edit, Workspace
from markdown_memory.workspace.edits import FOR_GOOD

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.core.ledger import FileChange

UNDO = "undo"
ASIDE = ("init", "approve", "void", "observed", "keep-both")
"""Entries that change no file."""


class Operation(NamedTuple):
    """One operation of the ledger, and the files that it changed."""

    id: str
    time: str
    agent: str
    kind: str
    text: str
    paths: tuple[str, ...]
    decided: bool = False
    """A decision of the review, which is taken back there: boxes come back empty."""


class Undone(NamedTuple):
    """The operation that was taken back, and what became of its files: (path, "restored", "archived" or "removed")."""

    operation: Operation
    files: tuple[tuple[str, str], ...]
    entry: str
    """The entry that says so; "" when nothing was written."""


class Operations:
    """The operations that one principal may see and take back; an agent only its own."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def list(self, limit: int = 20) -> list[Operation]:
        """Operations that stand, newest first."""
        found = []
        for entry in self._standing():
            changes = _files(self._workspace, entry)
            if changes:
                found.append(_told(entry, changes))
            if len(found) >= limit:
                break
        return found

    def find(self, entry: str = "") -> Operation:
        """The newest operation that can be taken back, or the one with that id."""
        found = self._find(entry.removeprefix("^"))
        return _told(found, _files(self._workspace, found))

    def undo(self, entry: str = "", *, dry_run: bool = False) -> Undone:
        """Take back the newest operation, or the one with that id; `dry_run` only says what would become of it.

        ConflictError when one of its files was changed since, NotFound when the text of before is not kept any more.
        """
        space = self._workspace
        with space.writing():
            found = self._find(entry.removeprefix("^"))
            changes = _files(space, found)
            edits = _backwards(space, found, changes)
            written = ""
            if not dry_run:
                text = f"{found.kind}: {found.text}"
                written = space.change(edits, kind=UNDO, text=text, data={"undoes": found.id}).id
            return Undone(_told(found, changes), tuple(map(_became, edits)), written)

    def _find(self, id: str) -> "Entry":
        if not id:
            for entry in self._standing():
                if entry.kind not in FOR_GOOD and _files(self._workspace, entry):
                    return entry
            raise NotFound("There is nothing to take back.")
        meant = [one for one in self._workspace.ledger() if id in (_id(one), f"{short(one.log)}-{one.id}")]
        standing = [one for one in self._standing() if one in meant]
        found = next(iter([*standing, *meant]), None)
        if found is None:
            raise NotFound(f"There is no operation {id!r}; `mdmem undo --list` shows them.")
        if found.kind in FOR_GOOD:
            raise UserError(f"{id} was a {found.kind}, and that cannot be undone.")
        if found.kind == UNDO:
            raise UserError(f"{id} took something back; do that again by hand instead of undoing it.")
        if not standing:
            raise NotFound(f"{id} was taken back already, or is not yours to take back.")
        return found

    def _standing(self) -> "Iterator[Entry]":
        """Operations that were not taken back, newest first."""
        space = self._workspace
        entries = space.ledger()
        gone = {(one.log, str(one.values().get(key))) for one in entries for key in _TAKEN_BACK.get(one.kind, ())}
        for entry in reversed(entries):
            mine = not space.principal or entry.agent == space.principal
            if mine and entry.kind not in (UNDO, *ASIDE) and (entry.log, entry.id) not in gone:
                yield entry


_TAKEN_BACK = {UNDO: ("undoes",), "void": ("void",)}


def _files(space: Workspace, entry: "Entry") -> "list[FileChange]":
    """What an operation did to files; MEMORY.md follows by itself."""
    changes = changes_of(space.root, entry)
    return [one for one in changes if one.old != one.new and one.path != layout.MEMORY_INDEX]


def _backwards(space: Workspace, entry: "Entry", changes: "Sequence[FileChange]") -> list[Edit]:
    if not changes:
        raise NotFound(f"{entry.id} changed no file, or what it changed is not here to read.")
    for one in changes:
        if (space.hash_of(one.path) or "") != one.new:
            raise ConflictError(
                f"{one.path} was changed after {entry.id} ({entry.kind}), so that cannot be undone; nothing was done."
            )
    present = {one.new: one.path for one in changes if one.new}
    restored = {one.old for one in changes}
    headers = space.catalog.get_all({one.path for one in changes})
    edits: list[Edit] = []
    for one in changes:
        header = headers.get(one.path)
        if header is not None and not space.may_change(header):
            raise AccessError(f"An agent may not change {one.path}: a person looks after it.")
        if one.old:
            edits.append(Edit(one.path, one.new or None, _text(space, one, present), move_from=_from(one, changes)))
        elif one.new in restored or layout.place_of(one.path).area != "archive":
            edits += _put_away(space, one, keep=one.new not in restored)
    return edits


def _text(space: Workspace, one: "FileChange", present: dict[str, str]) -> bytes:
    kept = space.read(present[one.old]).data if one.old in present else space.earlier.text(one.old)
    if kept is None:
        raise NotFound(f"What {one.path} said before is not kept on this machine any more, so nothing was taken back.")
    return kept


def _from(one: "FileChange", changes: "Sequence[FileChange]") -> str:
    """Where the file had been moved to."""
    return next((other.path for other in changes if other.move_from == one.path and not one.new), "")


def _put_away(space: Workspace, one: "FileChange", keep: bool) -> list[Edit]:
    """A file that the operation had made goes; with a copy in archive/ when its text would go with it."""
    gone = Edit(one.path, one.new, None)
    if not keep:
        return [gone]
    archived = space.free_file(layout.archive_path(one.path))
    return [Edit(archived, None, space.read(one.path).data, move_from=one.path), gone]


def _id(entry: "Entry") -> str:
    """Its id, with its log's word in front where that is not the ledger that everybody sees."""
    return entry.id if entry.log == ledger_of("") else f"{short(entry.log)}-{entry.id}"


def _told(entry: "Entry", changes: "Sequence[FileChange]") -> Operation:
    paths = tuple(one.path for one in changes)
    decided = "undo" in entry.values()
    return Operation(_id(entry), entry.time, entry.agent, entry.kind, entry.text, paths, decided)


def _became(edit: Edit) -> tuple[str, str]:
    if edit.new is None:
        return edit.path, "removed"
    return edit.path, "archived" if layout.place_of(edit.path).area == "archive" and edit.move_from else "restored"
