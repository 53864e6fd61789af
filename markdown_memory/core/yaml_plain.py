"""The plain frontmatter that most notes have, read without a YAML parser.

A block of nothing but `key: value` lines, block lists of such values and `[a, b]` needs no parser, and reading it here
saves the 35 ms that PyYAML and python-frontmatter take to import. What is accepted is a strict part of YAML in which
nothing can be mistaken; for anything else the answer is None and the parser is asked. A property test compares the two.
"""

import re
from functools import cache

from markdown_memory.core.yaml_core import MAX_LENGTH, MAX_VALUES, plain_scalar


def mapping(head: str) -> dict[str, object] | None:
    """The keys and values of a block in which every line is plain; None when one is not."""
    if len(head) > MAX_LENGTH or (head and not head.endswith("\n")):
        return None
    front: dict[str, object] = {}
    items: list[object] | None = None
    indent = last = ""
    lines = head.split("\n")[:-1]
    if len(lines) + head.count(",") > MAX_VALUES // 2:
        return None
    for line in lines:
        match = _line().fullmatch(line.removesuffix("\r"))
        if not match or not match[0].isprintable():
            return None
        key, value, dash, item = match.groups()
        if key is not None:
            if key in front:
                return None
            items = [] if value is None else None
            front[key] = None if value is None else _value(value)
            last = key
        elif items is None or (items and dash != indent):
            return None
        else:
            indent = dash
            items.append(_value(item))
            front[last] = items
    return front


@cache
def _line() -> re.Pattern[str]:
    """`key: value`, `key:` or `- item`; a value is a word-like start and no ` #`, `: ` or colon at the end."""
    plain = r"[^\W_](?:[^\s:]|:(?=\S)| (?=[^\s#]))*"
    quoted = r"\"[^\"\\\n]*\"|'[^'\n]*'"
    word = r"[^\W\d_][\w/.-]*"
    flow = rf"\[\]|\[{word}(?:, {word})*\]"
    return re.compile(rf"([A-Za-z][\w-]{{0,99}}):(?: ({plain}|{quoted}|{flow}))?|( {{0,8}})- ({plain}|{quoted})")


def _value(text: str) -> object:
    if text[0] in "\"'":
        return text[1:-1]
    if text[0] == "[":
        return [plain_scalar(word) for word in text[1:-1].split(", ") if word]
    return plain_scalar(text)
