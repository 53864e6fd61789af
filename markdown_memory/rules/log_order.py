"""In which order entries are read, and which of them were written without knowing of each other. Pure.

Rules:

1. The order always takes the smallest (time, writer, seq) of the entries whose predecessors are all taken. What an
   entry has seen and what is not here does not hold it up.
2. A time more than a day ahead of the reader's clock does not count: such an entry takes its place by the time of what
   it follows, so that a wrong clock pins nothing on top.
3. Two entries are concurrent when neither writer had seen the other. They are open as long as no entry has seen both.
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from markdown_memory.core.entry import Entry, Head

NEAREST = 5
Clock = Mapping[str, int]
"""By `<log>/<writer>`: the newest number that is known."""


def reading_order(entries: Iterable[Entry], latest: str = "9") -> list[Entry]:
    """Entries of one log or of several, each chain without holes of its own; times after `latest` do not count."""
    return _Order(entries, latest).taken()


class _Order:
    def __init__(self, entries: Iterable[Entry], latest: str) -> None:
        self._chains: dict[str, list[Entry]] = {}
        for entry in entries:
            self._chains.setdefault(f"{entry.log}/{entry.writer}", []).append(entry)
        for chain in self._chains.values():
            chain.sort(key=lambda entry: (entry.seq, entry.sig))
        self._latest = latest
        self._next = dict.fromkeys(self._chains, 0)
        self._time = dict.fromkeys(self._chains, "")
        self._heap: list[tuple[str, str, int, str]] = []
        self._waiting: dict[str, list[tuple[int, str]]] = {}

    def taken(self) -> list[Entry]:
        """All of them, in order."""
        out: list[Entry] = []
        for name in self._chains:
            self._offer(name)
        total = sum(map(len, self._chains.values()))
        while len(out) < total:
            if not self._heap:
                self._release()
            _, _, _, name = heappop(self._heap)
            out.append(self._take(name))
        return out

    def _take(self, name: str) -> Entry:
        entry = self._chains[name][self._next[name]]
        self._next[name] += 1
        self._time[name] = self._effective(name, entry)
        waiting = self._waiting.pop(name, [])
        for seq, other in waiting:
            if self._has(name, seq):
                self._offer(other)
            else:
                self._waiting.setdefault(name, []).append((seq, other))
        self._offer(name)
        return entry

    def _offer(self, name: str) -> None:
        """Put the next entry of a chain among those that can be taken, unless it waits for another chain."""
        at = self._next[name]
        if at == len(self._chains[name]):
            return
        entry = self._chains[name][at]
        for head in entry.seen:
            other = f"{head.log}/{head.writer}"
            if other != name and other in self._chains and not self._has(other, head.seq):
                self._waiting.setdefault(other, []).append((head.seq, name))
                return
        self._push(name, entry)

    def _push(self, name: str, entry: Entry) -> None:
        heappush(self._heap, (self._effective(name, entry), entry.writer, entry.seq, name))

    def _has(self, name: str, seq: int) -> bool:
        """Whether everything up to that number that is here has been taken."""
        chain, at = self._chains[name], self._next[name]
        return at == len(chain) or chain[at].seq > seq

    def _release(self) -> None:
        """Nothing can be taken: entries claim to have seen each other. Take them by time."""
        blocked = {other for waiting in self._waiting.values() for _, other in waiting}
        self._waiting.clear()
        for name in blocked:
            self._push(name, self._chains[name][self._next[name]])

    def _effective(self, name: str, entry: Entry) -> str:
        return entry.time if entry.time <= self._latest else max(self._time[name], "")


def knowledge(ordered: Sequence[Entry]) -> dict[str, dict[str, int]]:
    """By entry id (with its log): what its writer knew, itself included, as far as these entries tell."""
    known: dict[str, dict[str, int]] = {}
    ends: dict[str, dict[str, int]] = {}
    for entry in ordered:
        name = f"{entry.log}/{entry.writer}"
        clock = dict(ends.get(name, {}))
        for head in entry.seen:
            _join(clock, _of_head(head, known))
        clock[name] = entry.seq
        ends[name] = known[f"{entry.log}/{entry.id}"] = clock
    return known


class Concurrent(NamedTuple):
    """The nearest entries that are concurrent with one, and whether they are still to be reconciled."""

    ids: tuple[str, ...]
    open: bool


def concurrent(ordered: Sequence[Entry]) -> dict[str, Concurrent]:
    """By entry id, for entries of one log in reading order; entries that are concurrent with nothing are left out."""
    known = knowledge(ordered)
    chains: dict[str, list[Entry]] = {}
    pairs: dict[str, list[Entry]] = {}
    by_id = {entry.id: entry for entry in ordered}
    for entry in ordered:
        for writer, chain in chains.items():
            if writer != entry.writer:
                for other in _unknown(chain, known[f"{entry.log}/{entry.id}"]):
                    pairs.setdefault(entry.id, []).append(other)
                    pairs.setdefault(other.id, []).append(entry)
        chains.setdefault(entry.writer, []).append(entry)
    ends = [known[f"{chain[-1].log}/{chain[-1].id}"] for chain in chains.values()]
    return {
        name: Concurrent(
            tuple(other.id for other in others[:NEAREST]),
            not all(_have_met(ends, by_id[name], other) for other in others),
        )
        for name, others in pairs.items()
    }


def _unknown(chain: Sequence[Entry], clock: Clock) -> Iterable[Entry]:
    """The newest entries of a chain that this knowledge does not reach; not more than are shown."""
    known = clock.get(f"{chain[0].log}/{chain[0].writer}", 0)
    if chain[-1].seq <= known:
        return ()
    return [entry for entry in chain[-NEAREST:] if entry.seq > known]


def _have_met(ends: Iterable[Clock], one: Entry, other: Entry) -> bool:
    """Whether some chain has come to know both; knowledge only grows along a chain."""
    return any(all(end.get(f"{entry.log}/{entry.writer}", 0) >= entry.seq for entry in (one, other)) for end in ends)


def _of_head(head: Head, known: Mapping[str, Clock]) -> Clock:
    clock = dict(known.get(f"{head.log}/{head.writer}-{head.seq}", {}))
    clock[f"{head.log}/{head.writer}"] = max(head.seq, clock.get(f"{head.log}/{head.writer}", 0))
    return clock


def _join(clock: dict[str, int], other: Clock) -> None:
    for name, seq in other.items():
        if seq > clock.get(name, 0):
            clock[name] = seq
