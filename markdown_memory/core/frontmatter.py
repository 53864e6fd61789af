"""Frontmatter: read with python-frontmatter through a handler of ours, written by byte-exact edits of one key.

A block is a first line `---`, YAML, and a line `---`. Scalars are read as YAML 1.2's core schema reads them, which is
what Obsidian does: `on`, `12:30` and `2026-06-03` are text. A block that does not parse, is no mapping or repeats a key
is a problem to report; it is never rewritten, and no second one is put in front of it.

An edit finds the text of one value by the YAML parser's own marks and replaces just that text (core/yaml_edit.py), so
that comments, order, quotes, line ends, a byte order mark and unknown keys stay; what was edited is read again before
it is handed out.

python-frontmatter's `dump` is not used anywhere: it sorts keys and drops comments. The library is imported where it is
needed, since it takes 20 ms, and so is what only an edit needs; blocks of plain `key: value` lines are read without it
(core/yaml_plain.py).
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from markdown_memory.core import yaml_core, yaml_plain
from markdown_memory.core.problem import Problem
from markdown_memory.core.yaml_core import BrokenYamlError
from markdown_memory.errors import FormatError

BOM = "\ufeff"


class Document(NamedTuple):
    """A note's text in five parts which joined are the text; without frontmatter all but `bom` and `body` are ""."""

    bom: str
    opening: str
    head: str
    closing: str
    body: str

    @property
    def newline(self) -> str:
        """The line end in use: of the block if there is one, else of the first line."""
        text = self.opening or self.body
        at = text.find("\n")
        return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"

    def bytes(self) -> bytes:
        """The file's bytes."""
        return "".join(self).encode("utf-8", "surrogateescape")


def split(data: bytes) -> Document:
    """The parts of a note. Bytes that are not UTF-8 are kept as surrogates and come back unchanged."""
    text = data.decode("utf-8", "surrogateescape")
    bom, text = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    end = text.find("\n") + 1
    if not end or text[:end].rstrip() != "---" or text[:1] != "-":
        return Document(bom, "", "", "", text)
    start = text.find("\n---", end - 1) + 1
    while start:
        stop = text.find("\n", start) + 1 or len(text)
        if text[start:stop].rstrip() == "---":
            return Document(bom, text[:end], text[end:start], text[start:stop], text[stop:])
        start = text.find("\n---", stop - 1) + 1
    return Document(bom, "", "", "", text)


def read(data: bytes) -> tuple[dict[str, Any], str, tuple[Problem, ...]]:
    """The keys, the body, and what is wrong. Of a broken block nothing is read, and the body is the whole text."""
    document = split(data)
    if not document.opening:
        return {}, document.body, _no_block(document.body)
    plain = yaml_plain.mapping(document.head)
    if plain is not None:
        return plain, document.body, ()
    try:
        return _load(document), document.body, ()
    except BrokenYamlError as broken:
        problem = Problem(
            broken.code, "", broken.line, f"{broken}.", "Correct the lines between the two `---` in an editor."
        )
        return {}, "".join(document[1:]), (problem,)


def set_key(data: bytes, key: str, value: object) -> bytes:
    """The note with one key set; every other byte stays. Raises FormatError where that cannot be done safely."""
    return set_keys(data, {key: value})


def remove_key(data: bytes, key: str) -> bytes:
    """The note without one key; no change when it is not there."""
    return set_keys(data, {}, (key,))


def set_keys(data: bytes, changes: Mapping[str, object], remove: Iterable[str] = ()) -> bytes:
    """The note with some keys set and some removed; every other byte stays.

    Values are text, numbers, booleans, None, or lists of these. A key that is there in other letter case is the same
    key, as it is for Obsidian. Raises FormatError for a block that is broken or that writes its keys in a way that one
    value cannot be changed in.
    """
    document = split(data)
    if not document.opening:
        for problem in _no_block(document.body):
            raise FormatError(f"{problem.message} {problem.remedy} Nothing was changed.")
        return _with_new_block(document, changes) if changes else data
    try:
        before = _load(document)
    except BrokenYamlError as broken:
        raise FormatError(f"Line {broken.line}: {broken}. Correct it in an editor; nothing was changed.") from None
    gone = {_as_written(before, key) for key in remove} & before.keys()
    wanted = {_as_written(before, key): _cleaned(value) for key, value in changes.items()}
    wanted = {key: value for key, value in wanted.items() if key not in before or not _same(before[key], value)}
    if not wanted and not gone:
        return data
    from markdown_memory.core import yaml_edit

    head = document.head
    for key in gone:
        head = yaml_edit.without_key(head, key)
    for key, value in wanted.items():
        head = yaml_edit.with_key(head, key, value, document.newline)
    edited = document._replace(head=head)
    _check(edited, {key: value for key, value in before.items() if key not in gone} | wanted)
    return edited.bytes()


def body(data: bytes, broken: bool = False) -> str:
    """What stands below the frontmatter and the empty line behind it; the whole text of a note whose block is broken.

    Bytes that are not UTF-8 are shown as replacement characters. Nothing is parsed, so `broken` must be told.
    """
    document = split(data)
    return printable("".join(document[1:]) if broken else document.body[_gap(document) :])


