"""Frontmatter: read with python-frontmatter through a handler of ours, written by byte-exact edits of one key.

A block is a first line `---`, YAML, and a line `---`. Scalars are read as YAML 1.2's core schema reads them, which is
what Obsidian does: `on`, `12:30` and `2026-06-03` are text. A block that does not parse, is no mapping or repeats a key
is a problem to report; it is never rewritten, and no second one is put in front of it.

An edit finds the text of one value by the YAML parser's own marks and replaces just that text, so that comments, order,
quotes, line ends, a byte order mark and unknown keys stay; what was edited is read again before it is handed out.

python-frontmatter's `dump` is not used anywhere: it sorts keys and drops comments. PyYAML takes 14 ms to import, so it
is imported where it is needed.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from markdown_memory.core.problem import Problem
from markdown_memory.errors import FormatError

if TYPE_CHECKING:
    import yaml

BOM = "\ufeff"
MAX_HEAD = 65536
MAX_VALUES = 5000
MAX_DEPTH = 60
_NULLS = ("~", "null", "Null", "NULL", "")
_YAML_11_WORDS = frozenset(
    "y n yes no on off true false null ~ = << .inf -.inf +.inf .nan".split()  # as any case
)
_BAD_START = frozenset("[]{},#&*!|>'\"%@`?:- \t=<")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


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


class _Broken(Exception):
    """Why a block cannot be read, with the line in the file."""

    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(message)
        self.code, self.line = code, line


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
    except _Broken as broken:
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
            raise FormatError("The frontmatter has no closing `---`; close it in an editor before its keys are changed.")
        return _with_new_block(document, changes) if changes else data
    try:
        before = _load(document)
    except _Broken as broken:
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
    head = "".join(_line(key, value, "\n") for key, value in front.items())
    gap = "" if not body or body.startswith("\n") else "\n"
    return f"---\n{head}---\n{gap}{body}".encode("utf-8", "surrogateescape")


def scalar(value: object, *, flow: bool = False) -> str:
    """One value as YAML text that readers of 1.1 and of 1.2 take for the same."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    text = str(value)
    return text if _plain(text, flow) else _quoted(text)


def _load(document: Document) -> dict[str, Any]:
    import frontmatter

    text = f"---\n{document.head}---\n"
    front, _ = frontmatter.parse(text, handler=_handler())
    return {str(key): value for key, value in front.items()}


@cache
def _handler() -> Any:
    import re

    from frontmatter.default_handlers import BaseHandler

    class Handler(BaseHandler):  # type: ignore[misc]  # python-frontmatter ships no types
        """Hands the block to our loader, and leaves the body to `split`."""

        FM_BOUNDARY = re.compile(r"^---$", re.MULTILINE)
        START_DELIMITER = END_DELIMITER = "---"

        def detect(self, text: str) -> bool:
            return True

        def split(self, text: str) -> tuple[str, str]:
            return text[4:].removesuffix("---"), ""

        def load(self, fm: str) -> dict[object, object]:
            return _mapping(fm)

    return Handler()


def _mapping(head: str) -> dict[object, object]:
    _guard(head)
    node = _compose(head)
    if node is None or _is_null(node):
        return {}
    _check_shape(node)
    value = _loader().construct_plain(node)
    if _size(value) > MAX_VALUES:
        raise _Broken("note-yaml-too-large", "The frontmatter holds more values than can be read safely", 1)
    return dict(value)


def _guard(head: str) -> None:
    """Refuse what could exhaust the parser's stack or memory before it is started."""
    if len(head) > MAX_HEAD:
        raise _Broken("note-yaml-too-large", f"The frontmatter is longer than {MAX_HEAD} characters", 1)
    if not head.isascii() and any("\ud800" <= char <= "\udfff" for char in head):
        raise _Broken("note-not-utf8", "The frontmatter has bytes that are not UTF-8", 1)
    brackets = head.count("[") + head.count("{")
    if brackets > MAX_DEPTH and _nesting(head) > MAX_DEPTH:
        raise _Broken("note-yaml-too-deep", "The frontmatter is nested too deeply to be read safely", 1)
    for number, line in enumerate(head.split("\n"), 2):
        if line.count("- ") + line.count("? ") > MAX_DEPTH or len(line) - len(line.lstrip(" ")) > 4 * MAX_DEPTH:
            if line.lstrip(" -?").strip() == "" or line.lstrip(" ")[:2] in ("- ", "? "):
                raise _Broken("note-yaml-too-deep", "The frontmatter is nested too deeply to be read safely", number)


