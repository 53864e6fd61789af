"""The stretches of a note that get a vector each: all of its text, in pieces that a small model can take in.

A passage holds whole paragraphs up to about `LENGTH` characters, under the note's name and the heading that
they stand under. `VERSION` is part of what a vector file remembers: another text form needs other vectors.
"""

import re
from collections.abc import Iterator

from markdown_memory.search.documents import searchable
from markdown_memory.search.port import Doc

VERSION = 1
LENGTH = 800
_PARAGRAPH = re.compile(r"\n\s*\n")
_HEADING = re.compile(r"#{1,6}\s+(.*)")


def passages(doc: Doc) -> list[str]:
    """The passages of one note in order; at least one, of its name."""
    header = doc.header
    body = searchable(doc).strip()
    lead = "" if header.description.rstrip("….") in body else header.description
    found = [f"{header.name}: {text}" for text in _pieces("\n\n".join(part for part in (lead, body) if part))]
    return found or [header.name]


def _pieces(text: str) -> Iterator[str]:
    heading, held = "", ""
    for paragraph in _paragraphs(text):
        if found := _HEADING.match(paragraph):
            if held:
                yield _under(heading, held)
            heading, held = found[1].strip(), paragraph.partition("\n")[2].strip()
            continue
        if held and len(held) + len(paragraph) > LENGTH:
            yield _under(heading, held)
            held = ""
        held = f"{held}\n{paragraph}" if held else paragraph
    if held or heading:
        yield _under(heading, held)


def _under(heading: str, text: str) -> str:
    return f"{heading}: {text}" if heading and text else heading or text


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in _PARAGRAPH.split(text):
        rest = paragraph.strip()
        while len(rest) > LENGTH:
            cut = max(rest.rfind(mark, LENGTH // 2, LENGTH) for mark in ("\n", ". ", " ")) + 1 or LENGTH
            yield rest[:cut].strip()
            rest = rest[cut:].strip()
        if rest:
            yield rest
