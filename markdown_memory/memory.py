"""The door for programs: `Memory` opens a vault, wires the parts together and hands out the features.

The words are those of the command line. An `agent` of "" is the person. What is slow to import is imported by the
method that needs it, so that opening a vault and reading a note stays cheap.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markdown_memory.core import layout
from markdown_memory.core.layout import LIVE_CONTEXT
from markdown_memory.storage.places import Places, default_places, working_folder

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.core.note import Header, StoredNote
    from markdown_memory.core.problem import Problem
    from markdown_memory.core.scope import Scope
    from markdown_memory.features.context import Context
    from markdown_memory.features.inbox import Carried, Decision, Inbox, Proposal
    from markdown_memory.features.log import Log, LogLine
    from markdown_memory.features.notes import Forgotten, Notes, Renamed
    from markdown_memory.features.recall import Answer, Hit, Recall
    from markdown_memory.features.vaults import Made, Where
    from markdown_memory.features.verify import Report
    from markdown_memory.rules.proposals import Draft
    from markdown_memory.workspace import Workspace

__all__ = [
    "Answer",
    "Carried",
    "Context",
    "Decision",
    "Draft",
    "Entry",
    "Forgotten",
    "Header",
    "Hit",
    "Inbox",
    "Log",
    "LogLine",
    "Made",
    "Memory",
    "Notes",
    "Places",
    "Problem",
    "Proposal",
    "Recall",
    "Renamed",
    "Report",
    "Scope",
    "StoredNote",
    "Where",
    "Workspace",
    "default_places",
]

_HOMES = {
    "Answer": "features.recall",
    "Carried": "features.inbox",
    "Context": "features.context",
    "Decision": "features.inbox",
    "Draft": "rules.proposals",
    "Entry": "core.entry",
    "Forgotten": "features.notes",
    "Header": "core.note",
    "Hit": "features.recall",
    "Inbox": "features.inbox",
    "Log": "features.log",
    "LogLine": "features.log",
    "Made": "features.vaults",
    "Notes": "features.notes",
    "Problem": "core.problem",
    "Proposal": "features.inbox",
    "Recall": "features.recall",
    "Renamed": "features.notes",
    "Report": "features.verify",
    "Scope": "core.scope",
    "StoredNote": "core.note",
    "Where": "features.vaults",
    "Workspace": "workspace",
}
"""Where the types above live; they are loaded when a program asks for them."""

Clock = Callable[[], float]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"markdown_memory.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Memory:
    """An open vault, seen by one principal in one scope.

    `person_present` says whether a person sits in front of this; only then may a proposal be accepted. A program that
    acts for a person leaves it alone; a frontend that an agent may drive sets it from what it sees.
    """

    def __init__(self, workspace: "Workspace", *, session: str = "", person_present: bool | None = None) -> None:
        self.workspace = workspace
        self.session = session
        self.person_present = person_present is not False and not workspace.principal
        self._recall: Recall | None = None
        self._log: Log | None = None

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        """Make a vault at `path`, or in the subfolder Memory/ of the Obsidian vault `inside`, and open it."""
        from markdown_memory.features import vaults

        places, clock = places or default_places(), clock or _now
        made = vaults.init(path, agents=agents, person=person, inside=inside, places=places, clock=clock, git=git)
        return cls.open(made.root, places=places, clock=clock, cwd=made.root)

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
        environment: str = "",
        untrusted: bool = False,
    ) -> "Memory":
        """Open the vault at `path`, or the one that belongs to `cwd`, as `agent` ("" = the person).

        `environment` is the path that MDMEM_VAULT gives; `untrusted` opens a vault that nobody has trusted, to look
        at it and nothing else.
        """
        from markdown_memory.opening import open_workspace

        workspace = open_workspace(
            path,
            agent=agent,
            project=project,
            branch=branch,
            cwd=cwd or working_folder(),
            places=places or default_places(),
            clock=clock or _now,
            via=via,
            environment=environment,
            untrusted=untrusted,
        )
        return cls(workspace, session=session, person_present=person_present)

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
        from markdown_memory.rules import gate

        space = self.workspace
        draft = self._draft(
            name,
            body,
            type,
            namespace,
            category=category,
            description=description,
            tags=tuple(tags),
            importance=importance,
            source=source,
            trust=trust,
        )
        if gate.waits(space.principal, category, space.settings.store, trust):
            return space.read(self.inbox.propose(draft, if_hash).path)
        return self._notes.store(draft, if_hash)

    def show(self, name: str) -> "StoredNote":
        """The note with that name, alias, path, `type/name` or `inbox/…`."""
        return self._notes.show(name)

    def index(self) -> str:
        """The text of MEMORY.md."""
        return self.workspace.read(layout.MEMORY_INDEX).text

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
    ) -> "Sequence[Header]":
        """Headers that pass every filter, of the own scope unless `project`, `branch` or `all` ask for others."""
        return self._notes.list(
            type=type,
            category=category,
            tag=tag,
            project=project,
            branch=branch,
            agent=agent,
            status=status,
            archived=archived,
            all=all,
        )

    def edit(
        self,
        name: str,
        *,
        body: str | None = None,
        set: Mapping[str, object] | None = None,
        unset: Sequence[str] = (),
        if_hash: str | None = None,
    ) -> "StoredNote":
        """Replace the body, or set and remove single keys; every other byte stays."""
        return self._notes.edit(name, body=body, set=set or {}, unset=unset, if_hash=if_hash)

    def rename(self, old: str, new: str) -> "Renamed":
        """Rename a note and its file; links in all notes follow."""
        return self._notes.rename(old, new)

    def forget(self, name: str, reason: str = "") -> "Forgotten":
        """Move a note to archive/ under the path that it had."""
        return self._notes.forget(name, reason)

    def restore(self, name: str) -> "StoredNote":
        """Bring a forgotten note back, byte for byte."""
        return self._notes.restore(name)

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
        threshold: float = 0.0,
        progress: Callable[[int, int], None] | None = None,
    ) -> "Answer":
        """Ranked hits: `.hits`, each with `.name`, `.path`, `.score`, `.snippet`."""
        if self._recall is None:
            from markdown_memory.features.recall import Recall

            self._recall = Recall(self.workspace, progress)
        filters = {
            "type": type,
            "category": category,
            "tag": tag,
            "project": project,
            "branch": branch,
            "agent": agent,
            "status": status,
        }
        return self._recall.search(text, limit=limit, mode=mode, threshold=threshold, filters=filters)

    def context(self, query: str = "", limit: int = 6000, *, delivered: bool = False) -> "Context":
        """What a session should know at its start, in at most `limit` bytes.

        Log entries stay unread until somebody says that they were `delivered`; within a session they are shown once.
        """
        from markdown_memory.features import context

        unread = self._unread()
        sources = context.Sources(lambda: list(unread), self._relevant)
        with self.workspace.standing_still():
            self._look_at_files()
            built = context.build(self.workspace, sources, query=query, limit=limit, session=self.session)
        if delivered:
            shown = {line for part in built.parts if part.name == "log" for line in part.text.split("\n")}
            self.log.mark_read([line for brief, line in unread.items() if brief in shown])
        return built

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
        from markdown_memory.errors import UserError
        from markdown_memory.rules import gate, proposals

        if kind not in gate.KINDS:
            raise UserError(f"There is no kind {kind!r}; the kinds are {', '.join(gate.KINDS)}.")
        description = description or proposals.describe(text)
        draft = self._draft(
            name or proposals.name_from(description),
            text,
            gate.type_of_kind(kind),
            namespace,
            kind=kind,
            description=description,
            source=source,
            trust=trust,
        )
        return self.inbox.retain(draft)

    @property
    def inbox(self) -> "Inbox":
        """`.list() .show(ref) .accept(ref) .edit(ref, text) .reject(ref, reason) .undo() .carry_out()`."""
        from markdown_memory.features.inbox import Inbox

        return Inbox(self.workspace, self.person_present)

    @property
    def log(self) -> "Log":
        """`.append(text, channel=…, kind=…, ack=…) .read(unread=True, …)`."""
        if self._log is None:
            from markdown_memory.features.log import Log

            self._log = Log(self.workspace, self.session)
        return self._log

    # looking after the vault

    def verify(self, whole: bool = True) -> "Report":
        """Check the logs and every attested file; `.sound` says whether all is well."""
        from markdown_memory.features.verify import verify

        return verify(self.workspace, whole=whole)

    def doctor(self) -> "Sequence[Problem]":
        """Everything that a person should put right, in one list."""
        from markdown_memory.features import doctor

        return doctor.problems(self.workspace)

    def where(self) -> "Where":
        """Which vault this is, how it was found, and the scope."""
        from markdown_memory.features import vaults

        return vaults.where(self.workspace)

    @property
    def scope(self) -> "Scope":
        """Project and branch that this session works in."""
        return self.workspace.scope

    def still_there(self) -> bool:
        """Whether the vault still lies where it was opened."""
        return os.path.isfile(os.path.join(self.workspace.root, "Settings.md"))

    def close(self) -> None:
        """Bring the rendered view up to date, and let go of the catalog and the indexes."""
        if self._recall is not None:
            self._recall.close()
        if self._log is not None:
            self._log.close()
        self.workspace.catalog.close()

    # wiring

    @property
    def _notes(self) -> "Notes":
        from markdown_memory.features.notes import Notes

        return Notes(self.workspace)

    def _draft(self, name: str, body: str, type: str, namespace: str | None, **known: Any) -> "Draft":
        from markdown_memory.core import times
        from markdown_memory.rules.proposals import Draft

        space = self.workspace
        scope = space.scope_for(type, namespace)
        return Draft(name, body, type, scope=scope, agent=space.principal, created=times.utc(space.clock()), **known)

    def _look_at_files(self) -> None:
        """Carry out what a person decided by touching files; a vault that cannot be written is read all the same."""
        from markdown_memory.errors import StorageError
        from markdown_memory.features.inbox.looking import something_new

        try:
            if something_new(self.workspace):
                self.inbox.carry_out()
        except StorageError:
            return

    def _unread(self) -> "dict[str, LogLine]":
        """What this session has not read of the live context, the newest first, by the line that shows it.

        As long as nobody has written to the log since nothing was unread, no entry is read and no signature checked.
        """
        from markdown_memory.features.context import brief

        space = self.workspace
        stamp = repr((space.log_stamp("live-context"), space.log_stamp("keys"), space.hash_of(LIVE_CONTEXT)))
        place = f"nothing unread {space.author} {self.session}"
        if space.catalog.meta(place) == stamp:
            return {}
        lines = self.log.read(unread=True)
        if not lines:
            space.catalog.set_meta(place, stamp)
        return {brief(self.log.brief(line)): line for line in reversed(lines)}

    def _relevant(self, query: str) -> Sequence[str]:
        hits = self.search(query, limit=5).hits
        return [f"- [[{hit.name}]] — {' '.join((hit.snippet or hit.description).split())}" for hit in hits]


def _now() -> float:
    import time

    return time.time()
