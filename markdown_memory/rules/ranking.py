"""The order of hits: what the words say, times what is known about the note.

Each weight is a factor with a name, 1 for an ordinary accepted note, so that a rank can be explained by
multiplying. The order depends on scores and paths only, never on the order in which candidates came.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

STATUS = {"proposal": 0.9, "agent-note": 0.9, "checkpoint": 0.8, "archived": 0.6}
SUPERSEDED = 0.5
EXPIRED = 0.6  # or not yet valid
EXTERNAL = 0.9
INHERITED = 0.95
IN_TIME = 1.3  # noted in the time that the question speaks of
STUFFED = 0.1  # says the question's words over and over instead of saying something
REPEATS, SHARE = 4, 0.2  # so often is a word of the question said again, and so much of the text are such words
PHRASE = 1.5  # for each phrase of the query that the note holds
FADING = 0.2  # the most that age takes from a note of a category that fades
IMPORTANCE = 0.2  # the whole span between importance 0 and 1; 0.5 is neutral


class Facts(NamedTuple):
    """What is known about a note apart from its words."""

    status: str = "accepted"
    superseded: bool = False
    expired: bool = False
    early: bool = False
    trust: str = ""
    inherited: bool = False
    importance: float = 0.5
    in_time: bool = False
    kept: float = 1.0
    """The share of its strength that age has left it; see rules/strength.py."""


class Candidate(NamedTuple):
    """A note that the index found: `score` from the index, its `parts` adding up to it,
    `relevance` in 0..1 comparable between searches."""

    path: str
    score: float
    relevance: float
    parts: tuple[tuple[str, float], ...]
    facts: Facts
    repeats: int = -1
    """So often at most it says a word of the question again; -1: not known."""


class Ranked(NamedTuple):
    """A candidate in its place; `factors` lists the weights that are not 1."""

    path: str
    score: float
    relevance: float
    parts: tuple[tuple[str, float], ...]
    factors: tuple[tuple[str, float], ...]
    repeats: int = -1


def factors(facts: Facts) -> tuple[tuple[str, float], ...]:
    """The weights of a note by name, those that change nothing left out."""
    weights = (
        ("status", STATUS.get(facts.status, 1.0)),
        ("superseded", SUPERSEDED if facts.superseded else 1.0),
        ("expired", EXPIRED if facts.expired else 1.0),
        ("not yet valid", EXPIRED if facts.early else 1.0),
        ("trust", EXTERNAL if facts.trust == "external" else 1.0),
        ("branch", INHERITED if facts.inherited else 1.0),
        ("time", IN_TIME if facts.in_time else 1.0),
        ("age", 1.0 - FADING * (1.0 - min(1.0, max(0.0, facts.kept)))),
        ("importance", 1.0 + IMPORTANCE * (min(1.0, max(0.0, facts.importance)) - 0.5)),
    )
    return tuple((name, round(weight, 4)) for name, weight in weights if weight != 1.0)


def rank(candidates: Iterable[Candidate]) -> list[Ranked]:
    """Best first; equal scores in order of path."""
    return in_order(_weighed(candidate) for candidate in candidates)


def with_phrase(one: Ranked, held: int) -> Ranked:
    """A candidate that holds so many of the query's phrases."""
    if not held:
        return one
    factor = PHRASE**held
    return one._replace(score=one.score * factor, factors=(*one.factors, ("phrase", factor)))


def may_be_stuffed(one: Ranked) -> bool:
    """Whether it repeats so much that its text must be looked at."""
    return not 0 <= one.repeats < REPEATS


def is_stuffed(held: Collection[int], length: int) -> bool:
    """Whether a text of so many words repeats a question's to be found by it: how often each that it holds is said."""
    said = sum(held)
    return said - len(held) >= REPEATS and said >= SHARE * length


def with_stuffing(one: Ranked) -> Ranked:
    """A candidate that does."""
    return one._replace(score=one.score * STUFFED, factors=(*one.factors, ("stuffed", STUFFED)))


def in_order(ranked: Iterable[Ranked]) -> list[Ranked]:
    """Best first; equal scores in order of path."""
    return sorted(ranked, key=lambda one: (-one.score, one.path))


def _weighed(candidate: Candidate) -> Ranked:
    weights = factors(candidate.facts)
    score = candidate.score
    for _, weight in weights:
        score *= weight
    return Ranked(candidate.path, score, candidate.relevance, candidate.parts, weights, candidate.repeats)
