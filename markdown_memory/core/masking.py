"""Which parts of a Markdown text are not text: code, comments and math.

Blocks follow CommonMark 0.31: a fence ends with the quote or list item that it stands in, and four columns of indent
are code unless they continue a paragraph or belong to a list. Spans follow it too, and Obsidian's help pages for `%%`
and `$`: code and `$…$` end with their block, comments and `$$` do not. A line is looked at once, containers are
followed to a fixed depth, so the time is in proportion to the text (a logarithm apart), whatever is written there.
"""

import re
from bisect import bisect_right
from functools import cache
from typing import NamedTuple

MAX_DEPTH = 32
CODE_INDENT = 4


def mask(text: str) -> str:
    """The text with code, comments and math blanked; same length, same lines."""
    out: list[str] = []
    breaks: list[int] = []
    blocks = _Blocks()
    at = 0
    for line in text.split("\n"):
        kind = blocks.take(line)
        out.append(_blank(line) if kind == "code" else line)
        if kind != "more":
            breaks.append(at)
        at += len(line) + 1
    return _without_spans("\n".join(out), breaks)


class _Blocks:
    """The containers and the fence that are open at a line: a simple part of CommonMark's block parser."""

    def __init__(self) -> None:
        self._open: list[int] = []  # a quote is -1, a list item the columns its content is indented by
        self._fence = ""
        self._paragraph = False

    def take(self, line: str) -> str:
        """What a line is: `code`, `more` of a paragraph, or `new`."""
        if line[:1].isalpha() and not self._open and not self._fence:
            self._paragraph, before = True, self._paragraph
            return "more" if before else "new"
        rest = line.expandtabs(CODE_INDENT).rstrip()
        rest, matched = self._continued(rest)
        whole = matched == len(self._open)
        if self._fence and whole:
            self._fence = "" if _closes(rest, self._fence) else self._fence
            return "code"
        self._fence = ""
        if not rest.strip():
            self._paragraph = False
            if not whole:
                self._open = self._open[:matched]
            return "new"
        if self._paragraph and _continues(rest, whole):
            return "more"
        self._open = self._open[:matched]
        return self._leaf(self._entered(rest))

    def _continued(self, rest: str) -> tuple[str, int]:
        """What remains of a line behind the open containers that it belongs to, and how many these are."""
        for number, columns in enumerate(self._open):
            bare = rest.lstrip(" ")
            indent = len(rest) - len(bare)
            if columns < 0:
                if indent >= CODE_INDENT or not bare.startswith(">"):
                    return rest, number
                rest = _behind_quote(bare)
            elif bare and indent < columns:
                return rest, number
            else:
                rest = rest[columns:]
        return rest, len(self._open)

    def _entered(self, rest: str) -> str:
        """What remains behind the containers that a line opens."""
        while len(self._open) < MAX_DEPTH:
            bare = rest.lstrip(" ")
            indent = len(rest) - len(bare)
            if indent >= CODE_INDENT:
                return rest
            if bare.startswith(">"):
                self._open.append(-1)
                rest = _behind_quote(bare)
                continue
            columns = _item(bare)
            if not columns:
                return rest
            self._open.append(indent + columns)
            rest = bare[columns:]
        return rest

    def _leaf(self, rest: str) -> str:
        bare = rest.lstrip(" ")
        if len(rest) - len(bare) >= CODE_INDENT:
            self._paragraph = False
            return "code"
        self._fence = _opens(bare)
        self._paragraph = bool(bare) and not self._fence and not bare.startswith("#") and not _is_rule(bare)
        return "code" if self._fence else "new"


def _continues(rest: str, whole: bool) -> bool:
    """Whether a line goes on with the paragraph before it, be it in its containers or lazily outside."""
    bare = rest.lstrip(" ")
    if len(rest) - len(bare) >= CODE_INDENT:
        return True
    if bare.startswith((">", "#")) or _opens(bare) or _is_rule(bare):
        return False
    columns = _item(bare)
    if not columns:
        return True
    return whole and (columns >= len(bare) or (bare[0].isdigit() and not bare.startswith(("1.", "1)"))))


def _behind_quote(bare: str) -> str:
    return bare[2:] if bare.startswith("> ") else bare[1:]


