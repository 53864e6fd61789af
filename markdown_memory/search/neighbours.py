"""What stands around a note in its source counts for it, too.

Notes that came from one session, file or page follow one another: a question finds the answer although its
words were said in the note before. For the best notes by their own text, and the notes beside them, two
sums are added: BM25 over a window of the source, and BM25 over the whole source. Both are computed from the
ordinary postings when a query is asked, so that a changed note never leaves its neighbours outdated.

Neighbours are notes of the same `source` that are next to each other by the position in it ("…#12"), or,
where no position is given, were created on the same day.
"""

from collections.abc import Iterable
from math import log
from typing import NamedTuple

from markdown_memory.search import boosts
from markdown_memory.search.documents import NUL
from markdown_memory.search.scorer import FACET, PLACE, Postings, Snapshot, best

_WINDOW_LENGTH = sum(boosts.REACH) * 2 - boosts.REACH[0]


class Source(NamedTuple):
    """The live notes of one source in their order."""

    members: list[int]
    places: list[str]

    def near(self, at: int, distance: int) -> int | None:
        """The document `distance` steps from position `at`, if it is a neighbour."""
        there = at + distance
        if not 0 <= there < len(self.members) or not _adjacent(self.places[at], self.places[there]):
            return None
        return self.members[there]


class Lift(NamedTuple):
    """What its surroundings add to a document."""

    window: float = 0.0
    source: float = 0.0


def _adjacent(one: str, other: str) -> bool:
    _, position, created, _ = one.split(NUL)
    _, other_position, other_created, _ = other.split(NUL)
    return bool(int(position) and int(other_position)) or created[:10] == other_created[:10]


def lifts(
    snapshot: Snapshot, found: dict[int, float], terms: list[Postings], accepted: set[int] | None
) -> dict[int, Lift]:
    """By document, for all candidates: the best of `found` and their neighbours."""
    if not any(segment.prefixed(FACET, b"source:", 1) for segment in snapshot.segments):
        return {}
    map_ = _Map(snapshot, accepted)
    reach = len(boosts.REACH) - 1
    seeds = [document for document, _ in best(found, boosts.SEEDS)]
    candidates = {near for document in seeds for near, _ in map_.around(document, reach)}
    windows = {document: map_.around(document, reach) for document in candidates}
    needed = {near for window in windows.values() for near, _ in window}
    weights = [(postings, _weights(snapshot, postings, needed)) for postings in terms]
    by_source = _source_scores(snapshot, map_, candidates, terms)
    return {
        document: Lift(
            boosts.WINDOW * _window_score(snapshot, window, weights),
            boosts.SOURCE * by_source.get(map_.source_of(document)[0], 0.0),
        )
        for document, window in windows.items()
    }


class _Map:
    """Sources by name and the place of a document in its source, looked up once each."""

    def __init__(self, snapshot: Snapshot, accepted: set[int] | None) -> None:
        self._snapshot, self._accepted = snapshot, accepted
        self.sources: dict[str, Source] = {}
        self._places: dict[int, tuple[str, int]] = {}

    def source_of(self, document: int) -> tuple[str, int]:
        """(source, position in its list); ("", 0) for a document without neighbours."""
        if document not in self._places:
            name = self._snapshot.value(PLACE, document).partition(NUL)[0]
            if not name or name in self.sources:
                self._places[document] = ("", 0)
            else:
                self._load(name)
        return self._places.get(document, ("", 0))

    def _load(self, name: str) -> None:
        members = self._snapshot.with_facets([f"source:{name}"]) - self._snapshot.deleted
        if self._accepted is not None:
            members &= self._accepted
        if len(members) > boosts.LARGEST_SOURCE:
            members = set()
        placed = sorted((self._snapshot.value(PLACE, member), member) for member in members)
        self.sources[name] = Source([member for _, member in placed], [place for place, _ in placed])
        self._places.update((member, (name, at)) for at, (_, member) in enumerate(placed))

    def around(self, document: int, reach: int) -> list[tuple[int, int]]:
        """(document, distance) of a document and its neighbours up to `reach` steps away."""
        found = [(document, 0)]
        name, at = self.source_of(document)
        if name:
            source = self.sources[name]
            for step in range(1, reach + 1):
                for there in (source.near(at, -step), source.near(at, step)):
                    if there is not None:
                        found.append((there, step))
        return found


def _weights(snapshot: Snapshot, postings: Postings, needed: Iterable[int]) -> dict[int, float]:
    """The term's weights in some documents."""
    found: dict[int, float] = {}
    for document in needed:
        weight = postings.weight(*snapshot.locate(document))
        if weight:
            found[document] = weight
    return found


def _window_score(
    snapshot: Snapshot, window: list[tuple[int, int]], weights: list[tuple[Postings, dict[int, float]]]
) -> float:
    if len(window) < 2:
        return 0.0
    length = sum(snapshot.lengths[snapshot.length_code(document)] for document, _ in window)
    ratio = length / (snapshot.average * (2 * len(boosts.REACH) - 1))
    norm = boosts.WINDOW_K1 * (1 - boosts.WINDOW_B + boosts.WINDOW_B * ratio)
    total = 0.0
    for postings, held in weights:
        count = sum(held.get(document, 0.0) * boosts.REACH[distance] for document, distance in window)
        if count:
            idf = _idf_among(snapshot, postings.frequency, 2 * len(boosts.REACH) - 1)
            total += idf * count * (boosts.WINDOW_K1 + 1) / (count + norm)
    return total


def _idf_among(snapshot: Snapshot, frequency: int, size: int) -> float:
    """The idf of a term in stretches of `size` notes, if its notes were spread evenly."""
    share = 1 - (1 - frequency / snapshot.documents) ** size if frequency < snapshot.documents else 1.0
    return log(snapshot.documents / (share * snapshot.documents + 1)) + 1


def _source_scores(
    snapshot: Snapshot, map_: _Map, candidates: Iterable[int], terms: list[Postings]
) -> dict[str, float]:
    names = {map_.source_of(document)[0] for document in candidates} - {""}
    members = {name: map_.sources[name].members for name in names}
    if not members:
        return {}
    everyone = [member for group in members.values() for member in group]
    weights = [(postings, _weights(snapshot, postings, everyone)) for postings in terms]
    lengths = {
        n: sum(snapshot.lengths[snapshot.length_code(m)] for m in group) for n, group in members.items()
    }
    average = sum(lengths.values()) / len(lengths)
    return {name: _source_score(snapshot, members[name], lengths[name] / average, weights) for name in names}


def _source_score(
    snapshot: Snapshot, members: list[int], ratio: float, weights: list[tuple[Postings, dict[int, float]]]
) -> float:
    if len(members) < 2:
        return 0.0
    norm = boosts.SOURCE_K1 * (1 - boosts.SOURCE_B + boosts.SOURCE_B * ratio)
    total = 0.0
    for postings, held in weights:
        count = sum(held.get(member, 0.0) for member in members)
        if count:
            share = 1 - (1 - postings.frequency / (snapshot.documents + 1)) ** len(members)
            total += log(1 / share + 1) * count * (boosts.SOURCE_K1 + 1) / (count + norm)
    return total
