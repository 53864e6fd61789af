"""`Memory` opens a vault, wires the parts together and hands out the features.

The words are those of the command line. An `agent` of "" is the person. What is slow to import is imported
by the method that needs it, so that opening a vault and reading a note stays cheap.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from markdown_memory.core import layout
from markdown_memory.memory.parts import Parts
from markdown_memory.storage.places import Places, default_places, working_folder

if TYPE_CHECKING:
    from markdown_memory.core.answer import Answer
    from markdown_memory.core.note import Header, StoredNote
    from markdown_memory.core.problem import Problem
    from markdown_memory.core.scope import Scope
    from markdown_memory.features.context import Context
    from markdown_memory.features.inbox import Proposal
    from markdown_memory.features.notes import Forgotten, Renamed
    from markdown_memory.features.vaults import Where
    from markdown_memory.features.verify import Report
    from markdown_memory.memory.from_transcript import Retained
    from markdown_memory.rules.access import Claim

Clock = Callable[[], float]


class Memory(Parts):
    """An open vault, seen by one principal in one scope.

    `person_present` says whether a person sits in front of this; only then may a proposal be accepted. A program
    that acts for a person leaves it alone; a frontend that an agent may drive sets it from what it sees.
    """

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

        places, clock = places or default_places(), clock or time.time
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
        claim: "Claim | None" = None,
    ) -> "Memory":
        """Open the vault at `path`, or the one that belongs to `cwd`, as `agent` ("" = the person).

        `environment` is the path that MDMEM_VAULT gives; `untrusted` opens a vault that nobody has trusted,
        to look at it and nothing else. A program's word for who it acts for counts; `claim` is for a frontend to
        which somebody said it, and with access control it must be borne out.
        """
        from markdown_memory.opening import open_workspace

        workspace = open_workspace(
            path,
            agent=agent,
            project=project,
            branch=branch,
            cwd=cwd or working_folder(),
            places=places or default_places(),
            clock=clock or time.time,
            via=via,
            environment=environment,
            untrusted=untrusted,
            attended=person_present is not False,
        )
        memory = cls(workspace, session=session, person_present=person_present)
        memory._admit(claim)
        return memory

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
        private: bool = False,
        importance: float | None = None,
        source: str = "",
        trust: str = "",
        if_hash: str | None = None,
        on_conflict: str = "",
    ) -> "StoredNote":
        """Write a note; what an agent stores as `core` becomes a proposal (`.header.status == "proposal"`).

        With `private`, or in the namespace `private`, only its owner and the person may see it. `on_conflict` is
        supersede, keep_both, keep_existing or ask, for when an accepted note says otherwise.
        """
        from markdown_memory.memory import drafting, storing
        from markdown_memory.rules import gate

        space = self.workspace
        draft = drafting.draft(
            space,
            name,
            body,
            type,
            namespace,
            private,
            category=category,
            description=description,
            tags=tuple(tags),
            importance=importance,
            source=source,
            trust=trust,
        )
        if gate.waits(space.principal, category, space.settings.store, trust):
            return self.inbox.propose(draft, if_hash)
        return storing.store(self, draft, if_hash, on_conflict)

    def show(self, name: str) -> "StoredNote":
        """The note with that name, alias, path, `type/name` or `inbox/…`."""
        return self.notes.show(name)

    def index(self) -> str:
        """The text of MEMORY.md."""
        space = self.workspace
        if space.serving.strict:
            from markdown_memory.rules.memory_index import merge_into, render

            return merge_into(None, render(space.headers(), space.settings)).decode("utf-8", "replace")
        return space.read(layout.MEMORY_INDEX).text

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
        return self.notes.list(
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
        return self.notes.edit(name, body=body, set=set or {}, unset=unset, if_hash=if_hash)

    def rename(self, old: str, new: str) -> "Renamed":
        """Rename a note and its file; links in all notes follow."""
        return self.notes.rename(old, new)

    def forget(self, name: str, reason: str = "") -> "Forgotten":
        """Move a note to archive/ under the path that it had."""
        return self.notes.forget(name, reason)

    def restore(self, name: str) -> "StoredNote":
        """Bring a forgotten note back, byte for byte."""
        return self.notes.restore(name)

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
        expand: bool = False,
        fold: bool = True,
        attested: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> "Answer":
        """Ranked hits: `.hits`, each with `.name`, `.path`, `.snippet`, and `.parts` that explain its `.score`.

        `expand` adds what is `.near`, `attested` who signed it; without `fold`, hits that say the same are not one.
        """
        filters = {
            "type": type,
            "category": category,
            "tag": tag,
            "project": project,
            "branch": branch,
            "agent": agent,
            "status": status,
        }
        recall = self._searching(progress)
        answer = recall.search(
            text,
            limit=limit,
            mode=mode,
            threshold=threshold,
            filters=filters,
            expand=expand,
            fold=fold,
            attested=attested,
        )
        withheld = self.workspace.serving.sentence()
        return answer._replace(degraded=(*answer.degraded, withheld)) if withheld else answer

    def context(self, query: str = "", limit: int = 6000, *, delivered: bool = False) -> "Context":
        """A session's start in at most `limit` bytes; its log entries count as read when they were `delivered`."""
        from markdown_memory.memory import starting

        return starting.context(self, query, limit, delivered)

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
        private: bool = False,
    ) -> "Proposal":
        """Propose a fact; a person reviews it. With `private` it is for nobody else."""
        from markdown_memory.memory import drafting
        from markdown_memory.rules import gate, proposals

        type = gate.type_of_kind(gate.check_kind(kind))
        text, description = self.workspace.masked(text), self.workspace.masked(description)
        description = description or proposals.describe(text)
        draft = drafting.draft(
            self.workspace,
            name or proposals.name_from(description),
            text,
            type,
            namespace,
            private,
            kind=kind,
            description=description,
            source=source,
            trust=trust,
        )
        return self.inbox.retain(draft)

    def retain_transcript(
        self,
        path: str,
        *,
        dry_run: bool = False,
        limit: int = 5,
        namespace: str | None = None,
        by_hook: bool = False,
    ) -> "Retained":
        """Propose what a transcript of Claude Code or Codex holds, at most `limit` facts of it, each once.

        `dry_run` writes nothing; `by_hook` reads on from where the last such call stopped.
        """
        from markdown_memory.memory.from_transcript import retain_transcript

        return retain_transcript(self, path, dry_run=dry_run, limit=limit, namespace=namespace, by_hook=by_hook)

    # looking after the vault

    def verify(self, whole: bool = True) -> "Report":
        """Check the logs and every attested file; `.sound` says whether all is well."""
        from markdown_memory.features.verify import verify

        return verify(self.workspace, whole=whole)

    def doctor(self) -> "Sequence[Problem]":
        """Everything that a person should put right, in one list."""
        from markdown_memory.features import doctor

        return [*doctor.problems(self.workspace), *self.branches.problems()]

    def where(self) -> "Where":
        """Which vault this is, how it was found, and the scope."""
        from markdown_memory.features import vaults

        return vaults.where(self.workspace)

    @property
    def scope(self) -> "Scope":
        """Project and branch that this session works in."""
        return self.workspace.scope

    def still_there(self) -> bool:
        """Whether the vault still lies where it was opened, with the settings that it had."""
        return self.workspace.settings_are_current()
