"""MEMORY.md, the memory index: one line for each accepted shared note, a pure function of the files.

It holds the global types, then the default branch of each project, then one line that counts each other branch; who
asks, from where and when makes no difference. It has at most 200 lines and 25 kB; what does not fit is counted, the
least important first.

The package owns the lines between its two markers and no other. A line there that is not its own moves below the end
marker; what git's conflict markers or a union merge left there is rendered away. Where one marker was deleted, the
owned lines that touch the other are taken for the block. What a person wrote around it keeps its bytes.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from markdown_memory.core.frontmatter import BOM
from markdown_memory.core.note import Header
from markdown_memory.core.scope import Scope, folder_of
from markdown_memory.core.settings import Settings

BEGIN = "<!-- mdmem:begin memory index; these lines are written by mdmem -->"
END = "<!-- mdmem:end -->"
MAX_LINES = 194  # 200 with title and markers
MAX_BYTES = 25_000
MAX_BRANCHES = 40
LINE_LENGTH = 300
_TITLE = "# Memory\n\nWhat is known here, one line for each note. Write below the last marker what should stay.\n\n"
_GLOBAL = {"user": "About people", "feedback": "How to work"}
_SCOPED = {"project": "Project", "reference": "Reference"}
_BRANCHES = "Other branches"
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
    counts = _count_lines(others)
    kept, left = _strongest(shown, MAX_LINES - len(counts) - 2, MAX_BYTES - _size(counts) - 500)
    lines = [line for key in sorted(kept) for line in (f"## {_heading(key)}", *kept[key])]
    if left:
        lines.append(f"- … and {_notes(left, 'more ')}, which `mdmem list --all` shows")
    if counts:
        lines += [f"## {_BRANCHES}", *counts]
    return "".join(f"{line}\n" for line in lines)


def merge_into(existing: bytes | None, block: str) -> bytes:
    """MEMORY.md with the block in its place; what a person wrote around it keeps its bytes."""
    if existing is None:
        return f"{_TITLE}{BEGIN}\n{block}{END}\n".encode("utf-8", "surrogateescape")
    text = existing.decode("utf-8", "surrogateescape")
    bom, text = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    start, stop = _owned(lines)
    newline = _line_end([*lines[start:stop], lines[0]])
    before, kept, after = lines[:start], _foreign(lines[start:stop], newline), lines[stop:]
    if start == stop and text:
        before += [newline] if text.endswith("\n") else [newline, newline]
    if kept and after and after[0].strip():
        kept.append(newline)
    owned = f"{BEGIN}\n{block}{END}\n".replace("\n", newline)
    return "".join((bom, *before, owned, *kept, *after)).encode("utf-8", "surrogateescape")


def item(header: Header) -> str:
    """`- [name](./path) — description`: agents open it, Obsidian and forges follow it."""
    name = _harmless(header.name.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]"))
    said = f" — {_harmless(header.description)}" if header.description else ""
    line = f"- [{name}](./{_encoded(header.path)})"
    room = max(0, LINE_LENGTH - len(line))
    return line + (said if len(said) <= room else said[: max(3, room - 1)].rstrip(" \\") + "…")


def _harmless(text: str) -> str:
    """Text that opens no comment and no block of math over the lines that follow."""
    return text.replace("<!--", "<\\!--").replace("%%", "%\\%").replace("$$", "$\\$")


def _group(header: Header) -> tuple[object, ...]:
    rank = _ORDER.index(header.type) if header.type in _ORDER else len(_ORDER)
    project = header.scope.project if header.scope else ""
    return (header.scope is not None, project, rank, header.type)


def _heading(key: tuple[object, ...]) -> str:
    scoped, project, _, type = key
    fixed = (_SCOPED if scoped else _GLOBAL).get(str(type))
    name = fixed or (f"Notes of type {type}" if type else "Notes without a type")
    return f"{name} · @{project}" if project else name


def _count_lines(others: dict[Scope, int]) -> list[str]:
    """One line for each branch that is not shown, and one for those beyond the first."""
    lines = [_count_line(scope, number) for scope, number in sorted(others.items())[:MAX_BRANCHES]]
    left = sorted(others.items())[MAX_BRANCHES:]
    if left:
        notes = _notes(sum(number for _, number in left))
        lines.append(f"- … and {len(left)} more branches: {notes}, which `mdmem list --all` shows")
    return lines


def _count_line(scope: Scope, number: int) -> str:
    project = f" --in-project {_quoted(scope.project)}" if scope.project else ""
    command = f"mdmem list{project} --in-branch {_quoted(scope.branch)}"
    return f"- {_code(folder_of(scope))}: {_notes(number)}, which {_code(command)} shows"


def _notes(number: int, more: str = "") -> str:
    return f"{number} {more}note" if number == 1 else f"{number} {more}notes"


def _quoted(text: str) -> str:
    """A word for the shell: names of branches come from anywhere."""
    from shlex import quote

    return quote(text)


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


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
    """The path as a link's target; a byte of a file's name that is no UTF-8 is written as a byte, too."""
    return "".join(
        f"%{ord(char) & 0xFF:02X}"
        if char in ' ()<>%#?[]\\"' or ord(char) < 32 or "\udc80" <= char <= "\udcff"
        else char
        for char in path
    )


def _line_end(lines: Sequence[str]) -> str:
    whole = next((line for line in lines if line.endswith("\n")), "")
    return "\r\n" if whole.endswith("\r\n") else "\n"


def _owned(lines: Sequence[str]) -> tuple[int, int]:
    """The lines from the begin marker to the end marker; the end of the text, twice, when there is none of them."""
    begins = [number for number, line in enumerate(lines) if _marker(line) == "begin"]
    ends = [number for number, line in enumerate(lines) if _marker(line) == "end"]
    if begins and ends and begins[0] < ends[-1]:
        return begins[0], ends[-1] + 1
    if begins:
        stop = begins[0] + 1
        while stop < len(lines) and _own().match(lines[stop]):
            stop += 1
        return begins[0], stop
    if ends:
        start = ends[-1]
        while start and _own().match(lines[start - 1]):
            start -= 1
        return start, ends[-1] + 1
    return len(lines), len(lines)


def _marker(line: str) -> str:
    bare = line.strip()
    if bare == END:
        return "end"
    return "begin" if bare.startswith("<!-- mdmem:begin") and bare.endswith("-->") else ""


def _foreign(lines: Sequence[str], newline: str) -> list[str]:
    """The lines between the markers that this package never writes, and the empty lines between them."""
    kept: list[str] = []
    gap = False
    for line in lines:
        if not line.strip():
            gap = bool(kept)
        elif not _own().match(line):
            kept += [newline, line] if gap else [line]
            gap = False
    if kept and not kept[-1].endswith("\n"):
        kept[-1] += newline
    return kept


@cache
def _own() -> re.Pattern[str]:
    fixed = "|".join((*_GLOBAL.values(), _BRANCHES))
    scoped = "|".join((*_SCOPED.values(), "Notes of type [^\\r\\n]+?", "Notes without a type"))
    return re.compile(
        rf"(?:- \[.*\]\(\./memory/[^)\r\n]*\)(?: — .*)?|## (?:{fixed}|(?:{scoped})(?: · @[^\r\n]+)?)"
        r"|- … and \d+ more (?:notes?|branches: \d+ notes?), which `mdmem list[^\r\n]*"
        r"|- `[^\r\n]+`: \d+ notes?, which `[^\r\n]*"
        r"|(?:<<<<<<<|>>>>>>>|\|\|\|\|\|\|\|)(?: .*)?|=======|<!-- mdmem:(?:begin|end)[^\r\n]*)\r?$"
    )
