"""log: append to the live context, read it, adopt what was written by hand."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call

BETWEEN_LOOKS = 0.3  # seconds

if TYPE_CHECKING:
    from markdown_memory.memory import Entry, LogLine, Memory


def append(call: Call, text: str, channel: str, kind: str, ack: Sequence[str], ref: Sequence[str]) -> None:
    """Sign an entry and append it."""
    if text == "-":
        from markdown_memory.frontends.cli.prompt import given_text

        text = given_text(call, text, "the entry").strip()
    with call.memory() as memory:
        entry = memory.log.append(text, channel=channel, kind=kind, ack=ack, refs=ref)
        _notices(call, memory)
    return _written(call, "appended", entry)


def adopt(call: Call, line: str) -> None:
    """Sign a hand-written line."""
    with call.memory() as memory:
        entry = memory.log.adopt(line)
        _notices(call, memory)
    return _written(call, "adopted", entry)


def read(call: Call, unread: bool, since: str, by: str, kind: str, tail: int) -> None:
    """Print entries, oldest first. Unread ones count as read once they are out."""
    with call.memory() as memory:
        lines = memory.log.read(unread=unread, since=since, agent=by, kind=kind, tail=tail)
        if call.json:
            from markdown_memory.frontends.cli import shapes

            call.document({"entries": [shapes.log_line(line) for line in lines]})
        else:
            call.lines(text for line in lines for text in _shown(call, line))
        if not lines:
            call.say("Nothing new." if unread else "No entries.")
        if memory.log.withheld:
            call.say(memory.workspace.serving.sentence(memory.log.withheld))
        if unread:
            sys.stdout.flush()
            memory.log.mark_read(lines)


def follow(call: Call, by: str, kind: str, tail: int) -> None:
    """Print entries as they arrive; with --json each as one line."""
    import time

    from markdown_memory.errors import StorageError
    from markdown_memory.frontends.cli import shapes

    with call.memory() as memory:

        def wait() -> None:
            sys.stdout.flush()
            time.sleep(BETWEEN_LOOKS)
            if not memory.still_there():
                raise StorageError(f"The vault at {memory.workspace.root} is gone, so there is nothing to follow.")

        call.say(f"Following the log of {memory.workspace.name}; Ctrl-C ends it.")
        for line in memory.log.follow(wait, agent=by, kind=kind, tail=tail):
            if call.json:
                call.json_line(shapes.log_line(line))
            else:
                call.lines(_shown(call, line))


def _shown(call: Call, line: "LogLine") -> list[str]:
    """Who and when above, what below, with the entry's id for an answer."""
    when = line.time[:16].replace("T", " ")
    facts = " · ".join(render.one_line(fact) for fact in (line.agent or "somebody", line.channel, line.kind))
    head = f"{when}  {call.paint(facts, render.BOLD)}  {call.paint(line.id, render.DIM)}".strip()
    marks = f"({', '.join(line.marks)})" if line.marks else ""
    text = render.wrap(line.text, call.width, "  ") if call.width else [f"  {render.one_line(line.text)}"]
    return [head, *text, *([f"  {call.paint(render.one_line(marks), render.YELLOW)}"] if marks else [])]


def _written(call: Call, done: str, entry: "Entry") -> None:
    if call.json:
        from markdown_memory.frontends.cli import shapes

        return call.document({"entry": shapes.entry(entry)})
    if not entry.sig:
        call.lines([f"{done}, not signed, as {entry.agent}"])
        return call.say("No key lasts here; where one does, `mdmem log adopt` signs the line.")
    return call.lines([f"{done} {entry.id}"])


def _notices(call: Call, memory: "Memory") -> None:
    """What the logs have to tell a person, such as a new writer on this host."""
    for notice in memory.workspace.logs.notices:
        call.say(notice)
