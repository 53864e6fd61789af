"""Whether a writer's entries in one log form one unbroken chain. Pure.

Rules:

1. Entries are put in order by their number, wherever their lines stand. What stands elsewhere than its number says was
   moved; what stands twice was copied.
2. Each entry holds the hash of the one before it. Two entries with one number, or one that follows another than the
   one that is here, are equivocation: two hosts wrote as one writer, or somebody has its key.
3. Numbers that are missing inside a file are missing. Between files, and before the first, they are not here yet,
   unless this host remembers a head beyond them. Numbers that a changed line claims are accounted for by that line.
4. A remembered head is a promise of this host to itself: an end before it was cut off, another entry in its place is
   equivocation. A head that another writer has seen and that is not here has not arrived, or was cut off.
5. A time that lies ten minutes or more before that of the entry before it, or of one that it has seen, is back-dated,
   or a clock was set back. An entry in the file of an earlier month than its own was moved there.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from markdown_memory.core import times
from markdown_memory.core.entry import FIRST, Head
from markdown_memory.core.log_layout import log_folder
from markdown_memory.core.problem import Problem
from markdown_memory.rules.log_lines import Lines, Placed, gathered

TOLERANCE = 600.0  # seconds between two clocks
_COPY = "Compare with another copy of the vault (git, a backup, another machine) and bring back what is missing."
_FORK = "Revoke the writer with `mdmem keys revoke`, naming the last entry that is right; it goes on as a new one."


class Chain(NamedTuple):
    """A writer's entries in one log by number; with equivocation there are several of one number.

    `notices` are problems that may solve themselves. From number `quarantined` on (0: nowhere) nothing is certain.
    """

    log: str
    writer: str
    placed: tuple[Placed, ...]
    problems: tuple[Problem, ...] = ()
    notices: tuple[Problem, ...] = ()
    quarantined: int = 0

    @property
    def head(self) -> Head | None:
        """The newest entry."""
        last = self.placed[-1] if self.placed else None
        return Head(self.log, self.writer, last.entry.seq, last.hash) if last else None


def join(log: str, writer: str, files: Sequence[Lines], remembered: Head | None = None, *, whole: bool = True) -> Chain:
    """One chain from its files, oldest month first. `whole` says that no older file was left out on purpose."""
    joint = _Joint(log, writer, files, remembered, whole)
    return joint.chain()


class _Joint:
    def __init__(self, log: str, writer: str, files: Sequence[Lines], remembered: Head | None, whole: bool) -> None:
        self._log, self._writer = log, writer
        self._files = files
        self._remembered = remembered
        self._whole = whole
        self._problems = [problem for file in files for problem in file.problems]
        self._claims = {file.file.path: sorted(file.claims) for file in files}
        self._notices: list[Problem] = []
        self._fork = 0

    def chain(self) -> Chain:
        single = self._without_copies()
        self._in_place(single)
        ordered = sorted(single, key=lambda one: (one.entry.seq, one.path, one.line))
        self._months(ordered)
        self._gaps(ordered)
        self._links(ordered)
        self._times(ordered)
        self._end(ordered)
        return Chain(
            self._log, self._writer, tuple(ordered), gathered(self._problems), tuple(self._notices), self._fork
        )

    def _without_copies(self) -> list[Placed]:
        """The entries in the order of their lines, each once."""
        known: dict[str, Placed] = {}
        for one in (one for file in self._files for one in file.placed):
            first = known.setdefault(one.hash, one)
            if first is not one:
                message = f"Entry {one.entry.id} stands here once more; it belongs to {first.path}:{first.line}."
                self._report("log-duplicate", one, message, "Remove the second line.")
        return list(known.values())

    def _in_place(self, single: Sequence[Placed]) -> None:
        """Name the fewest entries that would have to move for all to be in order."""
        numbers = [one.entry.seq for one in single]
        kept, times_here = _longest_rise(numbers), Counter(numbers)
        for at, one in enumerate(single):
            if at not in kept and times_here[one.entry.seq] == 1:
                message = f"Entry {one.entry.id} is not in its place: lines were exchanged or moved."
                self._report("log-moved", one, message, "Put the line back between its neighbours by number.")

    def _months(self, ordered: Sequence[Placed]) -> None:
        months = {file.file.path: file.file.month for file in self._files}
        for one in ordered:
            if one.entry.time[:7] > months[one.path]:
                message = (
                    f"Entry {one.entry.id} is of {one.entry.time[:7]} and stands in the file of {months[one.path]}."
                )
                self._report("log-wrong-month", one, message, "Move the line to the file of its month.")

    def _gaps(self, ordered: Sequence[Placed]) -> None:
        first = ordered[0] if ordered else None
        if first and first.entry.seq > 1 and self._whole:
            self._gap(None, first, 1)
        for before, after in pairwise(ordered):
            if after.entry.seq > before.entry.seq + 1:
                self._gap(before, after, before.entry.seq + 1)

    def _gap(self, before: Placed | None, after: Placed, start: int) -> None:
        end = after.entry.seq - 1
        if end - start + 1 <= self._claimed(before, after):
            return
        name = f"{self._writer}-{start}" + (f" to {end}" if end > start else "")
        many = "are" if end > start else "is"
        if (before and before.path == after.path) or self._is_promised(end):
            self._report("log-missing", after, f"Before this line {name} {many} missing.", _COPY)
        else:
            message = f"Before this line {name} {many} not here yet: a file has not arrived, or was removed."
            self._notices.append(
                Problem("log-not-here", after.path, after.line, message, "Synchronise, then verify again.")
            )

    def _claimed(self, before: Placed | None, after: Placed | None) -> int:
        """How many changed lines stand between two entries: they account for as many missing numbers."""
        count = 0
        for path, lines in self._claims.items():
            if (before is None or path >= before.path) and (after is None or path <= after.path):
                start = before.line if before and before.path == path else 0
                end = bisect_left(lines, after.line) if after and after.path == path else len(lines)
                count += max(0, end - bisect_right(lines, start))
        return count

    def _is_promised(self, seq: int) -> bool:
        return self._remembered is not None and self._remembered.seq >= seq

    def _links(self, ordered: Sequence[Placed]) -> None:
        by_number: dict[int, list[Placed]] = {}
        for one in ordered:
            by_number.setdefault(one.entry.seq, []).append(one)
        for seq, here in by_number.items():
            if len(here) > 1:
                self._equivocation(seq, here[1], f"{here[1].entry.id} is here twice with different content, first in "
                                   f"{here[0].path}:{here[0].line}")  # fmt: skip
            before = by_number.get(seq - 1, [])
            for one in here:
                if before and one.entry.prev not in [other.hash for other in before]:
                    self._equivocation(
                        seq, one, f"{one.entry.id} continues another entry {seq - 1} than the one that is here"
                    )
                if seq == 1 and one.entry.prev != FIRST:
                    self._equivocation(seq, one, f"{one.entry.id} is no beginning")

    def _equivocation(self, seq: int, one: Placed, what: str) -> None:
        message = f"{what}: two hosts wrote as {self._writer}, or somebody else has its key."
        self._report("log-equivocation", one, message, _FORK)
        self._fork = min(self._fork or seq, seq)

    def _times(self, ordered: Sequence[Placed]) -> None:
        for before, one in pairwise(ordered):
            if one.entry.time < before.entry.time and is_earlier(one.entry.time, before.entry.time):
                message = (
                    f"Entry {one.entry.id} says {one.entry.time}Z, and the entry before it {before.entry.time}Z: "
                    "it was back-dated, or the clock was set back."
                )
                self._report("log-back-dated", one, message, "Ask who wrote it; the order of the entries is certain.")

    def _end(self, ordered: Sequence[Placed]) -> None:
        remembered = self._remembered
        if remembered is None:
            return
        newest = ordered[-1].entry.seq if ordered else 0
        there = [one for one in ordered if one.entry.seq == remembered.seq]
        if there and remembered.hash not in [one.hash for one in there]:
            self._equivocation(remembered.seq, there[0], f"{there[0].entry.id} is another entry than the one that this "
                               "machine has seen before")  # fmt: skip
        if newest >= remembered.seq or self._claimed(ordered[-1] if ordered else None, None) >= remembered.seq - newest:
            return
        first, last = newest + 1, remembered.seq
        name = f"{self._writer}-{first}" + (f" to {last}" if last > first else "")
        file = self._files[-1].file.path if self._files else log_folder(self._log)
        message = (
            f"{name} in {self._log}, which this machine has seen, {'are' if last > first else 'is'} not here any more: "
            "cut off, or an older copy of the vault."
        )
        remedy = f"{_COPY} If a backup was restored on purpose: `mdmem keys accept-rollback`."
        self._problems.append(Problem("log-cut", file, 0, message, remedy))

    def _report(self, code: str, one: Placed, message: str, remedy: str) -> None:
        self._problems.append(Problem(code, one.path, one.line, message, remedy))


def is_earlier(time: str, other: str) -> bool:
    """Whether a time lies so far before another that no two clocks explain it."""
    one, two = times.parse(time), times.parse(other)
    return one is not None and two is not None and two - one >= TOLERANCE


def _longest_rise(numbers: Sequence[int]) -> set[int]:
    """Positions of a longest rising subsequence (patience sorting)."""
    if all(one < two for one, two in pairwise(numbers)):
        return set(range(len(numbers)))
    ends: list[int] = []
    positions: list[int] = []
    before: list[int] = []
    for at, number in enumerate(numbers):
        pile = bisect_left(ends, number)
        ends[pile : pile + 1] = [number]
        positions[pile : pile + 1] = [at]
        before.append(positions[pile - 1] if pile else -1)
    kept, at = set(), positions[-1] if positions else -1
    while at >= 0:
        kept.add(at)
        at = before[at]
    return kept


def across(chains: Mapping[str, Chain]) -> list[Problem]:
    """What only several chains together show: heads that were seen and differ, and times before what was seen.

    `chains` by `<log>/<writer>`.
    """
    placed = {name: {one.entry.seq: one for one in chain.placed} for name, chain in chains.items()}
    problems: list[Problem] = []
    for chain in chains.values():
        for one in chain.placed:
            for head in one.entry.seen:
                seen = placed.get(f"{head.log}/{head.writer}", {}).get(head.seq)
                if seen:
                    problems += _against(one, head, seen, chains[f"{head.log}/{head.writer}"])
    return problems


def missing(chains: Mapping[str, Chain], remembered: Mapping[str, Head]) -> Iterable[tuple[Head, str]]:
    """Heads that others have seen beyond what is here and beyond what is remembered, each with who saw it first."""
    ends = {name: chain.head.seq for name, chain in chains.items() if chain.head}
    found: dict[str, tuple[Head, str]] = {}
    for chain in chains.values():
        for one in chain.placed:
            for head in one.entry.seen:
                name = f"{head.log}/{head.writer}"
                end = max(ends.get(name, 0), remembered[name].seq if name in remembered else 0)
                if head.seq > max(end, found[name][0].seq if name in found else 0):
                    found[name] = (head, one.entry.id)
    return found.values()


def _against(one: Placed, head: Head, seen: Placed, chain: Chain) -> list[Problem]:
    problems = []
    if seen.hash != head.hash and head.hash not in [
        other.hash for other in chain.placed if other.entry.seq == head.seq
    ]:
        message = (
            f"Entry {one.entry.id} has seen another entry {seen.entry.id} than the one in {seen.path}:{seen.line}: "
            f"{head.writer} wrote it twice, or one of the two lies."
        )
        problems.append(Problem("log-equivocation", one.path, one.line, message, _FORK))
    if one.entry.time < seen.entry.time and is_earlier(one.entry.time, seen.entry.time):
        message = (
            f"Entry {one.entry.id} says {one.entry.time}Z, but has seen {seen.entry.id} of {seen.entry.time}Z: "
            "it was back-dated, or a clock is wrong."
        )
        problems.append(
            Problem(
                "log-back-dated", one.path, one.line, message, "Ask who wrote it; the order of the entries is certain."
            )
        )
    return problems
