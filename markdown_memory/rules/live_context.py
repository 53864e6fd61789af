"""The rendered view `nexus/live-context.md`: the newest entries for people, and the lines that people add to it. Pure.

Rules:

1. Every line of ours ends in a block id `^live-…`. Everything else that is not blank and no conflict marker was written
   by somebody, and stays, in its order, at the end of the file, until an `unsigned` entry signs it.
2. Equal lines (by their digest) stand there once.
3. The view depends on the entries and those lines alone: no clock, so that it is written only when something is new.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from markdown_memory.core.log_names import MARKERS
from markdown_memory.core.log_text import escape, unsigned_digest

NEWEST = 50
INTRO = (
    "The newest entries of the signed log, the latest last. Add a line at the end if you like: it is kept, shown as "
    "unsigned, and `mdmem log adopt` signs it. ^live-view"
)
BY_HAND = "## Not signed yet ^live-unsigned"


class Shown(NamedTuple):
    """An entry as the view shows it; `marks` are words for what is special about it."""

    time: str
    agent: str
    channel: str
    kind: str
    text: str
    block: str
    marks: Sequence[str] = ()


def render(shown: Iterable[Shown], kept: Sequence[str]) -> str:
    """The whole file."""
    lines, day = [INTRO], ""
    for one in list(shown)[-NEWEST:]:
        if one.time[:10] != day:
            day = one.time[:10]
            lines += ["", f"## {day} ^live-{day}", ""]
        marks = "".join(f" *({mark})*" for mark in one.marks)
        lines.append(
            f"- {one.time[11:16]} **{one.agent}** ({one.channel}, {one.kind}) {escape(one.text)}{marks} ^{one.block}"
        )
    if kept:
        lines += ["", BY_HAND, "", *kept]
    return "\n".join(lines) + "\n"


def hand_written(text: str, signed: Collection[str] = ()) -> list[str]:
    """The lines of the file that somebody wrote and nobody has signed; `signed` holds digests."""
    found: dict[str, str] = {}
    for line in text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"):
        if line.strip() and not line.startswith(MARKERS) and not is_ours(line):
            digest = unsigned_digest(line)
            if digest not in signed:
                found.setdefault(digest, line.rstrip())
    return list(found.values())


def is_ours(line: str) -> bool:
    """Whether a line ends in one of our block ids."""
    last = line.rsplit(None, 1)[-1] if line.strip() else ""
    return last.startswith("^live-") and len(last) > len("^live-")
