"""What a proposal looks like, what it becomes when it is accepted, and when two say the same.

A proposal is a note in the inbox with two checkboxes, `accept` and `reject`, and with `kind` and `scope` for where it
would go. Accepting removes these four keys and writes no date, so that the same decision gives the same bytes on every
host.
"""

from collections.abc import Sequence
from typing import NamedTuple

from markdown_memory.core import frontmatter, layout, note
from markdown_memory.core.markdown import first_sentence
from markdown_memory.core.scope import Scope, folder_of, scope_of
from markdown_memory.errors import UserError

QUESTION_KEYS = ("accept", "reject", "kind", "scope")
NAME_LENGTH = 60


class Draft(NamedTuple):
    """What someone wants remembered, before anything is decided."""

    name: str
    body: str
    type: str = "project"
    kind: str = ""
    category: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    scope: Scope | None = None
    importance: float | None = None
    source: str = ""
    trust: str = ""
    agent: str = ""
    created: str = ""
    owner: str = ""
    """Whose private folder it is for; "" = shared."""


def note_bytes(draft: Draft) -> bytes:
    """The note that a draft becomes when nobody has to be asked."""
    return note.new_note(
        draft.name, draft.description or describe(draft.body), draft.type, ending(draft.body), **_known(draft)
    )


def proposal_bytes(draft: Draft, beside: Sequence[str] = ()) -> bytes:
    """The file that waits in the inbox for a person; `beside` are lines on what was noticed, put below as a callout."""
    front: dict[str, object] = {"name": draft.name, "description": draft.description or describe(draft.body)}
    if draft.kind:
        front["kind"] = draft.kind
    else:
        front["type"] = draft.type
    if draft.scope is not None:
        front["scope"] = folder_of(draft.scope)
    front |= {"accept": False, "reject": False}
    return with_aside(frontmatter.new(front | _known(draft), ending(draft.body)), beside)


def with_aside(data: bytes, lines: Sequence[str]) -> bytes:
    """The proposal with what was noticed below its text, in the place of what stood there."""
    if not lines:
        return data
    text = _parted(frontmatter.split(data).body)[0].rstrip()
    shown = "\n".join(["", "", f"{ASIDE} Beside this proposal", *(f"> - {line}" for line in lines), ""])
    return frontmatter.set_body(data, text + shown)


def accepted_bytes(data: bytes, header: "note.Header", type: str) -> bytes:
    """The accepted note: the proposal without its question keys, with the name, description and type it goes by."""
    wanted: dict[str, object] = {"name": header.name, "description": header.description, "type": type}
    front, _, _ = frontmatter.read(data)
    body = frontmatter.split(data).body
    changed = {key: value for key, value in wanted.items() if front.get(key) != value and value}
    accepted = frontmatter.set_keys(data, changed, remove=[key for key in QUESTION_KEYS if key in front])
    return frontmatter.set_body(accepted, _parted(body)[0].rstrip() + "\n") if aside(body) else accepted


def without_ticks(data: bytes) -> tuple[dict[str, object], str]:
    """What a proposal says apart from its boxes, however an editor writes that down."""
    front, body, _ = frontmatter.read(data)
    return {key: value for key, value in front.items() if key not in ("accept", "reject")}, body.strip()


def unticked(data: bytes) -> bytes:
    """The proposal with both boxes empty."""
    front, _, _ = frontmatter.read(data)
    ticked = {key: False for key in ("accept", "reject") if front.get(key) is True}
    return frontmatter.set_keys(data, ticked) if ticked else data


def target_scope(header: "note.Header", type: str, own: Scope) -> Scope | None:
    """Where acceptance puts it: nowhere in particular for global types, else its `scope` or the default branch."""
    if type in layout.GLOBAL_TYPES:
        return None
    return scope_of(header.target) if header.target else own


def describe(body: str) -> str:
    """One line that says what a text is about."""
    return " ".join(first_sentence(body).split())


def name_from(text: str) -> str:
    """A short name out of a description: its first words."""
    words = "".join(char if char.isalnum() or char in "-_. " else " " for char in text).split()
    name = ""
    for word in words:
        longer = f"{name}-{word.strip('.')}" if name else word.strip(".")
        if name and len(longer) > NAME_LENGTH:
            break
        name = longer
    return name[:NAME_LENGTH].strip("-_.").lower() or "fact"


def check_name(name: str) -> None:
    """A name is one line with something to read in it."""
    if not name.strip() or name != name.strip() or any(not char.isprintable() and char != "\u200d" for char in name):
        raise UserError(f"A name is a single line without control characters and outer blanks, not {name!r}.")
    if len(name) > 200:
        raise UserError("A name has at most 200 characters; put the rest in the description.")


def same_text(one: str, other: str) -> bool:
    """Whether two texts say the same apart from white space."""
    return one.split() == other.split()


def folder_name(scope: Scope | None) -> str:
    """The scope as the folder that it is; "" for what counts everywhere."""
    return "" if scope is None else folder_of(scope)


ASIDE = "> [!beside]"


def bare(body: str) -> str:
    """The text that a proposal is about, without what the package noticed beside it."""
    return _parted(body)[0].strip()


def aside(body: str) -> str:
    """What the package noticed: a callout at the end, which acceptance takes off; "" when there is none."""
    found = _parted(body)[1]
    return f"\n\n{found.strip()}\n" if found else ""


def _parted(body: str) -> tuple[str, str]:
    at = body.rfind("\n" + ASIDE)
    if at < 0 or not all(line.startswith(">") for line in body[at + 1 :].strip().split("\n")):
        return body, ""
    return body[:at], body[at + 1 :]


def item(name: str, kind: str, scope: str, source: str, trust: str, body: str) -> str:
    """One proposal as an item of a summary, with its text whole."""
    facts = ", ".join(fact for fact in (kind, scope, trust, f"from {source}" if source else "") if fact)
    first, *more = body.strip().split("\n")
    rest = [f"  {line}".rstrip() for line in more]
    return "\n".join([f"- **{name}** ({facts}): {first}", *rest])


def merged_body(old: str, new: str) -> str:
    """The old text, and below it those paragraphs of the new one that it does not hold yet."""
    there = " ".join(old.split())
    added = [part.strip("\n") for part in new.split("\n\n") if part.strip() and " ".join(part.split()) not in there]
    return "\n\n".join([old.rstrip(), *added]) + "\n" if added else old


def rebodied(data: bytes, body: str) -> bytes:
    """The note with another body, set off from the frontmatter as the old one was."""
    gap = "\n" if frontmatter.split(data).body.lstrip("\r").startswith("\n") and not body.startswith("\n") else ""
    return frontmatter.set_body(data, gap + ending(body))


def ending(body: str) -> str:
    """A body that ends in a line feed."""
    return body if not body or body.endswith("\n") else body + "\n"


def _known(draft: Draft) -> dict[str, object]:
    """Of the optional keys what is known and not the default."""
    known: dict[str, object] = {
        "category": draft.category if draft.category != "core" else "",
        "importance": draft.importance,
        "tags": list(draft.tags),
        "created": draft.created,
        "agent": draft.agent,
        "source": draft.source,
        "trust": draft.trust,
    }
    return {key: value for key, value in known.items() if value not in ("", None, [])}
