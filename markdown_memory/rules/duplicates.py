"""When two hits say nearly the same, so that one stands for both. Pure.

Two texts are nearly the same when most runs of three words occur in both. They are never so when they differ in a
number or in a negation, however alike the rest is: "PostgreSQL 14" and "PostgreSQL 16", "deploy on Friday" and "do not
deploy on Friday" are two answers, and of a short text every word is telling.
"""

from typing import NamedTuple

SHORTEST = 12  # words
_MARKS = ".,;:!?()[]{}\"'*_`…"
ALIKE = 0.8  # of the runs of three words
_NEGATIONS = frozenset(
    """no not never none nothing without cannot nor don doesn didn won isn aren wasn can't
    kein keine keinen keinem keiner nicht nie niemals ohne nichts
    ne n pas jamais sans aucun aucune rien non plus""".split()  # a table reads better
)


class Print(NamedTuple):
    """What a text is compared by."""

    words: tuple[str, ...]
    kinds: frozenset[str]  # each word once


def fingerprint(text: str) -> Print:
    """The print of a text."""
    words = tuple(text.split())
    return Print(words, frozenset(words))


def span(one: Print) -> tuple[float, float]:
    """How many different words another text may have at least and at most, to be nearly the same."""
    return ALIKE * len(one.kinds), len(one.kinds) / ALIKE


def nearly_same(one: Print, other: Print) -> bool:
    """Whether either can stand for both."""
    if min(len(one.words), len(other.words)) < SHORTEST:
        return one.words == other.words != ()
    if not _overlap(one.kinds, other.kinds, ALIKE):
        return False
    if any(_telling(word) for word in one.kinds ^ other.kinds):
        return False
    return _overlap(_runs(one.words), _runs(other.words), ALIKE)


def _overlap(one: frozenset[object], other: frozenset[object], least: float) -> bool:
    """Whether the share of what both hold is at least that."""
    fewer, more = sorted((len(one), len(other)))
    if fewer < least * more:
        return False
    both = len(one & other)
    return both >= least * (fewer + more - both)


def _runs(words: tuple[str, ...]) -> frozenset[tuple[str, str, str]]:
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _telling(word: str) -> bool:
    return word.strip(_MARKS).casefold() in _NEGATIONS or any(map(str.isdigit, word))
