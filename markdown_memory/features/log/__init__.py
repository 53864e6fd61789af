"""The live context: what was just done, signed; what of it a session has not read; and the view for people.

    Log(workspace, session)
      .append(text, channel="", kind="note", ack=(), refs=()) -> Entry
      .read(unread=False, since="", agent="", kind="", tail=0) -> list[LogLine]     oldest first
      .follow(wait, agent="", kind="", tail=0)      entries as they arrive, for ever
      .mark_read(lines)        printing alone does not advance the cursor: whoever delivered the lines says so
      .brief(line) -> str      one line of text, for a context block
      .decide(text, channel="", refs=()) -> Entry       decision log and live context in one
      .adopt(line) -> Entry    sign what somebody wrote by hand
      .render() -> bool        bring nexus/live-context.md up to date

Reading looks at the two newest months, unless `since` goes further back.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from markdown_memory.core import layout, times
from markdown_memory.core.log_names import is_slug, writer_of_id
from markdown_memory.core.names import near
from markdown_memory.core.scope import folder_of
from markdown_memory.errors import Ambiguous, MarkdownMemoryError, NotFound, UserError
from markdown_memory.features.log.lines import UNSIGNED, LogLine, brief, lines_of, signed_digests
from markdown_memory.features.log.sessions import Sessions
from markdown_memory.rules import live_context
from markdown_memory.storage import files

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.storage.log_news import Asked
    from markdown_memory.storage.log_values import Reading
    from markdown_memory.workspace import Workspace

__all__ = ["DECISIONS", "Log", "LogLine"]

LOG = "live-context"
DECISIONS = "decisions"
MONTHS = 2
TRIES = 5
TRUSTED = ("", "redacted")
"""Marks of lines that an agent is shown where integrity is strict."""


class Log:
    """The live context of one workspace for one session ("" = the agent itself)."""

    def __init__(self, space: "Workspace", session: str = "") -> None:
        self._space = space
        self._session = session
        self._sessions = Sessions(space)
        self._stale = False
        self.ephemeral = False
        """Whether keys made here would not last: then a file of the agent's own gets the line, and nobody signs it."""
        self.withheld = 0
        """How many lines were kept from an agent by the last reading, since integrity is strict."""

    # writing

    def append(
        self, text: str, channel: str = "", kind: str = "note", ack: Sequence[str] = (), refs: Sequence[str] = ()
    ) -> "Entry":
        """Sign an entry and append it; without a lasting key (`ephemeral`) an unsigned line, whose `sig` is ""."""
        acks = self._known(ack) if ack else ()
        if self.ephemeral or self._has_no_key():
            return self._unsigned(text, channel, kind, (*(f"answers {name}" for name in acks), *refs))
        data: dict[str, object] = {"refs": list(refs)} if refs else {}
        if self._space.scope.project:
            data["scope"] = folder_of(self._space.scope)
        return self._sign(text, channel, kind, data, acks)

    def decide(self, text: str, channel: str = "", refs: Sequence[str] = ()) -> "Entry":
        """Put a decision and its reason into the decision log, and say so in the live context."""
        data: dict[str, object] = {"refs": list(refs)} if refs else {}
        entry = self._sign(text, channel, "decision", data, log=DECISIONS)
        self._sign(text, channel, "decision", {**data, "decision": entry.id})
        return entry

    def adopt(self, line: str) -> "Entry":
        """Sign a hand-written line, named by its beginning."""
        found = self._by_hand(line)
        text = found.text.lstrip("-*+ ").strip() or found.text
        return self._sign(text, "", UNSIGNED, {"digest": found.digest, "from": found.path})

    def _sign(
        self,
        text: str,
        channel: str,
        kind: str,
        data: dict[str, object],
        ack: tuple[str, ...] = (),
        log: str = LOG,
    ) -> "Entry":
        space = self._space
        space.found.check_meant()
        writer = space.logs.writer(space.author, "agent" if space.principal else "person")
        channel = channel or (space.via if is_slug(space.via) else "api")
        if refs := data.get("refs"):
            data = {**data, "refs": [space.masked(str(ref)) for ref in refs] if isinstance(refs, list) else refs}
        text = space.masked(text)
        entry = space.logs.append(writer, log, channel=channel, kind=kind, text=text, ack=ack, data=data)
        self._stale = True
        return entry

    def _has_no_key(self) -> bool:
        """Whether this principal has no key here, and one that is made now could not be kept."""
        chest = self._space.logs.chest
        return not any(one.agent == self._space.author for one in chest.writers()) and not chest.lasts()

    def _unsigned(self, text: str, channel: str, kind: str, more: Sequence[str]) -> "Entry":
        from markdown_memory.core.entry import Entry
        from markdown_memory.core.log_names import check_slug
        from markdown_memory.core.log_text import check_text, escape
        from markdown_memory.storage.log_unsigned import append

        space, now = self._space, times.utc(self._space.clock())
        space.found.check_meant()
        channel = check_slug(channel or (space.via if is_slug(space.via) else "api"), "channel")
        text, kind = check_text(space.masked(text)), check_slug(kind, "kind")
        rest = f" ({', '.join(more)})" if more else ""
        line = f"- {now[:10]} {now[11:16]} ({channel}, {kind}) {escape(text)}{escape(rest)}"
        append(space.root, LOG, space.author, now[:7], line)
        writer = f"{space.author}-{UNSIGNED}"
        return Entry(space.vault_id, LOG, writer, "", 0, "", now, space.author, channel, kind, text)

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
        self, unread: bool = False, since: str = "", agent: str = "", kind: str = "", tail: int = 0
    ) -> list[LogLine]:
        """Lines in reading order, hand-written ones at the end; only those that all the arguments allow."""
        moment = _moment(since)
        lines = self._news(self._session)[1] if unread else self._lines(self._reading(moment))
        wanted = [
            line
            for line in lines
            if (not moment or line.time >= moment) and agent in ("", line.agent) and kind in ("", line.kind)
        ]
        return wanted[-tail:] if tail else wanted

    def follow(self, wait: Callable[[], object], agent: str = "", kind: str = "", tail: int = 0) -> Iterator[LogLine]:
        """The newest `tail` lines, then each new one as it arrives, for ever; `wait` is called between two looks.

        Everybody's, one's own too. Following marks nothing as read.
        """
        from markdown_memory.features.log.following import Following

        def look(asked: "Asked") -> list[LogLine]:
            return self._lines(self._space.logs.news(LOG, MONTHS, asked))

        def wanted(line: LogLine) -> bool:
            return agent in ("", line.agent) and kind in ("", line.kind)

        return Following(self._space, look).follow(wait, tail, wanted)

    def mark_read(self, lines: Iterable[LogLine]) -> None:
        """These lines were delivered to the session, and so to its agent."""
        given = list(lines)
        if given:
            for session in dict.fromkeys((self._session, "")):
                asked, news = self._news(session)
                self._sessions.advance(session, asked, given, news)

    @staticmethod
    def brief(line: LogLine) -> str:
        """One line of text for a context block."""
        return brief(line)

    def _news(self, session: str) -> "tuple[Asked, list[LogLine]]":
        asked = self._sessions.asked(session, self._own())
        lines = self._lines(self._space.logs.news(LOG, MONTHS, asked))
        return asked, [line for line in lines if line.seq or line.digest not in asked.cursor.lines]

    def _own(self) -> frozenset[str]:
        writers = self._space.logs.chest.writers()
        return frozenset(writer.id for writer in writers if writer.agent == self._space.author)

    def _reading(self, moment: str = "") -> "Reading":
        month = times.utc(self._space.clock())[:7]
        return self._space.logs.read(LOG, _months_since(moment[:7], month) if moment else MONTHS)

    def _lines(self, reading: "Reading") -> list[LogLine]:
        lines = lines_of(reading, self._own(), self._view_bytes().decode("utf-8", "replace"))
        if not self._space.serving.strict:
            return lines
        shown = [line for line in lines if line.own or line.mark in TRUSTED]
        self.withheld = len(lines) - len(shown)
        return shown

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

    # the view

    def render(self) -> bool:
        """Write nexus/live-context.md anew when it differs; whether it did.

        It is compared once more just before it is replaced: a line that somebody adds in that moment is kept.
        """
        self._stale = False
        if self._space.found.skipped:
            return False
        for _ in range(TRIES):
            before = self._view_bytes()
            new = self._rendered(before).encode()
            if new == before:
                return False
            if self._view_bytes() == before:
                files.write_durable(self._space.root, layout.LIVE_CONTEXT, new)
                return True
        return False

    def keep_by_hand(self, text: str) -> None:
        """Take lines that somebody wrote into a copy of the view over into the view."""
        before = self._view_bytes().decode("utf-8", "replace")
        known = live_context.hand_written(before)
        more = [line for line in live_context.hand_written(text, signed_digests(self._reading())) if line not in known]
        if more:
            after = "\n".join([before.rstrip("\n"), *more, ""])
            files.write_durable(self._space.root, layout.LIVE_CONTEXT, after.encode())
        self.render()

    def close(self) -> None:
        """Bring the view up to date if something was appended; a vault that cannot be written keeps its view."""
        if self._stale:
            try:
                self.render()
            except MarkdownMemoryError:
                return

    def _rendered(self, before: bytes) -> str:
        reading = self._reading()
        kept = live_context.hand_written(before.decode("utf-8", "replace"), signed_digests(reading))
        lines = lines_of(reading, (), "")
        shown = [
            live_context.Shown(one.time, one.agent, one.channel, one.kind, one.text, one.block, one.marks)
            for one in lines
            if one.id
        ]
        return live_context.render(shown, kept)

    def _view_bytes(self) -> bytes:
        try:
            return files.read(self._space.root, layout.LIVE_CONTEXT)
        except NotFound:
            return b""


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
