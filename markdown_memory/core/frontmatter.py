"""Frontmatter: read with python-frontmatter through a handler of ours, written by byte-exact edits of one key.

A block is a first line `---`, YAML, and a line `---`. Scalars are read as YAML 1.2's core schema reads them, which is
what Obsidian does: `on`, `12:30` and `2026-06-03` are text. A block that does not parse, is no mapping or repeats a key
is a problem to report; it is never rewritten, and no second one is put in front of it.

An edit finds the text of one value by the YAML parser's own marks and replaces just that text, so that comments, order,
quotes, line ends, a byte order mark and unknown keys stay; what was edited is read again before it is handed out.

python-frontmatter's `dump` is not used anywhere: it sorts keys and drops comments. The library is imported where it is
needed, since it takes 20 ms.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from markdown_memory.core import yaml_core, yaml_text
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
    start = end
    while start < len(text):
        stop = text.find("\n", start) + 1 or len(text)
        line = text[start:stop]
        if line.startswith("---") and line.rstrip() == "---":
            return Document(bom, text[:end], text[end:start], line, text[stop:])
        start = stop
    return Document(bom, "", "", "", text)


def read(data: bytes) -> tuple[dict[str, Any], str, tuple[Problem, ...]]:
    """The keys, the body, and what is wrong. Of a broken block nothing is read, and the body is the whole text."""
    document = split(data)
    if not document.opening:
        return {}, document.body, _unclosed(document.body)
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

    Values are text, numbers, booleans, None, or lists of these. Raises FormatError for a block that is broken or that
    writes its keys in a way that one value cannot be changed in.
    """
    gone = tuple(remove)
    document = split(data)
    if not document.opening:
        if _unclosed(document.body):
            raise FormatError(
                "The frontmatter has no closing `---`; close it in an editor before its keys are changed."
            )
        return _with_new_block(document, changes) if changes else data
    try:
        before = _load(document)
    except BrokenYamlError as broken:
        raise FormatError(f"Line {broken.line}: {broken}. Correct it in an editor; nothing was changed.") from None
    head = document.head
    for key in gone:
        head = _without(head, key) if key in before else head
    for key, value in changes.items():
        head = _with(head, key, value, document.newline)
    edited = document._replace(head=head)
    _check(edited, {key: value for key, value in before.items() if key not in gone} | dict(changes))
    return edited.bytes()


def set_body(data: bytes, body: str) -> bytes:
    """The note with another body and the same frontmatter; line ends follow the file's."""
    document = split(data)
    if not document.opening and _unclosed(document.body):
        raise FormatError("The frontmatter has no closing `---`; close it in an editor before the text is changed.")
    text = body.replace("\r\n", "\n")
    if document.newline == "\r\n":
        text = text.replace("\n", "\r\n")
    closing = document.closing
    if closing and not closing.endswith("\n"):
        closing += document.newline
    return document._replace(body=text, closing=closing).bytes()


def new(front: Mapping[str, object], body: str) -> bytes:
    """A fresh note: a block with these keys in this order, an empty line, the body."""
    head = "".join(yaml_text.line(key, value, "\n") for key, value in front.items())
    gap = "" if not body or body.startswith("\n") else "\n"
    return f"---\n{head}---\n{gap}{body}".encode("utf-8", "surrogateescape")


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


def _unclosed(body: str) -> tuple[Problem, ...]:
    """A first line `---` that no second one closes, followed by what looks like a key."""
    first, _, rest = body.partition("\n")
    second = rest.partition("\n")[0]
    key, colon, _ = second.partition(":")
    if first.rstrip() != "---" or not colon or not key or " " in key.strip():
        return ()
    message = "The frontmatter is opened by `---` and never closed."
    return (Problem("note-frontmatter-unclosed", "", 1, message, "Add a line `---` below the last key."),)


def _with(head: str, key: str, value: object, newline: str) -> str:
    pair = _pair(head, key)
    if pair is None:
        return _appended(head, key, value, newline)
    _, node = pair
    start, end = _value_span(head, pair)
    if isinstance(value, list | tuple) and node.id == "sequence" and not node.flow_style and value:
        column = node.start_mark.column
        text = "".join(f"{newline}{' ' * column}- {yaml_text.scalar(item)}" for item in value)
        return head[:start] + text + head[end:]
    flow = node.id == "sequence" and node.flow_style
    return head[:start] + yaml_text.after_colon(value, newline, flow) + head[end:]


def _appended(head: str, key: str, value: object, newline: str) -> str:
    root = yaml_core.compose(head)
    if root is not None and root.id == "mapping" and root.flow_style:
        raise FormatError("The frontmatter is written in braces on one line; nothing can be added to it safely.")
    return head + yaml_text.line(key, value, newline)


def _without(head: str, key: str) -> str:
    pair = _pair(head, key)
    if pair is None:
        return head
    name, _ = pair
    _, end = _value_span(head, pair)
    start = name.start_mark.index - name.start_mark.column
    stop = head.find("\n", end) + 1 or len(head)
    return head[:start] + head[stop:]


def _pair(head: str, key: str) -> Any:
    root = yaml_core.compose(head)
    if root is None or yaml_core.is_null(root):
        return None
    for pair in root.value:
        if pair[0].value == key:
            return pair
    return None


def _value_span(head: str, pair: Any) -> tuple[int, int]:
    """From behind the colon to the end of the value's own text."""
    name, node = pair
    colon = head.find(":", name.end_mark.index)
    between = head[name.end_mark.index : colon]
    if colon < 0 or between.strip() or head[max(0, name.start_mark.index - 2) : name.start_mark.index] == "? ":
        raise FormatError(f"The key {name.value!r} is written in a way that cannot be changed safely.")
    start = colon + 1
    end = max(start, _leaf_end(head, node))
    return start, start + len(head[start:end].rstrip())


def _leaf_end(head: str, node: Any) -> int:
    """Where the last leaf ends; a block's own end mark also takes the comments behind it."""
    if node.id == "scalar" or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _leaf_end(head, last[1] if node.id == "mapping" else last)


def _with_new_block(document: Document, changes: Mapping[str, object]) -> bytes:
    newline = document.newline
    head = "".join(yaml_text.line(key, value, newline) for key, value in changes.items())
    fence = f"---{newline}"
    gap = "" if not document.body or document.body.startswith(("\n", "\r\n")) else newline
    return Document(document.bom, fence, head, fence, gap + document.body).bytes()


def _check(edited: Document, wanted: Mapping[str, object]) -> None:
    again = split(edited.bytes())
    expected = {key: list(value) if isinstance(value, tuple) else value for key, value in wanted.items()}
    try:
        found = _load(again)
    except BrokenYamlError as broken:
        raise FormatError(f"The frontmatter cannot be edited safely ({broken}); nothing was changed.") from None
    if again.body != edited.body or repr(_sorted(found)) != repr(_sorted(expected)):
        raise FormatError("The frontmatter cannot be edited safely by a program; change it in an editor.")


def _sorted(front: Mapping[str, object]) -> list[tuple[str, object]]:
    return sorted(((key, "" if value is None else value) for key, value in front.items()), key=lambda pair: pair[0])
