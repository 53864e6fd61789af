"""Copies of log files that a sync tool made: what they hold beyond the file that they were copied from goes back there.

Rules:

1. Only entries move, and only valid ones of the file's own writer, log and month. A line that is no entry, and a file
   that a tool has called in any other way, stays where it is for a person.
2. The two are joined by number. Where they hold different entries of one number, or one does not follow another, two
   hosts have written as one: nothing is joined, and the copy stays as the evidence.
3. An entry that either file holds redacted stays redacted.
4. What was there stays byte for byte, as long as what the copy adds follows at the end.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from markdown_memory.core.entry import Entry, Head, render
from markdown_memory.core.log_layout import LogFile, file_at, header
from markdown_memory.rules.log_lines import Lines, Placed, read_lines
from markdown_memory.storage import files, keys
from markdown_memory.storage.log_blanking import Lock
from markdown_memory.storage.log_files import list_log, read_log_file
from markdown_memory.storage.log_values import Authority

MONTH = len("2026-11")


class Copy(NamedTuple):
    """A copy, the file that it was made of, how many entries were taken from it, and why it was left ("" = folded)."""

    path: str
    original: str
    added: int = 0
    why_left: str = ""


def copies(root: str, logs: Iterable[str]) -> Iterator[tuple[str, LogFile]]:
    """The copies of log files that lie beside them, each with the file that it was made of."""
    for log in logs:
        for path in list_log(root, log).strays:
            original = original_of(path)
            if original:
                yield path, original


def original_of(path: str) -> LogFile | None:
    """The log file whose name begins a stray's name: `live-context-lyra-k7f3-2026-11 (1).md` is a copy."""
    folder, _, name = path.rpartition("/")
    month = folder.rpartition("/")[2]
    start = name.find(month)
    if len(month) != MONTH or start < 0 or start + MONTH + len(".md") >= len(name):
        return None
    return file_at(f"{folder}/{name[: start + MONTH]}.md")


def fold(root: str, vault: str, logs: Iterable[str], authority: Authority, lock: Lock) -> list[Copy]:
    """Join every copy with its original; which of them hold nothing more that counts, and which were left and why."""
    return [_folded(root, vault, path, original, authority, lock) for path, original in list(copies(root, logs))]


def _folded(root: str, vault: str, path: str, original: LogFile, authority: Authority, lock: Lock) -> Copy:
    def left(why: str) -> Copy:
        return Copy(path, original.path, 0, why)

    if original.unsigned:
        return _unsigned(root, path, original)
    if original.writer not in authority.publics:
        return left(f"nobody has introduced {original.writer}, so its entries cannot be checked")
    with lock(original.writer):
        here, _ = read_log_file(root, original.path)
        there, unreadable = read_log_file(root, path)
        if unreadable:
            return left("it cannot be read")
        ours, theirs = (_lines(original, data, vault, authority) for data in (here, there))
        if theirs.problems or (here and ours.problems):
            return left("one of the two holds lines that are no valid entries")
        joined = _joined(ours.placed, theirs.placed)
        if joined is None:
            return left("the two contradict each other: somebody wrote as this writer in two places")
        new = _bytes(original, here, ours, joined)
        if new != here:
            files.write_durable(root, original.path, new)
        return Copy(path, original.path, len(joined) - len(ours.placed))


def _unsigned(root: str, path: str, original: LogFile) -> Copy:
    """Of a file that nobody signs, the lines that the original lacks are added to it."""
    here, there = (read_log_file(root, one)[0].decode("utf-8", "surrogateescape") for one in (original.path, path))
    known = here.splitlines()
    more = [line for line in there.splitlines() if line.strip() and line not in known]
    if more:
        text = "".join(f"{line}\n" for line in [*known, *more])
        files.write_durable(root, original.path, text.encode("utf-8", "surrogateescape"))
    return Copy(path, original.path, len(more))


def _lines(file: LogFile, data: bytes, vault: str, authority: Authority) -> Lines:
    def redacted(entry: Entry, hashed: str) -> bool:
        return Head(entry.log, entry.writer, entry.seq, hashed) in authority.redacted

    return read_lines(file, data, vault, authority.publics, keys.verify, redacted=redacted, thorough=True)


def _joined(ours: Iterable[Placed], theirs: Iterable[Placed]) -> list[Placed] | None:
    """All of both by number; None when they are not of one chain."""
    by_number: dict[int, Placed] = {}
    for one in (*ours, *theirs):
        known = by_number.setdefault(one.entry.seq, one)
        if known.hash != one.hash:
            return None
        if one.entry.redacted:
            by_number[one.entry.seq] = one
    joined = [by_number[number] for number in sorted(by_number)]
    for one, other in pairwise(joined):
        if other.entry.seq == one.entry.seq + 1 and other.entry.prev != one.hash:
            return None
    return joined


def _bytes(file: LogFile, here: bytes, ours: Lines, joined: list[Placed]) -> bytes:
    if [one.entry for one in joined[: len(ours.placed)]] == [one.entry for one in ours.placed] and here:
        return here + _rendered(joined[len(ours.placed) :])
    return header(file.log, file.writer, file.month).encode() + _rendered(joined)


def _rendered(placed: Iterable[Placed]) -> bytes:
    return "".join(f"{render(one.entry)}\n" for one in placed).encode()
