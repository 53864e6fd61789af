"""The parts of an open vault, each made when it is first asked for.

A new capability gets its property here; `Memory` adds the everyday verbs.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_memory.features.embeddings import Embeddings
    from markdown_memory.features.inbox import Inbox
    from markdown_memory.features.log import Log
    from markdown_memory.features.notes import Notes
    from markdown_memory.features.project_state import ProjectState
    from markdown_memory.features.recall import Recall
    from markdown_memory.features.scopes import Branches, Projects
    from markdown_memory.features.snapshots import Snapshots
    from markdown_memory.features.sync import Synced
    from markdown_memory.memory.folding import Folded
    from markdown_memory.workspace import Workspace


class Parts:
    """What an open vault can do, by part."""

    def __init__(self, workspace: "Workspace", *, session: str = "", person_present: bool | None = None) -> None:
        self.workspace = workspace
        self.session = session
        self.person_present = person_present is not False and not workspace.principal
        self._recall: Recall | None = None
        self._log: Log | None = None

    @property
    def inbox(self) -> "Inbox":
        """`.list() .show(ref) .beside(ref) .accept(ref) .edit(ref, text) .reject(ref, reason) .merge(ref, into)`
        `.supersede(ref, old) .snooze(ref, days) .withdraw(ref) .undo() .carry_out()`."""
        from markdown_memory.features.inbox import Inbox

        return Inbox(self.workspace, self.person_present, self._like, self.session)

    @property
    def log(self) -> "Log":
        """`.append(text, channel=…, kind=…, ack=…) .read(unread=True, …)`."""
        if self._log is None:
            from markdown_memory.features.log import Log

            self._log = Log(self.workspace, self.session)
        return self._log

    @property
    def project(self) -> "ProjectState":
        """The present state of the session's project: `.show() .edit(text, if_hash=…)`."""
        from markdown_memory.features.project_state import ProjectState

        return ProjectState(self.workspace)

    @property
    def branches(self) -> "Branches":
        """`.list() .show(name) .diff(name, other) .merge(source, into) .delete(name) .rename(old, new) .gone()`."""
        from markdown_memory.features.scopes import Branches

        return Branches(self.workspace)

    def sync(self) -> "Synced":
        """Bring this vault and its git remote together: commit, fetch, merge, push."""
        from markdown_memory.features.sync import Sync

        done = Sync(self.workspace).run()
        self.log.render()
        return done

    @property
    def projects(self) -> "Projects":
        """`.list() .rename(old, new)`."""
        from markdown_memory.features.scopes import Projects

        return Projects(self.workspace)

    @property
    def embeddings(self) -> "Embeddings":
        """Search by meaning: `.enable(provider) .refresh() .disable() .status()`."""
        from markdown_memory.features.embeddings import Embeddings

        return Embeddings(self.workspace.places.config, self._searching().embed)

    @property
    def snapshots(self) -> "Snapshots":
        """The vault as one file: `.make(path) .open(path, folder) .diff(source) .merge(source, strategy=…)`."""
        from markdown_memory.features.snapshots import Snapshots

        return Snapshots(self.workspace, self.person_present)

    def fold_copies(self) -> "list[Folded]":
        """Fold in what sync tools copied, as far as no person has to look at it first; nothing of it is lost."""
        from markdown_memory.memory import folding

        return folding.fold(self)

    def close(self) -> None:
        """Bring the rendered view up to date, and let go of the catalog and the indexes."""
        if self._recall is not None:
            self._recall.close()
        if self._log is not None:
            self._log.close()
        self.workspace.catalog.close()

    def _searching(self, progress: Callable[[int, int], None] | None = None) -> "Recall":
        from markdown_memory.features.recall import Recall

        if self._recall is None:
            self._recall = Recall(self.workspace, progress)
        return self._recall

    def _like(self, text: str, scope: str) -> "dict[str, float]":
        """What a search for a text finds, and how near it is by meaning; "" is the scope of what counts everywhere."""
        return self._searching().like(text, scope)

    @property
    def _notes(self) -> "Notes":
        from markdown_memory.features.notes import Notes

        return Notes(self.workspace)
