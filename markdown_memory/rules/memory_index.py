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
from functools import cache, lru_cache

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
    listed: list[Header] = []
    others: dict[Scope, int] = {}
    for header in filter(counts, headers):
        if header.scope is None or is_shown(header.scope, settings):
            listed.append(header)
        else:
            others[header.scope] = others.get(header.scope, 0) + 1
    return render_strongest(sorted(listed, key=strength), len(listed), others)


def render_strongest(strongest: Iterable[Header], number: int, others: dict[Scope, int]) -> str:
    """The same of what is shown by name, in the order of `strength`: of `number` notes the first MAX_LINES will do.

    `others` counts the notes of each branch that is not shown.
    """
    branches = _count_lines(others)
    kept, left = _fitting(strongest, number, MAX_LINES - len(branches) - 2, MAX_BYTES - _size(branches) - 500)
    lines = [line for key in sorted(kept) for line in (f"## {_heading(key)}", *kept[key])]
    if left:
        lines.append(f"- … and {_notes(left, 'more ')}, which `mdmem list --all` shows")
    if branches:
        lines += [f"## {_BRANCHES}", *branches]
    return "".join(f"{line}\n" for line in lines)


def counts(header: Header) -> bool:
    """Whether a file has a place here: an accepted note that is shared."""
    return header.status == "accepted" and not header.owner


def is_shown(scope: Scope, settings: Settings) -> bool:
    """Whether the notes of a scope are shown by name."""
    return scope.branch == settings.default_branch(scope.project)


def strength(header: Header) -> tuple[float, bytes, bytes, bytes]:
    """In which order notes are taken: by importance, then as the groups stand, then by name."""
    return -header.importance, kin(header), sortable(header.name), sortable(header.path)


def kin(header: Header) -> bytes:
    """The group of a note, in the order of the groups."""
    scoped, project, rank, type = _group(header)
    return sortable(f"{scoped:d}{project}\0{rank}{type}")


def sortable(text: str) -> bytes:
    """Text as bytes in the same order; whatever a file's name holds."""
    return text.encode("utf-8", "surrogatepass")


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
    return _item(header.name, header.path, header.description)[0]


@lru_cache(500)
def _item(name: str, path: str, description: str) -> tuple[str, int]:
    """The line and its size; kept, since one change after another shows nearly the same notes."""
    name = _harmless(name.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]"))
    said = f" — {_harmless(description)}" if description else ""
    line = f"- [{name}](./{_encoded(path)})"
    room = max(0, LINE_LENGTH - len(line))
    line += said if len(said) <= room else said[: max(3, room - 1)].rstrip(" \\") + "…"
    return line, _size([line])


def _harmless(text: str) -> str:
    """Text on one line that opens no comment and no block of math over the lines that follow."""
    return " ".join(text.splitlines()).replace("<!--", "<\\!--").replace("%%", "%\\%").replace("$$", "$\\$")


def _group(header: Header) -> tuple[bool, str, int, str]:
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


def _fitting(
    strongest: Iterable[Header], number: int, lines: int, size: int
) -> tuple[dict[tuple[object, ...], list[str]], int]:
    """The lines that fit, and the number of notes that do not."""
    kept: dict[tuple[object, ...], list[str]] = {}
    for header in strongest:
        key, (line, cost) = _group(header), _item(header.name, header.path, header.description)
        heading = 0 if key in kept else 1
        cost += _size([_heading(key)]) + 3 if heading else 0
        if lines < 1 + heading or size < cost:
            return kept, number
        kept.setdefault(key, []).append(line)
        number, lines, size = number - 1, lines - 1 - heading, size - cost
    return kept, number


def _size(lines: Sequence[str]) -> int:
    return sum(len(line.encode("utf-8", "surrogateescape")) + 1 for line in lines)


def _encoded(path: str) -> str:
    """The path as a link's target; a byte of a file's name that is no UTF-8 is written as a byte, too."""
    return path.translate(_escapes())


@cache
def _escapes() -> dict[int, str]:
    codes = {*map(ord, ' ()<>%#?[]\\"'), *range(32), *range(0xDC80, 0xDD00)}
    return {code: f"%{code & 0xFF:02X}" for code in codes}


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
