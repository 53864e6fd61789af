"""Secrets known by the shape of their value: tokens that services issue, private keys, passwords inside addresses.

What only looks long and random is not taken for a secret: hashes and ids are everywhere in notes.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_SHAPES = {
    "a private key": ("-----BEGIN", r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    "an AWS access key": ("AKIA ASIA", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "a GitHub token": (
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})",
    ),
    "a GitLab token": ("glpat-", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    "a Slack token": ("xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    "an API key of a model provider": ("sk-", r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{24,}"),
    "a Stripe key": ("k_live_ k_test_", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    "a Google API key": ("AIza", r"\bAIza[0-9A-Za-z_-]{35}\b"),
    "a package registry token": ("npm_ pypi-", r"\b(?:npm_[A-Za-z0-9]{36}|pypi-AgE[A-Za-z0-9_-]{50,})"),
    "a JSON web token": ("eyJ", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    "a password in an address": (
        "://",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,100}:(?!\*+@|x+@|<)[^\s/@]{3,200}@[\w.-]+",
    ),
}
"""What is looked for: words of which one must occur (they are found much faster), and the whole shape."""


class Secret(NamedTuple):
    """What was found, in which line (1-based), and where in the text."""

    what: str
    line: int
    start: int
    end: int


def find(text: str) -> Iterator[Secret]:
    """Every secret in a text, kind by kind."""
    for what, (hints, shape) in _SHAPES.items():
        if any(hint in text for hint in _hints(hints)):
            for match in _pattern(shape).finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield Secret(what, line, match.start(), match.end())


def masked(text: str) -> str:
    """The text with what each secret is in the place of the secret."""
    return mask(text)[0]


def mask(text: str) -> tuple[str, tuple[str, ...]]:
    """The masked text, and what was masked in it."""
    parts: list[str] = []
    kinds: list[str] = []
    at = 0
    for one in sorted(find(text), key=lambda one: (one.start, -one.end)):
        if one.start >= at:
            parts += (text[at : one.start], f"[{one.what.partition(' ')[2]}, left out]")
            kinds.append(one.what)
            at = _whole(text, one)
    return "".join((*parts, text[at:])), tuple(dict.fromkeys(kinds))


def _whole(text: str, one: Secret) -> int:
    """Where the secret ends: a private key goes on to its last line, or to the end of the text."""
    if one.what != "a private key":
        return one.end
    last = re.compile(r"-----END [A-Z ]*PRIVATE KEY-----").search(text, one.end)
    return last.end() if last else len(text)


@cache
def _hints(words: str) -> tuple[str, ...]:
    return tuple(words.split())


@cache
def _pattern(shape: str) -> re.Pattern[str]:
    return re.compile(shape)
