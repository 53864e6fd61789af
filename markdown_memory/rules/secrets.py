"""Secrets known by the shape of their value: tokens that services issue, private keys, passwords inside addresses.

What only looks long and random is not taken for a secret: hashes and ids are everywhere in notes.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_SHAPES = {
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "an AWS access key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})",
    "a GitLab token": r"\bglpat-[A-Za-z0-9_-]{20,}",
    "a Slack token": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    "an API key of a model provider": r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{24,}",
    "a Stripe key": r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    "a Google API key": r"\bAIza[0-9A-Za-z_-]{35}\b",
    "a package registry token": r"\b(?:npm_[A-Za-z0-9]{36}|pypi-AgE[A-Za-z0-9_-]{50,})",
    "a JSON web token": r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    "a password in an address": r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,100}:(?!\*+@|x+@|<)[^\s/@]{3,200}@[\w.-]+",
}


class Secret(NamedTuple):
    """What was found, in which line (1-based), and where in the text."""

    what: str
    line: int
    start: int
    end: int


def find(text: str) -> Iterator[Secret]:
    """Every secret in a text, in order."""
    for match in _pattern().finditer(text):
        what = list(_SHAPES)[(match.lastindex or 1) - 1]
        yield Secret(what, text.count("\n", 0, match.start()) + 1, match.start(), match.end())


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile("|".join(f"({shape})" for shape in _SHAPES.values()))
