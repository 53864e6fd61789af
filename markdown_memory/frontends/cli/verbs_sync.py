"""Sharing a vault with its git remote."""

from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call

if TYPE_CHECKING:
    from markdown_memory.memory import Synced


def sync(call: Call, allow_removals: bool) -> None:
    """Commit, fetch, merge, push; what takes a person is named."""
    with call.memory() as memory:
        done = memory.sync(allow_removals=allow_removals)
        for notice in memory.workspace.logs.notices:
            call.say(notice)
    if call.json:
        return call.document({**done._asdict(), "conflicts": [dict(one._asdict()) for one in done.conflicts]})
    call.lines([_sentence(done)])
    for one in done.conflicts:
        what = f"{render.one_line(one.path)}: {render.one_line(one.sentence)}"
        call.lines([f"  {what} The other text is {render.one_line(one.kept)}."])
    if any(one.kept.startswith("inbox/") for one in done.conflicts):
        call.say("`mdmem review` decides; accepting with --replace puts the other text in the place of the first.")
    return None


def _sentence(done: "Synced") -> str:
    """`synchronised with origin/main: 3 files sent, 5 received, 1 merged, 1 for review`."""
    counts = [
        (done.committed, "committed"),
        (done.received, "received"),
        (done.merged, "merged"),
        (len(done.conflicts), "in conflict"),
    ]
    told = [f"{render.count(number, 'file')} {word}" for number, word in counts if number]
    where = f"synchronised with {render.one_line(done.remote)}/{render.one_line(done.branch)}"
    return f"{where}: {', '.join(told) if told else 'nothing new'}"
