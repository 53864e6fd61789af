"""Two versions of a log file as one: every line of both, each once, the entries in the order of their numbers.

A line that was redacted on one side replaces the one that it was made of. Two different entries of one number (a writer
that wrote in two places) both stay: `verify` names them. No line is judged here; what is no entry stays after the line
that it stood behind.
"""

from markdown_memory.core.entry import block_of

_REDACTED = b" [redacted] <!-- mdmem1 "


def union(ours: bytes, theirs: bytes) -> bytes:
    """The merged file; the same bytes whichever side is called ours, for files that hold entries only."""
    if ours == theirs or not theirs:
        return ours
    if not ours:
        return theirs
    longer, shorter = (ours, theirs) if len(ours) >= len(theirs) else (theirs, ours)
    if longer.startswith(shorter) and shorter.endswith(b"\n"):
        return longer
    return _joined(_lines(min(ours, theirs)), _lines(max(ours, theirs)))


def _joined(one: list[bytes], other: list[bytes]) -> bytes:
    known = set(one)
    placed = [(_number(line), line) for line in one]
    placed += [(_number(line), line) for line in other if line not in known]
    heading = [line for number, line in placed if not number and line.startswith(b"# ")][:1]
    entries = sorted((number, line) for number, line in placed if number)
    loose = [line for number, line in placed if not number and line and not line.startswith(b"# ")]
    kept = _without_what_was_redacted(entries)
    return b"\n".join([*heading, *([b""] if heading else []), *kept, *loose, b""])


def _without_what_was_redacted(entries: list[tuple[int, bytes]]) -> list[bytes]:
    blank = {_signature(line) for _, line in entries if _REDACTED in line}
    return [line for _, line in entries if _REDACTED in line or _signature(line) not in blank]


def _signature(line: bytes) -> bytes:
    """What redaction leaves as it was, and no other entry has."""
    return line.rpartition(b" sig=")[2]


def _lines(data: bytes) -> list[bytes]:
    return data.removesuffix(b"\n").split(b"\n")


def _number(line: bytes) -> int:
    """An entry's number, 0 for any other line."""
    block = block_of(line.decode("utf-8", "replace")) if b"<!-- mdmem1 " in line else None
    return block[2] if block else 0
