"""What the full screen shows: the proposals that wait, those that the filter leaves, and those that are selected."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory.errors import NotFound
from markdown_memory.frontends import render

if TYPE_CHECKING:
    from markdown_memory.memory import Decision, Memory, Neighbour, Proposal


class Queue:
    """The waiting proposals, and the decisions about them; every decision is about what was shown."""

    def __init__(self, memory: "Memory") -> None:
        self._memory = memory
        self._beside: dict[tuple[str, str], tuple[Neighbour, ...]] = {}
        self.waiting: list[Proposal] = []
        self.filter = ""
        self.selected: set[str] = set()
        self.decided = 0
        self.questions: tuple[str, ...] = ()

    @property
    def shown(self) -> "list[Proposal]":
        """Those that hold every word of the filter."""
        words = self.filter.casefold().split()
        return [one for one in self.waiting if all(word in _words(one) for word in words)]

    def reload(self) -> bool:
        """Look again at what waits; whether anything is different now."""
        before = self.waiting
        self.waiting = self._memory.inbox.list()
        self.selected &= {one.path for one in self.waiting}
        if before != self.waiting:
            self._beside.clear()
        return before != self.waiting

    def by_file(self) -> str:
        """Carry out what ticks and moved files say, and tell of it; what may be an accident is left as a question."""
        carried = self._memory.inbox.carry_out()
        self.questions = carried.questions
        said = [f"{one.decision} by file: {one.ref or one.path}" for one in carried.decisions]
        said += [f"{path} is ticked and still being edited" for path in carried.held]
        return "  ".join([*said, *(f"{one.path} {one.message} {one.remedy}".strip() for one in carried.problems)])

    def confirm(self) -> str:
        """It was no accident."""
        return render.count(len(self._memory.inbox.carry_out(confirmed=True).decisions), "decision") + " by file"

    def beside(self, proposal: "Proposal") -> "tuple[Neighbour, ...]":
        """The notes beside a proposal; looked for once as long as it says the same."""
        key = (proposal.path, proposal.sha256)
        if key not in self._beside:
            try:
                self._beside[key] = self._memory.inbox.beside(proposal.path)
            except NotFound:
                return ()
        return self._beside[key]

    def near(self, proposal: "Proposal") -> list[str]:
        """Accepted notes that it may belong to, the nearest first."""
        return [one.path for one in self.beside(proposal) if one.status == "accepted"]

    def toggle(self, path: str) -> None:
        """Select it, or do not."""
        self.selected ^= {path}

    def toggle_all(self) -> None:
        """Select all that are shown; when they are, none."""
        paths = {one.path for one in self.shown}
        self.selected = self.selected - paths if paths <= self.selected else self.selected | paths

    def chosen(self, present: "Proposal | None") -> "list[Proposal]":
        """What a decision is about: the selected ones, else the one in front of the person."""
        selected = [one for one in self.waiting if one.path in self.selected]
        return selected or ([present] if present else [])

    def accept(self, chosen: "Sequence[Proposal]") -> str:
        """Accept what was shown; one by itself raises what refuses it."""
        inbox = self._memory.inbox
        if len(chosen) == 1:
            return self._done([inbox.accept(chosen[0].path, if_hash=chosen[0].sha256)])
        taken = [one for one in chosen if one.trust != "external"]
        said = self._done(inbox.accept_many(_paths(taken), hashes={one.path: one.sha256 for one in taken}))
        left = len(chosen) - len(taken)
        return f"{said}; {left} from outside left, to be accepted one by one" if left else said

    def in_the_way(self, proposal: "Proposal") -> "Neighbour | None":
        """The note that it would replace; None when it was refused for another reason."""
        if self._memory.inbox.show(proposal.path).sha256 != proposal.sha256:
            return None
        return next((one for one in self._memory.inbox.beside(proposal.path) if one.relation == "updates"), None)

    def replace(self, proposal: "Proposal", note: "Neighbour") -> str:
        """Put it in the place of the note, as both were shown."""
        path, sha256 = proposal.path, proposal.sha256
        return self._done([self._memory.inbox.accept(path, replace=True, if_hash=sha256, over=note.sha256)])

    def reject(self, chosen: "Sequence[Proposal]", reason: str) -> str:
        """Reject it, or all of them for one reason."""
        inbox = self._memory.inbox
        if len(chosen) == 1:
            return self._done([inbox.reject(chosen[0].path, reason)])
        return self._done(inbox.reject_many(_paths(chosen), reason))

    def merge(self, proposal: "Proposal", into: str) -> str:
        """Add it to a note."""
        return self._done([self._memory.inbox.merge(proposal.path, into, if_hash=proposal.sha256)])

    def supersede(self, proposal: "Proposal", old: str) -> str:
        """Accept it as what supersedes a note."""
        return self._done([self._memory.inbox.supersede(proposal.path, old, if_hash=proposal.sha256)])

    def edit(self, proposal: "Proposal", text: str) -> str:
        """Put it into other words."""
        self._memory.inbox.edit(proposal.path, text, if_hash=proposal.sha256)
        return f"edited {proposal.path}"

    def snooze(self, chosen: "Sequence[Proposal]", days: int) -> str:
        """Put it off, or all of them."""
        put_off = [self._memory.inbox.snooze(one.path, days) for one in chosen]
        until = {render.when(one.snoozed_until) for one in put_off if one.snoozed_until}
        return f"{render.count(len(put_off), 'proposal')} snoozed" + (f" until {max(until)}" if until else "")

    def undo(self) -> tuple[str, str]:
        """Take the last decision back: a sentence, and the proposal that waits again."""
        undone = self._memory.inbox.undo()
        self.decided = max(0, self.decided - 1)
        return f"undone: {undone.path} waits again", undone.path

    def _done(self, decisions: "Sequence[Decision]") -> str:
        refused = [one for one in decisions if one.decision == "refused"]
        self.decided += len(decisions) - len(refused)
        if len(decisions) == 1 and not refused:
            return f"{decisions[0].decision} → {decisions[0].path}"
        if not decisions:
            return "nothing decided"
        said = f"{render.count(len(decisions) - len(refused), 'decision')} made"
        return f"{said}, {len(refused)} refused: {refused[0].note}" if refused else f"{said}: {decisions[0].decision}"


def _paths(proposals: "Sequence[Proposal]") -> list[str]:
    return [one.path for one in proposals]


def _words(one: "Proposal") -> str:
    return " ".join((one.name, one.kind, one.agent, one.trust, one.source, one.description, one.text)).casefold()
