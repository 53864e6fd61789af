"""One key's text in a block of YAML, found by the parser's own marks, replaced or taken out.

Only the text of the value changes. Of a list in block style only the lines of the items that differ do; of a list in
brackets the items that stay keep their quotes. What has no such place (an alias, a key behind `?`, a block in braces)
is refused. The caller reads the result again before it trusts it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from markdown_memory.core import yaml_core, yaml_text
from markdown_memory.errors import FormatError

DATE_KEYS = ("created", "updated", "valid_from", "valid_until", "date", "due")


class Pair(NamedTuple):
    """A key's node, its value's node, and where the value's text begins (behind the colon) and ends."""

    name: Any
    value: Any
    start: int
    end: int


def with_key(head: str, key: str, value: object, newline: str) -> str:
    """The block with a key set to a value; a new key goes below the last line."""
    pair = _find(head, key)
    if pair is None:
        return _appended(head, key, value, newline)
    wanted = list(value) if isinstance(value, list | tuple) else None
    if wanted and pair.value.id == "sequence" and all(item.id == "scalar" for item in pair.value.value):
        return _relisted(head, pair, wanted, newline)
    if wanted and pair.start == pair.end:
        at = _next_line(head, pair.end)
        return head[:at] + yaml_text.after_colon(wanted, newline).removeprefix(newline) + newline + head[at:]
    was_date = pair.value.id == "scalar" and pair.value.style is None and yaml_text.is_date(pair.value.value)
    text = yaml_text.after_colon(value, newline, dated=was_date or key in DATE_KEYS)
    return head[: pair.start] + text + head[pair.end :]


def without_key(head: str, key: str) -> str:
    """The block without a key and its value, down to the end of that line."""
    pair = _find(head, key)
    if pair is None:
        return head
    start = head.rfind("\n", 0, pair.name.start_mark.index) + 1
    return head[:start] + head[_next_line(head, pair.end) :]


def sections(head: str) -> list[tuple[str, str]]:
    """The block cut at its keys: each key with its lines, and with the comments below them; joined they are the block.

    What stands above the first key has the key "". Raises BrokenYamlError for what is no YAML, FormatError for a block
    in braces and for keys that do not begin a line.
    """
    root = yaml_core.compose(head)
    if root is None or yaml_core.is_null(root):
        return [("", head)] if head else []
    if root.id != "mapping" or root.flow_style:
        raise FormatError("The frontmatter is not written as one key below the other.")
    starts = [name.start_mark.index for name, _ in root.value]
    indent = root.start_mark.column
    lines = [head.rfind("\n", 0, start) + 1 for start in starts]
    for start, line in zip(starts, lines, strict=True):
        if head[line:start] != " " * indent:
            raise FormatError("The frontmatter is not written as one key below the other.")
    cut = [("", head[: lines[0]])] if lines[0] else []
    ends = [*lines[1:], len(head)]
    names = [yaml_core.shown(name.value) for name, _ in root.value]
    return cut + [(name, head[line:end]) for name, line, end in zip(names, lines, ends, strict=True)]


def _find(head: str, key: str) -> Pair | None:
    root = yaml_core.compose(head)
    if root is None or yaml_core.is_null(root):
        return None
    for name, value in root.value:
        if yaml_core.shown(name.value) == key:
            return _placed(head, name, value)
    return None


def _placed(head: str, name: Any, value: Any) -> Pair:
    behind: int = name.end_mark.index
    colon = head.find(":", behind)
    explicit = head[: name.start_mark.index].rstrip(" ").endswith("?")
    if colon < 0 or head[behind:colon].strip() or explicit:
        raise FormatError(f"The key {name.value!r} is written in a way that a program cannot change safely.")
    if value.start_mark.index < behind:
        raise FormatError(f"The value of {name.value!r} is an alias of another; change it in an editor.")
    end = max(colon + 1, _leaf_end(value))
    return Pair(name, value, colon + 1, colon + 1 + len(head[colon + 1 : end].rstrip()))


def _leaf_end(node: Any) -> int:
    """Where the last leaf ends; a block's own end mark also takes the comments behind it."""
    if node.id == "scalar" or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _leaf_end(last[1] if node.id == "mapping" else last)


def _appended(head: str, key: str, value: object, newline: str) -> str:
    root = yaml_core.compose(head)
    if root is None or root.id != "mapping":
        return head + yaml_text.line(key, value, newline, dated=key in DATE_KEYS)
    if root.flow_style:
        raise FormatError("The frontmatter is written in braces; a program cannot add to it safely.")
    indent: str = " " * root.start_mark.column
    line = yaml_text.line(key, value, newline + indent, dated=key in DATE_KEYS)
    return head + indent + line.removesuffix(indent)


def _relisted(head: str, pair: Pair, wanted: Sequence[object], newline: str) -> str:
    nodes = pair.value.value
    had = [repr(yaml_core.value_of(node)) for node in nodes]
    if pair.value.flow_style:
        kept = {
            value: head[node.start_mark.index : node.end_mark.index] for value, node in zip(had, nodes, strict=True)
        }
        items = [kept.get(repr(one)) or yaml_text.scalar(one, flow=True) for one in wanted]
        return f"{head[: pair.start]} [{', '.join(items)}]{head[pair.end :]}"
    starts = [_line_of_item(head, node, pair.start) for node in nodes]
    indent = " " * pair.value.start_mark.column
    lines = [f"{indent}- {yaml_text.scalar(one)}{newline}" for one in wanted]
    if None in starts:
        text = newline + "".join(lines).removesuffix(newline)
        return head[: pair.start] + text + head[pair.end :]
    return _spliced(head, nodes, [at for at in starts if at is not None], lines, _steps(had, wanted))


def _steps(had: Sequence[str], wanted: Sequence[object]) -> Iterable[tuple[str, int, int, int, int]]:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, had, [repr(one) for one in wanted], autojunk=False).get_opcodes()


def _spliced(
    head: str,
    nodes: Sequence[Any],
    starts: list[int],
    lines: Sequence[str],
    steps: Iterable[tuple[str, int, int, int, int]],
) -> str:
    """The block with lines of items taken out, put in, or given another value."""
    ends = [_next_line(head, node.end_mark.index) for node in nodes]
    out: list[str] = []
    at = 0
    for step, low, high, new_low, new_high in steps:
        here = starts[low] if low < len(starts) else ends[-1]
        if step == "replace" and high - low == new_high - new_low:
            for node, line in zip(nodes[low:high], lines[new_low:new_high], strict=True):
                value = line.lstrip(" ")[2:].rstrip("\r\n")
                out += (head[at : node.start_mark.index], value)
                at = node.end_mark.index
        elif step != "equal":
            out += (head[at:here], *lines[new_low:new_high])
            at = ends[high - 1] if high > low else here
    return "".join((*out, head[at:]))


def _line_of_item(head: str, node: Any, after: int) -> int | None:
    """Where the line `- item` begins; None when the item is not written on its dash's own line."""
    at = head.rfind("\n", 0, node.start_mark.index) + 1
    before = head[at : node.start_mark.index]
    return at if at > after and before.strip() == "-" else None


def _next_line(head: str, at: int) -> int:
    """Where the line after the one of a value's end begins; a block scalar's end is the begin of a line already."""
    if at and head[at - 1] == "\n":
        return at
    return head.find("\n", at) + 1 or len(head)
