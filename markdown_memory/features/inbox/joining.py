"""Accepting a proposal into a note that is there: merged into its text, or as what supersedes it. One change each."""

from collections.abc import Sequence

from markdown_memory.core import frontmatter, layout
from markdown_memory.core.note import Header, StoredNote
from markdown_memory.errors import ConflictError, UserError
from markdown_memory.features.inbox import deciding
from markdown_memory.features.inbox.deciding import Undo
from markdown_memory.features.inbox.queue import target_of, type_of
from markdown_memory.features.inbox.values import Decision
from markdown_memory.rules import proposals
from markdown_memory.storage.files import digest
from markdown_memory.workspace import Edit, Workspace


def merge(space: Workspace, header: Header, into: StoredNote, text: str | None = None) -> Decision:
    """Add to a note what the proposal says and the note does not; `text` is the note's new body, if it is given."""
    stored = space.read(header.path)
    _check_same_owner(stored, into)
    body = proposals.merged_body(into.body, proposals.bare(stored.body)) if text is None else text
    if not body.strip():
        raise UserError("The merged note would be empty; nothing was changed.")
    new = proposals.rebodied(into.data, body) if not proposals.same_text(body, into.body) else into.data
    away, undo = deciding.into_the_archive(space, stored)
    edits, backwards = _rewritten(space, into, new)
    what = f"{header.name} → {into.path}"
    return deciding.record(space, "merge", what, [*edits, *away], [*backwards, *undo], stored, into.path)


def supersede(space: Workspace, header: Header, old: Sequence[StoredNote]) -> Decision:
    """Take the proposal in as a note of its own, and let the old ones say that it supersedes them; they stay."""
    stored = space.read(header.path)
    type = type_of(stored.header)
    folder = target_of(space, stored.header)
    deciding.check_name_free(space, folder, header.name)
    names = [*stored.header.supersedes, *(one.name for one in old if one.name not in stored.header.supersedes)]
    accepted = proposals.accepted_bytes(stored.data, stored.header, type)
    new = frontmatter.set_key(accepted, "supersedes", [f"[[{name}]]" for name in names])
    path = space.free_path(folder, header.name)
    edits, undo = [Edit(path, None, new, move_from=header.path)], [[path, digest(new), ""]]
    for one in old:
        _check_same_owner(stored, one)
        changed, backwards = _superseded(space, one, header.name)
        edits, undo = [*edits, *changed], [*undo, *backwards]
    away, back = deciding.into_the_archive(space, stored)
    what = f"{header.name} ({path}) supersedes {', '.join(one.name for one in old)}"
    done = deciding.record(space, "supersede", what, [*edits, *away], [*undo, *back], stored, path)
    return done._replace(note=f"It supersedes {', '.join(one.path for one in old)}.")


def _check_same_owner(stored: StoredNote, note: StoredNote) -> None:
    """What is private stays private, and nothing shared vanishes into what one agent alone reads."""
    if layout.private_owner(stored.path) != layout.private_owner(note.path):
        raise UserError(f"{stored.path} and {note.path} are not both shared, or private to the same agent.")


def _superseded(space: Workspace, old: StoredNote, by: str) -> tuple[list[Edit], Undo]:
    """The old note with its new key; taken out again by undoing, when that gives the same bytes."""
    if old.header.superseded_by:
        raise ConflictError(f"{old.path} is superseded by {old.header.superseded_by!r} already; name that one.")
    new = frontmatter.set_key(old.data, "superseded_by", f"[[{by}]]")
    if frontmatter.remove_key(new, "superseded_by") == old.data:
        return [Edit(old.path, old.header.sha256, new)], [[old.path, digest(new), "", "superseded_by"]]
    return _rewritten(space, old, new)


def _rewritten(space: Workspace, old: StoredNote, new: bytes) -> tuple[list[Edit], Undo]:
    """A note with other bytes, and a copy of the old ones in archive/."""
    if new == old.data:
        return [], []
    kept = space.free_file(layout.archive_path(old.path))
    edits = [Edit(old.path, old.header.sha256, new), Edit(kept, None, old.data)]
    return edits, [[old.path, digest(new), kept], [kept, old.header.sha256, ""]]
