"""Storing a note where what it says may rule out what another note says.

An agent that may write directly is held to the setting `on_conflict`; a person is asked for nothing, unless they say
how. Before the text of a note that is not the writer's own is superseded, a person reviews it.
"""

from typing import TYPE_CHECKING

from markdown_memory.core import layout
from markdown_memory.core.note import read_header
from markdown_memory.errors import ConflictError, UserError
from markdown_memory.features.conflicts import Conflicts
from markdown_memory.rules import gate
from markdown_memory.rules.proposals import Draft, note_bytes

if TYPE_CHECKING:
    from markdown_memory.core.note import Header, StoredNote
    from markdown_memory.memory.vault import Memory
    from markdown_memory.rules.contradiction import Conflict
    from markdown_memory.workspace import Workspace

WAYS = ("supersede", "keep_both", "keep_existing", "ask")


def store(memory: "Memory", draft: Draft, if_hash: str | None, on_conflict: str = "") -> "StoredNote":
    """Write a note, or what `on_conflict` says where an accepted note says otherwise.

    ConflictError with `keep_existing`; with `ask`, or where somebody else's note would be superseded, a proposal.
    """
    how = _way(memory, draft, on_conflict)
    settling = Conflicts(memory.workspace, memory.like)
    found = [] if how == "keep_both" else _against(memory, settling, draft)
    if not found:
        return memory.notes.store(draft, if_hash)
    space = memory.workspace
    told = "; ".join(f"{one.path} says otherwise ({what.what})" for one, what in found)
    if how == "keep_existing":
        raise ConflictError(f"{told}, so nothing was stored; `mdmem show` it, or store with --on-conflict keep_both.")
    if how == "ask" or (space.principal and any(_is_a_persons(space, one) for one, _ in found)):
        space.notices.append(f"{told}: a person decides.")
        return memory.inbox.propose(draft, if_hash)
    with space.writing():
        note = memory.notes.store(draft, if_hash)
        for one, _ in found:
            settling.supersede(note.path, one.path)
    space.notices.append(f"It supersedes {', '.join(f'{one.path} ({what.what})' for one, what in found)}.")
    return space.read(note.path)


def _is_a_persons(space: "Workspace", header: "Header") -> bool:
    """Whether a person wrote or approved a note, or another agent wrote it."""
    return header.agent != space.principal or space.approved().get(header.path) == header.sha256


def _way(memory: "Memory", draft: Draft, on_conflict: str) -> str:
    if on_conflict and on_conflict not in WAYS:
        raise UserError(f"There is no way {on_conflict!r} to settle a conflict; the ways are {', '.join(WAYS)}.")
    space = memory.workspace
    lasting = draft.category not in gate.PASSING
    return on_conflict or (space.settings.on_conflict if space.principal and lasting else "keep_both")


def _against(memory: "Memory", settling: Conflicts, draft: Draft) -> "list[tuple[Header, Conflict]]":
    """What the text rules out; not the note of that name, which it would be written over."""
    folder = layout.note_folder(draft.type, draft.scope, draft.owner)
    header = read_header(memory.workspace.free_path(folder, draft.name), note_bytes(draft))
    found = settling.against(header, draft.body)
    return [(one, what) for one, what in found if not (one.name == draft.name and one.path.startswith(folder + "/"))]
