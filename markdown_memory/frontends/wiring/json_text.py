"""Changing one entry of a JSON text and no other byte: order, indentation, numbers and escapes stay as they are.

A place is a path of keys, and of numbers in lists, from the top. What is put in stands last among its neighbours, in
their indentation; taking it out again gives the bytes from before. Only plain JSON is touched: comments and trailing
commas are for a person's hand.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from markdown_memory.errors import FormatError

BLANKS = " \t\r\n"
_DECODER = json.JSONDecoder()

Path = Sequence[str | int]


class Part(NamedTuple):
    """A member of an object (from its key on) or an element of a list, with the place of its value in the text."""

    key: str
    start: int
    value: int
    end: int


def parse(text: str) -> dict[str, Any]:
    """The object that a text holds; nothing at all counts as an empty one. ValueError with the line otherwise."""
    try:
        found = json.loads(text or "{}")
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}: {error.msg}") from None
    if not isinstance(found, dict):
        raise ValueError("line 1: it holds no JSON object")
    return found


def get(document: Any, path: Path) -> Any:
    """The value at a path, None when there is none."""
    for key in path:
        if isinstance(key, int):
            document = document[key] if isinstance(document, list) and key < len(document) else None
        else:
            document = document.get(key) if isinstance(document, dict) else None
    return document


def shown(document: Any) -> str:
    """A value as a person would type it into a settings file."""
    return json.dumps(document, ensure_ascii=False, indent=2)


def put(text: str, path: Sequence[str], value: Any) -> str:
    """Set the member at `path`, and make the objects on the way that are missing."""
    text = text if text.strip(BLANKS) else "{}\n"
    at = _top(text)
    found = Part("", at, at, _end(text, at))
    for depth, key in enumerate(path):
        if text[found.value] != "{":
            raise FormatError(f"{'.'.join(path[:depth])} is no object")
        inner = _part(text, found.value, key)
        if inner is None:
            for outer in reversed(path[depth + 1 :]):
                value = {outer: value}
            return _insert(text, found.value, f"{json.dumps(key, ensure_ascii=False)}: ", value)
        found = inner
    margin = _margin(text, found.start)
    return text[: found.value] + _dump(text, value, margin, "\n" in text) + text[found.end :]


def append(text: str, path: Sequence[str], value: Any) -> str:
    """Add an element to the list at `path`, which is made when it is missing."""
    if get(parse(text), path) is None:
        return put(text, path, [value])
    at = _find(text, path)
    if text[at] != "[":
        raise FormatError(f"{'.'.join(path)} is no list")
    return _insert(text, at, "", value)


def remove(text: str, path: Path) -> str:
    """Take out the member or the element at `path`."""
    above = _find(text, path[:-1])
    parts = _parts(text, above)
    gone = _part(text, above, path[-1])
    number = next(at for at, part in enumerate(parts) if part == gone)
    if len(parts) == 1:
        return text[: above + 1] + text[_end(text, above) - 1 :]
    if number:
        return text[: parts[number - 1].end] + text[parts[number].end :]
    return text[: parts[0].start] + text[parts[1].start :]


# places


def _find(text: str, path: Path) -> int:
    at = _top(text)
    for key in path:
        found = _part(text, at, key)
        if found is None:
            raise KeyError(key)
        at = found.value
    return at


def _top(text: str) -> int:
    return _skip(text, 0)


def _part(text: str, at: int, key: str | int) -> Part | None:
    """What stands under a key or a number; of members with one name the last, since it is the one that counts."""
    parts = _parts(text, at) if text[at] == ("[" if isinstance(key, int) else "{") else []
    if isinstance(key, int):
        return parts[key] if key < len(parts) else None
    return next((part for part in reversed(parts) if part.key == key), None)


def _parts(text: str, at: int) -> list[Part]:
    """What stands between the brackets that open at `at`."""
    parts: list[Part] = []
    named, here = text[at] == "{", _skip(text, at + 1)
    while text[here] not in "}]":
        start, key = here, ""
        if named:
            key, here = _DECODER.raw_decode(text, here)
            here = _skip(text, _skip(text, here) + 1)
        end = _end(text, here)
        parts.append(Part(key, start, here, end))
        here = _skip(text, end)
        if text[here] == ",":
            here = _skip(text, here + 1)
    return parts


def _end(text: str, at: int) -> int:
    return int(_DECODER.raw_decode(text, at)[1])


def _skip(text: str, at: int) -> int:
    while text[at] in BLANKS:
        at += 1
    return at


# writing


def _insert(text: str, at: int, name: str, value: Any) -> str:
    """Put something last between the brackets that open at `at`."""
    parts = _parts(text, at)
    if not parts:
        spread = text.strip(BLANKS) == "{}" or "\n" in text
        margin = _margin(text, at) + _unit(text)
        inner = name + _dump(text, value, margin, spread)
        close = _end(text, at) - 1
        if not spread:
            return text[: at + 1] + inner + text[close:]
        line = _newline(text)
        return f"{text[: at + 1]}{line}{margin}{inner}{line}{_margin(text, at)}{text[close:]}"
    last = parts[-1]
    spread = "\n" in text[parts[-2].end if len(parts) > 1 else at : last.start]
    if spread:
        margin = _margin(text, last.start)
        gap = _newline(text) + margin
    else:
        margin, gap = "", " " if "\n" in text or len(parts) == 1 or text[parts[0].end : parts[1].start] != "," else ""
    return text[: last.end] + "," + gap + name + _dump(text, value, margin, spread) + text[last.end :]


def _dump(text: str, value: Any, margin: str, spread: bool) -> str:
    if not spread:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return (_newline(text) + margin).join(lines)


def _margin(text: str, at: int) -> str:
    """The blanks with which the line begins that holds this place."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """One step of indentation: that of the first line that has one."""
    for line in text.splitlines():
        if line[:1] in (" ", "\t") and line.strip(BLANKS):
            return line[: len(line) - len(line.lstrip(" \t"))]
    return "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
