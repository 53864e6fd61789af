"""The memory tool of Anthropic's models over a vault: commands come as dicts, answers go as text.

What the model sees below `/memories` is a small mapped part of the vault:

- `MEMORY.md`, an index that follows the notes; nobody edits it.
- `shared/…`, the notes of memory/ that hold where the session works, under the paths that they have there.
- Everything else is the model's own: one note for each file, whose `source` says the path. The gate decides where it
  goes: what is to last waits in the inbox and is read at once under its path; what lies in `daily/` or `conversation/`
  goes straight in. Writing into a note that a person accepted proposes a new version, which only the author sees.

A file is its note's text to the last byte; the properties above it are not shown. A folder is there as long as a file
is in it. Deleting moves to archive/.
"""

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from markdown_memory.core import frontmatter, layout
from markdown_memory.errors import AccessError, FormatError
from markdown_memory.features.memory_tool.tree import Files, Tree, below
from markdown_memory.rules import gate, memory_texts, proposals
from markdown_memory.rules.memory_paths import (
    INDEX,
    ROOT,
    SHARED,
    MemoryToolError,
    category_of,
    name_of,
    path_of,
    place_in_memories,
    shortened,
)
from markdown_memory.rules.proposals import Draft
from markdown_memory.workspace import Edit, Workspace

if TYPE_CHECKING:
    from markdown_memory.core.note import Header

LONGEST_TEXT = 200_000
UNEDITABLE = ("note-yaml", "note-frontmatter", "note-line-ends")
NOT_YOURS = "A person looks after {}: an agent may neither delete nor move it."


