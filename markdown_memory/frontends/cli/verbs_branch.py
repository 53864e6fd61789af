"""Branches of memory: list, show, diff, merge, delete, rename."""

from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes
from markdown_memory.frontends.cli.call import Call

if TYPE_CHECKING:
    from markdown_memory.memory import Branch, Memory, Merged, Moved

SAID = {
    "take": "taken over",
    "fold": "the same is there",
    "keep": "the text there stays",
    "replace": "replaces the text there",
    "both": "kept beside the other",
    "ask": "waits for review",
}
MARKS = {"only-one": "+", "only-other": "-", "changed": "~"}
SHOWN = 40  # lines of a difference in a terminal; --json and pipes have all


def list_branches(call: Call) -> None:
    """Print branches as a table."""
    with call.memory() as memory:
        found, own = memory.branches.list(call.project), _own(memory)
    if call.json:
        return call.document({"branches": [dict(one._asdict()) for one in found]})
    rows = [
        (_name(one, own), str(one.notes), str(one.proposals or ""), _standing(one), one.updated[:10]) for one in found
    ]
    return call.table(("branch", "notes", "waiting", "git", "changed"), rows)


def show(call: Call, name: str) -> None:
    """Print one branch and its notes."""
    with call.memory() as memory:
        shown, own = memory.branches.show(name), _own(memory)
    if call.json:
        return call.document(
            {
                "branch": dict(shown.branch._asdict()),
                "seen": [shapes.scope(one) for one in shown.seen],
                "notes": [shapes.header(one) for one in shown.notes],
            }
        )
    seen = ", ".join(render.one_line(one.branch) for one in shown.seen)
    call.lines([f"{_name(shown.branch, own)}: {render.count(shown.branch.notes, 'note')}; a session on it sees {seen}"])
    return call.lines(render.columns([(one.name, one.type, one.description) for one in shown.notes], call.width))


def diff(call: Call, name: str, other: str) -> None:
    """Print what differs, and how."""
    with call.memory() as memory:
        found = memory.branches.diff(name, other)
    if call.json:
        return call.document({"differences": [dict(one._asdict()) for one in found]})
    if not found:
        return call.say("Both remember the same.")
    for one in found:
        lines = one.diff.split("\n") if one.diff else []
        cut = lines[:SHOWN] if call.width else lines
        call.lines([f"{MARKS[one.state]} {render.one_line(one.name)} ({render.one_line(one.type)})"])
        call.lines(f"    {render.one_line(line)}" for line in cut)
        if len(lines) > len(cut):
            call.lines([f"    … and {render.count(len(lines) - len(cut), 'more line')}"])
    return None


def merge(call: Call, source: str, into: str, strategy: str, dry_run: bool) -> None:
    """Merge one branch, or what git has just merged."""
    with call.memory() as memory:
        if source:
            done = [memory.branches.merge(source, into, strategy=strategy, dry_run=dry_run)]
        else:
            done = list(memory.branches.merge_from_git(strategy=strategy, dry_run=dry_run))
    if call.json:
        return call.document({"merges": [_shape(one) for one in done]})
    if not done:
        return call.say("Git has merged no branch here of which something is remembered.")
    for one in done:
        _tell_merge(call, one)
    return None


def delete(call: Call, name: str, reason: str) -> None:
    """Archive a branch's notes."""
    with call.memory() as memory:
        done = memory.branches.delete(name, reason)
    _tell_move(call, done, f"archived {render.count(len(done.paths), 'note')} of {render.one_line(done.name)}")


def rename(call: Call, name: str, new: str) -> None:
    """Rename a branch's folder."""
    with call.memory() as memory:
        done = memory.branches.rename(name, new)
    what = f"renamed {render.one_line(done.name)} → {render.one_line(done.new)}"
    _tell_move(call, done, f"{what}: {render.count(len(done.paths), 'note')}")


def _tell_move(call: Call, done: "Moved", sentence: str) -> None:
    if call.json:
        return call.document(shapes.moved(done))
    links = f"; links changed in {render.count(len(done.links_changed), 'note')}" if done.links_changed else ""
    return call.lines([sentence + links])


def _shape(one: "Merged") -> shapes.Shape:
    return {
        **one._asdict(),
        "steps": [dict(step._asdict()) for step in one.steps],
        "proposals": list(one.proposals),
        "links_changed": list(one.links_changed),
    }


def _tell_merge(call: Call, one: "Merged") -> None:
    rows = [(step.name, SAID[step.action], step.path) for step in one.steps]
    verb = "merged" if one.done else "would merge"
    call.lines([f"{verb} {render.one_line(one.source)} → {render.one_line(one.into)}"])
    call.lines(f"  {line}" for line in render.columns(rows, max(call.width - 2, 0)))
    if one.proposals:
        call.lines([f"  {render.count(len(one.proposals), 'proposal')} for {one.source} now for {one.into}"])
    if one.done and any(step.action == "ask" for step in one.steps):
        call.say("Texts that differ wait for you: `mdmem review`; accepting with --replace puts one over the other.")


def _own(memory: "Memory") -> str:
    """The name of the project whose branches carry none."""
    return next(one.name for one in memory.projects.list() if one.own)


def _name(one: "Branch", own: str) -> str:
    return render.one_line(render.scope_name("" if one.project == own else one.project, one.branch))


def _standing(one: "Branch") -> str:
    known = "" if one.in_git is None else "yes" if one.in_git else "gone"
    marks = [word for word, is_so in (("here", one.current), ("default", one.default)) if is_so]
    return ", ".join([*([known] if known else []), *marks])
