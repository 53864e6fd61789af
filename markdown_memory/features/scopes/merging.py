"""Merging the memory of one branch into another's: what the rules decide, as one change."""

from markdown_memory.core import frontmatter, layout
from markdown_memory.core.names import check_agent
from markdown_memory.core.note import StoredNote
from markdown_memory.core.scope import Scope, folder_of
from markdown_memory.errors import FormatError, UserError
from markdown_memory.features.scopes import moving
from markdown_memory.features.scopes.values import Merged, MergedNote
from markdown_memory.rules.branch_plan import Step, plan
from markdown_memory.workspace import Edit, Workspace

TAKEN = ("take", "both")
"""Actions after which the note's own file lies in the target's folder."""


class Merging:
    """One merge of `source` into `into`; the vault's lock must be held."""

    def __init__(self, space: Workspace, source: Scope, into: Scope, strategy: str) -> None:
        self._space, self._source, self._into = space, source, into
        headers = moving.notes_of(space, source)
        moving.check_may(space, headers, "merge")
        notes = [space.read(header.path) for header in headers]
        there = [space.read(header.path) for header in moving.notes_of(space, into)]
        self._steps = plan(notes, there, strategy)
        self._proposals = moving.retargeted(space, source, into)
        self._edits: list[Edit] = []
        self._taken: set[str] = set()

    @property
    def nothing(self) -> bool:
        """Whether the source has neither notes nor proposals."""
        return not self._steps and not self._proposals

    def told(self, done: bool) -> Merged:
        """What happens, or has happened, to each note."""
        rows = tuple(self._row(step) for step in self._steps)
        return Merged(self._source.branch, self._into.branch, done, rows, tuple(self._proposals))

    def carry_out(self) -> Merged:
        """Make the change."""
        space = self._space
        told = self.told(True)
        contents = dict(self._proposals)
        new: dict[str, bytes] = {}
        moves: dict[str, str] = {}
        for step, row in zip(self._steps, told.steps, strict=True):
            self._stage(step, row, contents, new)
            moves[row.source_path] = row.path if step.action == "both" else step.there or row.path
        leaving = {row.source_path for row in told.steps if row.action not in TAKEN}
        links = moving.following(space, moves, contents, leaving)
        self._edits += [
            Edit(row.path, None, contents.pop(row.source_path), move_from=row.source_path)
            for row in told.steps
            if row.action in TAKEN
        ]
        self._edits += [Edit(path, space.hash_of(path), data) for path, data in contents.items()]
        self._edits += [Edit(path, None, data) for path, data in new.items()]
        facts = {"scope": folder_of(self._source), "into": folder_of(self._into)}
        text = f"{facts['scope']} → {facts['into']}: {len(self._steps)} notes"
        space.change(self._edits, kind="branch-merge", text=text, data=facts)
        return told._replace(links_changed=tuple(moves.get(path, path) for path in links))

    def _stage(self, step: Step, row: MergedNote, contents: moving.Contents, new: moving.Contents) -> None:
        """The source's text goes to the archive; what else a step writes goes into `contents` or `new`."""
        space, note = self._space, step.note
        new[row.archived] = note.data
        self._edits.append(Edit(note.path, note.header.sha256, None))
        if step.action in TAKEN:
            contents[note.path] = self._marked(note, row)
        elif step.action == "replace":
            there = space.read(step.there)
            new[self._free(layout.archive_path(step.there))] = there.data
            contents[step.there] = self._marked(note, row)
        elif step.action == "ask":
            new[row.path] = self._asking(note)

    def _row(self, step: Step) -> MergedNote:
        header = step.note.header
        archived = self._free(layout.archive_path(header.path))
        return MergedNote(step.action, header.name, header.type, header.path, self._path(step), archived)

    def _path(self, step: Step) -> str:
        """Where the text of a note is found after the merge."""
        if step.action in TAKEN:
            return self._free(moving.moved_to(step.note.header, self._into))
        if step.action == "ask":
            name = step.note.path.rpartition("/")[2]
            return self._free(f"{layout.inbox_folder(self._inbox(step.note))}/{name}")
        return step.there

    def _free(self, path: str) -> str:
        """The path or the next free one, also among those that this merge is about to write."""
        wanted, number = self._space.free_file(path), 1
        while wanted.casefold() in self._taken:
            number += 1
            wanted = self._space.free_file(f"{path.removesuffix('.md')}-{number}.md")
        self._taken.add(wanted.casefold())
        return wanted

    def _inbox(self, note: StoredNote) -> str:
        try:
            return check_agent(note.header.agent)
        except UserError:
            return self._space.person

    def _marked(self, note: StoredNote, row: MergedNote) -> bytes:
        data = moving.set_key(note.data, "merged_from", self._source.branch)
        if row.action != "both":
            return data
        return moving.set_key(data, "name", row.path.rpartition("/")[2].removesuffix(".md"))

    def _asking(self, note: StoredNote) -> bytes:
        """The source's text as a proposal for the target."""
        keys: dict[str, object] = {"type": note.header.type, "scope": folder_of(self._into)}
        keys |= {"merged_from": self._source.branch, "accept": False, "reject": False}
        try:
            return frontmatter.set_keys(note.data, keys)
        except FormatError:
            return note.data
