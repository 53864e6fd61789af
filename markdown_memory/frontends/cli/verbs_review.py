"""review: one decision at a time, for scripts and for those who know what they want; `queue` is for everybody."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from markdown_memory.errors import NotFound, UserError
from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.card import card, carry_out
from markdown_memory.frontends.cli.prompt import ask, edited, given_text, kept_if_refused

if TYPE_CHECKING:
    from markdown_memory.memory import Decision, Memory, Proposal

HEADS = ("#", "name", "kind", "by", "when", "what")


def queue(call: Call, tui: bool = False) -> None:
    """The queue on a full screen or with a prompt; where nobody can answer, the list."""
    from markdown_memory.frontends.cli import full_screen

    if tui or full_screen.fits(call):
        return full_screen.show(call)
    if call.json or not call.here.input_is_terminal:
        list_proposals(call)
        return call.say("Decide with `mdmem review accept N`, `edit N`, `reject N`, or without a pipe: `mdmem review`.")
    from markdown_memory.frontends.cli.queue import walk

    return walk(call)


def list_proposals(call: Call, all: bool = False) -> None:
    """What waits, numbered; with `all` also what is snoozed."""
    with call.memory() as memory:
        carry_out(call, memory)
        everything = memory.inbox.list(snoozed=True)
    waiting = [one for one in everything if all or not one.snoozed_until]
    if call.json:
        return call.document({"proposals": [shapes.proposal(one) for one in waiting]})
    if not waiting:
        call.say("Nothing waits for a decision.")
    else:
        call.table(HEADS, [_row(one) for one in waiting])
    if len(everything) > len(waiting):
        call.say(f"{len(everything) - len(waiting)} snoozed; `mdmem review list --all` shows them too.")
    return None


def show(call: Call, ref: str) -> None:
    """One proposal, whole."""
    with call.memory() as memory:
        proposal = memory.inbox.show(ref)
        beside = memory.inbox.beside(proposal.path)
    if call.json:
        return call.document(
            {"proposal": shapes.proposal(proposal), "beside": [shapes.neighbour(one) for one in beside]}
        )
    return call.lines(card(call, proposal, beside))


def accept(call: Call, refs: Sequence[str], replace: bool, over: str, **which: Any) -> int:
    """Take proposals into the memory."""
    batch = _batch(call, refs, which)
    with call.memory() as memory:
        carry_out(call, memory)
        if batch.wanted(refs):
            shown = _agreed(call, memory, batch, "accept")
            hashes = {one.path: one.sha256 for one in shown}
            return _decided(call, memory.inbox.accept_many(list(hashes), hashes=hashes))
        if len(refs) == 1:
            return _decided(call, [memory.inbox.accept(refs[0], replace=replace or bool(over), over=over)])
        if over:
            raise UserError("--over names one note; accept one proposal with it.")
        return _decided(call, memory.inbox.accept_many(refs, replace=replace))


def reject(call: Call, refs: Sequence[str], reason: str, **which: Any) -> int:
    """Turn proposals down."""
    batch = _batch(call, refs, which)
    with call.memory() as memory:
        carry_out(call, memory)
        if batch.wanted(refs):
            shown = _agreed(call, memory, batch, "reject")
            return _decided(call, memory.inbox.reject_many([one.path for one in shown], reason))
        if len(refs) == 1:
            return _decided(call, [memory.inbox.reject(refs[0], reason)])
        return _decided(call, memory.inbox.reject_many(refs, reason))


def merge(call: Call, ref: str, into: str) -> int:
    """Add what a proposal says to a note that is there."""
    with call.memory() as memory:
        carry_out(call, memory)
        return _decided(call, [memory.inbox.merge(ref, into)])


def supersede(call: Call, ref: str, old: str) -> int:
    """Accept a proposal as the note that supersedes another."""
    with call.memory() as memory:
        carry_out(call, memory)
        return _decided(call, [memory.inbox.supersede(ref, old)])


def snooze(call: Call, ref: str, days: int) -> None:
    """Do not show a proposal for some days."""
    with call.memory() as memory:
        proposal = memory.inbox.snooze(ref, days)
    if call.json:
        return call.document({"proposal": shapes.proposal(proposal)})
    until = f"snoozed until {render.when(proposal.snoozed_until)}:" if proposal.snoozed_until else "not snoozed:"
    return call.lines([f"{until} {render.one_line(proposal.path)}"])


def withdraw(call: Call, ref: str) -> int:
    """An agent takes its own proposal back."""
    with call.memory() as memory:
        return _decided(call, [memory.inbox.withdraw(ref)])


def edit(call: Call, ref: str, body: str | None) -> None:
    """Put a proposal into other words."""
    with call.memory() as memory:
        before = memory.inbox.show(ref)
        text = edited(call, before.text, before.name) if body is None else given_text(call, body, "the new text")
        if text == before.text:
            return call.say("Nothing changed.")
        with kept_if_refused(call, text):
            proposal = memory.inbox.edit(before.path, text, if_hash=before.sha256)
    if call.json:
        return call.document({"proposal": shapes.proposal(proposal)})
    return call.lines([f"edited {render.one_line(proposal.path)}"])


def undo(call: Call, ref: str) -> int:
    """Take the last decision back, or the last one about a proposal."""
    with call.memory() as memory:
        carry_out(call, memory)
        decision = memory.inbox.undo(ref)
    return _decided(call, [decision])


class Batch(NamedTuple):
    """Which of all that waits; `yes` decides without asking."""

    all: bool = False
    agent: str = ""
    kind: str = ""
    trust: str = ""
    older_than: str = ""
    yes: bool = False

    def wanted(self, refs: Sequence[str]) -> bool:
        """Whether a batch is asked for; UserError when names and filters are mixed, or neither is given."""
        filtered = bool(self.agent or self.kind or self.trust or self.older_than)
        if self.all and not refs:
            return True
        if refs and not self.all and not filtered:
            return False
        raise UserError(
            "Name the proposals, or say --all, alone or with --agent, --kind, --trust and --older-than; not both."
        )


def _batch(call: Call, refs: Sequence[str], which: dict[str, Any]) -> Batch:
    """What the filters mean; beside names and without --all, `--agent` says who acts, as with every other command."""
    batch = Batch(**which)
    if batch.agent and refs and not batch.all:
        call.act_as(batch.agent)
        batch = batch._replace(agent="")
    return batch


def _agreed(call: Call, memory: "Memory", batch: Batch, verb: str) -> "list[Proposal]":
    """The preview, and the person's yes; UserError without one."""
    days = duration(batch.older_than) if batch.older_than else 0.0
    inbox = memory.inbox
    chosen = inbox.select(agent=batch.agent, kind=batch.kind, trust=batch.trust, older_than=days)
    if not chosen:
        raise NotFound("No proposal that waits is meant by that; `mdmem review list` shows all.")
    left = 0 if batch.trust else sum(one.trust == "external" for one in inbox.list())
    if not call.json:
        call.table(HEADS, [_row(one) for one in chosen])
    if left:
        call.say(f"{render.count(left, 'proposal')} from outside left out; decide about these one by one.")
    question = f"{verb.capitalize()} {render.count(len(chosen), 'proposal')}? [y/N] "
    if batch.yes:
        return chosen
    if not call.here.input_is_terminal or call.json:
        raise UserError(f"Nothing was decided: add --yes to {verb} what the list shows.")
    if not ask(call, question).lower().startswith("y"):
        raise UserError("Nothing was decided.")
    return chosen


def duration(text: str) -> float:
    """`7d` → 7 days; also hours, weeks and months of 30 days."""
    number, unit = text[:-1], text[-1:].lower()
    if not (number.isascii() and number.isdecimal() and unit in _DAYS):
        raise UserError(f"A time is a number with h, d, w or m behind it, such as 7d, not {text!r}.")
    return int(number) * _DAYS[unit]


_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0, "m": 30.0}


def _row(proposal: "Proposal") -> tuple[str, ...]:
    return (
        proposal.ref,
        proposal.name,
        proposal.kind,
        proposal.agent or "a person",
        render.when(proposal.created),
        proposal.description or proposal.note,
    )


def _decided(call: Call, decisions: Sequence["Decision"]) -> int:
    """Tell every outcome; the exit code of the first refusal."""
    if call.json:
        call.document({"decisions": [shapes.decision(one) for one in decisions]})
    else:
        call.lines(f"{one.decision} {render.one_line(one.path)}" for one in decisions)
        for decision in decisions:
            if decision.note:
                where = f"{render.one_line(decision.ref)}: " if decision.exit_code else ""
                call.say(where + decision.note)
    return next((one.exit_code for one in decisions if one.exit_code), 0)