class MemoryTool:
    """`run(command)` for one principal; `after` is called when proposals were written or put away."""

    def __init__(self, workspace: Workspace, after: Callable[[], None] | None = None) -> None:
        self._workspace = workspace
        self._tree = Tree(workspace)
        self._after = after
        self._commands: dict[str, Callable[[Mapping[str, object]], str]] = {
            "view": self._view,
            "create": self._create,
            "str_replace": self._str_replace,
            "insert": self._insert,
            "delete": self._delete,
            "rename": self._rename,
        }

    def run(self, command: Mapping[str, object]) -> str:
        """Carry out `{"command": "view", "path": "/memories", …}`; what cannot be done is a MarkdownMemoryError."""
        name = str(command.get("command"))
        if name not in self._commands:
            raise MemoryToolError(f"Unknown command: {shortened(name)}; known are {', '.join(self._commands)}.")
        return self._commands[name](command)

    def clear(self) -> str:
        """Archive every file of the principal's own that it may put away."""
        with self._workspace.writing():
            own = [one for one in self._tree.own().values() if self._workspace.may_change(one)]
            self._archive(own, "memory tool: all")
        return "All memory cleared"

    # the commands

    def _view(self, command: Mapping[str, object]) -> str:
        place = place_in_memories(command.get("path"))
        with self._workspace.standing_still():
            files = self._tree.files()
            if place == INDEX or place in files:
                return memory_texts.view(place, self._tree.text(place, files), command.get("view_range"))
            inside = below(place, [INDEX, *files])
            if place and not inside:
                raise MemoryToolError(memory_texts.NO_PATH.format(_shown(command)))
            return memory_texts.listing(place, {one: self._tree.size(one, files) for one in inside})

    def _create(self, command: Mapping[str, object]) -> str:
        place, text = place_in_memories(command.get("path")), _text_of(command, "file_text")
        with self._workspace.writing():
            files = self._tree.files()
            if not place or place == INDEX or place in files or below(place, files):
                raise MemoryToolError(f"File {_shown(command)} already exists")
            _check_new(place, files)
            self._put(place, text)
        return f"File created successfully at: {_shown(command)}"

    def _str_replace(self, command: Mapping[str, object]) -> str:
        place = place_in_memories(command.get("path"))
        old, new = _text_of(command, "old_str"), _text_of(command, "new_str", "")
        with self._workspace.writing():
            header = self._one(place, command)
            text, said = memory_texts.replaced(place, self._tree.body(header), old, new)
            self._write(place, header, text)
        return said

    def _insert(self, command: Mapping[str, object]) -> str:
        place, line = place_in_memories(command.get("path")), command.get("insert_line")
        more = _text_of(command, "insert_text")
        if type(line) is not int:
            raise MemoryToolError("Invalid `insert_line` parameter: give the number of a line, 0 for the top.")
        with self._workspace.writing():
            header = self._one(place, command)
            self._write(place, header, memory_texts.inserted(self._tree.body(header), line, more))
        return f"The file {_shown(command)} has been edited."

    def _delete(self, command: Mapping[str, object]) -> str:
        place = place_in_memories(command.get("path"))
        if not place:
            raise MemoryToolError(f"Cannot delete the {ROOT} directory itself")
        with self._workspace.writing():
            headers = self._movable(place, _shown(command))
            self._archive(list(headers.values()), f"memory tool: {path_of(place)}")
        return f"Successfully deleted {_shown(command)}"

    def _rename(self, command: Mapping[str, object]) -> str:
        old, new = place_in_memories(command.get("old_path")), place_in_memories(command.get("new_path"))
        was, becomes = _shown(command, "old_path"), _shown(command, "new_path")
        if not old:
            raise MemoryToolError(f"Cannot rename the {ROOT} directory itself")
        with self._workspace.writing():
            files = self._tree.files()
            if not new or new == INDEX or new in files or below(new, files):
                raise MemoryToolError(f"The destination {becomes} already exists")
            if new.startswith(f"{old}/"):
                raise MemoryToolError(f"The destination {becomes} lies in {was} itself")
            headers = self._movable(old, was)
            _check_new(new, [one for one in files if one not in headers])
            for at, header in headers.items():
                self._move(header, new + at.removeprefix(old))
        return f"Successfully renamed {was} to {becomes}"

    def _one(self, place: str, command: Mapping[str, object]) -> "Header":
        """The file that is to be edited."""
        files = self._tree.files()
        if place == INDEX:
            raise MemoryToolError(f"{path_of(INDEX)} follows the notes and cannot be edited; write a file of your own.")
        if place in files:
            return files[place]
        known = memory_texts.NO_FILE if not place or below(place, files) else memory_texts.NO_PATH
        raise MemoryToolError(known.format(_shown(command)))

    def _movable(self, place: str, shown: str) -> Files:
        """A file, or what a folder holds, all of which the principal may put away."""
        files = self._tree.files()
        headers = {place: files[place]} if place in files else {one: files[one] for one in below(place, files)}
        if not headers and place != INDEX:
            raise MemoryToolError(memory_texts.GONE.format(shown))
        for at, header in headers.items() or {INDEX: None}.items():
            if header is None or not self._workspace.may_change(header):
                raise AccessError(NOT_YOURS.format(path_of(at)))
        return headers

    # what changes

    def _put(self, place: str, text: str) -> None:
        """A new file as a note: in the inbox when it has to wait, else in memory/."""
        path, data = self._fresh(self._draft(place, text), text)
        self._change([Edit(path, None, data)], "store", f"memory tool: {path_of(place)}")

    def _write(self, place: str, header: "Header", text: str) -> None:
        """Other text for a file; for a note that a person looks after, a proposal of the same name."""
        if len(text) > LONGEST_TEXT:
            raise MemoryToolError(_too_long("the file"))
        space = self._workspace
        if not space.may_change(header):
            draft = self._draft(place, text)._replace(
                name=header.name, type=header.type, scope=header.scope, tags=header.tags
            )
            path, data = self._fresh(draft, text)
            return self._change([Edit(path, None, data)], "store", f"memory tool: {path_of(place)}")
        stored = space.read(header.path)
        for problem in stored.header.problems:
            if problem.code.startswith(UNEDITABLE):
                raise FormatError(f"{header.path}: {problem.message} {problem.remedy} Nothing was changed.")
        new = _with_text(stored.data, text)
        if header.description == proposals.describe(stored.body) and frontmatter.split(new).opening:
            new = frontmatter.set_key(new, "description", proposals.describe(text))
        if new == stored.data:
            return None
        return self._change([Edit(header.path, stored.header.sha256, new)], "edit", f"memory tool: {path_of(place)}")

    def _move(self, header: "Header", place: str) -> None:
        """One file under another path: its note is made anew there, and the old one goes."""
        body = self._tree.body(header)
        path, data = self._fresh(self._draft(place, body), body)
        edits = [Edit(path, None, data, move_from=header.path), Edit(header.path, header.sha256, None)]
        self._change(edits, "rename", f"memory tool: {header.source} → {path_of(place)}")

    def _archive(self, headers: "list[Header]", text: str) -> None:
        edits = []
        for header in headers:
            stored = self._workspace.read(header.path)
            kept = self._workspace.free_file(layout.archive_path(header.path))
            edits += [
                Edit(kept, None, stored.data, move_from=header.path),
                Edit(header.path, stored.header.sha256, None),
            ]
        self._change(edits, "forget", text)

    def _draft(self, place: str, text: str) -> Draft:
        from markdown_memory.core import times

        space, category = self._workspace, category_of(place)
        name = name_of(place)
        return Draft(
            name,
            "",
            category=category,
            description=proposals.describe(text) or name,
            scope=space.scope_for("project", None),
            source=path_of(place),
            agent=space.principal,
            created=times.utc(space.clock()),
        )

    def _fresh(self, draft: Draft, text: str) -> tuple[str, bytes]:
        """Where the gate lets a new note go, and its bytes."""
        space = self._workspace
        if gate.waits(space.principal, draft.category, space.settings.store):
            folder, data = layout.inbox_folder(space.author), proposals.proposal_bytes(draft)
        else:
            folder, data = layout.note_folder(draft.type, draft.scope), proposals.note_bytes(draft)
        return space.free_path(folder, draft.name), _with_text(data, text)

    def _change(self, edits: list[Edit], kind: str, text: str) -> None:
        if edits:
            self._workspace.change(edits, kind=kind, text=text)
        if edits and self._after:
            self._after()


