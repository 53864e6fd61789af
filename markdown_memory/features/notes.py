"""Notes: store, load, list, edit, rename, forget, restore.

A person writes directly; what an agent may write directly the gate says, and the rest waits in its inbox. A note is its
name within type and scope: storing the same content again changes nothing, and storing other content under a name that
is taken needs the hash of what is there.

Forgetting moves a note to archive/ under the path that it had, and restoring moves the same bytes back.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import frontmatter, layout
from markdown_memory.core.names import name_key
from markdown_memory.core.note import Header, StoredNote
from markdown_memory.errors import AccessError, ConflictError, FormatError, NotFound, UserError
from markdown_memory.rules.proposals import Draft, check_name, note_bytes, rebodied, same_text
from markdown_memory.workspace import Edit, Workspace

if TYPE_CHECKING:
    from markdown_memory.rules.links import Follow

Headers = list[Header]
PLACED_BY_FOLDER = ("type",)
LINKING = ("accepted", "proposal", "identity", "skill", "agent-note", "state", "checkpoint")


class Renamed(NamedTuple):
    """A note's new place, and the notes whose links were changed."""

    name: str
    old_path: str
    path: str
    links_changed: tuple[str, ...]


class Forgotten(NamedTuple):
    """Where a forgotten note was and where it is kept."""

    name: str
    path: str
    archived: str


@contextmanager
def _editing(stored: StoredNote) -> Iterator[None]:
    """Leave what is no text alone, and let a sentence about a broken block name its file."""
    if any(problem.code == "note-binary" for problem in stored.header.problems):
        raise FormatError(f"{stored.path} is not text, so there is nothing in it to edit; nothing was changed.")
    try:
        yield
    except FormatError as error:
        raise FormatError(f"{stored.path}: {error}") from error


