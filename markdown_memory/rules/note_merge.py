"""Three-way merge of a note: frontmatter key by key, text line by line, with the bytes of what nobody touched.

Rules:

1. A key that one side changed is taken with the bytes that it has there, comments below it included. When both changed
   it, lists are joined (what one side took out goes, what either added comes), `updated` takes the later date, and any
   other key is a conflict. A value that was only written differently is no change.
2. The text below is merged line by line (text_merge.py).
3. What cannot be understood safely (no text, a broken block) is one conflict as a whole.
4. Swapping the sides changes nothing in a clean merge.

    merge(base, ours, theirs) -> NoteMerge(data, conflicts)     base None: both sides made the note
    merge(base, ours, theirs, "ours")                           that side where they conflict; data is never None
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markdown_memory.core import frontmatter, times
from markdown_memory.core.frontmatter import Document
from markdown_memory.errors import FormatError
from markdown_memory.rules import text_merge

Head = dict[str, str]
"""The text of a block by key, in order; what stands above the first key has the key ""."""
Front = Mapping[str, Any]


class NoteMerge(NamedTuple):
    """The merged note, or None when it takes a decision; and what the sides say differently, one sentence each."""

    data: bytes | None
    conflicts: tuple[str, ...] = ()


class Unclear(Exception):
    """Why a note cannot be merged in parts."""


def merge(base: bytes | None, ours: bytes, theirs: bytes, favour: str = "") -> NoteMerge:
    """Merge two versions of a note; `favour` is the side (`ours` or `theirs`) that is right where they conflict."""
    if theirs in (base, ours):
        return NoteMerge(ours)
    if ours == base:
        return NoteMerge(theirs)
    try:
        return _in_parts(base or b"", ours, theirs, favour)
    except Unclear as unclear:
        whole = {"ours": ours, "theirs": theirs}.get(favour)
        return NoteMerge(whole, (str(unclear),))


def _in_parts(base: bytes, ours: bytes, theirs: bytes, favour: str) -> NoteMerge:
    texts, newline = text_merge.one_line_end(_text(base), _text(ours), _text(theirs))
    notes = [frontmatter.split(_bytes(text)) for text in texts]
    head, conflicts = _heads(notes, favour)
    body = text_merge.merge(*(_body(note) for note in notes))
    conflicts += [_lines_differ(part) for part in body.conflicts]
    if conflicts and not favour:
        return NoteMerge(None, tuple(conflicts))
    fences = [(note.bom, note.opening, note.closing) for note in notes]
    bom, opening, closing = (_either(*column) for column in zip(*fences, strict=True))
    if head and not opening:
        opening = closing = "---\n"
    merged = Document(bom, opening, head, closing, body.text(favour))
    if opening and not closing.endswith("\n") and merged.body:
        merged = merged._replace(closing=f"{closing}\n")
    if frontmatter.split(merged.bytes()) != merged:
        raise Unclear("The two versions do not fit into one note.")
    text = "".join(merged)
    return NoteMerge(_bytes(text.replace("\n", newline) if newline != "\n" else text), tuple(conflicts))


def _text(data: bytes) -> str:
    if b"\0" in data:
        raise Unclear("It is not text.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unclear("It is not UTF-8 text.") from None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _body(note: Document) -> str:
    return note.body


def _either(base: str, ours: str, theirs: str) -> str:
    """Whoever changed it is right; when both did, what is first in the alphabet, so that both sides get the same."""
    if ours == base:
        return theirs
    return ours if theirs in (base, ours) else min(ours, theirs)


def _lines_differ(part: text_merge.Part) -> str:
    ours = next((line.strip() for line in part.ours.split("\n") if line.strip()), "")
    theirs = next((line.strip() for line in part.theirs.split("\n") if line.strip()), "")
    return f"The same lines differ: {_short(ours)} and {_short(theirs)}."


def _short(text: str) -> str:
    if not text:
        return "nothing"
    return f"“{text[:60]}…”" if len(text) > 60 else f"“{text}”"


# the frontmatter


def _heads(notes: Sequence[Document], favour: str) -> tuple[str, list[str]]:
    """The merged block, and what conflicts in it."""
    base, ours, theirs = (note.head for note in notes)
    if theirs in (base, ours):
        return ours, []
    if ours == base:
        return theirs, []
    blocks = [_Block(note) for note in notes]
    keys = _order(*(list(block.head) for block in blocks))
    head, conflicts = "", []
    for key in keys:
        text, clash = _key(key, blocks, favour)
        head += text
        conflicts += [clash] if clash else []
    if not conflicts or favour:
        _check(head, blocks, keys)
    return head, conflicts


class _Block:
    """A note's frontmatter, cut at its keys."""

    def __init__(self, note: Document) -> None:
        front, _, problems = frontmatter.read(note.bytes())
        if problems:
            raise Unclear(f"Its frontmatter cannot be read: {problems[0].message}")
        from markdown_memory.core.yaml_edit import sections

        try:
            self.head: Head = dict(sections(note.head))
        except FormatError as error:
            raise Unclear(str(error)) from None
        self.front: Front = front
        if len({key.casefold() for key in self.head}) != len(self.head):
            raise Unclear("Its frontmatter has the same key twice.")
        last = next(reversed(self.head), None)
        if last is not None and not self.head[last].endswith("\n"):
            self.head[last] += "\n"


