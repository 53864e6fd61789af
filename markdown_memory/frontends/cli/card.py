"""A proposal as a person wants to see it, and what files have decided meanwhile."""

from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_memory.memory import Carried, Memory, Neighbour, Proposal

DIFF_LINES = 20
NEIGHBOURS = 3  # are shown whole, so that the proposal stays on the screen


def carry_out(call: Call, memory: "Memory") -> "Carried":
    """Do what was decided by ticks and moved files since the last command, and say so."""
    carried = memory.inbox.carry_out()
    for decision in carried.decisions:
        call.say(f"{decision.decision} by file: {render.one_line(decision.ref or decision.path)}")
    for problem in carried.problems:
        where = f"{render.one_line(problem.path)}: " if problem.path else ""
        call.say(f"{where}{problem.message} {problem.remedy}".rstrip())
    for path in carried.held:
        call.say(f"{render.one_line(path)} is ticked and still being edited; the next command carries it out.")
    for question in carried.questions:
        call.say(question)
    return carried


def card(call: Call, proposal: "Proposal", beside: "Sequence[Neighbour]" = ()) -> list[str]:
    """A proposal as a person wants to see it: what, from whom, why, where to, and what stands beside it."""
    text = render.foreign(proposal.text.strip("\n")).split("\n")
    facts = render.proposal_facts(proposal, beside)
    return [
        call.paint(render.one_line(proposal.name), render.BOLD),
        *(f"  {line}".rstrip() for line in text),
        "",
        *(f"  {call.paint(f'{key:<8}', render.DIM)} {render.one_line(value)}" for key, value in facts),
        *(line for one in beside[:NEIGHBOURS] for line in _beside(call, one)),
        *_more(beside[NEIGHBOURS:]),
    ]


def _more(others: "Sequence[Neighbour]") -> list[str]:
    """The notes beside it that are only named."""
    if not others:
        return []
    return ["", f"  and {len(others)} more: {', '.join(render.one_line(one.name) for one in others)}"]


def _beside(call: Call, one: "Neighbour") -> list[str]:
    """One note beside it, with the lines that differ where it would be replaced."""
    head = call.paint(render.RELATIONS.get(one.relation, one.relation), render.YELLOW)
    return [
        "",
        f"  {head} {render.one_line(one.path)}",
        f"    {render.one_line(one.why)}",
        *difference(call, one),
    ]


def difference(call: Call, one: "Neighbour") -> list[str]:
    """The lines that differ between a proposal and what it would replace or may contradict."""
    diff = [line for line in render.foreign(one.diff).split("\n") if line][:DIFF_LINES]
    colours = {"+": render.GREEN, "-": render.RED}
    return [f"    {call.paint(line, colours[line[0]]) if line[0] in colours else line}" for line in diff]
