"""Obsidian's Markdown as far as memory needs it: links, tags, block ids, titles, first sentences.

Links, tags and block ids inside code, comments and math are text. `mask` blanks these out and keeps every position,
so what is found in the mask can be cut out of the text. All of it takes time in proportion to the text (a logarithm
apart), whatever is written there; urllib is imported when a link needs it. Grammar: Obsidian's help pages on links,
tags, comments and math; CommonMark 0.31 for code.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

_SENTENCE_END = ".!?。！？"
_ABBREVIATIONS = (
    "e.g",
    "i.e",
    "z.B",
    "d.h",
    "bzw",
    "vgl",
    "ca",
    "etc",
    "Dr",
    "Mr",
    "Mrs",
    "Nr",
    "No",
    "St",
    "vs",
    "p.ex",
)
_SKIPPED_LINES = ("#", "---", "***", "```", "~~~", "> [!", "|", "%%", "<!--", "![")


class Link(NamedTuple):
    """A link; `start` and `end` cut it out of the text, with the `!` of an embed."""

    target: str
    heading: str
    label: str
    start: int
    end: int
    embed: bool
    markdown: bool


def mask(text: str) -> str:
    """The text with code, comments and math blanked; same length, same lines."""
    lines = _mask_blocks(text)
    return _mask_spans(lines)


def links(text: str) -> tuple[Link, ...]:
    """Every wikilink and every Markdown link to a file, in order; web addresses are not among them."""
    masked = mask(text)
    found = [_wikilink(match) for match in _wiki_pattern().finditer(masked)]
    found += [link for match in _markdown_pattern().finditer(masked) if (link := _markdown_link(match))]
    return tuple(sorted(found, key=lambda link: link.start))


def tags(text: str) -> tuple[str, ...]:
    """Tags in the text without `#`, each once, in order; a tag has a character that is no digit."""
    found = (match[1].rstrip("/") for match in _tag_pattern().finditer(mask(text)))
    return tuple(dict.fromkeys(tag for tag in found if tag and not tag.replace("/", "").isdigit()))


def block_ids(text: str) -> tuple[str, ...]:
    """Block ids without `^`, in order."""
    return tuple(match[1] for match in _block_pattern().finditer(mask(text)))


def rewrite_links(text: str, is_old: Callable[[str], bool], new_target: str) -> str:
    """The text with each link whose target `is_old` pointing to `new_target`; labels, headings and style stay.

    `new_target` is a path with `/` and without `.md`, or a bare name; Markdown links get it percent-encoded and with
    `.md`. A target is handed to `is_old` decoded and without `.md`.
    """
    parts: list[str] = []
    at = 0
    for link in links(text):
        if is_old(link.target):
            parts += (text[at : link.start], _renamed(text[link.start : link.end], link, new_target))
            at = link.end
    return "".join((*parts, text[at:]))


def title(text: str) -> str:
    """The first level-one heading outside code, else ""."""
    fence = ""
    for line in text.split("\n"):
        if fence:
            fence = "" if line.strip().startswith(fence) else fence
        elif line.startswith(("```", "~~~")):
            fence = line[:3]
        elif line.startswith("# "):
            return line[2:].strip().rstrip("#").strip()
    return ""


def first_sentence(text: str) -> str:
    """The first sentence of the first paragraph that is prose, as one line."""
    paragraph: list[str] = []
    fence = ""
    for line in text.split("\n"):
        stripped = line.strip()
        if fence or stripped.startswith(("```", "~~~")):
            fence = "" if fence and stripped.startswith(fence) else fence or stripped[:3]
        elif not stripped:
            if paragraph:
                break
        elif not stripped.startswith(_SKIPPED_LINES) or paragraph:
            paragraph.append(_without_marker(stripped) if not paragraph else stripped)
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
        rest = text[at + 1 : at + 2]
        if char in "。！？" or (rest in ("", " ") and not _abbreviated(text[:at])):
            return text[: at + 1]
    return text


def _abbreviated(before: str) -> bool:
    word = before.rpartition(" ")[2].lstrip("(")
    return word in _ABBREVIATIONS or (len(word) == 1 and word.isupper()) or word.isdigit()


@cache
def _wiki_pattern() -> re.Pattern[str]:
    return re.compile(r"(!?)\[\[([^\[\]\n]{1,1000})\]\]")


@cache
def _markdown_pattern() -> re.Pattern[str]:
    return re.compile(
        r"(!?)\[([^\[\]\n]{0,1000})\]\((?:<([^<>\n]{1,1000})>|([^()\s<>]{1,1000}(?:\([^()\s<>]{0,200}\)[^()\s<>]{0,500})?))"
        r"(?:\s+\"[^\"\n]{0,300}\")?\)"
    )


@cache
def _tag_pattern() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?<=\s)|^)#([^\s\u2000-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\]+)", re.MULTILINE
    )


@cache
def _block_pattern() -> re.Pattern[str]:
    return re.compile(r"(?:(?<=\s)|^)\^([A-Za-z0-9-]+)[ \t\r]*$", re.MULTILINE)


def _wikilink(match: re.Match[str]) -> Link:
    inside = match[2].replace("\\|", "|")
    whole, _, label = inside.partition("|")
    target, _, heading = whole.partition("#")
    return Link(_bare(target.strip()), heading, label, match.start(), match.end(), bool(match[1]), False)


def _markdown_link(match: re.Match[str]) -> Link | None:
    from urllib.parse import unquote

    address = match[3] or match[4]
    if "://" in address or address.startswith(("mailto:", "//", "obsidian:", "data:")):
        return None
    target, _, heading = address.partition("#")
    path = unquote(target).removeprefix("./")
    return Link(_bare(path), unquote(heading), match[2], match.start(), match.end(), bool(match[1]), True)


def _bare(target: str) -> str:
    return target[:-3] if target.lower().endswith(".md") else target


def _renamed(old: str, link: Link, new_target: str) -> str:
    bang = "!" if link.embed else ""
    hash = f"#{link.heading}" if link.heading else ""
    if link.markdown:
        from urllib.parse import quote

        anchor = f"#{quote(link.heading)}" if link.heading else ""
        opening = old[: old.index("](") + 2]
        slash = "./" if old[len(opening) :].lstrip("<").startswith("./") else ""
        rest = re.search(r"(\s+\"[^\"\n]*\")?\)$", old)
        return f"{opening}{slash}{quote(new_target)}.md{anchor}{rest[0] if rest else ')'}"
    bar = "\\|" if "\\|" in old else "|"
    label = f"{bar}{link.label}" if link.label else ""
    return f"{bang}[[{new_target}{hash}{label}]]"


def _blank(text: str) -> str:
    return "".join(char if char in "\r\n" else " " for char in text)


def _mask_blocks(text: str) -> str:
    """Fenced and indented code blanked, line by line."""
    if "```" not in text and "~~~" not in text and "    " not in text and "\t" not in text:
        return text
    out: list[str] = []
    fence = ""
    blank_before, in_list = True, False
    for line in text.splitlines(keepends=True) if text.isascii() else text.replace("\n", "\n\0").split("\0"):
        bare = line.lstrip(" \t>")
        if fence:
            out.append(_blank(line))
            fence = "" if _closes(bare, fence) else fence
            continue
        fence = _opens(bare)
        code = not fence and blank_before and not in_list and line.startswith(("    ", "\t")) and bool(bare.strip())
        out.append(_blank(line) if fence or code else line)
        if bare.strip() and not line.startswith((" ", "\t")):
            in_list = bool(re.match(r"[-*+]\s|\d{1,9}[.)]\s", bare))
        blank_before = not bare.strip() or code
    return "".join(out)


def _opens(bare: str) -> str:
    """The fence that a line opens, also behind a list marker."""
    match = re.match(r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)", bare)
    if not match or (match[1][0] == "`" and "`" in match[2]):
        return ""
    return match[1]


def _closes(bare: str, fence: str) -> bool:
    mark = bare.strip()
    return len(mark) >= len(fence) and not mark.strip(fence[0])


def _mask_spans(text: str) -> str:
    """Inline code, comments and math blanked."""
    if not any(mark in text for mark in ("`", "%%", "<!--", "$")):
        return text
    tokens = list(re.finditer(r"\\[\\`$%<]|`+|%%|<!--|-->|\$\$?|\n[ \t\r]*\n", text))
    closers = _closers(tokens)
    out: list[str] = []
    at = paragraph_end = index = 0
    breaks = [number for number, token in enumerate(tokens) if token[0][0] == "\n"]
    while index < len(tokens):
        token = tokens[index]
        following = bisect_right(breaks, index)
        paragraph_end = breaks[following] if following < len(breaks) else len(tokens)
        close = _closing(tokens, closers, index, paragraph_end)
        if close is None:
            index += 1
            continue
        out += (text[at : token.start()], _blank(text[token.start() : tokens[close].end()]))
        at = tokens[close].end()
        index = close + 1
    return "".join((*out, text[at:]))


def _closers(tokens: list[re.Match[str]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, token in enumerate(tokens):
        found.setdefault(token[0], []).append(number)
    return found


def _closing(tokens: list[re.Match[str]], closers: dict[str, list[int]], index: int, paragraph_end: int) -> int | None:
    """The token that closes the span which the one at `index` opens; None when it opens none."""
    mark = tokens[index][0]
    if mark[0] in "\\\n-":
        return None
    if mark == "$":
        return _dollar(tokens, closers, index, paragraph_end)
    candidates = closers.get("-->" if mark == "<!--" else mark, [])
    following = bisect_right(candidates, index)
    if following == len(candidates):
        return None
    close = candidates[following]
    return None if mark[0] == "`" and close > paragraph_end else close


def _dollar(tokens: list[re.Match[str]], closers: dict[str, list[int]], index: int, paragraph_end: int) -> int | None:
    """`$x$`: no space inside the dollars, no digit behind the second, one paragraph."""
    text, start = tokens[index].string, tokens[index].end()
    if text[start : start + 1] in ("", " ", "\t", "\n"):
        return None
    candidates = closers["$"]
    following = bisect_right(candidates, index)
    if following == len(candidates) or candidates[following] > paragraph_end:
        return None
    close = tokens[candidates[following]]
    if text[close.start() - 1] in " \t\n" or text[close.end() : close.end() + 1].isdigit():
        return None
    return candidates[following]