def _item(bare: str) -> int:
    """How many columns a list marker takes with the blanks behind it; 0 when there is none."""
    match = _marker().match(bare)
    if not match or _is_rule(bare):
        return 0
    blanks = len(match[2])
    width = len(match[1])
    return width + (blanks if 0 < blanks <= CODE_INDENT else 1)


@cache
def _marker() -> re.Pattern[str]:
    return re.compile(r"([-*+]|\d{1,9}[.)])( +|$)")


def _is_rule(bare: str) -> bool:
    """A thematic break: three or more of one of `-*_` with nothing but blanks between."""
    marks = bare.replace(" ", "")
    return len(marks) >= 3 and marks[0] in "-*_" and not marks.strip(marks[0])


def _opens(bare: str) -> str:
    """The fence that a line opens, "" when it opens none."""
    if not bare.startswith(("```", "~~~")):
        return ""
    info = bare.lstrip(bare[0])
    return "" if bare[0] == "`" and "`" in info else bare[: len(bare) - len(info)]


def _closes(rest: str, fence: str) -> bool:
    bare = rest.strip(" ")
    return len(rest) - len(rest.lstrip(" ")) < CODE_INDENT and len(bare) >= len(fence) and not bare.strip(fence[0])


class _Token(NamedTuple):
    """A mark that may open or close a span; `mark` is "" when a backslash takes that from it."""

    mark: str
    start: int
    end: int
    escaped: bool


def _without_spans(text: str, breaks: list[int]) -> str:
    if not any(mark in text for mark in ("`", "%%", "<!--", "$")):
        return text
    tokens = _tokens(text)
    closers: dict[str, list[int]] = {}
    for number, token in enumerate(tokens):
        closers.setdefault(token.mark, []).append(number)
    starts = [token.start for token in tokens]
    out: list[str] = []
    at = index = 0
    while index < len(tokens):
        following = bisect_right(breaks, tokens[index].start)
        limit = bisect_right(starts, breaks[following] - 1) if following < len(breaks) else len(tokens)
        close = _closing(text, tokens, closers, index, limit)
        if close is not None:
            start, end = tokens[index].start + tokens[index].escaped, tokens[close].end
            out += (text[at:start], _blank(text[start:end]))
            at, index = end, close
        index += 1
    return "".join((*out, text[at:]))


def _tokens(text: str) -> list[_Token]:
    tokens = []
    behind = 0
    for match in re.finditer(r"`+|%{2,}|<!--|-->|\$+", text):
        start = match.start()
        before = start
        while before > behind and text[before - 1] == "\\":
            before -= 1
        tokens.append(_Token(match[0], start, match.end(), (start - before) % 2 == 1))
        behind = match.end()
    return tokens


def _closing(text: str, tokens: list[_Token], closers: dict[str, list[int]], index: int, limit: int) -> int | None:
    """The token that closes the span which the one at `index` opens; None when it opens none."""
    mark, _, _, escaped = tokens[index]
    if mark[0] == "`":
        return _next(closers.get(mark[1:] if escaped else mark, []), index, limit)
    if escaped or mark not in ("%%", "<!--", "$", "$$"):
        return None
    if mark == "$":
        return _dollar(text, tokens, closers["$"], index, limit)
    close = _next(closers.get("-->" if mark == "<!--" else mark, []), index, len(tokens))
    while close is not None and mark == "$$" and tokens[close].escaped:
        close = _next(closers[mark], close, len(tokens))
    return close


def _next(candidates: list[int], index: int, limit: int) -> int | None:
    following = bisect_right(candidates, index)
    close = candidates[following] if following < len(candidates) else limit
    return close if close < limit else None


def _dollar(text: str, tokens: list[_Token], candidates: list[int], index: int, limit: int) -> int | None:
    """`$x$`: no blank inside the dollars, no digit behind the second, all in one block."""
    if text[tokens[index].end : tokens[index].end + 1] in ("", " ", "\t", "\n"):
        return None
    close = _next(candidates, index, limit)
    if close is None or tokens[close].escaped:
        return None
    start, end = tokens[close].start, tokens[close].end
    return None if text[start - 1] in " \t\n" or text[end : end + 1].isdigit() else close


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
