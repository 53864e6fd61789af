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
    sought = _sought(query)
    found = _places(text, start, sought)
    if not found:
        return _beginning(text, start, width)
    at = _densest(text, found, width)
    return _cut(text, at, sought, width)


def contains_phrase(text: str, phrase: str) -> bool:
    """Whether a phrase's words follow one another in a text, whatever their case, accents and spacing."""
    wanted = [word.casefold() for word in analyzer.tokens(phrase)]
    if not wanted:
        return True
    return f" {' '.join(wanted)} " in f" {' '.join(word.casefold() for word in analyzer.tokens(text))} "


class _Sought(NamedTuple):
    """One term of a query as it may stand in a text, in small letters: `begins`, then one of `then` if there are any,
    and the rest of the word unless it is `whole`; `apart`: at the beginning of a word."""

    begins: str
    then: str = ""
    whole: bool = False
    apart: bool = True

    def end(self, text: str, at: int) -> int:
        """Where the match ends whose beginning was found; -1 when it is none."""
        if self.apart and at and text[at - 1].isalnum():
            return -1
        end = at + len(self.begins)
        if self.then:
            if end == len(text) or text[end] not in self.then:
                return -1
            end += 1
        if not self.whole:
            return _rest().match(text, end).end()  # type: ignore[union-attr]  # matches everywhere
        return -1 if self.apart and text[end : end + 1].isalnum() else end


@lru_cache(maxsize=64)
def _sought(query: str) -> tuple[_Sought, ...]:
    return tuple(map(_one, analyzer.query_terms(query)))


@lru_cache(maxsize=1)
def _rest() -> re.Pattern[str]:
    return re.compile(r"\w*")


def _one(term: str) -> _Sought:
    if not term.isascii():
        spaced = term.isalpha() and term[0] < "\u0e00"
        return _Sought(term, whole=not spaced, apart=spaced)
    if not term.isalpha() or len(term) < 3:
        return _Sought(term, whole=True)
    return _Sought(term[:-1], then="iy") if term.endswith("i") and len(term) > 3 else _Sought(term)


def _places(text: str, start: int, sought: tuple[_Sought, ...]) -> list[tuple[int, int]]:
    """(position, which term) of every match behind `start`; without regard to accents if none has them."""
    found = [(begin, number) for begin, _, number in _matches(text, start, sought)]
    if found or text.isascii():
        return found
    return sorted(
        (at + begin, number)
        for at, line in _lines(text, start)
        for begin, _, number in _matches(analyzer.fold(line), 0, sought)
    )


def _matches(text: str, start: int, sought: tuple[_Sought, ...]) -> list[tuple[int, int, int]]:
    """(begin, end, which term) in order; no match begins inside another one."""
    small = text.lower()
    if len(small) != len(text):  # a letter that becomes two
        small = "".join(one.lower()[:1] for one in text)
    found: list[tuple[int, int, int]] = []
    for number, one in enumerate(sought):
        at = small.find(one.begins, start)
        while at != -1:
            end = one.end(small, at)
            if end > 0:
                found.append((at, end, number))
            at = small.find(one.begins, max(end, at + 1))
    found.sort()
    kept: list[tuple[int, int, int]] = []
    for place in found:
        if not kept or place[0] >= kept[-1][1]:
            kept.append(place)
    return kept


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


def _cut(text: str, at: int, sought: tuple[_Sought, ...], width: int) -> Snippet:
    line_start = max(text.rfind("\n", 0, at) + 1, text.rfind("\r", 0, at) + 1)
    begin = line_start if at - line_start <= width // 2 else _word_start(text, at - width // 3)
    end = min(len(text), begin + width)
    if end < len(text):
        end = _word_end(text, begin, end)
    shown = " ".join(text[begin:end].split())
    shown = ("… " if begin > line_start else "") + shown + (" …" if _more(text, end) else "")
    marks = tuple((mark, end) for mark, end, _ in _matches(shown, 0, sought))
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
            return _cut(text, at, (), width)
    return Snippet(
        " ".join(text[start:].split())[:width], text.count("\n", 0, start) + 1 if text[start:].strip() else 0
    )
