"""Branches of memory: list, show, diff, merge, delete, rename.

Each act is one change with one entry of the ledger. Nothing is deleted: what is merged away or deleted lies in archive/
under the path that it had, and `restore` brings it back. A person's notes are moved by a person.
"""

from collections.abc import Iterable, Iterator, Sequence

from markdown_memory.core import layout
from markdown_memory.core.note import Header, StoredNote
from markdown_memory.core.problem import Problem
from markdown_memory.core.scope import Scope, encode_name, folder_of
from markdown_memory.errors import NotFound, UserError
from markdown_memory.features.scopes import moving
from markdown_memory.features.scopes.merging import Merging
from markdown_memory.features.scopes.values import Branch, Difference, Merged, Moved, Shown
from markdown_memory.rules.branch_plan import same_note
from markdown_memory.storage import git_branches
from markdown_memory.workspace import Edit, Workspace

BranchList = list[Branch]


class Branches:
    """The branches that one open vault remembers; a name without project means the project of this session."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def list(self, project: str | None = None) -> BranchList:
        """Every branch with memory, and those of this session; of one project, or of all."""
        space = self._workspace
        scopes = {one.scope for one in space.headers() if one.status == "accepted" and one.scope and not one.owner}
        scopes |= {scope for scope in space.scopes if scope.branch}
        wanted = None if project is None else self._scope("x", project).project
        return [self._about(scope) for scope in sorted(scopes) if wanted is None or scope.project == wanted]

    def show(self, name: str = "", project: str | None = None) -> Shown:
        """One branch with its notes; without a name, the one of this session."""
        space = self._workspace
        scope = self._scope(name, project) if name else space.scope
        if not scope.branch:
            raise UserError(space.scope_line)
        notes = moving.notes_of(space, scope)
        if name and not notes and scope != space.scope:
            raise self._unknown(scope)
        seen = space.scopes if scope == space.scope else (scope,)
        return Shown(self._about(scope), seen, tuple(notes))

    def diff(self, name: str, other: str = "", project: str | None = None) -> tuple[Difference, ...]:
        """How the notes of two branches differ; the other one is the default branch unless named."""
        one, two = self._scope(name, project), self._scope(other, project)
        mine, theirs = self._read(one), self._read(two)
        if not mine and not theirs:
            raise self._unknown(one)
        keys = sorted({*mine, *theirs})
        return tuple(found for key in keys for found in _difference(mine.get(key), theirs.get(key)))

    def merge(
        self, source: str, into: str = "", *, strategy: str = "merge", dry_run: bool = False, project: str | None = None
    ) -> Merged:
        """Bring the notes of one branch into another, the default branch unless named; see rules/branch_plan.py."""
        space = self._workspace
        one, two = self._scope(source, project), self._scope(into, project)
        if one == two:
            raise UserError(f"{one.branch!r} cannot be merged into itself; name another branch to merge it into.")
        with space.writing():
            merging = Merging(space, one, two, strategy)
            if merging.nothing:
                raise self._unknown(one)
            return merging.told(False) if dry_run else merging.carry_out()

    def merge_from_git(self, *, strategy: str = "merge", dry_run: bool = False) -> tuple[Merged, ...]:
        """Merge the memory of every branch that git's last merge or pull brought into the present one."""
        space = self._workspace
        here = space.found.repo
        if here is None or not space.scope.branch:
            return ()
        known = {one.branch for one in self.list() if one.project == space.project_name(space.scope) and one.notes}
        names = [name for name in git_branches.just_merged(here) if name in known and name != space.scope.branch]
        into = space.scope
        return tuple(
            self.merge(name, into.branch, strategy=strategy, dry_run=dry_run, project=into.project) for name in names
        )

    def delete(self, name: str, reason: str = "", project: str | None = None) -> Moved:
        """Move a branch's notes to archive/."""
        space = self._workspace
        scope = self._scope(name, project)
        if scope.branch == space.settings.default_branch(scope.project):
            raise UserError(f"{scope.branch!r} is the default branch; `mdmem forget` archives single notes of it.")
        with space.writing():
            notes = self._movable(scope, "archive")
            edits, paths = [], []
            for header in notes:
                kept = space.free_file(layout.archive_path(header.path))
                data = space.read(header.path).data
                edits += [
                    Edit(kept, None, data, move_from=header.path),
                    Edit(header.path, space.hash_of(header.path), None),
                ]
                paths.append((header.path, kept))
            text = f"{folder_of(scope)}: {reason}" if reason else folder_of(scope)
            space.change(edits, kind="branch-delete", text=text, data={"scope": folder_of(scope), "reason": reason})
        return Moved(scope.branch, "", tuple(paths))

    def rename(self, old: str, new: str, project: str | None = None) -> Moved:
        """Move a branch's notes to the folder of another name; links and proposals follow."""
        space = self._workspace
        one, two = self._scope(old, project), self._scope(new, project)
        with space.writing():
            notes = self._movable(one, "rename")
            moving.check_name(two.branch, [b.branch for b in self.list(one.project) if b.notes], "branch")
            if moving.notes_of(space, two):
                raise UserError(f"{two.branch!r} has notes of its own; `mdmem branch merge` puts the two together.")
            moves, contents, links = moving.relocate(space, notes, lambda _: two)
            contents |= moving.retargeted(space, one, two)
            facts = {"scope": folder_of(one), "into": folder_of(two)}
            edits = moving.as_edits(space, contents, moves)
            space.change(edits, kind="branch-rename", text=f"{facts['scope']} → {facts['into']}", data=facts)
        return Moved(one.branch, two.branch, tuple(moves.items()), _told(links, moves))

    def gone(self) -> "tuple[Branch, ...]":
        """Branches of this session's project with notes that its repository does not have.

        Only a repository that is known to be the project, by its remote or a link, can say so.
        """
        space = self._workspace
        remotes = set(space.found.repo.remotes if space.found.repo else ())
        known = space.found.project or any(remotes & set(one.remotes) for one in space.settings.projects)
        gone = [one for one in self.list() if one.in_git is False and not one.default and not one.current]
        return tuple(gone) if known else ()

    def problems(self) -> "Iterator[Problem]":
        """What a person should decide about branches that git no longer has."""
        from shlex import quote

        for one in self.gone():
            scope = self._scope(one.branch)
            name, into = quote(one.branch), self._workspace.settings.default_branch(scope.project)
            yield Problem(
                "branch-gone",
                f"memory/project/{folder_of(scope)}",
                0,
                f"The repository here has no branch {one.branch!r}, but notes about it: {one.notes}"
                + (f", and {one.proposals} wait for review." if one.proposals else "."),
                f"`mdmem branch merge {name}` brings them to {into}; `mdmem branch delete {name}` archives them.",
            )

    # inside

    def _scope(self, name: str, project: str | None = None) -> Scope:
        """The scope that a branch's name means; "" is the project's default branch."""
        space = self._workspace
        own = space.settings.own_project.name
        of = space.scope.project if project is None else "" if project == own else project
        scope = Scope(of, name or space.settings.default_branch(of))
        encode_name(scope.branch)
        return scope

    def _about(self, scope: Scope) -> Branch:
        space = self._workspace
        notes = moving.notes_of(space, scope)
        return Branch(
            space.project_name(scope),
            scope.branch,
            len(notes),
            len(moving.proposals_for(space, scope)),
            scope.branch == space.settings.default_branch(scope.project),
            scope == space.scope,
            self._in_git(scope),
            max((one.updated or one.created for one in notes), default=""),
        )

    def _in_git(self, scope: Scope) -> bool | None:
        space = self._workspace
        here = space.found.repo
        if here is None or space.found.repo_is_the_vault or not space.scopes or scope.project != space.scope.project:
            return None
        if self._refs is None:
            self._refs = git_branches.branches(here) | {here.branch or ""}
        return scope.branch in self._refs

    _refs: frozenset[str] | None = None

    def _read(self, scope: Scope) -> dict[tuple[str, str], StoredNote]:
        space = self._workspace
        found = (space.read_quietly(header.path) for header in moving.notes_of(space, scope))
        return {(one.header.type, one.name): one for one in found if one is not None}

    def _movable(self, scope: Scope, verb: str) -> Sequence[Header]:
        notes = moving.notes_of(self._workspace, scope)
        if not notes:
            raise self._unknown(scope)
        moving.check_may(self._workspace, notes, verb)
        return notes

    def _unknown(self, scope: Scope) -> NotFound:
        from markdown_memory.core.names import near

        known = [one.branch for one in self.list() if one.notes]
        return NotFound(f"There are no notes about the branch {scope.branch!r}.", near(scope.branch, known))


def _told(paths: Iterable[str], moves: dict[str, str]) -> tuple[str, ...]:
    """The notes with changed links, where they are now."""
    return tuple(moves.get(path, path) for path in paths)


def _difference(one: StoredNote | None, other: StoredNote | None) -> Iterable[Difference]:
    if one and other and same_note(one, other):
        return
    note = one or other
    if note is None:
        return
    state = "changed" if one and other else "only-one" if one else "only-other"
    diff = _unified(other, one) if one and other else ""
    yield Difference(state, note.name, note.header.type, one.path if one else "", other.path if other else "", diff)


def _unified(before: StoredNote, after: StoredNote) -> str:
    from difflib import unified_diff

    old, new = before.text.splitlines(), after.text.splitlines()
    return "\n".join(unified_diff(old, new, before.path, after.path, lineterm=""))
