"""Notes that contradict each other, and which of them counts."""

from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes
from markdown_memory.frontends.cli.call import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_memory.memory import Contradiction


def conflicts(call: Call, name: str, keep: str) -> None:
    """Show the pairs of the vault or of one note; with `keep`, let both stand."""
    with call.memory() as memory:
        if keep:
            both = memory.conflicts.keep_both(name, keep)
            if call.json:
                return call.document(shapes.superseded(both))
            return call.lines([f"kept {render.one_line(both.newer_path)} and {render.one_line(both.older_path)}"])
        found = memory.conflicts.of(name) if name else memory.conflicts.scan()
    if call.json:
        return call.document({"conflicts": [shapes.contradiction(one) for one in found]})
    for one in found:
        call.lines(_pair(call, one))
    if not found:
        return call.say("No accepted notes contradict each other.")
    return call.say("`mdmem supersede NEWER OLDER` says which counts, `mdmem conflicts ONE --keep OTHER` that both do.")


def supersede(call: Call, newer: str, older: str) -> None:
    """Let one note supersede another."""
    with call.memory() as memory:
        done = memory.conflicts.supersede(newer, older)
    if call.json:
        return call.document(shapes.superseded(done))
    return call.lines([f"{render.one_line(done.newer_path)} supersedes {render.one_line(done.older_path)}"])


def tell(call: Call, found: "Sequence[Contradiction]") -> None:
    """Beside a note that a person has just written: what says otherwise."""
    for one in found:
        older = render.one_line(one.older)
        call.say(f"{render.one_line(one.older_path)} says otherwise ({render.one_line(one.what)}).")
        call.say(f"If it no longer holds: `mdmem supersede {render.one_line(one.newer)} {older}`.")


def _pair(call: Call, one: "Contradiction") -> list[str]:
    return [
        call.paint(render.one_line(one.what), render.YELLOW),
        f"  {render.one_line(one.newer_path)}",
        f"    {render.one_line(one.says)}",
        f"  {render.one_line(one.older_path)}",
        f"    {render.one_line(one.said)}",
        "",
    ]
