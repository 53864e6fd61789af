"""Obsidian's Markdown as far as memory needs it: links, tags, block ids, titles, first sentences.

Links, tags and block ids inside code, comments and math are text (core/masking.py). All of it takes time in proportion
to the text, whatever is written there; urllib is imported when a link needs it. Grammar: Obsidian's help pages on
links and tags; CommonMark 0.31 for `[text](address "title")`.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from markdown_memory.core.masking import mask

NEAR_TOP = 20_000  # characters
_SENTENCE_END = ".!?。！？"
_ABBREVIATIONS = frozenset(
    "e.g i.e z.B d.h bzw vgl ca cf etc Dr Mr Mrs Ms Nr No no St vs p.ex u.a usw resp approx Inc Ltd Fig fig".split()
)
_CLOSERS = frozenset("\"')]”’»」』")
_ASIDES = {"```": "```", "~~~": "~~~", "$$": "$$", "%%": "%%", "<!--": "-->"}
_SKIPPED_LINES = ("#", "---", "***", "___", "> [!", "|", "![", "[^", "^")


class Link(NamedTuple):
    """A link; `start` and `end` cut it out of the text, with the `!` of an embed."""

    target: str
    heading: str
    label: str
    start: int
    end: int
    embed: bool
    markdown: bool


class _Found(NamedTuple):
    """A link with the place of its target in the text, and the target as it is written (decoded, without `.md`)."""

    link: Link
    start: int
    end: int
    written: str


def links(text: str) -> tuple[Link, ...]:
    """Every wikilink and every Markdown link to a file, in order; web addresses are not among them."""
    return tuple(found.link for found in _links(text))


def rewrite_links(text: str, is_old: Callable[[str], bool], new_target: str | Callable[[str], str]) -> str:
    """The text with each link whose target `is_old` leading elsewhere; all but the target keeps its bytes.

    A target is handed to `is_old` as it is written, but decoded and without `.md`; the new one is a bare name or a path
    with `/` and without `.md`, or a function from the old one to it.
    """
    parts: list[str] = []
    at = 0
    for found in sorted(_links(text), key=lambda found: found.start):
        if is_old(found.written):
            new = new_target if isinstance(new_target, str) else new_target(found.written)
            parts += (text[at : found.start], _in_style(text[found.start : found.end], new, found.link.markdown))
            at = found.end
    return "".join((*parts, text[at:]))


def tags(text: str) -> tuple[str, ...]:
    """Tags in the text without `#`, each once, in order; a tag has a character that is no digit."""
    found = (match[1].rstrip("/") for match in _tag_pattern().finditer(mask(text)))
    return tuple(dict.fromkeys(tag for tag in found if tag and not tag.replace("/", "").isdigit()))


def block_ids(text: str) -> tuple[str, ...]:
    """Block ids without `^`, in order."""
    return tuple(match[1] for match in _block_pattern().finditer(mask(text)))


def title(text: str) -> str:
    """The first level-one heading outside code, near the top; else ""."""
    fence = ""
    for line in text[:NEAR_TOP].split("\n"):
        if fence:
            fence = "" if line.strip().startswith(fence) else fence
        elif line.startswith(("```", "~~~")):
            fence = line[:3]
        elif line.startswith("# "):
            return re.sub(r"(?:^| )#+$", "", line[2:].strip()).strip()
    return ""


def first_sentence(text: str) -> str:
    """The first sentence of the first paragraph that is prose, near the top, as one line."""
    paragraph: list[str] = []
    closer = ""
    for line in text[:NEAR_TOP].split("\n"):
        stripped = line.strip()
        opener = next((one for one in _ASIDES if stripped.startswith(one)), "")
        if closer:
            closer = "" if closer in stripped else closer
        elif not stripped or opener:
            if paragraph:
                break
            aside = _ASIDES.get(opener, "")
            closer = "" if aside in stripped[len(opener) :] else aside
        elif not stripped.startswith(_SKIPPED_LINES) or paragraph:
            paragraph.append(stripped if paragraph else _without_marker(stripped))
        if len(paragraph) > 8:
            break
    return _sentence(" ".join(paragraph))


def _without_marker(line: str) -> str:
    match = re.match(r"(?:>\s*|[-*+]\s+(?:\[.\]\s+)?|\d{1,3}[.)]\s+)+", line)
    return line[match.end() :] if match else line


def _sentence(paragraph: str) -> str:
    text = " ".join(paragraph.split())[:600]
    for at, char in enumerate(text):
        if char not in _SENTENCE_END:
            continue
        end = at + 1
        while text[end : end + 1] in _CLOSERS:
            end += 1
        if char in "。！？" or (text[end : end + 1] in ("", " ") and not _abbreviated(text[:at])):
            return text[:end]
    return text


def _abbreviated(before: str) -> bool:
    word = before.rpartition(" ")[2].lstrip("(")
    return word in _ABBREVIATIONS or (len(word) == 1 and word.isupper()) or word.isdigit()


@cache
def _wiki_pattern() -> re.Pattern[str]:
    return re.compile(r"(!?)\[\[([^\[\]\n]{1,1000})\]\]")


@cache
def _markdown_pattern() -> re.Pattern[str]:
    """Labels may hold escapes and one pair of brackets, also an image; nothing in here is tried twice."""
    label = r"(?>(?:[^\[\]\\\n]|\\[^\n]|\[[^\[\]\n]{0,500}\])*)"
    address = r"<([^<>\n]{1,1000})>|((?>[^()\s<>]|\([^()\s<>]{0,200}\)){1,1000}+)"
    title = r"(?:[ \t]+(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|\([^()\n]{0,500}\)))?"
    return re.compile(rf"(?<!\\)(!?)\[({label})\]\([ \t]?(?:{address}){title}[ \t]?\)")


@cache
def _tag_pattern() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?<=\s)|^)#([^\s\u2000-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\]+)", re.MULTILINE
    )


@cache
def _block_pattern() -> re.Pattern[str]:
    return re.compile(r"(?:(?<=\s)|^)\^([A-Za-z0-9-]+)[ \t\r]*$", re.MULTILINE)


def _links(text: str) -> list[_Found]:
    if "[" not in text:
        return []
    masked = mask(text)
    found = [_wikilink(match, text) for match in _wiki_pattern().finditer(masked)] if "[[" in masked else []
    if "](" in masked:
        found += _markdown_links(masked, text, 0, len(masked))
    return sorted(found, key=lambda one: one.link.start)


def _wikilink(match: re.Match[str], text: str) -> _Found:
    start, end = match.span(2)
    whole = text[start:end]
    bar = whole.find("|")
    name = whole if bar < 0 else whole[:bar].removesuffix("\\")
    target, _, heading = name.partition("#")
    written = target.strip()
    at = start + len(target) - len(target.lstrip())
    label = "" if bar < 0 else whole[bar + 1 :].replace("\\|", "|")
    link = Link(_bare(written), heading.strip(), label.strip(), match.start(), match.end(), bool(match[1]), False)
    return _Found(link, at, at + len(written), _bare(written))


def _markdown_links(masked: str, text: str, start: int, end: int) -> Iterator[_Found]:
    for match in _markdown_pattern().finditer(masked, start, end):
        if "](" in match[2]:
            yield from _markdown_links(masked, text, *match.span(2))
        group = 3 if match[3] else 4
        at, to = match.span(group)
        address, _, heading = text[at:to].partition("#")
        if not _is_web(address):
            yield _markdown_link(match, text, at, address, heading)


def _markdown_link(match: re.Match[str], text: str, at: int, address: str, heading: str) -> _Found:
    from urllib.parse import unquote

    written = _bare(unquote(address))
    label = text[match.start(2) : match.end(2)]
    target = written.removeprefix("./")
    link = Link(target, unquote(heading), label, match.start(), match.end(), bool(match[1]), True)
    return _Found(link, at, at + len(address), written)


def _is_web(address: str) -> bool:
    """Whether an address begins with a scheme, such as `https:` or `tel:`, or with a host."""
    scheme, colon, _ = address.partition(":")
    return address.startswith("//") or bool(colon and len(scheme) > 1 and re.fullmatch(r"[A-Za-z][\w+.-]*", scheme))


def _bare(target: str) -> str:
    return target[:-3] if target.lower().endswith(".md") else target


def _in_style(old: str, new: str, markdown: bool) -> str:
    """A new target, with `.md` and percent signs where the old one had them or a Markdown link needs them."""
    ending = old[-3:] if old.lower().endswith(".md") else ""
    if markdown and not (" " in old and "%" not in old):
        from urllib.parse import quote

        return quote(new, safe="/" + "".join(char for char in new if char > "\x7f")) + ending
    return new + ending
