"""A note, and what is known of it without opening it again: its header.

Reading a header never fails: a broken block, a binary or a huge file gives a header with a problem, so that one bad
file hides no good one. The folder decides status, type and scope; a `type` in the file that says otherwise is a
problem.
"""

import marshal
from typing import Any, NamedTuple

from markdown_memory.core import frontmatter
from markdown_memory.core.layout import Place, place_of
from markdown_memory.core.problem import Problem
from markdown_memory.core.scope import Scope

HEADER_VERSION = f"3.{marshal.version}"
MAX_SIZE = 5_000_000
DESCRIPTION_LENGTH = 200
_STATUS = {
    "memory": "accepted",
    "inbox": "proposal",
    "archive": "archived",
    "identity": "identity",
    "agents": "agent-note",
    "skills": "skill",
    "state": "state",
    "checkpoint": "checkpoint",
    "page": "page",
    "copy": "copy",
}
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_TEXT_KEYS = "category kind created updated agent source trust person superseded_by valid_from valid_until".split()


class Header(NamedTuple):
    """What the catalog keeps of a note. Text is "" and lists are () where nothing is known.

    `status` is one of accepted proposal archived page identity skill agent-note state checkpoint other; `target` is a
    proposal's `scope` key; `sha256` is the hex digest of the file's bytes, which a writer must hand back.
    """

    path: str
    sha256: str
    size: int = 0
    name: str = ""
    title: str = ""
    description: str = ""
    type: str = ""
    status: str = "other"
    scope: Scope | None = None
    owner: str = ""
    category: str = "core"
    kind: str = ""
    importance: float = 0.5
    pinned: bool = False
    created: str = ""
    updated: str = ""
    agent: str = ""
    source: str = ""
    trust: str = ""
    person: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""
    valid_from: str = ""
    valid_until: str = ""
    target: str = ""
    accept: bool = False
    reject: bool = False
    problems: tuple[Problem, ...] = ()


_SCOPE, _PROBLEMS = Header._fields.index("scope"), Header._fields.index("problems")


class StoredNote(NamedTuple):
    """A note as it lies on disk."""

    header: Header
    data: bytes

    @property
    def name(self) -> str:
        return self.header.name

    @property
    def path(self) -> str:
        return self.header.path

    @property
    def text(self) -> str:
        """The whole file; bytes that are no UTF-8 are shown as replacement characters."""
        return self.data.decode("utf-8", "replace").removeprefix(frontmatter.BOM)

    @property
    def body(self) -> str:
        """What stands below the frontmatter, without the empty line that separates them."""
        broken = any(problem.code.startswith("note-yaml-") for problem in self.header.problems)
        return frontmatter.body(self.data, broken)


def read_header(path: str, data: bytes) -> Header:
    """The header of a file with these bytes at this path."""
    from hashlib import sha256

    header = Header(path, sha256(data).hexdigest(), len(data))
    if len(data) > MAX_SIZE:
        return unread(header, Problem("note-too-large", path, 0, f"The file is {len(data):,} bytes long.", "Split it."))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return unread(header, Problem("note-not-utf8", path, 0, "The file is UTF-16.", "Save it as UTF-8."))
    if b"\0" in data[:8192]:
        return unread(header, Problem("note-binary", path, 0, "The file is not text.", "Move it out of the vault."))
    front, body, problems = frontmatter.read(data)
    found = [problem._replace(path=path) for problem in problems]
    if not found and not frontmatter.is_utf8(body):
        found.append(_not_utf8(path, data))
    return _fill(header, place_of(path), front, frontmatter.printable(body), found)


def _not_utf8(path: str, data: bytes) -> Problem:
    try:
        data.decode()
        line = 0
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
    return Problem("note-not-utf8", path, line, "The text is not UTF-8.", "Save the file as UTF-8 in an editor.")


def unread(header: Header, problem: Problem) -> Header:
    """A header for a file whose content is left alone: its place and name, and why."""
    return _fill(header, place_of(header.path), {}, "", [problem])


def new_note(name: str, description: str, type: str, body: str, **known: object) -> bytes:
    """The bytes of a fresh note; of `known` what is None or empty is left out."""
    front: dict[str, object] = {"name": name, "description": description, "type": type}
    front |= {key: value for key, value in known.items() if value not in (None, "", [])}
    return frontmatter.new(front, body if not body or body.endswith("\n") else body + "\n")


def header_to_bytes(header: Header) -> bytes:
    """A compact form for a cache of this machine; `HEADER_VERSION` says which fields it has, and in which form."""
    fields: list[Any] = list(header)
    fields[_SCOPE] = header.scope and tuple(header.scope)
    fields[_PROBLEMS] = tuple(map(tuple, header.problems))
    return marshal.dumps(fields)