def set_body(data: bytes, text: str) -> bytes:
    """The note with another body and the same frontmatter; its line ends and the empty line above it stay.

    What `body` gave puts back the same bytes. Raises FormatError for a note that is not UTF-8 and for an open block.
    """
    document = split(data)
    for problem in () if document.opening else _no_block(document.body):
        raise FormatError(f"{problem.message} {problem.remedy} Nothing was changed.")
    gap = _gap(document)
    if text in (document.body, document.body[gap:]):
        return data
    if not is_utf8(document.body):
        raise FormatError("The note is not UTF-8; save it as UTF-8 in an editor before its text is changed.")
    fresh = printable(text).replace("\r\n", "\n")
    above = "" if fresh.startswith("\n") else document.body[:gap].replace("\r\n", "\n")
    if not document.opening and split(fresh.encode()).opening:
        above = "\n"
    closing = document.closing
    if closing and not closing.endswith("\n"):
        closing += document.newline
    return document._replace(body=(above + fresh).replace("\n", document.newline), closing=closing).bytes()


def new(front: Mapping[str, object], body: str) -> bytes:
    """A fresh note: a block with these keys in this order, an empty line, the body."""
    head = _fresh(front, "\n")
    gap = "" if not body or body.startswith("\n") else "\n"
    return f"---\n{head}---\n{gap}{printable(body)}".encode()


def printable(text: str) -> str:
    """The text with U+FFFD for what no UTF-8 file can hold."""
    return text if is_utf8(text) else "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


def is_utf8(text: str) -> bool:
    """Whether the bytes behind a text that `split` gave were UTF-8."""
    try:
        text.encode()  # it refuses exactly the surrogates, far faster than looking at each character
    except UnicodeEncodeError:
        return False
    return True


def _load(document: Document) -> dict[str, Any]:
    import frontmatter

    text = f"---\n{document.head}---\n"
    front, _ = frontmatter.parse(text, handler=_handler())
    return front


@cache
def _handler() -> Any:
    import re

    from frontmatter.default_handlers import BaseHandler

    class Handler(BaseHandler):
        """Hands the block to our loader, and leaves the body to `split`."""

        FM_BOUNDARY = re.compile(r"^---$", re.MULTILINE)
        START_DELIMITER = END_DELIMITER = "---"

        def detect(self, text: str) -> bool:
            return True

        def split(self, text: str) -> tuple[str, str]:
            return text[4:].removesuffix("---"), ""

        def load(self, fm: str) -> dict[str, Any]:
            return yaml_core.mapping(fm)

    return Handler()


def _no_block(text: str) -> tuple[Problem, ...]:
    """What is wrong with a text that begins like a block and is none."""
    first, _, rest = text[:2000].replace("\r\n", "\n").partition("\n")
    if first.startswith("---\r"):
        message = "The lines end in carriage returns alone, which no reader of frontmatter understands."
        return (Problem("note-line-ends", "", 1, message, "Save the file with another line end."),)
    lines = rest.split("\n")
    key, colon, _ = lines[0].partition(":")
    if first.rstrip() != "---" or not colon or not key or " " in key.strip():
        return ()
    if any(line.rstrip() == "..." for line in lines):
        message, remedy = "The frontmatter is closed by `...`, which Obsidian does not read.", "Close it with `---`."
    else:
        message, remedy = "The frontmatter is opened by `---` and never closed.", "Add `---` below the last key."
    return (Problem("note-frontmatter-unclosed", "", 1, message, remedy),)


def _as_written(front: Mapping[str, object], key: str) -> str:
    """The key as the block has it: Obsidian takes `Tags` and `tags` for one property."""
    if key in front:
        return key
    same = [one for one in front if one.casefold() == key.casefold()]
    return same[0] if len(same) == 1 else key


def _cleaned(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return printable(value) if isinstance(value, str) else value


def _same(one: object, other: object) -> bool:
    return repr(one) == repr(other)


def _gap(document: Document) -> int:
    """How long the empty line between frontmatter and text is."""
    if not document.opening:
        return 0
    return 2 if document.body.startswith("\r\n") else 1 if document.body.startswith("\n") else 0


def _fresh(values: Mapping[str, object], newline: str) -> str:
    from markdown_memory.core import yaml_edit, yaml_text

    return "".join(yaml_text.line(key, value, newline, key in yaml_edit.DATE_KEYS) for key, value in values.items())


def _with_new_block(document: Document, changes: Mapping[str, object]) -> bytes:
    newline = document.newline
    head = _fresh(changes, newline)
    fence = f"---{newline}"
    gap = "" if not document.body or document.body.startswith(("\n", "\r\n")) else newline
    return Document(document.bom, fence, head, fence, gap + document.body).bytes()


def _check(edited: Document, wanted: Mapping[str, object]) -> None:
    again = split(edited.bytes())
    try:
        found = _load(again)
    except BrokenYamlError as broken:
        raise FormatError(f"The frontmatter cannot be edited safely ({broken}); nothing was changed.") from None
    if again.body != edited.body or repr(_sorted(found)) != repr(_sorted(wanted)):
        raise FormatError("The frontmatter cannot be edited safely by a program; change it in an editor.")


def _sorted(front: Mapping[str, object]) -> list[tuple[str, object]]:
    return sorted(((key, "" if value is None else value) for key, value in front.items()), key=lambda pair: pair[0])
