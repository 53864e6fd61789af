"""The present state of a project: one page that people and agents replace, with its hash as the etag.

    ProjectState(workspace).show() -> State(project, path, text, sha256)
                           .edit(text, if_hash=None) -> State

The project is that of the session's scope. The text is what stands below the properties; these stay as they are.
Whoever hands back the hash that it read overwrites nothing that somebody else has written meanwhile.
"""

from typing import NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.note import StoredNote
from markdown_memory.errors import ConflictError, FormatError, NotFound, UserError
from markdown_memory.rules.proposals import ending, rebodied
from markdown_memory.workspace import Edit, Workspace


class State(NamedTuple):
    """A project's state: the text below the properties, and SHA-256 of the whole file; both "" when there is none."""

    project: str
    path: str
    text: str
    sha256: str


class ProjectState:
    """The state of the project in whose scope a workspace was opened."""

    def __init__(self, workspace: Workspace) -> None:
        self._space = workspace

    def show(self) -> State:
        """The state as it is now."""
        path = self._path()
        stored = self._stored(path)
        project = self._space.project_name(self._space.scope)
        if stored is None:
            return State(project, path, "", "")
        return State(project, path, stored.body.lstrip("\r\n"), stored.header.sha256)

    def edit(self, text: str, if_hash: str | None = None) -> State:
        """Replace the text; with `if_hash` only when the file still has that hash ("" = there is none yet)."""
        space = self._space
        with space.writing():
            path = self._path()
            stored = self._stored(path)
            here = stored.header.sha256 if stored else ""
            if if_hash not in (None, here):
                now = f"is {here[:12]}… now" if here else "is gone"
                raise ConflictError(f"{path} was changed since it was read: it {now}. Read it again, then repeat.")
            new = _replaced(stored, text)
            if stored is None or new != stored.data:
                edit = Edit(path, here or None, new)
                space.change([edit], kind="edit", text=f"state of {space.project_name(space.scope)} ({path})")
        return self.show()

    def _path(self) -> str:
        if not self._space.scopes:
            raise UserError(f"It is not known whose state that is. {self._space.scope_line}")
        return layout.state_path(self._space.project_name(self._space.scope))

    def _stored(self, path: str) -> StoredNote | None:
        try:
            return self._space.read(path)
        except NotFound:
            return None


def _replaced(stored: StoredNote | None, text: str) -> bytes:
    if stored is None:
        return ending(text).encode("utf-8", "surrogateescape")
    if any(problem.code == "note-binary" for problem in stored.header.problems):
        raise FormatError(f"{stored.path} is not text, so there is nothing in it to edit; nothing was changed.")
    return rebodied(stored.data, text)
