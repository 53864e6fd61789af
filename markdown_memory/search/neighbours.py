"""What stands around a note in its source counts for it, too.

Notes that came from one session, file or page follow one another: a question finds the answer although its
words were said in the note before. For the best notes by their own text, and the notes beside them, two
sums are added: BM25 over a window of the source for the words that the note itself does not hold (what it holds counts
already, and must not count once more because its neighbours repeat it), and BM25 over the whole source, if it is longer
than such a window: a talk has a subject, a handful of notes has only itself. Both are
computed from the ordinary postings when a query is asked, so that a changed note never leaves its neighbours outdated.

Neighbours are notes of the same `source` that are next to each other by the position in it ("…#12"), or,
where no position is given, were created on the same day.
"""

from collections.abc import Iterable
from math import log
from typing import NamedTuple

from markdown_memory.search import boosts
from markdown_memory.search.documents import NUL
from markdown_memory.search.scorer import best
from markdown_memory.search.snapshot import FACET, PLACE, Postings, Snapshot

_SIZE = 2 * len(boosts.REACH) - 1

Around = tuple[tuple[int, int], ...]


class Lift(NamedTuple):
    """What its surroundings add to a document."""

    window: float = 0.0
    source: float = 0.0


class Surroundings:
    """Who stands next to whom in one snapshot; looked up source by source, when it is first asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.any = any(segment.prefixed(FACET, b"source:", 1) for segment in snapshot.segments)
        self.members: dict[str, list[int]] = {}
        self._sources: dict[int, str] = {}
        self._around: dict[int, Around] = {}
        self._norms: dict[int, float] = {}

    def source_of(self, document: int) -> str:
        """The source's name; empty for a document that has no neighbours."""
        if document not in self._sources:
            name = self._snapshot.value(PLACE, document).partition(NUL)[0]
            if name and name not in self.members:
                self._load(name)
        return self._sources.setdefault(document, "")

    def around(self, document: int) -> Around:
        """(document, distance) for a document and its neighbours within reach."""
        self.source_of(document)
        return self._around.get(document, ((document, 0),))

    def _load(self, name: str) -> None:
        snapshot = self._snapshot
        found = snapshot.with_facets([f"source:{name}"]) - snapshot.deleted
        if not 1 < len(found) <= boosts.LARGEST_SOURCE:
            found = set()
        placed = sorted((snapshot.value(PLACE, document), document) for document in found)
        self.members[name] = [document for _, document in placed]
        for at, (_, document) in enumerate(placed):
            self._sources[document] = name
            self._around[document] = _window(placed, at)

    def window_norm(self, document: int) -> float:
        """BM25's length norm of the window around a document."""
        if document not in self._norms:
            snapshot = self._snapshot
            length = sum(snapshot.lengths[snapshot.length_code(near)] for near, _ in self.around(document))
            ratio = length / (snapshot.average * _SIZE)
            self._norms[document] = boosts.WINDOW_K1 * (1 - boosts.WINDOW_B + boosts.WINDOW_B * ratio)
        return self._norms[document]

    def source_norms(self, names: Iterable[str]) -> dict[str, float]:
        """BM25's length norms of some sources, measured against one another."""
        counts = {name: len(self.members[name]) for name in names}
        average = sum(counts.values()) / len(counts) if counts else 1.0
        flat, slope = boosts.SOURCE_K1 * (1 - boosts.SOURCE_B), boosts.SOURCE_K1 * boosts.SOURCE_B / average
        return {name: flat + slope * count for name, count in counts.items()}


def _window(placed: list[tuple[str, int]], at: int) -> Around:
    near = [(placed[at][1], 0)]
    for step in range(1, len(boosts.REACH)):
        for there in (at - step, at + step):
            if 0 <= there < len(placed) and _adjacent(placed[at][0], placed[there][0]):
                near.append((placed[there][1], step))
    return tuple(near)


def _adjacent(one: str, other: str) -> bool:
    _, position, created, _ = one.split(NUL)
    _, other_position, other_created, _ = other.split(NUL)
    return bool(int(position) and int(other_position)) or created[:10] == other_created[:10]


