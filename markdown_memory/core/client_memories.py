"""What coding agents write into memory folders of their own, read as notes.

- Claude Code keeps one note for each file, with `name`, `description` and a type in its frontmatter, which older
  versions wrote as `type` and newer ones as `metadata.type`.
- Codex and OpenClaw keep one file, whose parts stand below headings.
- Hermes parts its entries by a line with `§`.

Comments are the programs' own marks and are left out.
"""

import re
from typing import Any, NamedTuple

from markdown_memory.core import frontmatter
from markdown_memory.core.markdown import first_sentence
from markdown_memory.core.masking import mask

TYPES = ("user", "feedback", "project", "reference")
NOTE, HEADINGS, ENTRIES = "note", "headings", "entries"
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_HEADING = re.compile(r"^#{1,3} +(.+?) *#*$", re.MULTILINE)


class Remembered(NamedTuple):
    """One thing that a client remembers."""

    name: str
    type: str
    description: str
    text: str


def read(form: str, data: bytes, name: str, type: str = "project") -> list[Remembered]:
    """The notes in a file of that form; `name` is the file's stem, `type` what is taken where it says none."""
    if form == NOTE:
        front, body, _ = frontmatter.read(data)
        return [_note(front, body, name, type)] if _plain(body) else []
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    parts = _entries(text) if form == ENTRIES else _below_headings(text)
    return [
        Remembered(_name(title or first_sentence(part), name, number), type, _line(title or first_sentence(part)), part)
        for number, (title, part) in enumerate(((title, _plain(part)) for title, part in parts), 1)
        if part
    ]


def _note(front: dict[str, Any], body: str, name: str, type: str) -> Remembered:
    inner = front.get("metadata")
    said = (inner.get("type") if isinstance(inner, dict) else None) or front.get("type")
    kind = said if said in TYPES else type
    description = front.get("description")
    described = description if isinstance(description, str) else first_sentence(body)
    named = front.get("name")
    return Remembered(_line(named if isinstance(named, str) else name)[:80], kind, _line(described), _plain(body))


def _below_headings(text: str) -> list[tuple[str, str]]:
    """The parts of a file, each with the heading above it."""
    marks = list(_HEADING.finditer(mask(text)))
    ends = [*(match.start() for match in marks[1:]), len(text)]
    parts = [("", text[: marks[0].start()] if marks else text)]
    parts += [
        (text[match.start(1) : match.end(1)], text[match.end() : end]) for match, end in zip(marks, ends, strict=False)
    ]
    return parts


def _entries(text: str) -> list[tuple[str, str]]:
    return [("", part) for part in text.split("\n§\n")]


def _plain(text: str) -> str:
    return frontmatter.printable(_COMMENT.sub("", text)).strip()


def _line(text: str) -> str:
    return " ".join(frontmatter.printable(text).split())[:200]


def _name(title: str, stem: str, number: int) -> str:
    words = "".join(char if char.isalnum() else " " for char in title).split()
    return "-".join(words[:8]).lower()[:60] or f"{stem}-{number}"
