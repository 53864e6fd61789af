"""What a session has read of a log: a vector over writers, not a point in time. Pure.

Rules:

1. For each writer a cursor holds the number up to which all is read, and single numbers beyond it. An entry that
   arrives late, with an old time, from a machine that was offline, is beyond its writer's number and so it is unread.
2. What nobody has numbered (hand-written lines) is remembered by its digest.
3. A session that has read nothing starts with what its agent has read on this machine, except that the last day counts
   as unread again: a new session knows nothing of what an earlier one saw this morning.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

MOST = 500  # single numbers or digests that are remembered


class Cursor(NamedTuple):
    """`upto` by writer; `beyond` holds single numbers by writer; `lines` digests of unsigned lines."""

    upto: Mapping[str, int] = {}
    beyond: Mapping[str, tuple[int, ...]] = {}
    lines: tuple[str, ...] = ()

    def has_read(self, writer: str, seq: int) -> bool:
        """Whether the entry with that number was read."""
        return seq <= self.upto.get(writer, 0) or seq in self.beyond.get(writer, ())

    def __bool__(self) -> bool:
        return bool(self.upto or self.beyond or self.lines)


def advance(
    cursor: Cursor, read: Iterable[tuple[str, int]], unread: Iterable[tuple[str, int]], lines: Iterable[str] = ()
) -> Cursor:
    """The cursor after `read`; `unread` are all entries that are here and had not been read before."""
    done = set(read)
    upto, beyond = dict(cursor.upto), {writer: set(numbers) for writer, numbers in cursor.beyond.items()}
    left: dict[str, int] = {}
    for writer, seq in set(unread) - done:
        left[writer] = min(seq, left.get(writer, seq))
    for writer, seq in done:
        beyond.setdefault(writer, set()).add(seq)
    for writer, numbers in beyond.items():
        stop = left.get(writer, 1 << 60)
        upto[writer] = max([upto.get(writer, 0), *(number for number in numbers if number < stop)])
    kept = {
        writer: tuple(sorted(number for number in numbers if number > upto[writer])[-MOST:])
        for writer, numbers in beyond.items()
    }
    known = dict.fromkeys([*cursor.lines, *lines])
    return Cursor(upto, {writer: numbers for writer, numbers in kept.items() if numbers}, tuple(known)[-MOST:])


def union(one: Cursor, other: Cursor) -> Cursor:
    """What either has read."""
    upto = {writer: max(one.upto.get(writer, 0), other.upto.get(writer, 0)) for writer in {**one.upto, **other.upto}}
    beyond = {
        writer: tuple(sorted({*one.beyond.get(writer, ()), *other.beyond.get(writer, ())})[-MOST:])
        for writer in {**one.beyond, **other.beyond}
    }
    return Cursor(upto, beyond, tuple(dict.fromkeys([*one.lines, *other.lines]))[-MOST:])


def to_json(cursor: Cursor) -> list[object]:
    """For a state file."""
    return [dict(cursor.upto), {writer: list(numbers) for writer, numbers in cursor.beyond.items()}, list(cursor.lines)]


def from_json(value: object) -> Cursor:
    """What was kept; nothing when it is not what `to_json` gives."""
    try:
        upto, beyond, lines = value  # type: ignore[misc]  # whatever the file held: a mismatch is the case below
        return Cursor(
            {str(writer): int(seq) for writer, seq in upto.items()},  # type: ignore[has-type]
            {str(writer): tuple(map(int, numbers)) for writer, numbers in beyond.items()},  # type: ignore[has-type]
            tuple(map(str, lines)),  # type: ignore[has-type]
        )
    except (ValueError, TypeError, AttributeError):
        return Cursor()
