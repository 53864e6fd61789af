"""The door for programs: `Memory` opens a vault, wires the parts together and hands out the features.

The words are those of the command line. An `agent` of "" is the person. Everything that is slow to import is imported
by the method that needs it, so that opening a vault and reading a note stays cheap.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_memory.core.note import Header, StoredNote
    from markdown_memory.core.problem import Problem
    from markdown_memory.core.scope import Scope
    from markdown_memory.features.context import Context
    from markdown_memory.features.inbox import Inbox, Proposal
    from markdown_memory.features.log import Log
    from markdown_memory.features.notes import Forgotten, Notes, Renamed
    from markdown_memory.features.recall import Answer
    from markdown_memory.features.vaults import Where
    from markdown_memory.features.verify import Report
    from markdown_memory.storage.places import Places
    from markdown_memory.workspace import Workspace

Clock = Callable[[], float]


class Memory:
    """An open vault, seen by one principal in one scope.

    `person_present` says whether a person sits in front of this; only then may a proposal be accepted. Programs that
    use this class for a person leave it alone; a frontend that may be driven by an agent sets it from what it sees.
    """

    def __init__(self, workspace: "Workspace", *, session: str = "", person_present: bool | None = None) -> None:
        self.workspace = workspace
        self.session = session
        self.person_present = (not workspace.principal) if person_present is None else person_present
        self._notes: Notes | None = None
        self._inbox: Inbox | None = None
        self._log: Log | None = None

    @classmethod
    def init(
        cls,
        path: str,
        *,
        agents: Sequence[str] = (),
        person: str = "",
        inside: str | None = None,
        places: "Places | None" = None,
        clock: Clock | None = None,
        git: bool = False,
    ) -> "Memory":
        """Make a vault at `path` (or in the subfolder Memory/ of the Obsidian vault `inside`) and open it."""
        raise NotImplementedError

    @classmethod
    def open(
        cls,
        path: str | None = None,
        *,
        agent: str = "",
        project: str | None = None,
        branch: str | None = None,
        cwd: str | None = None,
        session: str = "",
        places: "Places | None" = None,
        clock: Clock | None = None,
        via: str = "api",
        person_present: bool | None = None,
    ) -> "Memory":
        """Open the vault at `path`, or the one found from `cwd`, as `agent` ("" = the person)."""
        raise NotImplementedError

    # notes

    def store(
        self,
        name: str,
        body: str,
        *,
        type: str = "project",
        category: str = "",
        description: str = "",
        tags: Sequence[str] = (),
        namespace: str | None = None,
        importance: float | None = None,
        source: str = "",
        trust: str = "",
        if_hash: str | None = None,
    ) -> "StoredNote":
        """Write a note; what an agent stores as `core` becomes a proposal (`.header.status == "proposal"`)."""
        raise NotImplementedError

    def show(self, name: str) -> "StoredNote":
        """The note with that name, alias, path, `type/name` or `inbox/…`."""
        raise NotImplementedError

    def list(self, **filters: Any) -> "list[Header]":
        """Headers by `type`, `category`, `tag`, `project`, `branch`, `agent`, `status`, `archived`, `all_scopes`."""
        raise NotImplementedError

    def edit(
        self,
        name: str,
        *,
        body: str | None = None,
        set: Mapping[str, object] = {},  # noqa: B006  (read only)
        unset: Sequence[str] = (),
        if_hash: str | None = None,
    ) -> "StoredNote":
        """Replace the body, or set and remove single keys; every other byte stays."""
        raise NotImplementedError

    def rename(self, old: str, new: str) -> "Renamed":
        """Rename a note and its file; links in all notes follow."""
        raise NotImplementedError

    def forget(self, name: str, reason: str = "") -> "Forgotten":
        """Move a note to archive/ under the path that it had."""
        raise NotImplementedError

    def restore(self, name: str) -> "StoredNote":
        """Bring a forgotten note back, byte for byte."""
        raise NotImplementedError

    # finding

    def search(
        self,
        text: str,
        *,
        limit: int = 20,
        mode: str = "auto",
        type: Sequence[str] = (),
        category: Sequence[str] = (),
        tag: Sequence[str] = (),
        project: Sequence[str] = (),
        branch: Sequence[str] = (),
        agent: Sequence[str] = (),
        status: Sequence[str] = (),
    ) -> "Answer":
        """Ranked hits: `.hits`, each with `.name`, `.path`, `.score`, `.snippet`."""
        raise NotImplementedError

    def context(self, query: str = "", limit: int = 6000) -> "Context":
        """What a session should know at its start, in at most `limit` bytes."""
        raise NotImplementedError

    # keep and review

    def retain(
        self,
        text: str,
        *,
        kind: str = "fact",
        source: str = "",
        name: str = "",
        description: str = "",
        trust: str = "",
        namespace: str | None = None,
    ) -> "Proposal":
        """Propose a fact; a person reviews it."""
        raise NotImplementedError

    @property
    def inbox(self) -> "Inbox":
        """`.list() .show(ref) .accept(ref) .edit(ref, text) .reject(ref, reason) .undo() .carry_out()`."""
        raise NotImplementedError

    @property
    def log(self) -> "Log":
        """`.append(text, channel=…, kind=…, ack=…) .read(unread=True, …)`."""
        raise NotImplementedError

    # looking after the vault

    def verify(self, whole: bool = True) -> "Report":
        """Check the logs and every attested file; `.sound` says whether all is well."""
        raise NotImplementedError

    def doctor(self) -> "list[Problem]":
        """Everything that a person should put right, in one list."""
        raise NotImplementedError

    def where(self) -> "Where":
        """Which vault this is, how it was found, and the scope."""
        raise NotImplementedError

    @property
    def scope(self) -> "Scope":
        """Project and branch that this session works in."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the catalog and the indexes."""
        raise NotImplementedError
