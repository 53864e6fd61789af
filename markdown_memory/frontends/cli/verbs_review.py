"""review: one decision at a time, for scripts and for those who know what they want; `queue` is for everybody."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.card import card, carry_out, when
from markdown_memory.frontends.cli.prompt import edited, given_text, kept_if_refused

if TYPE_CHECKING:
    from markdown_memory.memory import Decision, Memory, Proposal

HEADS = ("#", "name", "kind", "by", "when", "what")


def queue(call: Call) -> None:
    """The queue with a prompt; where nobody can answer, the list."""
    if call.json or not call.here.input_is_terminal:
        list_proposals(call)
        return call.say("Decide with `mdmem review accept N`, `edit N`, `reject N`, or without a pipe: `mdmem review`.")
    from markdown_memory.frontends.cli.queue import walk

    return walk(call)


def list_proposals(call: Call) -> None:
    """What waits, numbered."""
    with call.memory() as memory:
        carry_out(call, memory)
        waiting = memory.inbox.list()
    if call.json:
        return call.document({"proposals": [shapes.proposal(one) for one in waiting]})
    if not waiting:
        return call.say("Nothing waits for a decision.")
    return call.table(HEADS, [_row(one) for one in waiting])


def show(call: Call, ref: str) -> None:
    """One proposal, whole."""
    with call.memory() as memory:
        proposal = memory.inbox.show(ref)
    if call.json:
        return call.document({"proposal": shapes.proposal(proposal)})
    return call.lines(card(call, proposal))


def accept(call: Call, refs: Sequence[str], replace: bool) -> None:
    """Take proposals into the memory."""
    with call.memory() as memory:
        carry_out(call, memory)
        decisions = [memory.inbox.accept(path, replace=replace) for path in _paths(memory, refs)]
    return _decided(call, decisions)


def reject(call: Call, refs: Sequence[str], reason: str) -> None:
    """Turn proposals down."""
    with call.memory() as memory:
        carry_out(call, memory)
        decisions = [memory.inbox.reject(path, reason) for path in _paths(memory, refs)]
    return _decided(call, decisions)


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


def undo(call: Call) -> None:
    """Take the last decision back."""
    with call.memory() as memory:
        carry_out(call, memory)
        decision = memory.inbox.undo()
    return _decided(call, [decision])


def _row(proposal: "Proposal") -> tuple[str, ...]:
    return (
        proposal.ref,
        proposal.name,
        proposal.kind,
        proposal.agent or "a person",
        when(proposal.created),
        proposal.description or proposal.note,
    )


def _paths(memory: "Memory", refs: Sequence[str]) -> list[str]:
    """The files behind the numbers, before the first decision moves the numbers."""
    return [memory.inbox.show(ref).path if ref.isdecimal() else ref for ref in refs]


def _decided(call: Call, decisions: Sequence["Decision"]) -> None:
    if call.json:
        return call.document({"decisions": [shapes.decision(one) for one in decisions]})
    call.lines(f"{one.decision} {render.one_line(one.path)}" for one in decisions)
    for decision in decisions:
        if decision.note:
            call.say(decision.note)
    return None
