"""What the ledger says about the vault's files as they are now. Pure.

Rules:

1. An entry that was declared void by its own writer says nothing. The current state of a path is what the entries say
   that no other entry about that path has seen; where writers did not know of each other there may be several. What
   was only observed counts where nobody has signed anything, and makes nothing that was signed older.
2. A file with such a hash is attested, by a signed entry before an observation, by a person before an agent.
3. With only its line ends changed it is unharmed. With the hash of an older state it was rolled back, except that the
   state before another host's newest change has simply not arrived yet. With any other hash it was edited by hand.
4. A file that should be there and is not was moved, when a file that nobody has signed has its hash; or it is missing.
5. A file that the ledger does not know was made by hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markdown_memory.core.entry import Entry
from markdown_memory.core.ledger import FileChange
from markdown_memory.rules.log_order import knowledge
from markdown_memory.rules.standing import Standings

OBSERVED = "observed"
VOID = "void"


class Event(NamedTuple):
    """A ledger entry about one path."""

    entry: Entry
    change: FileChange


class Present(NamedTuple):
    """A file as it is now: SHA-256 of its bytes, and of its text with LF and with CRLF line ends."""

    sha256: str
    with_lf: str = ""
    with_crlf: str = ""


class Verdict(NamedTuple):
    """What is known about one path.

    `state` is attested, observed, line-ends, by-hand, unknown, not-here, rolled-back, missing, moved or gone. `by` is
    the entry that attests it (or the newest one), `via` how it was written, `other` the path it was moved to or from.
    """

    path: str
    state: str
    by: Entry | None = None
    via: str = ""
    other: str = ""

    @property
    def agent(self) -> str:
        """Who has signed the state that is here; "" when nobody has."""
        return self.by.agent if self.by and self.state in ("attested", "line-ends", "moved") else ""


def histories(entries: Sequence[Entry], changes: Mapping[str, Sequence[FileChange]]) -> dict[str, list[Event]]:
    """By path: what the ledger says about it, in reading order. `changes` by entry id."""
    void = {(entry.writer, str(entry.values().get("void"))) for entry in entries if entry.kind == VOID}
    found: dict[str, list[Event]] = {}
    for entry in entries:
        if (entry.writer, entry.id) in void:
            continue
        for change in changes.get(entry.id, ()):
            found.setdefault(change.path, []).append(Event(entry, change))
            if change.move_from and change.move_from != change.path:
                gone = FileChange(change.move_from, change.new, "")
                found.setdefault(change.move_from, []).append(Event(entry, gone))
    return found


class Ledger:
    """The ledger's word on every path."""

    def __init__(
        self,
        entries: Sequence[Entry],
        changes: Mapping[str, Sequence[FileChange]],
        standings: Standings,
        own: Iterable[str] = (),
    ) -> None:
        self._histories = histories(entries, changes)
        self._known = knowledge(entries)
        self._standings = standings
        self._own = frozenset(own)

    def paths(self) -> list[str]:
        """Every path that an entry speaks of."""
        return sorted(self._histories)

    def current(self, path: str) -> list[Event]:
        """The signed events about a path that no other one about it has seen, the best witness first."""
        return self._newest(self._signed(path)) or self._newest(self._histories.get(path, []))

    def verdicts(self, present: Mapping[str, Present]) -> list[Verdict]:
        """One for each path that the ledger or the vault knows, in order."""
        paths = sorted({*self._histories, *present})
        verdicts = {path: self._verdict(path, present.get(path)) for path in paths}
        return list(self._with_moves(verdicts, present).values())

    def _verdict(self, path: str, here: Present | None) -> Verdict:
        current = self.current(path)
        if not current:
            return Verdict(path, "unknown")
        if here is None:
            return self._absent(path, current)
        for event in (*current, *self._observations(path)):
            if event.change.new == here.sha256:
                return _verdict(path, OBSERVED if event.entry.kind == OBSERVED else "attested", event)
        for event in current:
            if event.change.new and event.change.new in (here.with_lf, here.with_crlf):
                return _verdict(path, "line-ends", event)
        return self._other_bytes(path, here, current[0])

    def _absent(self, path: str, current: Sequence[Event]) -> Verdict:
        newest = current[0]
        gone = next((event for event in current if not event.change.new or event.entry.kind == OBSERVED), None)
        if gone:
            return _verdict(path, "gone", gone)
        arrived = newest.change.old or newest.entry.writer in self._own
        return _verdict(path, "missing" if arrived else "not-here", newest)

    def _observations(self, path: str) -> list[Event]:
        """What was observed and nobody has signed anything about since."""
        history = self._histories[path]
        if all(event.entry.kind != OBSERVED for event in history):
            return []
        return [event for event in self._newest(history) if event.entry.kind == OBSERVED]

    def _other_bytes(self, path: str, here: Present, newest: Event) -> Verdict:
        older = [event for event in self._signed(path) if here.sha256 in (event.change.new, event.change.old)]
        if not older:
            return _verdict(path, "by-hand", newest)
        is_before = here.sha256 == newest.change.old
        state = "not-here" if is_before and newest.entry.writer not in self._own else "rolled-back"
        return _verdict(path, state, newest)

    def _with_moves(self, verdicts: dict[str, Verdict], present: Mapping[str, Present]) -> dict[str, Verdict]:
        strangers: dict[str, list[str]] = {}
        for path, verdict in verdicts.items():
            if verdict.state == "unknown":
                strangers.setdefault(present[path].sha256, []).append(path)
        for path, verdict in list(verdicts.items()):
            if verdict.state in ("missing", "not-here") and path not in present:
                hashes = [event.change.new for event in self.current(path) if event.change.new]
                target = next((strangers[one].pop(0) for one in hashes if strangers.get(one)), "")
                if target:
                    verdicts[path] = verdict._replace(state="moved", other=target)
                    verdicts[target] = Verdict(target, "moved", verdict.by, verdict.via, path)
        return verdicts

    def _signed(self, path: str) -> list[Event]:
        return [event for event in self._histories.get(path, []) if event.entry.kind != OBSERVED]

    def _newest(self, history: Sequence[Event]) -> list[Event]:
        """Those that no other one has seen, the best witness first."""
        events = list({one.entry.writer: one for one in history}.values())
        newest = [one for one in events if not any(self._has_seen(other, one) for other in events if other is not one)]
        return sorted(newest, key=self._rank, reverse=True)

    def _has_seen(self, one: Event, other: Event) -> bool:
        clock = self._known[f"{one.entry.log}/{one.entry.id}"]
        return clock.get(f"{other.entry.log}/{other.entry.writer}", 0) >= other.entry.seq

    def _rank(self, event: Event) -> tuple[bool, bool, bool, str]:
        """Signed before observed, known before unknown, a person before an agent, the later before the earlier."""
        entry = event.entry
        person = self._standings.trusts(entry, "person")
        return entry.kind != OBSERVED, self._standings.trusts(entry), person, entry.time


def _verdict(path: str, state: str, event: Event) -> Verdict:
    via = event.entry.values().get("via")
    return Verdict(path, state, event.entry, via if isinstance(via, str) else event.entry.channel)
