"""YAML 1.2's core schema (https://yaml.org/spec/1.2.2/#103-core-schema) over PyYAML, made safe for files from anywhere.

PyYAML's own schema is 1.1's, in which `on` is true, `12:30` is 750 and `2026-06-03` a date; and it ends lines at three
characters at which 1.2 does not (U+0085, U+2028, U+2029), so these are hidden from it. What could exhaust stack or
memory (deep nesting, aliases that multiply) is refused before or after parsing, in time proportional to the text. A key
that stands twice is an error. PyYAML takes 14 ms to import, so it is imported where it is needed.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import yaml

MAX_LENGTH = 65536
MAX_VALUES = 5000
MAX_DEPTH = 60
_NULLS = ("~", "null", "Null", "NULL", "")
_KINDS = (
    ("null", r"~|null|Null|NULL|", ("~", "n", "N", "")),
    ("bool", r"true|True|TRUE|false|False|FALSE", tuple("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", tuple("-+0123456789")),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        tuple("-+.0123456789"),
    ),
)
_HIDDEN = {0x85: 0x10FF85, 0x2028: 0x10F028, 0x2029: 0x10F029}
_SHOWN = {hidden: shown for shown, hidden in _HIDDEN.items()}


class BrokenYamlError(Exception):
    """Why a block cannot be read: a problem's code, a sentence without full stop, and the line in the file."""

    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(message)
        self.code, self.line = code, line


class WrittenInt(int):
    """A whole number that prints as it was written: 007."""

    def __new__(cls, value: int, text: str) -> "WrittenInt":
        self = super().__new__(cls, value)
        self.text = text
        return self

    text: str

    def __str__(self) -> str:
        return self.text


class WrittenFloat(float):
    """A number that prints as it was written: 1.10 is often a version."""

    def __new__(cls, value: float, text: str) -> "WrittenFloat":
        self = super().__new__(cls, value)
        self.text = text
        return self

    text: str

    def __str__(self) -> str:
        return self.text


def mapping(head: str) -> dict[str, Any]:
    """The keys and values of a block. Raises BrokenYamlError."""
    _guard(head)
    node = compose(head)
    if node is None or is_null(node):
        return {}
    _check_shape(node)
    value = _construct(node, {}, 0)
    if _size(value) > MAX_VALUES:
        raise BrokenYamlError("note-yaml-too-large", "The frontmatter holds more values than can be read safely", 1)
    return dict(value)


def _guard(head: str) -> None:
    """Refuse what could exhaust the parser's stack or memory before it is started."""
    if len(head) > MAX_LENGTH:
        raise BrokenYamlError("note-yaml-too-large", f"The frontmatter is longer than {MAX_LENGTH} characters", 1)
    if not head.isascii() and any("\ud800" <= char <= "\udfff" for char in head):
        raise BrokenYamlError("note-yaml-not-utf8", "The frontmatter has bytes that are not UTF-8", 1)
    brackets = head.count("[") + head.count("{")
    if brackets > MAX_DEPTH and _nesting(head) > MAX_DEPTH:
        raise BrokenYamlError("note-yaml-too-deep", "The frontmatter is nested too deeply to be read safely", 1)
    for number, line in enumerate(head.split("\n"), 2):
        marks = line[: len(line) - len(line.lstrip(" -?"))]
        if marks.count("- ") + marks.count("? ") > MAX_DEPTH:
            raise BrokenYamlError(
                "note-yaml-too-deep", "The frontmatter is nested too deeply to be read safely", number
            )


