"""How well the rules find in a conversation what a careful reader would propose from it."""

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_memory.core.transcript import Turn
from markdown_memory.rules.extraction import extract
from tests.benchmarks.harness import Result
from tests.benchmarks.workshop import Workshop

LABELLED = Path(__file__).with_name("turns.toml")
LANGUAGES = ("en", "de", "fr")
KINDS = ("decision", "correction", "preference", "failure-pattern")


class Labelled(NamedTuple):
    """A turn, what a reader would propose from it, and what the rules do."""

    half: str
    loose: bool
    """Written after the rules, in words that none of them was made for."""
    language: str
    turn: Turn
    wanted: frozenset[str]
    found: frozenset[str]


class Score(NamedTuple):
    """Of what was found, the share that is right; of what is there, the share that was found."""

    precision: float
    recall: float
    right: int
    found: int
    wanted: int


def turns(half: str) -> list[Labelled]:
    """The labelled turns of a half, and what the rules make of them."""
    data = tomllib.loads(LABELLED.read_text("utf-8"))["turn"]
    return [_labelled(one) for one in data if one["half"] == half]


def score(labelled: Iterable[Labelled], kinds: Iterable[str] = KINDS) -> Score:
    """Precision and recall over pairs of turn and kind."""
    counted, all = set(kinds), list(labelled)
    right = sum(len(one.found & one.wanted & counted) for one in all)
    found = sum(len(one.found & counted) for one in all)
    wanted = sum(len(one.wanted & counted) for one in all)
    return Score(right / found if found else 1.0, right / wanted if wanted else 1.0, right, found, wanted)


def transcripts(_: Workshop) -> Iterator[Result]:
    """Precision and recall of what is proposed from transcripts, on the labelled turns that no rule was fitted to."""
    reported = turns("report")
    for language in LANGUAGES:
        yield from _told(language, score(one for one in reported if one.language == language))
    for kind in KINDS:
        yield from _told(kind, score(reported, [kind]))
    yield from _told("all", score(reported))
    yield from _told("all, but what is said loosely", score(one for one in reported if not one.loose))
    yield from _told("all, the half for tuning", score(turns("tune")))


def _told(what: str, found: Score) -> Iterator[Result]:
    of = f"{found.right} of {found.found} right, {found.right} of {found.wanted} found"
    yield Result("transcripts", f"precision, {what}", round(100 * found.precision, 1), unit="%", note=of)
    yield Result("transcripts", f"recall, {what}", round(100 * found.recall, 1), unit="%")


def _labelled(one: dict[str, object]) -> Labelled:
    said = [*_before(one), {"who": one["who"], "text": one["text"]}]
    told = [Turn(str(turn["who"]), str(turn["text"]), at) for at, turn in enumerate(said, 1)]
    kinds = one["kinds"]
    assert isinstance(kinds, list)
    found = frozenset(found.kind for found in extract(told[:-1], told[-1]))
    return Labelled(str(one["half"]), bool(one.get("loose")), str(one["language"]), told[-1], frozenset(kinds), found)


def _before(one: dict[str, object]) -> list[dict[str, object]]:
    before = one.get("before", [])
    return before if isinstance(before, list) else []
