"""retain: a fact on its way to a person."""

from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.prompt import given_text

if TYPE_CHECKING:
    from markdown_memory.memory import Proposal


def retain(
    call: Call,
    text: str,
    kind: str,
    source: str,
    name: str,
    description: str,
    trust: str,
    namespace: str | None,
    private: bool,
) -> None:
    """Propose a fact; say when it is known already or was turned down before."""
    body = given_text(call, text, "the fact")
    with call.memory() as memory:
        proposal = memory.retain(
            body,
            kind=kind,
            source=source,
            name=name,
            description=description,
            trust=trust,
            namespace=namespace,
            private=private,
        )
    if call.json:
        return call.document({"proposal": shapes.proposal(proposal)})
    call.lines([f"{proposal.state} {render.one_line(proposal.path)}"])
    return _explain(call, proposal)


def _explain(call: Call, proposal: "Proposal") -> None:
    if proposal.note:
        call.say(proposal.note)
    if proposal.similar:
        call.say(f"Similar: {', '.join(map(render.one_line, proposal.similar))}.")
    if proposal.state == "waiting":
        call.say("A person decides with `mdmem review`, or by a tick in Obsidian.")
