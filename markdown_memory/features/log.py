"""The live context: what was just done, signed; what of it a session has not read; and the view for people.

    Log(workspace, session)
      .append(text, channel="", kind="note", ack=(), refs=()) -> Entry
      .read(unread=False, since="", agent="", kind="", tail=0) -> list[LogLine]     oldest first
      .mark_read(lines)        printing alone does not advance the cursor: whoever delivered the lines says so
      .brief(line) -> str      one line of text, for a context block
      .adopt(line) -> Entry    sign what somebody wrote by hand
      .render() -> bool        bring nexus/live-context.md up to date

Reading looks at the two newest months, unless `since` goes further back.
"""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import layout, times
from markdown_memory.core.entry import Entry
from markdown_memory.core.log_names import is_slug, writer_of_id
from markdown_memory.core.log_text import unsigned_digest
from markdown_memory.core.names import near
from markdown_memory.core.scope import folder_of
from markdown_memory.errors import Ambiguous, MarkdownMemoryError, NotFound, UserError
from markdown_memory.rules import cursors, live_context
from markdown_memory.rules.cursors import Cursor
from markdown_memory.rules.log_order import Concurrent, concurrent
from markdown_memory.storage import files
from markdown_memory.workspace import Workspace

if TYPE_CHECKING:
    from markdown_memory.storage.log_reading import Reading

LOG = "live-context"
DECISIONS = "decisions"
MONTHS = 2
DAY = 86400.0
TRIES = 5
UNSIGNED = "unsigned"


