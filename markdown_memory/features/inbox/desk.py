"""The desk where proposals arrive and are decided.

A proposal is a file that a person can read and edit anywhere. Accepting moves it into memory/, rejecting into archive/;
either way the bytes that were decided about stay in archive/inbox/, so that every decision can be undone. The same
decision may arrive twice, by a command and by a file: the second changes nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from markdown_memory.core.note import Header, StoredNote
from markdown_memory.errors import AccessError, ConflictError, NotFound, UserError
from markdown_memory.features.inbox import by_file, deciding, many, opposed, queue, snoozing
from markdown_memory.features.inbox.looking import something_new
from markdown_memory.features.inbox.values import Carried, Decision, Proposal
from markdown_memory.rules.proposals import Draft
from markdown_memory.workspace import Workspace

if TYPE_CHECKING:
    from markdown_memory.features.inbox.beside import Find, Neighbour

Proposals = list[Proposal]
Decisions = list[Decision]
Paths = list[str]


class Inbox:
    """The proposals that one principal may see, and what can be done with them."""

    def __init__(
        self, workspace: Workspace, person_present: bool, find: "Find | None" = None, session: str = ""
    ) -> None:
        self._workspace = workspace
        self._person_present = person_present
        self._search = find
        self._session = session

    def retain(self, draft: Draft) -> Proposal:
        """Put a fact before a person; a fact that is known already is pointed out instead."""
        from markdown_memory.features.inbox import retaining

        return retaining.retain(self._workspace, draft, self._session)

    def propose(self, draft: Draft, if_hash: str | None) -> StoredNote:
        """What an agent stores for good: a proposal under exactly that name, or other words for the one that waits."""
        from markdown_memory.features.inbox import retaining

        return retaining.propose(self._workspace, draft, if_hash, self._session)

    def list(self, snoozed: bool = False) -> Proposals:
        """What waits for a decision, oldest first; an agent sees its own. With `snoozed`, those come last."""
        space = self._workspace
        found = []
        with space.standing_still():
            among = queue.crowd(space)
            for header in queue.waiting(space):
                with suppress(NotFound):  # decided, or deleted, a moment ago
                    found.append(queue.shown(space, header, among))
        return [one for one in found if snoozed or not one.snoozed_until]

    def select(self, *, agent: str = "", kind: str = "", trust: str = "", older_than: float = 0) -> Proposals:
        """What waits and passes every filter, `older_than` in days; `external` only when `trust` asks for it."""
        now = self._workspace.clock()
        return many.chosen(self.list(), now, agent=agent, kind=kind, trust=trust, older_than=older_than)

    def beside(self, ref: str) -> "tuple[Neighbour, ...]":
        """What a proposal updates, contradicts or repeats, and what was decided about the like; see `Neighbour`."""
        from markdown_memory.features.inbox.beside import beside

        space = self._workspace
        stored = space.read_quietly(queue.find(space, ref).path)
        return beside(space, stored, self._search) if stored else ()

    def show(self, ref: str) -> Proposal:
        """One proposal by number, name or path."""
        space = self._workspace
        return queue.shown(space, queue.find(space, ref))

    def accept(
        self, ref: str, *, replace: bool = False, if_hash: str | None = None, over: str | None = None
    ) -> Decision:
        """Move a proposal into memory/; with `replace` over a note of that name, whose text goes to archive/.

        With `if_hash` only as long as it says what was shown to the person, and with `over` only as long as the note
        that it replaces has that hash. Without `over`, a note that was changed after the proposal was made stays.
        """
        self._check_person("accept")
        space = self._workspace
        with space.writing():
            header = self._find(ref, "accept")
            if isinstance(header, Header):
                self._check_unchanged(header, if_hash)
            done = (
                header
                if isinstance(header, Decision)
                else deciding.accept(space, header, replace=replace, over=over or "")
            )
            by_file.remember(space)
            return done

    def merge(self, ref: str, into: str, *, text: str | None = None, if_hash: str | None = None) -> Decision:
        """Add what a proposal says to an accepted note; `text` is the note's whole new body, if it is given."""
        from markdown_memory.features.inbox import joining

        self._check_person("merge")
        with self._deciding(ref, if_hash) as header:
            return joining.merge(self._workspace, header, self._accepted(into), text)

    def supersede(self, ref: str, old: str, *, if_hash: str | None = None) -> Decision:
        """Accept a proposal as the note that supersedes `old`, which stays and says so."""
        from markdown_memory.features.inbox import joining

        self._check_person("supersede")
        with self._deciding(ref, if_hash) as header:
            return joining.supersede(self._workspace, header, [self._accepted(old)])

    def accept_many(
        self, refs: Sequence[str], *, replace: bool = False, hashes: Mapping[str, str] | None = None
    ) -> Decisions:
        """Accept several by path, name or number; `refused` is one of the outcomes. `hashes`: as they were shown."""
        self._check_person("accept")
        seen = hashes or {}
        return many.one_by_one(self._paths(refs), lambda ref: self.accept(ref, replace=replace, if_hash=seen.get(ref)))

    def reject_many(self, refs: Sequence[str], reason: str = "") -> Decisions:
        """Reject several by path, name or number; `refused` is one of the outcomes."""
        self._check_person("reject")
        return many.one_by_one(self._paths(refs), lambda ref: self.reject(ref, reason))

    def snooze(self, ref: str, days: float = 7) -> Proposal:
        """Do not show a proposal for some days, on this host; 0 shows it again, and so does another text."""
        self._check_person("snooze")
        if not 0 <= days <= snoozing.LONGEST:
            raise UserError(f"A proposal is put off for 0 to {snoozing.LONGEST} days, not {days:g}.")
        space = self._workspace
        with space.writing():
            header = queue.find(space, ref)
            snoozing.snooze(space, header, days)
            return queue.shown(space, header)

    def withdraw(self, ref: str) -> Decision:
        """Take back a proposal of one's own: for the agent that made it; a person rejects."""
        space = self._workspace
        if not space.principal:
            raise AccessError("Only the agent that proposed something withdraws it; `mdmem review reject` is yours.")
        with space.writing():
            done = deciding.withdraw(space, queue.find(space, ref))
            by_file.remember(space)
            return done

    def reject(self, ref: str, reason: str = "") -> Decision:
        """Move a proposal to archive/; the reason is shown when the same is proposed again."""
        self._check_person("reject")
        space = self._workspace
        with space.writing():
            header = self._find(ref, "reject")
            if isinstance(header, Header):
                header = deciding.reject(space, header, reason, twin=opposed.twin(space, header))
            by_file.remember(space)
            return header

    def edit(self, ref: str, text: str, *, if_hash: str | None = None) -> Proposal:
        """Put a proposal into other words; with `if_hash` only as long as the file has these bytes."""
        from markdown_memory.features.inbox import retaining

        space = self._workspace
        with space.writing():
            stored = space.read(queue.find(space, ref).path)
            space.check_hash(stored, if_hash)
            return queue.proposal(space, retaining.reword(space, stored, text))

    def undo(self, ref: str = "") -> Decision:
        """Take the last decision back, or the last one about `ref`: every file is as it was before."""
        self._check_person("undo")
        with self._workspace.writing():
            done = deciding.undo(self._workspace, ref)
            by_file.remember(self._workspace)
            return done

    def carry_out(self, confirmed: bool = False) -> Carried:
        """Do what ticked boxes, moved files and deleted proposals say; cheap when they say nothing."""
        space = self._workspace
        if space.found.skipped and not confirmed:
            return Carried()  # who only looks, from where another vault was meant, is not refused and changes nothing
        if confirmed or something_new(space) or (not space.principal and opposed.any_opposed(space)):
            return by_file.carry_out(space, confirmed)
        return Carried()

    def _check_person(self, verb: str) -> None:
        if not self._person_present:
            raise AccessError(
                f"Only a person may {verb} here: run `mdmem review` in a terminal, or tick the box in an editor."
            )

    @contextmanager
    def _deciding(self, ref: str, if_hash: str | None) -> Iterator[Header]:
        """The proposal, under the lock and as it was shown; what is known of the inbox afterwards is remembered."""
        with self._workspace.writing():
            header = queue.find(self._workspace, ref)
            self._check_unchanged(header, if_hash)
            yield header
            by_file.remember(self._workspace)

    def _accepted(self, name: str) -> StoredNote:
        """The accepted note of that name."""
        return self._workspace.read(self._workspace.resolve(name, statuses=("accepted",)).path)

    def _paths(self, refs: Iterable[str]) -> Paths:
        """The files behind the numbers; what is named otherwise stays as it is."""
        space = self._workspace
        names = {header.name for header in queue.waiting(space)}
        return [
            queue.path_of(space, int(ref)) or ref if queue.is_number(ref) and ref not in names else ref for ref in refs
        ]

    def _check_unchanged(self, header: Header, if_hash: str | None) -> None:
        if if_hash is not None and if_hash != self._workspace.hash_of(header.path):
            raise ConflictError(f"{header.path} was changed since it was shown; read it again before you decide.")

    def _find(self, ref: str, verb: str) -> Header | Decision:
        try:
            return queue.find(self._workspace, ref)
        except NotFound:
            [path] = self._paths([ref])
            before = deciding.decided_before(self._workspace, path, verb)
            if before is None:
                raise
            return before
