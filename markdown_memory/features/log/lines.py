"""A log entry, or a hand-written line, as a reader sees it."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.entry import Entry
from markdown_memory.core.log_text import unsigned_digest
from markdown_memory.rules import live_context
from markdown_memory.rules.log_order import Concurrent, concurrent

if TYPE_CHECKING:
    from markdown_memory.storage.log_values import Reading

UNSIGNED = "unsigned"


class LogLine(NamedTuple):
    """An entry, or a hand-written line.

    `mark` is "" for an entry of a known writer, else unconfirmed, redacted, quarantined or unsigned. `concurrent` names
    entries that were written without knowledge of this one, `open` says that nobody has reconciled them yet.
    Hand-written lines have a `digest` and no id.
    """

    id: str
    time: str
    agent: str
    channel: str
    kind: str
    text: str
    writer: str = ""
    seq: int = 0
    ack: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    mark: str = ""
    concurrent: tuple[str, ...] = ()
    open: bool = False
    own: bool = False
    digest: str = ""
    path: str = ""

    @property
    def block(self) -> str:
        """The Obsidian block id, without the caret."""
        return f"live-{self.id}" if self.id else ""

    @property
    def marks(self) -> tuple[str, ...]:
        """In words, what a reader should know besides the text."""
        answers = [f"answers {name}" for name in self.ack]
        return tuple(word for word in (self.mark, self._apart(), *answers) if word)

    def _apart(self) -> str:
        names = ", ".join(self.concurrent)
        return names and f"{'to be reconciled with' if self.open else 'written without knowing'} {names}"


def lines_of(reading: "Reading", own: Collection[str], view: str) -> list[LogLine]:
    """Entries in reading order, then hand-written lines, each once; `own` are the reader's writers on this machine."""
    apart = concurrent(reading.around)
    lines = [_entry_line(entry, reading, apart, entry.writer in own) for entry in reading.entries]
    return lines + _unsigned_lines(reading, view)


def brief(line: LogLine) -> str:
    """One line of text for a context block: when, who, what, and the name by which it is answered."""
    when = f"{line.time[:10]} {line.time[11:16]} " if line.time else ""
    name = f" ^{line.block}" if line.id else ""
    marks = "".join(f" ({mark})" for mark in line.marks)
    text = " ".join(line.text.split())
    return f"- {when}{line.agent or 'somebody'} ({line.channel}, {line.kind}): {text}{marks}{name}"


def signed_digests(reading: "Reading") -> set[str]:
    """The digests of the hand-written lines that somebody has signed."""
    return {str(entry.values().get("digest")) for entry in reading.adopted}


def _entry_line(entry: Entry, reading: "Reading", apart: dict[str, Concurrent], own: bool) -> LogLine:
    refs = entry.values().get("refs")
    near_to = apart.get(entry.id, Concurrent((), False))
    return LogLine(
        entry.id, entry.time, entry.agent, entry.channel, entry.kind, entry.text, entry.writer, entry.seq, entry.ack,
        tuple(map(str, refs)) if isinstance(refs, list) else (), _mark(entry, reading), near_to.ids, near_to.open, own,
    )  # fmt: skip


def _mark(entry: Entry, reading: "Reading") -> str:
    standing, chain = reading.standings.writers.get(entry.writer), reading.chains.get(entry.writer)
    if entry.redacted:
        return "redacted"
    if chain and chain.quarantined and entry.seq >= chain.quarantined:
        return "quarantined"
    return "" if standing and standing.trusted else "unconfirmed"


def _unsigned_lines(reading: "Reading", view: str) -> list[LogLine]:
    signed = signed_digests(reading)
    found = {one.digest: _unsigned(one.text, one.by, one.path) for one in reversed(reading.unsigned)}
    for text in live_context.hand_written(view, signed):
        found.setdefault(unsigned_digest(text), _unsigned(text.strip(), "", layout.LIVE_CONTEXT))
    return [line for line in _first_ones(reading, found) if line.digest not in signed]


def _first_ones(reading: "Reading", found: dict[str, LogLine]) -> Iterable[LogLine]:
    """In the order of the files, then of the view."""
    order = dict.fromkeys([*(one.digest for one in reading.unsigned), *found])
    return (found[digest] for digest in order)


def _unsigned(text: str, by: str, path: str) -> LogLine:
    digest = unsigned_digest(text)
    return LogLine("", "", by, UNSIGNED, "note", text, mark=UNSIGNED, digest=digest, path=path)
