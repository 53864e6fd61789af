"""From values to characters: columns, ages, colours, and text that cannot play tricks on a terminal.

Everything here takes values and returns strings. What a note or a file name contains is *foreign*: `foreign`
shows its control characters as `\\x1b` instead of sending them, since an escape sequence in a note could
retitle a window, hide a line or rewrite what stands above it.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_memory.memory import Proposal

BOLD, DIM, RED, GREEN, YELLOW, CYAN = "1", "2", "31", "32", "33", "36"

# C0, DEL and C1 controls, and the characters that reverse the direction of the text around them
_CONTROLS = (
    *range(0x20),
    *range(0x7F, 0xA0),
    0x200E,
    0x200F,
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
)
_VISIBLE = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in _CONTROLS}
_VISIBLE.update({0x2028: "\\u2028", 0x2029: "\\u2029"})
_VISIBLE_LINES = {code: shown for code, shown in _VISIBLE.items() if code not in (0x09, 0x0A)}


_DAY = 86_400
_UNITS = ((365 * _DAY, "year"), (30 * _DAY, "month"), (_DAY, "day"), (3_600, "hour"), (60, "minute"))


def foreign(text: str) -> str:
    """Text of several lines, with its control characters shown instead of sent; CRLF becomes a line break."""
    return text.replace("\r\n", "\n").translate(_VISIBLE_LINES)


def one_line(text: str, width: int = 0) -> str:
    """Foreign text on one line, cut to `width` columns with an ellipsis (0: uncut)."""
    line = " ".join(text.split()).translate(_VISIBLE)
    return cut(line, width) if width else line


def paint(text: str, *codes: str, on: bool) -> str:
    """The text in colour when the terminal takes colour."""
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if on and text else text


def width_of(text: str) -> int:
    """Columns that the text takes in a terminal: wide characters and emoji take two, combining marks none."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    shown = [c for c in text if not combining(c) and c not in "\u200d\ufe0f"]
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in shown)


def cut(text: str, width: int) -> str:
    """The text in at most `width` columns."""
    if width_of(text) <= width:
        return text
    kept = text[: max(width - 1, 0)]
    while kept and width_of(kept) > width - 1:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Foreign text folded at spaces to `width` columns; a longer word stands alone on its line."""
    room = max(width - len(indent), 20)
    lines, line = [], ""
    for word in one_line(text).split(" "):
        if line and width_of(line) + 1 + width_of(word) > room:
            lines.append(indent + line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, indent + line] if line else lines


def columns(rows: Iterable[Sequence[str]], width: int, gap: int = 2) -> list[str]:
    """Rows as aligned columns; the last column is cut to what is left of `width` (0: uncut)."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    if not cells:
        return []
    widths = [max(width_of(row[at]) for row in cells) for at in range(len(cells[0]))]
    if width:
        widths = _squeeze(widths, width - gap * (len(widths) - 1))
    return [_row(row, widths, gap) for row in cells]


def _squeeze(widths: list[int], room: int) -> list[int]:
    """Take from the widest column until all fit, but leave each eight columns, or its share of a narrow terminal."""
    widths, least = list(widths), max(1, min(8, room // len(widths)))
    while sum(widths) > room and max(widths) > least:
        at = max(range(len(widths)), key=lambda n: (widths[n], n))
        widths[at] = max(least, widths[at] - max(1, (sum(widths) - room) // 2))
    return widths


def _row(row: Sequence[str], widths: Sequence[int], gap: int) -> str:
    shown = [cut(cell, width) for cell, width in zip(row, widths, strict=True)]
    padded = [cell + " " * (width - width_of(cell)) for cell, width in zip(shown, widths, strict=True)]
    return (" " * gap).join(padded).rstrip()


def scope_name(project: str, branch: str) -> str:
    """`main` in the vault's own project, `@shop:feature/auth` in another."""
    return f"@{project}:{branch}" if project else branch


def age(seconds: float) -> str:
    """How long ago, in the one unit that matters."""
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{count(int(seconds // size), unit)} ago"
    return "just now"


RELATIONS = {
    "updates": "would replace",
    "contradicts": "may contradict",
    "same": "the same as",
    "near": "nearly the same as",
    "rejected": "rejected before:",
    "forgotten": "forgotten before:",
}
"""How a note stands to the proposal beside it."""


def proposal_facts(proposal: "Proposal", beside: Sequence[object] = ()) -> list[tuple[str, str]]:
    """What is known about a proposal besides its text, by name; what is not known is left out."""
    made = f", {when(proposal.created)}" if proposal.created else ""
    facts = (
        ("kind", proposal.kind),
        ("by", f"{proposal.agent or 'a person'}{made}"),
        ("source", proposal.source),
        ("trust", proposal.trust),
        ("goes to", proposal.target),
        ("similar", ", ".join(() if beside else proposal.similar)),
        ("snoozed", f"until {when(proposal.snoozed_until)}" if proposal.snoozed_until else ""),
        ("note", proposal.note),
    )
    return [(name, value) for name, value in facts if value]


def when(created: str) -> str:
    """`2026-11-30T02:21:37` → `2026-11-30 02:21`."""
    return created[:16].replace("T", " ")


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 note`, `3 notes`, `2 entries`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def json_text(value: object, *, ascii_only: bool = False, indent: int | None = 2) -> str:
    """One JSON document, readable by people and in a stable order of keys; with `indent` None on one line."""
    import json

    return json.dumps(value, indent=indent, ensure_ascii=ascii_only, default=str)
