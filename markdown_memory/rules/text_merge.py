"""Three-way merge of text, line by line (diff3): base, ours, theirs → merged text, or the regions that conflict.

Rules:

1. A change on one side only is taken. The same change on both sides is taken once.
2. Where both sides changed the same lines, or lines without an unchanged line between them, the region is a conflict
   and keeps all three texts; no marker is ever written into a text.
3. Line ends, and whether the last line is closed, are merged by themselves: a side that went over to CRLF has changed
   its line ends and not every line.
4. Swapping the sides swaps the two texts of each conflict and changes nothing else.

Lines are matched by those that stand once on both sides (patience diff), so that the time grows with the text and not
with its square; what is left between them is matched closely while it is small.

    merge(base, ours, theirs) -> TextMerge        .clean  .text()  .text("ours" | "theirs" | "both")  .conflicts
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

CLOSELY = 400  # lines of a stretch that is compared line with line
Block = tuple[int, int, int]
"""Where the same lines begin in the base, where on a side, and how many they are."""


class Part(NamedTuple):
    """A stretch of the text. `agreed` is None where the sides conflict, and then the three texts say what they have."""

    agreed: str | None
    base: str = ""
    ours: str = ""
    theirs: str = ""


class TextMerge(NamedTuple):
    """The merged text in parts; `newline` and `closed` say how its lines end."""

    parts: tuple[Part, ...]
    newline: str = "\n"
    closed: bool = True

    @property
    def conflicts(self) -> tuple[Part, ...]:
        """The regions that both sides changed differently."""
        return tuple(part for part in self.parts if part.agreed is None)

    @property
    def clean(self) -> bool:
        """Whether nothing conflicts."""
        return not self.conflicts

    def text(self, favour: str = "") -> str:
        """The text; in conflicts the lines of the side that is favoured, or of `both`. ValueError when neither is."""
        text = "".join(_chosen(part, favour) for part in self.parts)
        text = text if self.closed else text.removesuffix("\n")
        return text.replace("\n", self.newline) if self.newline != "\n" else text


def merge(base: str, ours: str, theirs: str) -> TextMerge:
    """Merge two versions of a text that came from the base."""
    if theirs in (base, ours):
        return whole(ours)
    if ours == base:
        return whole(theirs)
    (base, ours, theirs), newline = one_line_end(base, ours, theirs)
    closed = pick(*(text.endswith("\n") or not text for text in (base, ours, theirs)))
    lines = [_lines(text) for text in (base, ours, theirs)]
    return TextMerge(tuple(_parts(*lines)), newline, closed)


def whole(text: str) -> TextMerge:
    """A merge that came out as this very text."""
    return TextMerge((Part(text),), closed=True)


def one_line_end(base: str, ours: str, theirs: str) -> tuple[tuple[str, str, str], str]:
    """The three texts with line feeds alone, and the merged line end; texts with mixed line ends stay as they are."""
    texts = (base, ours, theirs)
    ends = [_line_end(text) for text in texts]
    if "mixed" in ends:
        return texts, "\n"
    known = [end or next((other for other in ends if other), "\n") for end in ends]
    changed = texts[0].replace("\r\n", "\n"), texts[1].replace("\r\n", "\n"), texts[2].replace("\r\n", "\n")
    return changed, "\r\n" if pick(*(end == "\r\n" for end in known)) else "\n"


def pick(base: bool, ours: bool, theirs: bool) -> bool:
    """A yes or no merged: whoever changed it is right."""
    return theirs if ours == base else ours


def _line_end(text: str) -> str:
    """The line end in use, "" when there is no line end, `mixed` when there are two."""
    feeds, pairs = text.count("\n"), text.count("\r\n")
    if not feeds:
        return "mixed" if "\r" in text else ""
    if pairs not in (0, feeds) or text.count("\r") != pairs:
        return "mixed" if pairs else "\n"
    return "\r\n" if pairs else "\n"


def _lines(text: str) -> list[str]:
    """The lines with their line feeds; the last one gets its own."""
    if not text:
        return []
    return [f"{line}\n" for line in text.removesuffix("\n").split("\n")]


def _chosen(part: Part, favour: str) -> str:
    if part.agreed is not None:
        return part.agreed
    if favour == "both":
        return part.ours + part.theirs
    if favour not in ("ours", "theirs"):
        raise ValueError("The two sides changed the same lines; say which one is favoured.")
    return part.ours if favour == "ours" else part.theirs


def _parts(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[Part]:
    at = (0, 0, 0)
    for start, our_start, their_start, count in _in_step(base, ours, theirs):
        texts = [
            "".join(base[at[0] : start]),
            "".join(ours[at[1] : our_start]),
            "".join(theirs[at[2] : their_start]),
        ]
        if any(texts):
            yield _decided(*texts)
        if count:
            yield Part("".join(base[start : start + count]))
        at = (start + count, our_start + count, their_start + count)


def _decided(base: str, ours: str, theirs: str) -> Part:
    if theirs in (ours, base):
        return Part(ours)
    return Part(theirs) if ours == base else Part(None, base, ours, theirs)


def _in_step(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Stretches of the base that neither side has changed: where they begin on all three, and their length.

    The last one is empty, at the three ends.
    """
    left, right = matches(base, ours), matches(base, theirs)
    one = other = 0
    while one < len(left) and other < len(right):
        (start, our_start, count), (their_base, their_start, their_count) = left[one], right[other]
        low, high = max(start, their_base), min(start + count, their_base + their_count)
        if low < high:
            yield low, our_start + low - start, their_start + low - their_base, high - low
        if start + count < their_base + their_count:
            one += 1
        else:
            other += 1
    yield len(base), len(ours), len(theirs), 0


