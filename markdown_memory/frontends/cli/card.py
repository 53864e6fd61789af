"""A proposal as a person wants to see it, and what files have decided meanwhile."""

from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call

if TYPE_CHECKING:
    from markdown_memory.memory import Carried, Memory, Proposal


def carry_out(call: Call, memory: "Memory") -> "Carried":
    """Do what was decided by ticks and moved files since the last command, and say so."""
    carried = memory.inbox.carry_out()
    for decision in carried.decisions:
        call.say(f"{decision.decision} by file: {render.one_line(decision.ref or decision.path)}")
    for problem in carried.problems:
        where = f"{render.one_line(problem.path)}: " if problem.path else ""
        call.say(f"{where}{problem.message} {problem.remedy}".rstrip())
    for question in carried.questions:
        call.say(question)
    return carried


def card(call: Call, proposal: "Proposal") -> list[str]:
    """A proposal as a person wants to see it: what, from whom, why, where to."""
    facts = (
        ("kind", proposal.kind),
        ("by", f"{proposal.agent or 'a person'}{f', {when(proposal.created)}' if proposal.created else ''}"),
        ("source", proposal.source),
        ("trust", proposal.trust),
        ("goes to", proposal.target),
        ("similar", ", ".join(proposal.similar)),
        ("note", proposal.note),
    )
    text = render.foreign(proposal.text.strip("\n")).split("\n")
    return [
        call.paint(render.one_line(proposal.name), render.BOLD),
        *(f"  {line}".rstrip() for line in text),
        "",
        *(f"  {call.paint(f'{key:<8}', render.DIM)} {render.one_line(value)}" for key, value in facts if value),
    ]


def when(created: str) -> str:
    """`2026-11-30T02:21:37` → `2026-11-30 02:21`."""
    return created[:16].replace("T", " ")
