"""The lines of a note that answer a query, taken from the Markdown itself.

A snippet is the stretch of whole lines in which the most different query terms occur, the earliest of
equals, cut to a width around its first match. Line numbers count from 1 over the whole file, frontmatter
included.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from markdown_memory.search import analyzer
from markdown_memory.search.documents import body_start

WIDTH = 240


class Snippet(NamedTuple):
    """`line` is 0 when the note has no body; `marks` are (start, end) of the matches within `text`."""

    text: str = ""
    line: int = 0
    marks: tuple[tuple[int, int], ...] = ()


def snippet(text: str, query: str, width: int = WIDTH) -> Snippet:
    """The best stretch of a note's text for the words of a query."""
    start = body_start(text)
    pattern = _pattern(query)
    found = _places(text, start, pattern)
    if not found:
        return _beginning(text, start, width)
    at = _densest(text, found, width)
    return _cut(text, at, pattern, width)


def contains_phrase(text: str, phrase: str) -> bool:
    """Whether a phrase's words follow one another in a text, whatever their case, accents and spacing."""
    wanted = [word.casefold() for word in analyzer.tokens(phrase)]
    if not wanted:
        return True
    return f" {' '.join(wanted)} " in f" {' '.join(word.casefold() for word in analyzer.tokens(text))} "


@lru_cache(maxsize=64)
def _pattern(query: str) -> re.Pattern[str] | None:
    terms = analyzer.query_terms(query)
    if not terms:
        return None
    return re.compile("|".join(f"({_one(term)})" for term in terms), re.IGNORECASE)


def _one(term: str) -> str:
    if not term.isascii():
        return rf"\b{re.escape(term)}\w*" if term.isalpha() and term[0] < "\u0e00" else re.escape(term)
    if not term.isalpha():
        return rf"(?<![^\W_]){re.escape(term)}(?![^\W_])"
    stem = term[:-1] + "[iy]" if term.endswith("i") and len(term) > 3 else term
    return rf"(?<![^\W_]){stem}\w*" if len(term) > 2 else rf"(?<![^\W_]){stem}(?![^\W_])"


def _places(text: str, start: int, pattern: re.Pattern[str] | None) -> list[tuple[int, int]]:
    """(position, which term) of every match behind `start`; without regard to accents if none has them."""
    if pattern is None:
        return []
    found = [(match.start(), match.lastindex or 0) for match in pattern.finditer(text, start)]
    if found or text.isascii():
        return found
    return [
        (at, match.lastindex or 0)
        for at, line in _lines(text, start)
        for match in pattern.finditer(analyzer.fold(line))
    ]


def _lines(text: str, start: int) -> list[tuple[int, str]]:
    found, at = [], start
    for line in text[start:].splitlines(keepends=True):
        found.append((at, line))
        at += len(line)
    return found


def _densest(text: str, found: list[tuple[int, int]], width: int) -> int:
    """Where the window of `width` with the most different terms begins; the earliest of equals."""
    best, best_at, begin = 0, found[0][0], 0
    for end in range(len(found)):
        while found[end][0] - found[begin][0] > width * 3 // 4:
            begin += 1
        kinds = len({kind for _, kind in found[begin : end + 1]})
        if kinds > best:
            best, best_at = kinds, found[begin][0]
    return best_at


def _cut(text: str, at: int, pattern: re.Pattern[str] | None, width: int) -> Snippet:
    line_start = max(text.rfind("\n", 0, at) + 1, text.rfind("\r", 0, at) + 1)
    begin = line_start if at - line_start <= width // 2 else _word_start(text, at - width // 3)
    end = min(len(text), begin + width)
    if end < len(text):
        end = _word_end(text, begin, end)
    shown = " ".join(text[begin:end].split())
    shown = ("… " if begin > line_start else "") + shown + (" …" if _more(text, end) else "")
    marks = tuple(match.span() for match in pattern.finditer(shown)) if pattern else ()
    return Snippet(shown, text.count("\n", 0, begin) + 1, marks)


def _word_start(text: str, at: int) -> int:
    space = text.find(" ", at)
    return space + 1 if 0 <= space - at < 40 else at


def _word_end(text: str, begin: int, end: int) -> int:
    paragraph = text.find("\n\n", begin, end)
    if paragraph != -1:
        return paragraph
    space = max(text.rfind(" ", begin, end), text.rfind("\n", begin, end))
    return space if space > begin + (end - begin) // 2 else end


def _more(text: str, end: int) -> bool:
    return end < len(text) and text[end : end + 2] != "\n\n" and bool(text[end:].strip())


def _beginning(text: str, start: int, width: int) -> Snippet:
    """A note that matched by its name or tags: its first lines that say something, headings passed over."""
    for at, line in _lines(text, start):
        if line.strip() and not line.lstrip().startswith("#"):
            return _cut(text, at, None, width)._replace(marks=())
    return Snippet(
        " ".join(text[start:].split())[:width], text.count("\n", 0, start) + 1 if text[start:].strip() else 0
    )
