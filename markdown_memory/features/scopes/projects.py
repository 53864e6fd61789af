"""Projects of a vault: list them, rename one.

The own project's folders carry no name, so renaming it changes Settings.md and the page of its state only.
"""

import re
from collections.abc import Sequence

from markdown_memory.core import layout
from markdown_memory.core.note import Header
from markdown_memory.core.scope import Scope, encode_name, scope_of
from markdown_memory.core.settings import parse
from markdown_memory.errors import ConflictError, NotFound, UserError
from markdown_memory.features.scopes import moving
from markdown_memory.features.scopes.values import Moved, ProjectMemory
from markdown_memory.storage import files
from markdown_memory.workspace import Workspace

ProjectList = list[ProjectMemory]
STATES = "nexus/project-state"


class Projects:
    """The projects that one open vault knows, by its settings or by its folders."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def list(self) -> ProjectList:
        """The own project first, then the others by name."""
        space = self._workspace
        scopes = [one.scope for one in space.headers() if one.status == "accepted" and one.scope and not one.owner]
        known = {"" if one.own else one.name: one for one in space.settings.projects}
        found = []
        for name in sorted({"", *known, *(scope.project for scope in scopes)}):
            notes = [scope for scope in scopes if scope.project == name]
            listed = known.get(name)
            found.append(
                ProjectMemory(
                    space.project_name(Scope(name, "")),
                    name == "",
                    space.settings.default_branch(name),
                    listed.remotes if listed else (),
                    len(set(notes)),
                    len(notes),
                    listed is not None,
                )
            )
        return found

    def rename(self, old: str, new: str) -> Moved:
        """Give a project another name: in Settings.md, its folders, its state, and in what waits for it."""
        space = self._workspace
        encode_name(new)
        with space.writing():
            one = self._named(old)
            names = [other.name for other in self.list()]
            if new in names:
                raise UserError(f"There is a project {new!r} already; choose another name.")
            moving.check_name(new, names, "project")
            mine, project = ("", "") if one.own else (old, new)
            notes = [] if one.own else self._notes(old)
            moving.check_may(space, notes, "rename")
            moves, contents, links = moving.relocate(space, notes, lambda scope: scope._replace(project=project))
            if not one.own:
                contents |= self._retargeted(mine, project)
            self._move_state(old, new, moves, contents)
            if one.in_settings:
                contents[layout.SETTINGS] = self._settings(old, new)
            edits = moving.as_edits(space, contents, moves)
            if not edits:
                raise NotFound(f"Nothing in this vault bears the name of the project {old!r}.")
            space.change(edits, kind="project-rename", text=f"{old} → {new}", data={"project": old, "into": new})
        self._rename_links(old, new)
        return Moved(old, new, tuple(moves.items()), tuple(moves.get(path, path) for path in links))

    def _named(self, name: str) -> ProjectMemory:
        known = self.list()
        for one in known:
            if one.name == name:
                return one
        from markdown_memory.core.names import near

        raise NotFound(f"There is no project {name!r} in this vault.", near(name, [one.name for one in known]))

    def _notes(self, project: str) -> Sequence[Header]:
        headers = self._workspace.headers()
        return [one for one in headers if one.status == "accepted" and one.scope and one.scope.project == project]

    def _retargeted(self, old: str, new: str) -> moving.Contents:
        targets = {one.target for one in self._workspace.headers() if one.status == "proposal" and one.target}
        found: moving.Contents = {}
        for scope in (scope_of(target) for target in targets):
            if scope.project == old:
                found |= moving.retargeted(self._workspace, scope, scope._replace(project=new))
        return found

    def _move_state(self, old: str, new: str, moves: dict[str, str], contents: moving.Contents) -> None:
        """The page of the project's state is called after it."""
        space = self._workspace
        path, target = (f"{STATES}/{encode_name(name)}.md" for name in (old, new))
        if space.hash_of(path) is None:
            return
        if space.hash_of(target) is not None:
            raise ConflictError(f"{target} exists already, so {path} cannot take that name; rename one of them first.")
        contents.setdefault(path, space.read(path).data)
        moves[path] = target

    def _settings(self, old: str, new: str) -> bytes:
        """Settings.md with the project's table under the new name; nothing else in it changes."""
        import json

        data = files.read(self._workspace.root, layout.SETTINGS)
        text = data.decode("utf-8", "surrogateescape")
        written = json.dumps(new, ensure_ascii=False).replace("\x7f", "\\u007f")
        spelled = "|".join(re.escape(way) for way in (old, f'"{old}"', f"'{old}'", json.dumps(old, ensure_ascii=False)))
        changed = re.sub(
            rf"(?m)^(\s*\[\s*projects\s*\.\s*)(?:{spelled})(\s*\])", lambda m: f"{m[1]}{written}{m[2]}", text
        ).encode("utf-8", "surrogateescape")
        names = [one.name for one in parse(changed).settings.projects]
        if new not in names or old in names:
            raise UserError(f"Rename the table of {old!r} in {layout.SETTINGS} by hand; its form is an unusual one.")
        return changed

    def _rename_links(self, old: str, new: str) -> None:
        """The links of this account's repositories to the project name it, too."""
        from markdown_memory.storage.registry import Registry

        registry = Registry(self._workspace.places)
        for link in registry.links():
            if link.vault_id == self._workspace.vault_id and link.project == old:
                registry.link(link._replace(project=new))