class LogLine(NamedTuple):
    """An entry, or a hand-written line, as a reader sees it.

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
        meet = f"to be reconciled with {', '.join(self.concurrent)}"
        apart = f"written without knowing {', '.join(self.concurrent)}"
        return tuple(
            word
            for word in (
                self.mark,
                (meet if self.open else apart) if self.concurrent else "",
                *map("answers {}".format, self.ack),
            )
            if word
        )


class Log:
    """The live context of one workspace for one session ("" = the agent itself)."""

    def __init__(self, space: Workspace, session: str = "") -> None:
        self._space = space
        self._session = session
        self._stale = False

    # writing

    def append(
        self, text: str, channel: str = "", kind: str = "note", ack: Sequence[str] = (), refs: Sequence[str] = ()
    ) -> Entry:
        """Sign an entry and append it."""
        acks = self._known(ack) if ack else ()
        data: dict[str, object] = {"refs": list(refs)} if refs else {}
        if self._space.scope.project:
            data["scope"] = folder_of(self._space.scope)
        return self._sign(text, channel, kind, data, acks)

    def decide(self, text: str, channel: str = "", refs: Sequence[str] = ()) -> Entry:
        """Put a decision and its reason into the decision log, and say so in the live context."""
        data: dict[str, object] = {"refs": list(refs)} if refs else {}
        entry = self._sign(text, channel, "decision", data, log=DECISIONS)
        self._sign(text, channel, "decision", {**data, "decision": entry.id})
        return entry

    def adopt(self, line: str) -> Entry:
        """Sign a hand-written line, named by its beginning."""
        found = self._by_hand(line)
        text = found.text.lstrip("-*+ ").strip() or found.text
        data: dict[str, object] = {"digest": found.digest, "from": found.path}
        return self._sign(text, "", UNSIGNED, data)

    def _sign(
        self,
        text: str,
        channel: str,
        kind: str,
        data: dict[str, object],
        ack: tuple[str, ...] = (),
        log: str = LOG,
    ) -> Entry:
        space = self._space
        writer = space.logs.writer(space.author, "agent" if space.principal else "person")
        channel = channel or (space.via if is_slug(space.via) else "api")
        entry = space.logs.append(writer, log, channel=channel, kind=kind, text=text, ack=ack, data=data)
        self._stale = True
        return entry

    def _known(self, ack: Sequence[str]) -> tuple[str, ...]:
        """The entries that are acknowledged, by their plain names."""
        names = [f"{writer}-{seq}" for writer, seq in map(writer_of_id, ack)]
        known = {entry.id for entry in self._reading().entries}
        if not known.issuperset(names):
            known = {entry.id for entry in self._space.logs.read(LOG).entries}
        for name in names:
            if name not in known:
                raise NotFound(f"There is no entry {name} in the live context to acknowledge.", near(name, known))
        return tuple(names)

    # reading

    def read(
        self,
        unread: bool = False,
        since: str = "",
        agent: str = "",
        kind: str = "",
        tail: int = 0,
    ) -> list[LogLine]:
        """Lines in reading order, hand-written ones at the end; only those that all the arguments allow."""
        moment = _moment(since)
        lines = self._lines(self._reading(moment))
        if unread:
            lines = self._unread_of(lines)
        wanted = [
            line
            for line in lines
            if (not moment or line.time >= moment) and agent in ("", line.agent) and kind in ("", line.kind)
        ]
        return wanted[-tail:] if tail else wanted

    def mark_read(self, lines: Iterable[LogLine]) -> None:
        """These lines were delivered to the session (and so to its agent)."""
        given = list(lines)
        if not given:
            return
        everything = [line for line in self._lines(self._reading()) if line.seq]
        read = [(line.writer, line.seq) for line in given if line.seq]
        digests = [line.digest for line in given if line.digest]
        for session in dict.fromkeys((self._session, "")):
            cursor = self._cursor(session) or (self._start() if session else Cursor())
            left = [
                (line.writer, line.seq)
                for line in everything
                if not line.own and not cursor.has_read(line.writer, line.seq)
            ]
            self._keep(session, cursors.advance(cursor, read, left, digests))

    @staticmethod
    def brief(line: LogLine) -> str:
        """One line of text for a context block: when, who, what, and how to answer it."""
        when = f"{line.time[:10]} {line.time[11:16]} " if line.time else ""
        name = f" ^{line.block}" if line.id else ""
        marks = "".join(f" ({mark})" for mark in line.marks)
        text = " ".join(line.text.split())
        return f"- {when}{line.agent or 'somebody'} ({line.channel}, {line.kind}): {text}{marks}{name}"

    def _reading(self, moment: str = "") -> "Reading":
        month = times.utc(self._space.clock())[:7]
        return self._space.logs.read(LOG, _months_since(moment[:7], month) if moment else MONTHS)

    def _lines(self, reading: "Reading") -> list[LogLine]:
        apart = concurrent(reading.entries)
        own = {writer.id for writer in self._space.logs.chest.writers() if writer.agent == self._space.author}
        lines = [self._line(entry, reading, apart, entry.writer in own) for entry in reading.entries]
        return lines + self._unsigned(reading)

    def _line(self, entry: Entry, reading: "Reading", apart: dict[str, Concurrent], own: bool) -> LogLine:
        standing = reading.standings.writers.get(entry.writer)
        mark = "" if standing and standing.trusted else "unconfirmed"
        chain = reading.chains.get(entry.writer)
        if chain and chain.quarantined and entry.seq >= chain.quarantined:
            mark = "quarantined"
        if entry.redacted:
            mark = "redacted"
        refs = entry.values().get("refs")
        near_to = apart.get(entry.id, Concurrent((), False))
        return LogLine(
            entry.id, entry.time, entry.agent, entry.channel, entry.kind, entry.text, entry.writer, entry.seq,
            entry.ack, tuple(map(str, refs)) if isinstance(refs, list) else (), mark, near_to.ids, near_to.open, own,
        )  # fmt: skip

    def _unsigned(self, reading: "Reading") -> list[LogLine]:
        """Hand-written lines that nobody has signed, each once."""
        signed = _signed_digests(reading.entries)
        found: dict[str, LogLine] = {}
        for one in reading.unsigned:
            found.setdefault(
                one.digest,
                LogLine("", "", one.by, UNSIGNED, "note", one.text, mark=UNSIGNED, digest=one.digest, path=one.path),
            )
        for text in live_context.hand_written(self._view(), signed):
            digest = unsigned_digest(text)
            found.setdefault(
                digest,
                LogLine(
                    "", "", "", UNSIGNED, "note", text.strip(), mark=UNSIGNED, digest=digest, path=layout.LIVE_CONTEXT
                ),
            )
        return [line for digest, line in found.items() if digest not in signed]

    def _by_hand(self, beginning: str) -> LogLine:
        wanted = _bare(beginning)
        lines = [line for line in self._lines(self._reading()) if line.digest]
        matches = [line for line in lines if _bare(line.text).startswith(wanted)] if wanted else []
        exact = [line for line in matches if _bare(line.text) == wanted]
        if len(exact or matches) > 1:
            raise Ambiguous(f"Several unsigned lines begin with {wanted!r}:", [line.text for line in matches])
        if not matches:
            raise NotFound(f"No unsigned line begins with {wanted!r}.", [line.text for line in lines][:3])
        return (exact or matches)[0]

    # cursors

    def _unread_of(self, lines: Sequence[LogLine]) -> list[LogLine]:
        cursor = self._cursor(self._session)
        fresh = not cursor and bool(self._session)
        if fresh:
            cursor = self._start()
        return [line for line in lines if not line.own and not _has_read(cursor, line)]

    def _start(self) -> Cursor:
        """Where a session begins that has read nothing: with its agent's cursor, less the last day."""
        agents = self._cursor("")
        if not agents:
            return agents
        latest = times.utc(self._space.clock() - DAY)
        recent = [line for line in self._lines(self._reading()) if line.seq and line.time >= latest]
        upto = dict(agents.upto)
        for line in recent:
            upto[line.writer] = min(upto.get(line.writer, 0), line.seq - 1)
        return Cursor(upto)

    def _cursor(self, session: str) -> Cursor:
        try:
            return cursors.from_json(json.loads(self._space.read_state(self._cursor_file(session)) or "null"))
        except ValueError:
            return Cursor()

    def _keep(self, session: str, cursor: Cursor) -> None:
        self._space.write_state(self._cursor_file(session), json.dumps(cursors.to_json(cursor)))

    def _cursor_file(self, session: str) -> str:
        name = f"{self._space.author}\0{session}".encode("utf-8", "surrogatepass")
        return f"cursor-{files.digest(name)[:24]}.json"

    # the view

    def render(self) -> bool:
        """Write nexus/live-context.md anew when it differs; whether it did.

        It is compared once more just before it is replaced: a line that somebody adds in that moment is kept.
        """
        self._stale = False
        for _ in range(TRIES):
            before = self._view_bytes()
            new = self._rendered(before).encode()
            if new == before:
                return False
            if self._view_bytes() == before:
                files.write_durable(self._space.root, layout.LIVE_CONTEXT, new)
                return True
        return False

    def close(self) -> None:
        """Bring the view up to date if something was appended; a vault that cannot be written keeps its view."""
        if self._stale:
            try:
                self.render()
            except MarkdownMemoryError:
                return

    def _rendered(self, before: bytes) -> str:
        reading = self._reading()
        lines = [line for line in self._lines(reading) if line.id]
        kept = live_context.hand_written(before.decode("utf-8", "replace"), _signed_digests(reading.entries))
        shown = [
            live_context.Shown(line.time, line.agent, line.channel, line.kind, line.text, line.block, line.marks)
            for line in lines
        ]
        return live_context.render(shown, kept)

    def _view(self) -> str:
        return self._view_bytes().decode("utf-8", "replace")

    def _view_bytes(self) -> bytes:
        try:
            return files.read(self._space.root, layout.LIVE_CONTEXT)
        except NotFound:
            return b""


def _signed_digests(entries: Iterable[Entry]) -> set[str]:
    return {str(entry.values().get("digest")) for entry in entries if entry.kind == UNSIGNED}


def _has_read(cursor: Cursor, line: LogLine) -> bool:
    return cursor.has_read(line.writer, line.seq) if line.seq else line.digest in cursor.lines


def _bare(text: str) -> str:
    return " ".join(text.lstrip("-*+ ").split())


def _moment(since: str) -> str:
    """A day or moment as the entries write it; "" for none."""
    if not since:
        return ""
    seconds = times.parse(since)
    if seconds is None:
        raise UserError(f"{since!r} is no day or moment; write it like 2026-11-30 or 2026-11-30T02:00.")
    return times.utc(seconds)


def _months_since(first: str, last: str) -> int:
    """How many months lie between two, both counted; at least as many as are read anyway."""
    years, months = int(last[:4]) - int(first[:4]), int(last[5:]) - int(first[5:])
    return max(MONTHS, years * 12 + months + 1)