def header_from_bytes(data: bytes) -> Header:
    """The header that `header_to_bytes` wrote; a vault's thousand headers are read in two milliseconds."""
    fields = marshal.loads(data)
    if fields[_SCOPE]:
        fields[_SCOPE] = Scope._make(fields[_SCOPE])
    if fields[_PROBLEMS]:
        fields[_PROBLEMS] = tuple(map(Problem._make, fields[_PROBLEMS]))
    return Header._make(fields)


def _fill(header: Header, place: Place, front: dict[str, Any], body: str, problems: list[Problem]) -> Header:
    from markdown_memory.core.markdown import first_sentence, title

    path = header.path
    front = {key.casefold(): value for key, value in front.items()} | front  # Obsidian ignores the case of keys
    heading = title(body)
    type = place.type or _text(front.get("type"))
    if place.type and front.get("type") not in (None, "", place.type):
        message = f"`type` says {_text(front['type'])!r}, and the folder says {place.type!r}."
        problems.append(Problem("note-type-differs", path, 0, message, "Change the key or move the note."))
    return header._replace(
        name=_text(front.get("name")) or one_line(_stem(path)),
        title=one_line(heading),
        description=_text(front.get("description")) or one_line(_cut(first_sentence(body))),
        type=type,
        status=_STATUS.get(place.area, "other"),
        scope=place.scope,
        owner=place.owner,
        importance=_importance(front, path, problems),
        pinned=front.get("pinned") is True,
        tags=tuple(tag.lstrip("#") for tag in _words(front.get("tags")) if tag.strip("# ")),
        aliases=_items(front.get("aliases")),
        supersedes=tuple(_target(item) for item in _items(front.get("supersedes"))),
        target=_text(front.get("scope")),
        accept=front.get("accept") is True,
        reject=front.get("reject") is True,
        problems=tuple(problems),
        **_texts(front),
    )


def _cut(sentence: str) -> str:
    """At most `DESCRIPTION_LENGTH` characters, cut between words where there are any."""
    if len(sentence) <= DESCRIPTION_LENGTH:
        return sentence
    whole, _, _ = sentence[:DESCRIPTION_LENGTH].rpartition(" ")
    return (whole or sentence[: DESCRIPTION_LENGTH - 1]).rstrip(" ,;:") + "…"


def _texts(front: dict[str, Any]) -> dict[str, Any]:
    texts = {key: _text(front.get(key)) for key in _TEXT_KEYS}
    texts["superseded_by"] = _target(texts["superseded_by"])
    texts["category"] = texts["category"] or "core"
    return texts


def _text(value: object) -> str:
    """One line of text out of whatever stands there."""
    if value is None or isinstance(value, dict):
        return ""
    if isinstance(value, list):
        return _text(value[0]) if value else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return one_line(str(value))


def one_line(text: str) -> str:
    """Text as one line that is safe to show: no control characters and nothing that turns the direction of writing."""
    return harmless(" ".join(text.split()))


def harmless(line: str) -> str:
    """The line with U+FFFD for every control character but the tab, and for what turns the direction of writing."""
    if line.isprintable():
        return line
    return "".join("\ufffd" if _harms(char) else char for char in line)


def _harms(char: str) -> bool:
    return (
        (char < " " and char != "\t") or "\x7f" <= char <= "\x9f" or char in _DIRECTIONS or "\ud800" <= char <= "\udfff"
    )


def _items(value: object) -> tuple[str, ...]:
    """A list, one text or nothing, as texts."""
    values = value if isinstance(value, list) else [value]
    return tuple(text for text in map(_text, values) if text)


def _words(value: object) -> tuple[str, ...]:
    """Tags: a list, or one text with commas or spaces between them."""
    if isinstance(value, list):
        return _items(value)
    return tuple(_text(value).replace(",", " ").split())


def _target(text: str) -> str:
    """`[[name|label]]` without brackets and label."""
    if text.startswith("[[") and text.endswith("]]"):
        return text[2:-2].partition("|")[0].partition("#")[0]
    return text


def _importance(front: dict[str, Any], path: str, problems: list[Problem]) -> float:
    value = front.get("importance")
    if value is None:
        return 0.5
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    message = f"`importance` is {_text(value)!r}; it must be a number from 0 to 1, and 0.5 is taken."
    problems.append(Problem("note-importance", path, 0, message, "Correct the key."))
    return 0.5


def _stem(path: str) -> str:
    return frontmatter.printable(path.rpartition("/")[2].removesuffix(".md"))
