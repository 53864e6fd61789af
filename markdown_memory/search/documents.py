"""What an index keeps of a note: weighted terms, facets to filter by, its place among its source's notes."""

from collections import Counter
from typing import NamedTuple

from markdown_memory.core.markdown import links
from markdown_memory.core.names import nfc_key
from markdown_memory.search import analyzer, boosts
from markdown_memory.search.port import Doc

VERSION = 3
NUL = "\0"
_WORDS_REMEMBERED = 200_000
_KNOWN_KEYS = frozenset(
    """name title description type category kind scope importance pinned created updated agent source trust
    person tags aliases supersedes superseded_by valid_from valid_until merged_from accept reject cssclasses
    permalink
    """.split()  # a table reads better
)


class Indexed(NamedTuple):
    """`weights` by term; `length` in words; `names`: the terms it is called by; `facets`: "key:value". All encoded."""

    path: bytes
    weights: dict[bytes, float]
    length: int
    names: tuple[bytes, ...]
    facets: tuple[bytes, ...]
    place: bytes


class _Known(dict[str, tuple[bytes, ...]]):
    """The encoded terms of raw words that were met before: in a vault, words repeat."""

    def __missing__(self, token: str) -> tuple[bytes, ...]:
        if len(self) > _WORDS_REMEMBERED:
            self.clear()
        found = self[token] = tuple(encoded(term) for term in analyzer.note_terms(token))
        return found


_known = _Known()


def encoded(text: str) -> bytes:
    """How terms, paths and places lie in the index; paths need not be valid text."""
    return text.encode("utf-8", "surrogateescape")


def indexed(doc: Doc) -> Indexed:
    """The index's view of one note."""
    header, known = doc.header, _known
    words = analyzer.tokens(searchable(doc))
    weights: dict[bytes, float] = {}
    get = weights.get
    for token, count in Counter(words).items():
        for term in known[token]:
            weights[term] = get(term, 0.0) + boosts.BODY * count
    names = _terms(" ".join((header.name, header.title, *header.aliases, *header.tags)))
    for term in names:
        weights[term] = get(term, 0.0) + boosts.NAME
    for term in _terms(header.description):
        weights[term] = get(term, 0.0) + boosts.DESCRIPTION
    length = len(words) or len(weights)
    return Indexed(encoded(header.path), weights, length, names, tuple(map(encoded, facets(doc))), encoded(place(doc)))


def _terms(text: str) -> tuple[bytes, ...]:
    return tuple(dict.fromkeys(term for token in analyzer.tokens(text) for term in _known[token]))


def body_start(text: str) -> int:
    """Where the body begins behind a frontmatter block; 0 when there is none."""
    if not text.startswith(("---\n", "---\r\n", "\ufeff---")):
        return 0
    at = text.find("\n")
    while at != -1:
        end = text.find("\n", at + 1)
        if text[at + 1 : end if end != -1 else len(text)].rstrip() in ("---", "..."):
            return end + 1 if end != -1 else len(text)
        at = end
    return 0


def searchable(doc: Doc) -> str:
    """The body, and of the frontmatter what only the person's own keys say; all of it when it is broken."""
    start = body_start(doc.text)
    if not start:
        return doc.text
    if doc.header.problems:
        return doc.text
    return f"{_own_values(doc.text[:start])}\n{doc.text[start:]}"


def _own_values(front: str) -> str:
    kept: list[str] = []
    own = False
    for line in front.splitlines()[1:-1]:
        key, colon, value = line.partition(":")
        if colon and key[:1].strip() and not key.startswith(("-", "#")):
            own = key.strip().casefold() not in _KNOWN_KEYS
            if own:
                kept.append(value)
        elif own:
            kept.append(line)
    return "\n".join(kept)


def facets(doc: Doc) -> list[str]:
    """The values that filters ask for, as terms of one field."""
    from markdown_memory.core.scope import folder_of

    header = doc.header
    scope = folder_of(header.scope) if header.scope else ""
    found = [
        f"status:{header.status}",
        f"scope:{scope}",
        f"owner:{header.owner}",
        f"type:{header.type.casefold()}",
    ]
    if header.scope:
        found += [f"project:{header.scope.project}", f"branch:{header.scope.branch}"]
    found += [f"kind:{header.kind.casefold()}"] if header.kind else []
    found += [f"category:{header.category.casefold()}", f"agent:{header.agent.casefold()}"]
    found += [f"tag:{part}" for tag in header.tags for part in tag_and_parents(tag)]
    found += [f"link:{target}" for target in linked(doc.text)]
    if where := place(doc):
        found.append(f"source:{where.partition(NUL)[0]}")
    day = (header.updated or header.created)[:10]
    if day:
        found.append(f"day:{day}")
    return found


def linked(text: str) -> list[str]:
    """The notes that a text links to, by `link_key`."""
    if "[[" not in text and "](" not in text:
        return []
    return list(dict.fromkeys(link_key(link.target) for link in links(text) if "://" not in link.target))


def link_key(target: str) -> str:
    """What a note's file name and a link to it have in common."""
    return nfc_key(target.rpartition("/")[2].removesuffix(".md").strip()).casefold()


def tag_and_parents(tag: str) -> list[str]:
    """`auth/oauth` is found as itself and as `auth`, as in Obsidian."""
    parts = tag.casefold().lstrip("#").split("/")
    return ["/".join(parts[: i + 1]) for i in range(len(parts))]


def place(doc: Doc) -> str:
    """`source`, a NUL and a key that sorts a source's notes in their order; empty for a note without source.

    A trailing number of the source ("session-3.md#12", "…:12") is the position; else time and path tell. The number of
    "PR 12" is none: what came from the thirteenth has nothing to do with it.
    """
    source = doc.header.source.strip()
    if not source:
        return ""
    head, position = _split_position(source)
    return f"{head.casefold()}{NUL}{position:>09}{NUL}{doc.header.created}{NUL}{_natural(doc.header.path)}"


def _split_position(source: str) -> tuple[str, str]:
    for mark in ("#", ":"):
        head, found, tail = source.rpartition(mark)
        digits = tail.lstrip("Lltpn")
        if found and head and digits.isdigit() and len(digits) < 9:
            return head, digits
    return source, ""


def _natural(path: str) -> str:
    """Digits padded, so that `turn 9` comes before `turn 10`."""
    out, digits = [], ""
    for character in path:
        if character.isdigit():
            digits += character
            continue
        out.append(digits.rjust(6, "0") if digits else "")
        out.append(character)
        digits = ""
    return "".join(out) + (digits.rjust(6, "0") if digits else "")