def _nesting(head: str) -> int:
    depth = deepest = 0
    for char in head:
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _compose(head: str) -> "yaml.Node | None":
    import yaml

    try:
        return yaml.compose(head, Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(str(error.problem or error.context or "it cannot be read").split())
        line = (mark.line if mark else 0) + 2
        raise _Broken("note-yaml-broken", f"The frontmatter is not valid YAML: {what}", line) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        what = " ".join(str(error).split())
        raise _Broken("note-yaml-broken", f"The frontmatter is not valid YAML: {what}", 1) from None


def _check_shape(node: "yaml.Node") -> None:
    import yaml

    if not isinstance(node, yaml.MappingNode):
        kind = "a list" if isinstance(node, yaml.SequenceNode) else "plain text"
        raise _Broken("note-yaml-no-mapping", f"The frontmatter is {kind} and not keys with values", 2)
    seen: set[str] = set()
    for key, _ in node.value:
        line = key.start_mark.line + 2
        if not isinstance(key, yaml.ScalarNode):
            raise _Broken("note-yaml-no-mapping", "A key of the frontmatter is not plain text", line)
        if key.value in seen:
            raise _Broken("note-yaml-duplicate-key", f"The key {key.value!r} stands twice in the frontmatter", line)
        seen.add(key.value)


@cache
def _loader() -> Any:
    import re

    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class CoreLoader(base):  # type: ignore[misc]  # the base is chosen when it is there
        """YAML 1.2's core schema (https://yaml.org/spec/1.2.2/#103-core-schema), keys as text."""

        yaml_implicit_resolvers: dict[str | None, list[tuple[str, object]]] = {}
        yaml_constructors: dict[str | None, object] = {}

        @classmethod
        def construct_plain(cls, node: "yaml.Node") -> Any:
            return _construct(node, {})

    null = re.compile(r"^(?:~|null|Null|NULL|)$")
    boolean = re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")
    integer = re.compile(r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$")
    number = re.compile(r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$")
    CoreLoader.add_implicit_resolver("tag:yaml.org,2002:null", null, ["~", "n", "N", ""])
    CoreLoader.add_implicit_resolver("tag:yaml.org,2002:bool", boolean, list("tTfF"))
    CoreLoader.add_implicit_resolver("tag:yaml.org,2002:int", integer, list("-+0123456789"))
    CoreLoader.add_implicit_resolver("tag:yaml.org,2002:float", number, list("-+.0123456789"))
    return CoreLoader


def _construct(node: Any, shared: dict[int, Any]) -> Any:
    """A value from a node; an alias is the same object as its anchor."""
    if id(node) in shared:
        return shared[id(node)]
    if node.id == "scalar":
        return _scalar_of(node.tag.rpartition(":")[2], node.value)
    if node.id == "sequence":
        items: list[Any] = []
        shared[id(node)] = items
        items.extend(_construct(child, shared) for child in node.value)
        return items
    pairs: dict[str, Any] = {}
    shared[id(node)] = pairs
    for key, value in node.value:
        pairs[key.value if key.id == "scalar" else str(_construct(key, shared))] = _construct(value, shared)
    return pairs


def _scalar_of(kind: str, text: str) -> object:
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    try:
        if kind == "int" and len(text) < 40:
            return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
        if kind == "float":
            return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
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


def _is_null(node: Any) -> bool:
    return node.id == "scalar" and node.style is None and node.value in _NULLS


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
        text = "".join(f"{newline}{' ' * column}- {scalar(item)}" for item in value)
        return head[:start] + text + head[end:]
    flow = node.id == "sequence" and node.flow_style
    return head[:start] + _value(value, newline, flow) + head[end:]


def _appended(head: str, key: str, value: object, newline: str) -> str:
    root = _compose(head)
    if root is not None and root.id == "mapping" and root.flow_style:
        raise FormatError("The frontmatter is written in braces on one line; nothing can be added to it safely.")
    return head + _line(key, value, newline)


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
    root = _compose(head)
    if root is None or _is_null(root):
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


def _line(key: str, value: object, newline: str) -> str:
    return f"{scalar(key)}:{_value(value, newline, False)}{newline}"


def _value(value: object, newline: str, flow: bool) -> str:
    if not isinstance(value, list | tuple):
        text = scalar(value)
        return f" {text}" if text else ""
    if flow or not value:
        return f" [{', '.join(scalar(item, flow=True) for item in value)}]"
    return "".join(f"{newline}  - {scalar(item)}" for item in value)


def _with_new_block(document: Document, changes: Mapping[str, object]) -> bytes:
    newline = document.newline
    head = "".join(_line(key, value, newline) for key, value in changes.items())
    fence = f"---{newline}"
    gap = "" if not document.body or document.body.startswith(("\n", "\r\n")) else newline
    return Document(document.bom, fence, head, fence, gap + document.body).bytes()


def _check(edited: Document, wanted: Mapping[str, object]) -> None:
    again = split(edited.bytes())
    expected = {key: list(value) if isinstance(value, tuple) else value for key, value in wanted.items()}
    try:
        found = _load(again)
    except _Broken as broken:
        raise FormatError(f"The frontmatter cannot be edited safely ({broken}); nothing was changed.") from None
    if again.body != edited.body or repr(_sorted(found)) != repr(_sorted(expected)):
        raise FormatError("The frontmatter cannot be edited safely by a program; change it in an editor.")


def _sorted(front: Mapping[str, object]) -> list[tuple[str, object]]:
    return sorted(((key, "" if value is None else value) for key, value in front.items()), key=lambda pair: pair[0])


def _plain(text: str, flow: bool) -> bool:
    if not text or text[0] in _BAD_START or text[-1] in " :" or not text.isprintable():
        return False
    if ": " in text or " #" in text or (flow and any(char in text for char in ",[]{}")):
        return False
    if text.casefold() in _YAML_11_WORDS:
        return False
    return not _numeric(text) or _is_date(text)


def _numeric(text: str) -> bool:
    """Whether some YAML reader could take it for a number, a time or a date."""
    return (text[0].isdigit() or text[0] in "+-.") and all(char in "0123456789abcdefABCDEFxoXO_:+-.eETZ " for char in text)


def _is_date(text: str) -> bool:
    """Obsidian's date, or date and time, which it wants to find without quotes."""
    day = text[:10]
    if len(day) != 10 or day[4] != "-" or day[7] != "-" or not (day[:4] + day[5:7] + day[8:]).isdigit():
        return False
    return len(text) == 10 or (len(text) == 19 and text[10] == "T" and text[13] == ":" and text[16] == ":")


def _quoted(text: str) -> str:
    out = []
    for char in text:
        if char in _ESCAPES:
            out.append(_ESCAPES[char])
        elif char.isprintable():
            out.append(char)
        else:
            code = ord(char)
            out.append(f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}")
    return f'"{"".join(out)}"'
