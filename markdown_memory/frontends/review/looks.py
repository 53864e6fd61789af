"""How proposals look on the screen: one line in the list, all that is needed to decide below it.

What a note says is shown as text and nothing else: no markup of it is obeyed, and control characters are visible.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from markdown_memory.frontends import render

if TYPE_CHECKING:
    from markdown_memory.memory import Neighbour, Proposal

KEYS = """\
 a accept   e edit     r reject   m merge    o over     z snooze   u undo
 space select   A all   / filter   PgUp PgDn read   ? help   q quit"""
HELP = """\
a  accept: the note moves into memory/, and agents are served it
e  edit: put it into better words first, in your editor
r  reject: it moves to the archive; you may say why
m  merge: add what it says to a note that is there
o  over: accept it as what supersedes a note, which stays and says so
z  snooze: do not show it for some days
u  undo: take the last decision back

space, A   select it, or all; then a, r and z are about all of them
           (what came from outside is accepted only by itself)
/          filter: words that name, kind, agent or text must hold
↑ ↓ j k    another proposal; PgUp PgDn read a long one
q          quit: what you decided stays decided

A tick in Obsidian or a moved file decides, too; it shows up here."""

EXTERNAL = "external"
_NAME, _KIND = 36, 16
_DIFF_COLOURS = {"+": "green", "-": "red"}
_DIFF_LINES = 20


def row(one: "Proposal", selected: bool) -> Content:
    """Its line in the list."""
    name = render.one_line(one.name, _NAME)
    return Content.assemble(
        ("● " if selected else "  ", "bold"),
        name + " " * (_NAME + 1 - render.width_of(name)),
        (f"{render.one_line(one.kind or one.type, _KIND - 1):<{_KIND}}", "dim"),
        (render.one_line(one.agent or "a person", 12), "dim"),
        (" from outside" if one.trust == EXTERNAL else "", "yellow"),
    )


def card(one: "Proposal", beside: "Sequence[Neighbour]") -> Content:
    """Everything about one proposal."""
    parts: list[str | tuple[str, str]] = [(render.one_line(one.name), "bold"), "\n"]
    facts = dict(render.proposal_facts(one, beside))
    short = [facts.pop(key) for key in ("kind", "by", "trust") if key in facts]
    parts += [(render.one_line(" · ".join(short)), "dim")]
    for key, value in facts.items():
        parts += ["\n", (f"{key} ", "dim"), render.one_line(value)]
    for neighbour in beside:
        parts += ["\n", (_relation(neighbour), "yellow"), f" {render.one_line(neighbour.path)}"]
    parts += ["\n\n", render.foreign(one.text.strip("\n"))]
    for neighbour in beside:
        parts += _beside(neighbour)
    return Content.assemble(*parts)


def _beside(one: "Neighbour") -> "list[str | tuple[str, str]]":
    parts: list[str | tuple[str, str]] = ["\n\n", (_relation(one), "yellow"), f" {render.one_line(one.path)}\n"]
    parts.append(f"  {render.one_line(one.why)}")
    for line in difference(one, _DIFF_LINES).split("\n") if one.diff else ():
        parts += ["\n  ", (line, _DIFF_COLOURS.get(line[0], ""))]
    return parts


def difference(one: "Neighbour", lines: int = 8) -> str:
    """The lines that differ, the first of them."""
    return "\n".join([line for line in render.foreign(one.diff).split("\n") if line][:lines])


def _relation(one: "Neighbour") -> str:
    return render.RELATIONS.get(one.relation, one.relation)


def title(waiting: int, shown: int, selected: int, filter: str) -> Content:
    """The line above the list."""
    parts: list[str | tuple[str, str]] = [("Review", "bold"), f"  {render.count(waiting, 'proposal')} waiting"]
    if filter:
        parts.append(f", {shown} with “{render.one_line(filter, 30)}”")
    if selected:
        parts.append((f", {selected} selected", "bold"))
    return Content.assemble(*parts)
