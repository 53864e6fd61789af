"""Notes that move to another scope in one change: their files, the links to them, and what waits for their scope."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from markdown_memory.core import frontmatter, layout
from markdown_memory.core.note import Header
from markdown_memory.core.scope import Scope, folder_of, scope_of
from markdown_memory.errors import AccessError, FormatError, UserError
from markdown_memory.rules.links import Follow
from markdown_memory.workspace import Edit, Workspace

LINKING = ("accepted", "proposal", "identity", "skill", "agent-note", "state", "checkpoint")
Contents = dict[str, bytes]


def notes_of(space: Workspace, scope: Scope) -> list[Header]:
    """The shared accepted notes of a scope, by path."""
    found = [one for one in space.headers() if one.status == "accepted" and not one.owner and one.scope == scope]
    return sorted(found, key=lambda one: one.path)


def proposals_for(space: Workspace, scope: Scope) -> list[Header]:
    """What waits for a decision and would go into a scope."""
    return [one for one in space.headers() if one.status == "proposal" and _target(one) == scope]


def check_may(space: Workspace, headers: Iterable[Header], verb: str) -> None:
    """AccessError when a note is not the principal's to move."""
    for header in headers:
        if not space.may_change(header):
            raise AccessError(f"An agent may not {verb} what a person accepted, such as {header.path}: a person does.")


def moved_to(header: Header, scope: Scope) -> str:
    """Where a note lies in another scope, under the name that its file has."""
    return f"{layout.note_folder(header.type, scope)}/{header.path.rpartition('/')[2]}"


def retargeted(space: Workspace, scope: Scope, new: Scope) -> Contents:
    """The proposals for a scope, proposing another one."""
    found: Contents = {}
    for header in proposals_for(space, scope):
        stored = space.read_quietly(header.path)
        if stored is not None and not header.problems:
            found[header.path] = frontmatter.set_key(stored.data, "scope", folder_of(new))
    return found


def following(
    space: Workspace, moves: Mapping[str, str], contents: Contents, leaving: Container[str] = ()
) -> Sequence[str]:
    """Let the links of all notes follow, also in `contents` (path now → new bytes); the paths that this changed.

    Notes that are `leaving` for the archive keep their bytes.
    """
    if not moves:
        return ()
    follow = Follow([one.path for one in space.headers()], moves)
    changed = []
    for header in space.headers():
        if header.status not in LINKING or header.path in leaving:
            continue
        before = contents.get(header.path) or _linking(space, header)
        after = follow(header.path, before) if before else before
        if after != before:
            contents[header.path] = after
            changed.append(header.path)
    return changed


def as_edits(space: Workspace, contents: Mapping[str, bytes], moves: Mapping[str, str]) -> list[Edit]:
    """The edits for new bytes by present path, where `moves` says which of these files move."""
    edits = []
    for path, data in contents.items():
        now = space.hash_of(path)
        if path in moves:
            edits += [Edit(moves[path], None, data, move_from=path), Edit(path, now, None)]
        else:
            edits.append(Edit(path, now, data))
    return edits


def set_key(data: bytes, key: str, value: str) -> bytes:
    """The note with one more key; a block that cannot be edited is left as it is."""
    try:
        return frontmatter.set_key(data, key, value)
    except FormatError:
        return data


def relocate(
    space: Workspace, headers: Sequence[Header], target: Callable[[Scope], Scope]
) -> tuple[dict[str, str], Contents, Sequence[str]]:
    """Old and new path of each note, the bytes that all files concerned will have, and the notes with changed links."""
    moves, contents = {}, {}
    for header in headers:
        if header.scope is not None:
            moves[header.path] = moved_to(header, target(header.scope))
            contents[header.path] = space.read(header.path).data
    return moves, contents, following(space, moves, contents)


def check_name(name: str, taken: Iterable[str], what: str) -> None:
    """UserError when a name differs from one that is in use only by case: on some disks they are one folder."""
    for other in taken:
        if other != name and other.casefold() == name.casefold():
            raise UserError(f"{name!r} differs from the {what} {other!r} only by case; choose another name.")


def _target(header: Header) -> Scope | None:
    return scope_of(header.target) if header.target else None


def _linking(space: Workspace, header: Header) -> bytes:
    stored = space.read_quietly(header.path)
    return stored.data if stored and (b"[[" in stored.data or b"](" in stored.data) else b""