def _order(base: list[str], ours: list[str], theirs: list[str]) -> list[str]:
    """The keys of the merged block: in the order of whoever changed it, what is new behind what it stood behind."""
    kept = [key for key in base if key in ours and key in theirs]
    ours_kept, theirs_kept = ([key for key in side if key in kept] for side in (ours, theirs))
    order = theirs_kept if ours_kept == kept else ours_kept if theirs_kept == kept else kept
    behind: dict[str | None, set[str]] = {}
    for side in (ours, theirs):
        before: str | None = None
        for key in side:
            if key in order:
                before = key
            else:
                behind.setdefault(before, set()).add(key)
    rank = {key: number for number, key in enumerate(base)}
    out: list[str] = []
    for place in (None, *order):
        out += [place] if place is not None else []
        late = (one for one in behind.get(place, ()) if one not in out)
        out += sorted(late, key=lambda one: (rank.get(one, len(rank)), one))
    return out


def _key(key: str, blocks: "Sequence[_Block]", favour: str) -> tuple[str, str]:
    """The text of one key in the merged block ("" when it goes), and the sentence about a conflict."""
    texts = base, ours, theirs = [block.head.get(key, "") for block in blocks]
    if theirs in (base, ours) or ours == base:
        return (theirs if ours == base else ours), ""
    if not key:
        return min(ours, theirs), ""  # comments above the first key
    values = [_Value(key in block.front, block.front.get(key)) for block in blocks]
    text = _written_differently(texts, values) or _joined(key, texts, values)
    if text:
        return text, ""
    clash = f"`{key}` differs: {values[1].shown} and {values[2].shown}."
    return {"ours": ours, "theirs": theirs}.get(favour, ""), clash


def _written_differently(texts: Sequence[str], values: "Sequence[_Value]") -> str:
    """The text of a key whose value at most one side has changed, "" when both have."""
    _, ours, theirs = texts
    if values[1].same(values[2]):
        return min(ours, theirs)
    if values[2].same(values[0]):
        return ours
    return theirs if values[1].same(values[0]) else ""


class _Value(NamedTuple):
    there: bool
    value: Any

    def same(self, other: "_Value") -> bool:
        return self.there == other.there and repr(self.value) == repr(other.value)

    @property
    def shown(self) -> str:
        return _short(str(self.value)) if self.there else "nothing"

    @property
    def items(self) -> list[object] | None:
        """The items of a list; one text or nothing is a list, too."""
        if not self.there or self.value is None:
            return []
        if isinstance(self.value, list):
            return self.value if all(not isinstance(item, list | dict) for item in self.value) else None
        return None


def _joined(key: str, texts: Sequence[str], values: Sequence[_Value]) -> str:
    """The text of a key whose two values can both be right, "" when only one can be."""
    _, ours, theirs = texts
    dates = [times.parse(str(value.value)) for value in values[1:] if value.there]
    if key == "updated" and len(dates) == 2 and None not in dates and dates[0] != dates[1]:
        return ours if dates[0] > dates[1] else theirs  # type: ignore[operator]  # neither is None, says the line above
    lists = [value.items for value in values]
    if None in lists or not (isinstance(values[1].value, list) and isinstance(values[2].value, list)):
        return ""
    from markdown_memory.core.yaml_edit import with_key

    try:
        return with_key(min(ours, theirs), key, _union(*lists), "\n")  # type: ignore[arg-type]
    except FormatError:
        return ""


def _union(base: list[object], ours: list[object], theirs: list[object]) -> list[object]:
    """What either side added to a list, without what either took out."""
    before, here, there = ({repr(item) for item in items} for items in (base, ours, theirs))
    stays = [item for item in base if repr(item) in here and repr(item) in there]
    new = {repr(item): item for item in (*ours, *theirs) if repr(item) not in before}
    return stays + [new[name] for name in sorted(new)]


def _check(head: str, blocks: "Sequence[_Block]", keys: Sequence[str]) -> None:
    """Read the merged block again: it must have the keys that were meant, with values that a side gave them."""
    front, _, problems = frontmatter.read(_bytes(f"---\n{head}---\n"))
    if problems:
        raise Unclear(f"The two frontmatters do not fit into one: {problems[0].message}")
    for key, value in front.items():
        given = [block.front[key] for block in blocks if key in block.front]
        if key not in keys or (not isinstance(value, list) and repr(value) not in map(repr, given)):
            raise Unclear("The two frontmatters do not fit into one.")
