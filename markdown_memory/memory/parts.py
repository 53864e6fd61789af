"""The parts of an open vault, each made when it is first asked for.

A new capability gets its property here; `Memory` adds the everyday verbs.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from markdown_memory.errors import AccessError

if TYPE_CHECKING:
    from markdown_memory.features.audit import Audit
    from markdown_memory.features.conflicts import Conflicts
    from markdown_memory.features.embeddings import Embeddings
    from markdown_memory.features.inbox import Inbox
    from markdown_memory.features.links import Links
    from markdown_memory.features.log import Log
    from markdown_memory.features.memory_tool.tool import MemoryTool
    from markdown_memory.features.notes import Notes
    from markdown_memory.features.operations import Operations, Undone
    from markdown_memory.features.project_state import ProjectState
    from markdown_memory.features.recall import Recall
    from markdown_memory.features.scopes import Branches, Projects
    from markdown_memory.features.snapshots import Snapshots
    from markdown_memory.features.sync import Synced
    from markdown_memory.memory.auditing import Auditor
    from markdown_memory.memory.folding import Folded
    from markdown_memory.rules.access import Claim
    from markdown_memory.workspace import Workspace

T = TypeVar("T")


class Parts:
    """What an open vault can do, by part."""

    def __init__(self, workspace: "Workspace", *, session: str = "", person_present: bool | None = None) -> None:
        self.workspace = workspace
        self.session = session
        self.person_present = person_present is not False and not workspace.principal
        self._auditor: Auditor | None = None
        self._recall: Recall | None = None
        self._log: Log | None = None
        self._links: Links | None = None

    @property
    def inbox(self) -> "Inbox":
        """`.list() .show(ref) .beside(ref) .accept(ref) .edit(ref, text) .reject(ref, reason) .merge(ref, into)`
        `.supersede(ref, old) .snooze(ref, days) .withdraw(ref) .undo() .carry_out()`."""
        from markdown_memory.features.inbox import Inbox

        return self._part("review", Inbox(self.workspace, self.person_present, self.like, self.session))

    @property
    def log(self) -> "Log":
        """`.append(text, channel=…, kind=…, ack=…) .read(unread=True, …)`."""
        if self._log is None:
            from markdown_memory.features.log import Log

            self._log = Log(self.workspace, self.session)
        return self._part("log", self._log)

    @property
    def project(self) -> "ProjectState":
        """The present state of the session's project: `.show() .edit(text, if_hash=…)`."""
        from markdown_memory.features.project_state import ProjectState

        return self._part("project", ProjectState(self.workspace))

    @property
    def branches(self) -> "Branches":
        """`.list() .show(name) .diff(name, other) .merge(source, into) .delete(name) .rename(old, new) .gone()`."""
        from markdown_memory.features.scopes import Branches

        return self._part("branch", Branches(self.workspace))

    def sync(self, *, allow_removals: bool = False) -> "Synced":
        """Bring this vault and its git remote together: commit, fetch, merge, push.

        UserError when a third of the notes (at least 10) would go and `allow_removals` does not say that this is meant.
        """
        from markdown_memory.features.sync import Sync

        done = Sync(self.workspace, allow_removals).run()
        self.log.render()
        return done

    @property
    def projects(self) -> "Projects":
        """`.list() .rename(old, new)`."""
        from markdown_memory.features.scopes import Projects

        return self._part("project", Projects(self.workspace))

    @property
    def embeddings(self) -> "Embeddings":
        """Search by meaning: `.enable(provider) .refresh() .disable() .status()`."""
        from markdown_memory.features.embeddings import Embeddings

        return self._part("embeddings", Embeddings(self.workspace.places.config, self._searching().embed))

    @property
    def snapshots(self) -> "Snapshots":
        """The vault as one file: `.make(path) .open(path, folder) .diff(source) .merge(source, strategy=…)`."""
        from markdown_memory.features.snapshots import Snapshots

        return self._part("snapshot", Snapshots(self.workspace, self.person_present))

    def fold_copies(self) -> "list[Folded]":
        """Fold in what sync tools copied, as far as no person has to look at it first; nothing of it is lost."""
        from markdown_memory.memory import folding

        return folding.fold(self)

    @property
    def audit(self) -> "Audit":
        """What was done here, where the setting `audit` is on: `.read(tail) .verify()`; for people."""
        from markdown_memory.features.audit import Audit

        return Audit(self.workspace)

    def watched(self, tool: str, key: str, run: "Callable[[], T]") -> "T":
        """Do something; where auditing is on, it is an operation of that name."""
        return run() if self._auditor is None else self._auditor.watch(tool, key, run)

    def _part(self, name: str, part: "T") -> "T":
        return part if self._auditor is None else self._auditor.part(name, part)

    def _admit(self, claim: "Claim | None") -> None:
        """Watch what is done where auditing is on; AccessError where access control does not believe the claim."""
        from markdown_memory.rules.access import objection

        why = objection(claim) if claim else ""
        space = self.workspace
        auditor = self._begin_audit() if space.settings.audit and space.found.trusted else None
        if why and auditor:
            (auditor.denied if space.access.on else auditor.would_deny)("open", why)
        if why and space.access.on:
            broken = any(problem.code == "settings-broken" for problem in space.settings_problems)
            self.close()
            raise AccessError(
                f"Settings.md is broken, so access control counts as on (`mdmem doctor`). {why}" if broken else why
            )

    def _begin_audit(self) -> "Auditor":
        from markdown_memory.memory.auditing import Auditor

        self._auditor = Auditor(self.workspace)
        self._auditor.attach(self)
        return self._auditor

    def close(self) -> None:
        """Bring the rendered view up to date, and let go of the catalog and the indexes."""
        if self._recall is not None:
            self._recall.close()
        if self._log is not None:
            self._log.close()
        self.workspace.catalog.close()

    @property
    def links(self) -> "Links":
        """`.of(name)`: the notes that a note links to, and those that link to it."""
        from markdown_memory.features.links import Links

        if self._links is None:
            self._links = Links(self.workspace)
        return self._part("links", self._links)

    @property
    def conflicts(self) -> "Conflicts":
        """Notes that cannot both hold: `.scan() .of(name) .supersede(newer, older) .keep_both(one, other)`."""
        from markdown_memory.features.conflicts import Conflicts

        return self._part("conflicts", Conflicts(self.workspace, self.like))

    @property
    def operations(self) -> "Operations":
        """What was done to the files, newest first: `.list(limit) .find(entry) .undo(entry, dry_run=…)`."""
        from markdown_memory.features.operations import Operations

        return self._part("operations", Operations(self.workspace))

    def undo(self, entry: str = "", *, dry_run: bool = False) -> "Undone":
        """Take back the last operation of any kind, or the one with that id; `dry_run` only says what would become
        of its files. NotFound when there is none, ConflictError when one of its files was changed since."""
        operation = self.operations.find(entry)
        if dry_run or not operation.decided:
            return self.operations.undo(operation.id, dry_run=dry_run)
        from markdown_memory.features.operations import Undone

        done = self.inbox.undo(operation.id.removeprefix("prv-"))
        return Undone(operation, ((done.path, "restored"),), self.workspace.ledger()[-1].id)

    @property
    def memory_tool(self) -> "MemoryTool":
        """`.run({"command": "view", "path": "/memories"})`: the commands of Anthropic's memory tool."""
        from markdown_memory.features.inbox import by_file
        from markdown_memory.features.memory_tool.tool import MemoryTool

        return self._part("memory tool", MemoryTool(self.workspace, lambda: by_file.remember(self.workspace)))

    def _searching(self, progress: Callable[[int, int], None] | None = None) -> "Recall":
        from markdown_memory.features.recall import Recall

        if self._recall is None:
            self._recall = Recall(self.workspace, progress)
        return self._recall

    def like(self, text: str, scope: str) -> "dict[str, float]":
        """What a search for a text finds, and how near it is by meaning; "" is the scope of what counts everywhere."""
        return self._searching().like(text, scope)

    @property
    def notes(self) -> "Notes":
        """What `store`, `show`, `list`, `edit`, `rename`, `forget` and `restore` stand on."""
        from markdown_memory.features.notes import Notes

        return Notes(self.workspace)
