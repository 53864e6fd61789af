"""Two copies of one log file as one: every line of ours as it is, and the entries of theirs that are not here.

Rules:

1. When one copy is the beginning of the other, the longer one is the result.
2. Otherwise their entries are put among ours by number. An entry is known by its signature, so that one which was
   redacted on one side counts once, and what was blanked here is not brought back.
3. Lines that are no entries are taken only into files of hand-written lines.

Whether the entries are valid is the reader's business; a fork of a chain shows there as equivocation.
"""

from markdown_memory.core.entry import block_of
from markdown_memory.core.log_layout import LogFile


def join(file: LogFile, ours: bytes | None, theirs: bytes) -> bytes:
    """The bytes of the joined file; `ours` None stands for no such file."""
    if ours is None or (theirs.startswith(ours) and ours.endswith(b"\n")):
        return theirs
    if ours.startswith(theirs):
        return ours
    return _by_line(ours, theirs) if file.unsigned else _by_number(ours, theirs)


def _by_line(ours: bytes, theirs: bytes) -> bytes:
    known = set(ours.splitlines())
    new = [line for line in theirs.splitlines() if line.strip() and line not in known]
    return _closed(ours) + b"".join(line + b"\n" for line in new) if new else ours


def _by_number(ours: bytes, theirs: bytes) -> bytes:
    lines = _closed(ours).split(b"\n")[:-1]
    numbers = [_entry(line) for line in lines]
    known = {name for name, _ in numbers}
    new = [(seq, line) for line in theirs.split(b"\n") for name, seq in [_entry(line)] if seq and name not in known]
    if not new:
        return ours
    for seq, line in sorted(new):
        at = next((at for at in range(len(lines), 0, -1) if 0 < numbers[at - 1][1] <= seq), None)
        at = len(lines) if at is None and not any(number for _, number in numbers) else at or _first(numbers)
        lines.insert(at, line)
        numbers.insert(at, (b"", seq))
    return b"".join(line + b"\n" for line in lines)


def _first(numbers: list[tuple[bytes, int]]) -> int:
    """Where the first entry stands."""
    return next(at for at, (_, number) in enumerate(numbers) if number)


def _entry(line: bytes) -> tuple[bytes, int]:
    """The signature and the number of the entry on a line; the number is 0 when there is none."""
    block = block_of(line.rstrip(b"\r").decode("utf-8", "replace")[-200:])
    sig = line.rpartition(b" sig=")[2].partition(b" ")[0]
    return (sig, block[2]) if block else (line, 0)


def _closed(data: bytes) -> bytes:
    return data if data.endswith(b"\n") else data + b"\n"