def _nesting(head: str) -> int:
    depth = deepest = 0
    for char in head:
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def compose(head: str) -> Any:
    """The node tree with its marks, which count characters; None for an empty block. Raises BrokenYamlError."""
    import yaml

    try:
        return yaml.compose(head if head.isascii() else head.translate(_HIDDEN), Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(str(error.problem or error.context or "it cannot be read").split())
        line = (mark.line if mark else 0) + 2
        raise BrokenYamlError("note-yaml-broken", f"The frontmatter is not valid YAML: {what}", line) from None
    except yaml.reader.ReaderError as error:
        line = head.encode()[: error.position].count(b"\n") + 2
        what = f"the character U+{error.character:04X} is not allowed"
        raise BrokenYamlError("note-yaml-broken", f"The frontmatter is not valid YAML: {what}", line) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        what = " ".join(str(error).split())
        raise BrokenYamlError("note-yaml-broken", f"The frontmatter is not valid YAML: {what}", 1) from None


def _check_shape(node: "yaml.Node") -> None:
    import yaml

    if not isinstance(node, yaml.MappingNode):
        kind = "a list" if isinstance(node, yaml.SequenceNode) else "plain text"
        raise BrokenYamlError("note-yaml-no-mapping", f"The frontmatter is {kind} and not keys with values", 2)
    seen: set[str] = set()
    for key, _ in node.value:
        line = key.start_mark.line + 2
        if not isinstance(key, yaml.ScalarNode):
            raise BrokenYamlError("note-yaml-no-mapping", "A key of the frontmatter is not plain text", line)
        if key.value in seen:
            message = f"The key {shown(key.value)!r} stands twice in the frontmatter"
            raise BrokenYamlError("note-yaml-duplicate-key", message, line)
        seen.add(key.value)


@cache
def _loader() -> Any:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class CoreLoader(base):  # type: ignore[misc]  # the base is chosen when it is there
        """YAML 1.2's core schema (https://yaml.org/spec/1.2.2/#103-core-schema), keys as text."""

        yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, object]]]] = {}

    for (kind, _, firsts), (_, pattern) in zip(_KINDS, _patterns(), strict=True):
        CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", pattern, list(firsts))
    return CoreLoader


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(f"^(?:{pattern})$")) for kind, pattern, _ in _KINDS)


def plain_scalar(text: str) -> object:
    """The value of text that stands without quotes."""
    return _scalar_of(next((kind for kind, pattern in _patterns() if pattern.match(text)), "str"), text)


def _construct(node: Any, shared: dict[int, Any], depth: int) -> Any:
    """A value from a node; an alias is the same object as its anchor."""
    if node.id == "scalar":
        return _scalar_of(node.tag.rpartition(":")[2], shown(node.value))
    if id(node) in shared:
        return shared[id(node)]
    line = node.start_mark.line + 2
    if depth > MAX_DEPTH:
        raise BrokenYamlError("note-yaml-too-deep", "The frontmatter is nested too deeply to be read safely", line)
    if node.id == "sequence":
        items: list[Any] = []
        shared[id(node)] = items
        for child in node.value:
            items.append(_construct(child, shared, depth + 1))
        return items
    pairs: dict[str, Any] = {}
    shared[id(node)] = pairs
    for key, value in node.value:
        if key.id != "scalar":
            raise BrokenYamlError("note-yaml-no-mapping", "A key of the frontmatter is not plain text", line)
        pairs[shown(key.value)] = _construct(value, shared, depth + 1)
    return pairs


def value_of(node: Any) -> Any:
    """The value that a node stands for. Raises BrokenYamlError for what is nested too deeply."""
    return _construct(node, {}, 0)


def shown(text: str) -> str:
    """Text as the file has it, with the line separators that were hidden from the parser."""
    return text if text.isascii() else text.translate(_SHOWN)


def _scalar_of(kind: str, text: str) -> object:
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    try:
        if kind == "int" and len(text) < 40:
            whole = int(text, 0) if text[:2] in ("0x", "0o") else int(text)
            return whole if str(whole) == text else WrittenInt(whole, text)
        if kind == "float":
            number = float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
            return number if str(number) == text else WrittenFloat(number, text)
    except ValueError:
        return text
    return text


def _size(value: object, budget: int = MAX_VALUES + 1) -> int:
    """How many values there are with aliases followed, counted no further than the budget."""
    stack, count = [value], 0
    while stack and count < budget:
        item = stack.pop()
        count += 1
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return count


def is_null(node: Any) -> bool:
    """Whether a node stands for nothing."""
    return node.id == "scalar" and node.style is None and node.value in _NULLS