def matches(one: Sequence[str], other: Sequence[str]) -> list[Block]:
    """Where two lists of lines are the same, in order."""
    found: list[Block] = []
    waiting = [(0, len(one), 0, len(other))]
    while waiting:
        low, high, other_low, other_high = waiting.pop()
        head = 0
        while low + head < high and other_low + head < other_high and one[low + head] == other[other_low + head]:
            head += 1
        if head:
            found.append((low, other_low, head))
            low, other_low = low + head, other_low + head
        tail = 0
        while (
            low < high - tail and other_low < other_high - tail and one[high - tail - 1] == other[other_high - tail - 1]
        ):
            tail += 1
        if tail:
            high, other_high = high - tail, other_high - tail
            found.append((high, other_high, tail))
        if low < high and other_low < other_high:
            waiting += _between(one, other, (low, high, other_low, other_high), found)
    return _joined(sorted(found))


def _between(
    one: Sequence[str], other: Sequence[str], area: tuple[int, int, int, int], found: list[Block]
) -> list[tuple[int, int, int, int]]:
    """Match inside an area whose first and last lines differ; the smaller areas that are left."""
    low, high, other_low, other_high = area
    anchors = _anchors(one, other, area)
    if not anchors:
        if high - low <= CLOSELY and other_high - other_low <= CLOSELY:
            found += _closely(one, other, area)
        return []
    areas = []
    for at, other_at in anchors:
        areas.append((low, at, other_low, other_at))
        found.append((at, other_at, 1))
        low, other_low = at + 1, other_at + 1
    return [*areas, (low, high, other_low, other_high)]


def _anchors(one: Sequence[str], other: Sequence[str], area: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    """Lines that stand once on both sides, as many as are in the same order."""
    low, high, other_low, other_high = area
    here, there = _once(one, low, high), _once(other, other_low, other_high)
    pairs = [(at, there[line]) for line, at in here.items() if line in there]
    return _longest_rising(sorted(pairs))


def _once(lines: Sequence[str], low: int, high: int) -> dict[str, int]:
    at: dict[str, int] = {}
    twice = set()
    for number in range(low, high):
        if lines[number] in at:
            twice.add(lines[number])
        at[lines[number]] = number
    return {line: number for line, number in at.items() if line not in twice}


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest chain of pairs in which the second numbers rise, too."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, second) in enumerate(pairs):
        at = bisect_left(tops, second)
        before.append(ends[at - 1] if at else -1)
        if at == len(tops):
            tops.append(second)
            ends.append(number)
        else:
            tops[at], ends[at] = second, number
    chain = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def _closely(one: Sequence[str], other: Sequence[str], area: tuple[int, int, int, int]) -> list[Block]:
    from difflib import SequenceMatcher

    low, high, other_low, other_high = area
    blocks = SequenceMatcher(None, one[low:high], other[other_low:other_high], autojunk=False).get_matching_blocks()
    return [(low + block.a, other_low + block.b, block.size) for block in blocks if block.size]


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """Blocks that follow each other on both sides as one."""
    out: list[Block] = []
    for start, other, count in blocks:
        if out and out[-1][0] + out[-1][2] == start and out[-1][1] + out[-1][2] == other:
            out[-1] = (out[-1][0], out[-1][1], out[-1][2] + count)
        else:
            out.append((start, other, count))
    return out
