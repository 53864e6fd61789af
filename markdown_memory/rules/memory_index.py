"""MEMORY.md, the memory index: one line for each accepted shared note, a pure function of the files.

It holds the global types, then the default branch of each project, then one line that counts each other branch; who
asks, from where and when makes no difference. It has at most 200 lines and 25 kB; what does not fit is counted, the
least important first.

The package owns the lines between its two markers and no other. A line there that is not its own moves below the end
marker; what git's conflict markers or a union merge left there is rendered away.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from markdown_memory.core.note import Header
from markdown_memory.core.scope import Scope, folder_of
from markdown_memory.core.settings import Settings

BEGIN = "<!-- mdmem:begin memory index; these lines are written by mdmem -->"
END = "<!-- mdmem:end -->"
MAX_LINES = 200
MAX_BYTES = 25_000
LINE_LENGTH = 300
_TITLE = "# Memory\n\nWhat is known here, one line for each note. Write below the last marker what should stay.\n\n"
_GLOBAL = {"user": "About people", "feedback": "How to work"}
_SCOPED = {"project": "Project", "reference": "Reference"}
_ORDER = ("user", "feedback", "project", "reference")


def render(headers: Iterable[Header], settings: Settings) -> str:
    """The lines between the markers, each with its line feed."""
    shown: dict[tuple[object, ...], list[Header]] = {}
    others: dict[Scope, int] = {}
    for header in headers:
        if header.status != "accepted" or header.owner:
            continue
        scope = header.scope
        if scope is not None and scope.branch != settings.default_branch(scope.project):
            others[scope] = others.get(scope, 0) + 1
        else:
            shown.setdefault(_group(header), []).append(header)
    counts = [_count_line(scope, number) for scope, number in sorted(others.items())][: MAX_LINES // 4]
    kept, left = _strongest(shown, MAX_LINES - len(counts) - 3, MAX_BYTES - _size(counts) - 500)
    lines = [line for key in sorted(kept) for line in (f"## {_heading(key)}", *kept[key])]
    if left:
        lines.append(f"- … and {left} more notes, which `mdmem list` shows")
    if counts:
        lines += ["## Other branches", *counts]
    return "".join(f"{line}\n" for line in lines)


def merge_into(existing: bytes | None, block: str) -> bytes:
    """MEMORY.md with the block in its place; what a person wrote around it keeps its bytes."""
    if existing is None:
        return f"{_TITLE}{BEGIN}\n{block}{END}\n".encode("utf-8", "surrogateescape")
    text = existing.decode("utf-8", "surrogateescape")
    newline = "\r\n" if "\r\n" in text else "\n"
    begin, end = _marker(text, "<!-- mdmem:begin"), _marker(text, END, last=True)
    if begin is None or end is None or end[0] < begin[1]:
        gap = "" if not text else newline if text.endswith("\n") else newline * 2
        before, inside, after = text + gap, "", ""
    else:
        before, inside, after = text[: begin[0]], text[begin[1] : end[0]], text[end[1] :]
    kept = "".join(line + newline for line in _foreign(inside))
    owned = f"{BEGIN}\n{block}{END}\n".replace("\n", newline)
    return (before + owned + kept + after).encode("utf-8", "surrogateescape")


def item(header: Header) -> str:
    """`- [name](./path) — description`: agents open it, Obsidian and forges follow it."""
    name = header.name.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    said = f" — {header.description}" if header.description else ""
    line = f"- [{name}](./{_encoded(header.path)})"
    room = max(0, LINE_LENGTH - len(line))
    return line + (said if len(said) <= room else said[: max(3, room - 1)].rstrip() + "…")


def _group(header: Header) -> tuple[object, ...]:
    rank = _ORDER.index(header.type) if header.type in _ORDER else len(_ORDER)
    project = header.scope.project if header.scope else ""
    return (header.scope is not None, project, rank, header.type)


def _heading(key: tuple[object, ...]) -> str:
    scoped, project, _, type = key
    name = (_SCOPED if scoped else _GLOBAL).get(str(type)) or str(type or "notes").capitalize()
    return f"{name} · @{project}" if project else name


def _count_line(scope: Scope, number: int) -> str:
    folder = folder_of(scope)
    notes = "1 note" if number == 1 else f"{number} notes"
    project = f" --project {scope.project}" if scope.project else ""
    return f"- `{folder}`: {notes}, which `mdmem list{project} --branch {scope.branch}` shows"


def _strongest(
    groups: dict[tuple[object, ...], list[Header]], lines: int, size: int
) -> tuple[dict[tuple[object, ...], list[str]], int]:
    """The lines that fit, taken by importance and then name, and how many notes do not fit."""
    ranked = sorted(
        ((key, header) for key, members in groups.items() for header in members),
        key=lambda pair: (-pair[1].importance, pair[0], pair[1].name, pair[1].path),
    )
    kept: dict[tuple[object, ...], list[str]] = {}
    for number, (key, header) in enumerate(ranked):
        line = item(header)
        heading = 0 if key in kept else 1
        cost = _size([line]) + heading * (_size([_heading(key)]) + 3)
        if lines < 1 + heading or size < cost:
            return kept, len(ranked) - number
        kept.setdefault(key, []).append(line)
        lines, size = lines - 1 - heading, size - cost
    return kept, 0


def _size(lines: Sequence[str]) -> int:
    return sum(len(line.encode("utf-8", "surrogateescape")) + 1 for line in lines)


def _encoded(path: str) -> str:
    return "".join(f"%{ord(char):02X}" if char in ' ()<>%#?[]\\"' or ord(char) < 32 else char for char in path)


def _marker(text: str, marker: str, last: bool = False) -> tuple[int, int] | None:
    """Where the line with a marker begins and ends."""
    at = text.rfind(marker) if last else text.find(marker)
    if at < 0:
        return None
    start = text.rfind("\n", 0, at) + 1
    stop = text.find("\n", at) + 1 or len(text)
    return start, stop


def _foreign(inside: str) -> list[str]:
    """Lines between the markers that this package never writes."""
    return [line for line in inside.splitlines() if line.strip() and not _own().match(line)]


@cache
def _own() -> re.Pattern[str]:
    return re.compile(
        r"- \[.*\]\(\./memory/[^)]*\)( — .*)?$|## .+$|- … and \d+ more notes, |- `[^`]+`: \d+ notes?, which `mdmem list"
        r"|<<<<<<< |=======$|>>>>>>> |\|\|\|\|\|\|\| |<!-- mdmem:(begin|end)"
    )
