"""BM25F term at a time: the same sums as Whoosh's matcher tree makes, without the tree.

Rare terms first, each posting list is added into one dictionary of scores. As soon as the terms still to
come could not lift a new document among the best, they are only looked up for documents that could still be
among them: the best come out exactly, the rest may lack a frequent term. Deletions and filters are sets. A
test compares scores and order with Whoosh's own search.
"""

from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import NamedTuple

from markdown_memory.search import boosts
from markdown_memory.search.snapshot import TEXT, PostedList, Postings, Snapshot

_ROUNDING = 1e-9


class Scored(NamedTuple):
    """Scores by document; those in `exact` are whole sums (None: all are)."""

    scores: dict[int, float]
    exact: set[int] | None


class _List(NamedTuple):
    """One posting list to add: `bound` is the most that it gives to any document."""

    posted: PostedList
    factor: float
    named: bool
    bound: float


def top(snapshot: Snapshot, terms: Iterable[Postings], count: int, accepted: set[int] | None) -> Scored:
    """The scores of the `count` best accepted live documents and whatever ties with the last, and of others besides."""
    lists = _lists(snapshot, terms)
    to_come = sum(one.bound for one in lists)
    found: dict[int, float] = {}
    candidates: list[int] | None = None
    threshold = 0.0
    for one in lists:
        if candidates is None and to_come >= threshold:
            _add(snapshot, one, found)
            _keep(snapshot, found, accepted)
        else:
            alive = found if candidates is None else candidates
            candidates = sorted(document for document in alive if found[document] + to_come >= threshold)
            _add_to(snapshot, one, found, candidates)
        to_come -= one.bound
        threshold = _threshold(found, candidates, count)
    return Scored(found, None if candidates is None else set(candidates))


def _lists(snapshot: Snapshot, terms: Iterable[Postings]) -> list[_List]:
    lightest = boosts.K1 * (1 - boosts.B)
    lists: list[_List] = []
    for term in terms:
        if term.text.frequency:
            factor, heaviest = term.idf * (boosts.K1 + 1), term.text.heaviest
            lists.append(_List(term.text, factor, False, factor * heaviest / (heaviest + lightest)))
        if term.names.frequency:
            named = term.named_idf * boosts.NAMED
            lists.append(_List(term.names, named, True, named))
    return sorted(lists, key=lambda one: one.posted.frequency)


def _add(snapshot: Snapshot, one: _List, found: dict[int, float]) -> None:
    get, norms, factor = found.get, snapshot.norms, one.factor
    for base, segment, posted in zip(snapshot.bases, snapshot.segments, one.posted.per_segment, strict=True):
        if posted is None:
            continue
        if one.named:
            for number in posted.documents:
                found[base + number] = get(base + number, 0.0) + factor
            continue
        codes = segment.lengths(TEXT)
        for number, weight in zip(posted.documents, posted.weights, strict=True):
            document = base + number
            found[document] = get(document, 0.0) + factor * weight / (weight + norms[codes[number]])


def _add_to(snapshot: Snapshot, one: _List, found: dict[int, float], candidates: Sequence[int]) -> None:
    for document in candidates:
        at, number = snapshot.locate(document)
        weight = one.posted.weight(at, number)
        if weight:
            found[document] += one.factor if one.named else _part(snapshot, one.factor, weight, at, number)


def _part(snapshot: Snapshot, factor: float, weight: float, at: int, number: int) -> float:
    return factor * weight / (weight + snapshot.norms[snapshot.segments[at].lengths(TEXT)[number]])


def _keep(snapshot: Snapshot, found: dict[int, float], accepted: set[int] | None) -> None:
    for document in snapshot.deleted & found.keys() if accepted is None else found.keys() - accepted:
        del found[document]


def _threshold(found: dict[int, float], candidates: Sequence[int] | None, count: int) -> float:
    """What a document must reach at least to be among the best."""
    scores = found.values() if candidates is None else [found[document] for document in candidates]
    if len(scores) < count:
        return 0.0
    return nlargest(count, scores)[-1] - _ROUNDING


def score(snapshot: Snapshot, terms: Iterable[Postings], document: int) -> float:
    """The whole sum for one document."""
    at, number = snapshot.locate(document)
    total = 0.0
    for term in terms:
        weight = term.text.weight(at, number)
        if weight:
            total += _part(snapshot, term.idf * (boosts.K1 + 1), weight, at, number)
        if term.names.weight(at, number):
            total += term.named_idf * boosts.NAMED
    return total


def best(found: dict[int, float], limit: int) -> list[tuple[int, float]]:
    """The `limit` best documents and whatever ties with the last of them, best first."""
    if len(found) > limit:
        threshold = nlargest(limit, found.values())[-1]
        kept = [(document, score) for document, score in found.items() if score >= threshold]
    else:
        kept = list(found.items())
    return sorted(kept, key=lambda pair: (-pair[1], pair[0]))
