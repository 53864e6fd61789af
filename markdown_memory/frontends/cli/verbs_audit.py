"""audit: read and check the log of what was done here."""

from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.verbs_vault import PROBLEMS_FOUND, problem_lines

HEADS = ("when", "who", "by", "what", "about", "result")


def list_operations(call: Call, tail: int) -> None:
    """Print operations, oldest first."""
    with call.memory() as memory:
        found = memory.audit.read(tail)
        on = memory.workspace.settings.audit
    if not on:
        call.say("Auditing is off: `audit = true` in Settings.md switches it on.")
    if call.json:
        return call.document({"operations": [dict(one._asdict()) for one in found]})
    rows = [(one.time[:16].replace("T", " "), one.principal, one.via, one.tool, one.key, one.result) for one in found]
    return call.table(HEADS, rows)


def verify(call: Call) -> int:
    """Check the log; exit code 1 when something does not hold."""
    with call.memory() as memory:
        entries, problems = memory.audit.verify()
    if call.json:
        found = {"sound": not problems, "entries": entries, "problems": [shapes.problem(one) for one in problems]}
        call.document(found)
    else:
        call.lines(line for problem in problems for line in problem_lines(call, problem))
        verdict = "Not sound" if problems else "All is sound"
        call.lines([f"{verdict}: {render.count(entries, 'entry', 'entries')}."])
    return PROBLEMS_FOUND if problems else 0