def lifts(
    snapshot: Snapshot,
    found: dict[int, float],
    terms: list[Postings],
    accepted: set[int] | None,
    besides: set[int] | frozenset[int] = frozenset(),
) -> dict[int, Lift]:
    """By document, for all candidates: the best of `found`, their neighbours, and those asked for `besides`."""
    near = surroundings(snapshot)
    if not near.any:
        return {}
    seeds = [document for document, _ in best(found, boosts.SEEDS)]
    candidates = {document for seed in seeds for document, _ in near.around(seed)} | besides
    names = {near.source_of(document) for document in candidates} - {""}
    needed = {document for name in names for document in near.members[name]}
    if accepted is not None:
        candidates &= accepted
        needed &= accepted
    around = {document: near.around(document) for document in needed}
    windows = {document: 0.0 for document in candidates & needed if len(around[document]) > 1}
    sources = dict.fromkeys(names, 0.0)
    norms = near.source_norms(names)
    for postings in terms:
        held = _held(snapshot, postings, needed)
        _add_windows(near, around, _idf_among(snapshot, postings.text.frequency, _SIZE), held, windows)
        _add_sources(snapshot, near, postings, held, sources, norms)
    return {
        document: Lift(boosts.WINDOW * windows.get(document, 0.0), boosts.SOURCE * sources[near.source_of(document)])
        for document in candidates & needed
    }


def surroundings(snapshot: Snapshot) -> Surroundings:
    """The snapshot's own, made when first needed."""
    found = snapshot.memo.get("surroundings")
    if not isinstance(found, Surroundings):
        found = snapshot.memo["surroundings"] = Surroundings(snapshot)
    return found


def _held(snapshot: Snapshot, postings: Postings, needed: set[int]) -> dict[int, float]:
    """The term's weights in those documents that matter."""
    if postings.text.frequency > 20 * len(needed):
        pairs = ((document, postings.text.weight(*snapshot.locate(document))) for document in needed)
        return {document: weight for document, weight in pairs if weight}
    held: dict[int, float] = {}
    for base, posted in zip(snapshot.bases, postings.text.per_segment, strict=True):
        if posted:
            documents = [base + n for n in posted.documents] if base else posted.documents
            by_document = dict(zip(documents, posted.weights, strict=True))
            held.update((document, by_document[document]) for document in by_document.keys() & needed)
    return held


def _add_windows(
    near: Surroundings, around: dict[int, Around], idf: float, held: dict[int, float], windows: dict[int, float]
) -> None:
    counts: dict[int, float] = {}
    get = counts.get
    for document, weight in held.items():
        for other, distance in around[document]:
            if other not in held:
                counts[other] = get(other, 0.0) + weight * boosts.REACH[distance]
    factor = idf * (boosts.WINDOW_K1 + 1)
    for document in counts.keys() & windows.keys():
        count = counts[document]
        windows[document] += factor * count / (count + near.window_norm(document))


def _add_sources(
    snapshot: Snapshot,
    near: Surroundings,
    postings: Postings,
    held: dict[int, float],
    sources: dict[str, float],
    norms: dict[str, float],
) -> None:
    counts: dict[str, float] = {}
    for document, weight in held.items():
        name = near.source_of(document)
        counts[name] = counts.get(name, 0.0) + weight
    for name, count in counts.items():
        if len(near.members[name]) <= _SIZE:
            continue
        missing = (1 - postings.text.frequency / (snapshot.documents + 1)) ** len(near.members[name])
        idf = log(1 / (1 - missing) + 1)
        sources[name] += idf * count * (boosts.SOURCE_K1 + 1) / (count + norms[name])


def _idf_among(snapshot: Snapshot, frequency: int, size: int) -> float:
    """The idf of a term in stretches of `size` notes, if its notes were spread evenly."""
    share = 1 - (1 - min(1.0, frequency / snapshot.documents)) ** size
    return log(snapshot.documents / (share * snapshot.documents + 1)) + 1