class Notes:
    """What can be done with notes in one open vault."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def show(self, name: str) -> StoredNote:
        """The note that `name` means, with its exact bytes."""
        return self._workspace.serve(self._find(name).path)

    def list(
        self,
        *,
        type: Sequence[str] = (),
        category: Sequence[str] = (),
        tag: Sequence[str] = (),
        project: Sequence[str] = (),
        branch: Sequence[str] = (),
        agent: Sequence[str] = (),
        status: Sequence[str] = (),
        archived: bool = False,
        all: bool = False,
    ) -> Headers:
        """Headers that pass every filter given, by importance and name; of the own scope unless asked for others."""
        space = self._workspace
        wanted = tuple(status) or (("archived",) if archived else space.everyday)
        anywhere = all or bool(project) or bool(branch)
        tests: tuple[Callable[[Header], bool], ...] = (
            lambda header: header.status in wanted,
            lambda header: not type or header.type in type,
            lambda header: not category or header.category in category,
            lambda header: not tag or _tagged(header, tag),
            lambda header: not agent or header.agent in agent,
            lambda header: not project or (header.scope is not None and space.project_name(header.scope) in project),
            lambda header: not branch or (header.scope is not None and header.scope.branch in branch),
            lambda header: anywhere or header.scope is None or header.scope in space.scopes,
        )
        found = [header for header in space.headers() if _all(tests, header)]
        return sorted(found, key=lambda header: (not header.pinned, -header.importance, header.name, header.path))

    def store(self, draft: Draft, if_hash: str | None = None) -> StoredNote:
        """Write a note into memory/, or over the one of that name when `if_hash` says which bytes were read."""
        space = self._workspace
        check_name(draft.name)
        with space.writing(quickly=True):
            there = self._of_that_name(draft)
            if there is not None:
                return self._store_over(there, draft, if_hash)
            path = space.free_path(layout.note_folder(draft.type, draft.scope, draft.owner), draft.name)
            space.change([Edit(path, None, note_bytes(draft))], kind="store", text=f"{draft.name} ({path})")
            return space.read(path)

    def edit(
        self,
        name: str,
        *,
        body: str | None,
        set: Mapping[str, object],
        unset: Sequence[str],
        if_hash: str | None,
    ) -> StoredNote:
        """Replace the body, or set and remove single keys; every other byte stays."""
        space = self._workspace
        body = space.masked(body) if body is not None else None
        set = {key: space.masked(value) if isinstance(value, str) else value for key, value in set.items()}
        for key in (*set, *unset):
            if key in PLACED_BY_FOLDER:
                raise UserError(
                    f"A note's {key} follows from its folder; move the file, or store it under the other {key}."
                )
            if key == "agent" and space.principal and set.get(key) != space.principal:
                raise AccessError("Who wrote a note is not an agent's to change.")
        with space.writing(quickly=True):
            header = self._find(name)
            self._check_owner(header, "change")
            stored = space.read(header.path)
            space.check_hash(stored, if_hash)
            with _editing(stored):
                new = frontmatter.set_keys(stored.data, set, remove=unset) if set or unset else stored.data
                new = rebodied(new, body) if body is not None else new
            if new == stored.data:
                return stored
            what = ", ".join([*set, *unset, *(["body"] if body is not None else [])])
            space.change([Edit(header.path, stored.header.sha256, new)], kind="edit", text=f"{header.name}: {what}")
            return space.read(header.path)

    def rename(self, old: str, new: str) -> Renamed:
        """Give a note another name and its file the name that goes with it; links in all notes follow."""
        space = self._workspace
        check_name(new)
        with space.writing():
            header = self._find(old)
            self._check_owner(header, "rename")
            stored = space.read(header.path)
            folder = header.path.rpartition("/")[0]
            self._check_free(new, header)
            path = space.free_path(folder, new, instead_of=header.path)
            follow = self._follow(header, path)
            with _editing(stored):
                data = follow(header.path, frontmatter.set_key(stored.data, "name", new))
            if path == header.path:
                moves = [Edit(path, header.sha256, data)] if data != stored.data else []
            else:
                moves = [Edit(path, None, data, move_from=header.path), Edit(header.path, header.sha256, None)]
            others = self._links_follow(header, follow) if path != header.path else []
            if moves or others:
                space.change([*moves, *others], kind="rename", text=f"{header.name} → {new} ({path})")
            return Renamed(new, header.path, path, tuple(edit.path for edit in others))

    def forget(self, name: str, reason: str) -> Forgotten:
        """Move a note to archive/."""
        space = self._workspace
        with space.writing(quickly=True):
            header = self._find(name)
            self._check_owner(header, "forget")
            stored = space.read(header.path)
            archived = space.free_file(layout.archive_path(header.path))
            moves = [
                Edit(archived, None, stored.data, move_from=header.path),
                Edit(header.path, stored.header.sha256, None),
            ]
            text = f"{header.name}: {reason}" if reason else header.name
            space.change(moves, kind="forget", text=text, data={"name": header.name, "reason": reason})
            return Forgotten(header.name, header.path, archived)

    def restore(self, name: str) -> StoredNote:
        """Move a forgotten note back to where it was, byte for byte."""
        space = self._workspace
        with space.writing(quickly=True):
            header = space.resolve(name, statuses=("archived",))
            self._check_owner(header, "restore")
            stored = space.read(header.path)
            path = layout.unarchived_path(header.path)
            if space.hash_of(path) is not None:
                raise ConflictError(
                    f"{path} exists again, so the forgotten {header.name!r} cannot go back there; "
                    f"rename or forget the new one first."
                )
            moves = [
                Edit(path, None, stored.data, move_from=header.path),
                Edit(header.path, stored.header.sha256, None),
            ]
            space.change(moves, kind="restore", text=f"{header.name} ({path})")
            return space.read(path)

    def _find(self, name: str) -> Header:
        try:
            return self._workspace.resolve(name)
        except NotFound as missing:
            forgotten = self._forgotten(name)
            if forgotten is None:
                raise
            raise NotFound(
                f"{forgotten.name!r} was forgotten; it is kept as {forgotten.path}, "
                f"and `mdmem restore {forgotten.name}` brings it back."
            ) from missing

    def _forgotten(self, name: str) -> Header | None:
        try:
            return self._workspace.resolve(name, statuses=("archived",))
        except UserError:
            return None

    def _of_that_name(self, draft: Draft) -> Header | None:
        folder, wanted = layout.note_folder(draft.type, draft.scope, draft.owner) + "/", name_key(draft.name)
        for header in self._workspace.named(wanted):
            if name_key(header.name) == wanted and header.status == "accepted" and header.path.startswith(folder):
                return header
        return None

    def _check_free(self, name: str, but: Header) -> None:
        for header in self._workspace.headers():
            same_place = _room(header) == _room(but)
            if name_key(header.name) == name_key(name) and same_place and header.path != but.path:
                raise ConflictError(
                    f"{name!r} is taken by {header.path}; choose another name, or forget that note first."
                )

    def _store_over(self, there: Header, draft: Draft, if_hash: str | None) -> StoredNote:
        space = self._workspace
        stored = space.read(there.path)
        wanted = _said(draft)
        front, body, _ = frontmatter.read(stored.data)
        changed = {key: value for key, value in wanted.items() if front.get(key) != value}
        if same_text(body, draft.body) and not changed:
            return stored
        if if_hash is None:
            raise ConflictError(
                f"A note called {draft.name!r} is already there with other content ({there.path}); "
                f"change it with `mdmem edit {draft.name}`, or give the hash that you read as if_hash (--if-hash)."
            )
        self._check_owner(there, "change")
        space.check_hash(stored, if_hash)
        new = frontmatter.set_keys(stored.data, changed) if changed else stored.data
        new = rebodied(new, draft.body)
        space.change([Edit(there.path, stored.header.sha256, new)], kind="store", text=f"{draft.name} ({there.path})")
        return space.read(there.path)

    def _check_owner(self, header: Header, verb: str) -> None:
        if self._workspace.may_change(header):
            return
        raise AccessError(
            f"An agent may not {verb} {header.path}: a person looks after it. "
            f"Propose what should change with `mdmem retain`."
        )

    def _follow(self, header: Header, path: str) -> "Follow":
        from markdown_memory.rules.links import Follow

        return Follow([one.path for one in self._workspace.headers()], {header.path: path})

    def _links_follow(self, moved: Header, follow: "Follow") -> Sequence[Edit]:
        """The other notes whose links lead to the one that moves. What is shared never follows a private note."""
        edits = []
        owner = layout.private_owner(moved.path)
        for one in self._workspace.headers():
            if one.status not in LINKING or one.path == moved.path:
                continue
            if owner and layout.private_owner(one.path) != owner:
                continue
            stored = self._workspace.read_quietly(one.path)
            if stored is None or (b"[[" not in stored.data and b"](" not in stored.data):
                continue
            new = follow(one.path, stored.data)
            if new != stored.data:
                edits.append(Edit(one.path, stored.header.sha256, new))
        return edits


def _room(header: Header) -> tuple[object, ...]:
    """Within what a name means one note."""
    return header.type, header.scope, header.status, layout.private_owner(header.path)


def _all(tests: Sequence[Callable[[Header], bool]], header: Header) -> bool:
    """Whether a header passes every test."""
    return all(test(header) for test in tests)


def _said(draft: Draft) -> dict[str, object]:
    """The keys that the draft names."""
    said: dict[str, object] = {
        "description": draft.description,
        "category": draft.category,
        "tags": [*draft.tags],
        "importance": draft.importance,
        "source": draft.source,
        "trust": draft.trust,
    }
    return {key: value for key, value in said.items() if value not in ("", None, [])}


def _tagged(header: Header, tags: Sequence[str]) -> bool:
    """A parent tag finds its children."""
    wanted = [tag.lstrip("#").casefold() for tag in tags]
    return any(have == tag or have.startswith(tag + "/") for tag in wanted for have in map(str.casefold, header.tags))
