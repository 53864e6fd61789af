"""A block of lines of ours in a text of somebody else's, between two marked lines; nothing outside them is touched."""

from typing import NamedTuple

from markdown_memory.errors import FormatError


class Marks(NamedTuple):
    """The lines that stand around the block."""

    begin: str
    end: str


HASH = Marks("# mdmem begin: written by `mdmem install`, removed by `mdmem uninstall`", "# mdmem end")
HTML = Marks("<!-- mdmem:begin written by `mdmem install`, removed by `mdmem uninstall` -->", "<!-- mdmem:end -->")


def find(text: str, marks: Marks) -> tuple[int, int] | None:
    """Where the block begins and ends, with its last line break; None when there is none."""
    begin, end = _line(text, marks.begin, 0), _line(text, marks.end, 0)
    if begin is None and end is None:
        return None
    if begin is None or end is None or end[0] < begin[1] or _line(text, marks.begin, begin[1]):
        raise FormatError("the lines that mark our block are not a pair any more; remove what is left of it")
    return begin[0], end[1]


def put(text: str, block: str, marks: Marks, at: int | None = None, indent: str = "") -> str:
    """Replace our block, or add it at `at` (None: at the end, below an empty line)."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [indent + line if line else line for line in (marks.begin, *block.splitlines(), marks.end)]
    new = newline.join(lines) + newline
    found = find(text, marks)
    if found:
        return text[: found[0]] + new + text[found[1] :]
    if at is not None:
        return text[:at] + new + text[at:]
    if not text:
        return new
    return text + (newline if text.endswith("\n") else newline * 2) + new


def remove(text: str, marks: Marks) -> str:
    """The text without our block, and without the empty line that was put above it."""
    found = find(text, marks)
    if found is None:
        return text
    before, after = text[: found[0]], text[found[1] :]
    for empty in ("\r\n\r\n", "\n\n"):
        if before.endswith(empty) and not after:
            before = before[: len(before) - len(empty) // 2]
            break
    return before + after


def _line(text: str, wanted: str, start: int) -> tuple[int, int] | None:
    """The first line after `start` that is the wanted one, apart from blanks."""
    at = start
    for line in text[start:].splitlines(keepends=True):
        if line.strip() == wanted:
            return at, at + len(line)
        at += len(line)
    return None
