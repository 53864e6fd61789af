"""Fit named parts into a hard number of bytes.

Every part has a share of a block of 6,000 bytes; for another limit the shares grow or shrink alike. A part that needs
less than its share leaves the rest to the others: first to the parts without a share of their own, then to the others
in their order. What does not fit is cut at the end of a line, so the strongest line comes first; a first line that is
too long by itself is cut inside, but never inside a character.

Sizes are bytes of UTF-8, each line with its line feed.
"""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

BLOCK = 6000
MORE = "…"
_JOINERS = ("\u200d", "\ufe0e", "\ufe0f")


class Part(NamedTuple):
    """What one part would like to say, strongest line first."""

    name: str
    lines: Sequence[str]
    share: int = 0
    """Bytes reserved in a block of 6,000; 0 = lives on what the others leave."""
    more: int = 0
    """Further lines, weaker than all of these, that nobody has written out."""


class Fitted(NamedTuple):
    """What fits of a part."""

    name: str
    lines: tuple[str, ...]
    bytes: int
    left_out: int
    """Lines that are missing or shortened."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def truncated(self) -> bool:
        return self.left_out > 0


def size(text: str) -> int:
    """Bytes of `text` in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def cut(text: str, room: int) -> str:
    """The longest beginning of `text` that fits in `room` bytes, ending in `…` when something is missing."""
    if size(text) <= room:
        return text
    space = room - size(MORE)
    if space <= 0:
        return ""
    head = text.encode("utf-8", "surrogatepass")[:space].decode("utf-8", "ignore")
    return _whole_characters(head, text).rstrip() + MORE


def shorten(line: str, room: int) -> str:
    """`cut`, at a blank where one is near the end."""
    short = cut(line, room)
    if short == line or not short:
        return short
    blank = short.rfind(" ")
    return short[:blank] + MORE if blank > len(short) * 3 // 4 else short


def fit(parts: Sequence[Part], limit: int) -> tuple[Fitted, ...]:
    """Each part within its room; together never more than `limit` bytes."""
    wishes = [sum(size(line) + 1 for line in part.lines) for part in parts]
    rooms = [min(wish, part.share * limit // BLOCK) for wish, part in zip(wishes, parts, strict=True)]
    left = limit - sum(rooms)
    for index in sorted(range(len(parts)), key=lambda index: parts[index].share > 0):
        more = max(0, min(left, wishes[index] - rooms[index]))
        rooms[index] += more
        left -= more
    return tuple(_fitted(part, room) for part, room in zip(parts, rooms, strict=True))


def _fitted(part: Part, room: int) -> Fitted:
    kept: list[str] = []
    used = 0
    for line in part.lines:
        need = size(line) + 1
        if used + need > room:
            break
        kept.append(line)
        used += need
    left_out = len(part.lines) + part.more - len(kept)
    if left_out and not kept:
        short = shorten(part.lines[0], room - 1)
        if short:
            kept.append(short)
            used = size(short) + 1
    return Fitted(part.name, tuple(kept), used, left_out)


def _whole_characters(head: str, text: str) -> str:
    """`head` without a last character whose combining marks were cut off."""
    end = len(head)
    while 0 < end < len(text) and _belongs_to_the_one_before(text, end):
        end -= 1
    return text[:end]


def _belongs_to_the_one_before(text: str, at: int) -> bool:
    here = text[at]
    return bool(unicodedata.combining(here)) or here in _JOINERS or text[at - 1] == "\u200d"