def _with_text(data: bytes, text: str) -> bytes:
    """The note with exactly this text below its properties."""
    document = frontmatter.split(data)
    if not document.opening:
        return document._replace(body=frontmatter.printable(text)).bytes()
    closing = document.closing if document.closing.endswith("\n") else document.closing + document.newline
    return document._replace(closing=closing, body=document.newline + frontmatter.printable(text)).bytes()


def _text_of(command: Mapping[str, object], key: str, default: str | None = None) -> str:
    text = command.get(key, default)
    if not isinstance(text, str):
        raise MemoryToolError(f"`{key}` is missing, or it is no text.")
    if len(text) > LONGEST_TEXT:
        raise MemoryToolError(_too_long(f"`{key}`"))
    if "\0" in text:
        raise MemoryToolError(f"`{key}` holds a NUL character, which no text has; nothing was written.")
    return text


def _too_long(what: str) -> str:
    return f"Nothing was written: {what} has more than {LONGEST_TEXT:,} characters. Use several files."


def _shown(command: Mapping[str, object], key: str = "path") -> str:
    """The path as the model wrote it."""
    return str(command.get(key))


def _check_new(place: str, files: "Collection[str]") -> None:
    """A file may be made there: not among what is shared, and below no file."""
    if place == SHARED or place.startswith(f"{SHARED}/"):
        raise MemoryToolError(f"{path_of(SHARED)} holds what a person accepted; make the file elsewhere in {ROOT}.")
    parts = place.split("/")
    for depth in range(1, len(parts)):
        above = "/".join(parts[:depth])
        if above in files or above == INDEX:
            raise MemoryToolError(f"{path_of(above)} is a file, so nothing can lie below it.")
