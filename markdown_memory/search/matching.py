"""From a query to matches over one snapshot of an index."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory.search import analyzer, boosts
from markdown_memory.search.documents import link_key
from markdown_memory.search.neighbours import Lift, lifts, surroundings
from markdown_memory.search.port import Filter, Match, Matches
from markdown_memory.search.scorer import best, score, top
from markdown_memory.search.snapshot import PATH, Postings, Snapshot

if TYPE_CHECKING:
    from markdown_memory.core.query import Query

_FACET_FILTERS = (
    ("status", "statuses"),
    ("scope", "scopes"),
    ("owner", "owners"),
    ("type", "types"),
    ("category", "categories"),
    ("tag", "tags"),
    ("agent", "agents"),
    ("project", "projects"),
    ("branch", "branches"),
    ("kind", "kinds"),
)
_ALL_HAVE = frozenset(("status", "scope", "owner", "type", "category", "agent"))


def search(snapshot: Snapshot, query: "Query", limit: int, accept: Filter, also: Sequence[str] = ()) -> Matches:
    """The `limit` best matches and those asked for besides, best first, ties in order of path."""
    accepted = accepted_documents(snapshot, accept)
    considered = snapshot.live if accepted is None else len(accepted)
    terms = _terms(snapshot, query)
    if not terms:
        rest = set(range(snapshot.documents)) - snapshot.deleted if accepted is None else accepted
        return _newest(snapshot, rest - _excluded(snapshot, query), limit, considered)
    accepted = _restricted(snapshot, query, accepted)
    besides = _besides(snapshot, also, accepted)
    found = top(snapshot, terms, max(limit, boosts.SEEDS), accepted)
    added = lifts(snapshot, found.scores, terms, accepted, besides)
    own = {document: found.scores[document] for document in found.exact or found.scores}
    own |= {document: score(snapshot, terms, document) for document in besides | added.keys() if document not in own}
    if not (query.words or query.prefixes):
        added = {document: lift for document, lift in added.items() if document in found.scores}
    lifted = own | {document: own[document] + lift.window + lift.source for document, lift in added.items()}
    ranked = {document for document, _ in best(lifted, limit)} | besides
    hits = [_match(snapshot, document, own[document], added.get(document, Lift()), terms) for document in ranked]
    if also:
        hits = [hit._replace(around=_around(snapshot, hit.path)) for hit in hits]
    hits.sort(key=lambda hit: (-hit.score, hit.path))
    return Matches(tuple(hits if also else hits[:limit]), considered, len(found.scores.keys() | lifted.keys()))


def _besides(snapshot: Snapshot, paths: Sequence[str], accepted: set[int] | None) -> set[int]:
    """The accepted documents of these paths, and their neighbours."""
    found = {document for document in map(snapshot.document_of, paths) if document is not None}
    near = surroundings(snapshot)
    if near.any:
        found = {other for document in found for other, _ in near.around(document)}
    return found - snapshot.deleted if accepted is None else found & accepted


def _around(snapshot: Snapshot, path: str) -> tuple[tuple[str, int], ...]:
    near, document = surroundings(snapshot), snapshot.document_of(path)
    if document is None or not near.any:
        return ()
    return tuple((snapshot.value(PATH, other), distance) for other, distance in near.around(document) if distance)


def near(snapshot: Snapshot, path: str, called: Sequence[str], accept: Filter) -> tuple[tuple[str, str], ...]:
    """What stands beside a note: its source's notes around it, and the notes that link to it."""
    document = snapshot.document_of(path)
    if document is None:
        return ()
    accepted = accepted_documents(snapshot, accept)
    stands = surroundings(snapshot)
    members = stands.members.get(stands.source_of(document), [])
    beside = [(other, "before" if members.index(other) < members.index(document) else "after")
              for other, distance in stands.around(document) if distance]  # fmt: skip
    linking = snapshot.with_facets(f"link:{link_key(name)}" for name in called) - {document}
    found = beside + [(other, "links here") for other in sorted(linking)]
    kept = [
        (snapshot.value(PATH, other), how)
        for other, how in found
        if other not in snapshot.deleted and (accepted is None or other in accepted)
    ]
    return tuple(dict(reversed(kept)).items())[::-1]


def _terms(snapshot: Snapshot, query: "Query") -> list[Postings]:
    text = " ".join((*query.words, *query.phrases))
    wanted = [term.encode("utf-8", "surrogateescape") for term in analyzer.query_terms(text)]
    for prefix in query.prefixes:
        wanted += snapshot.prefixed(analyzer.prefix_term(prefix))
    return [snapshot.postings(term) for term in dict.fromkeys(wanted)]


def _restricted(snapshot: Snapshot, query: "Query", accepted: set[int] | None) -> set[int] | None:
    """Who may be a hit by the query's words: not excluded, and when only phrases are asked for, with all words."""
    only_phrases = not (query.words or query.prefixes)
    if only_phrases:
        for term in analyzer.query_terms(" ".join(query.phrases)):
            holders = snapshot.postings(term.encode("utf-8", "surrogateescape")).text.documents(snapshot.bases)
            accepted = holders - snapshot.deleted if accepted is None else accepted & holders
    gone = _excluded(snapshot, query)
    if gone and accepted is None:
        accepted = set(range(snapshot.documents)) - snapshot.deleted
    return accepted if accepted is None else accepted - gone


def _excluded(snapshot: Snapshot, query: "Query") -> set[int]:
    """Who holds an excluded word. Whether it holds an excluded phrase, only the note's text can tell."""
    gone: set[int] = set()
    for word in query.excluded:
        terms = analyzer.query_terms(word)
        if terms and len(word.split()) == 1:
            gone |= set.intersection(*(snapshot.postings(t.encode()).text.documents(snapshot.bases) for t in terms))
    return gone


def _match(snapshot: Snapshot, document: int, own: float, lift: Lift, terms: list[Postings]) -> Match:
    at, number = snapshot.locate(document)
    total = held = named = again = 0.0
    for postings in terms:
        total += postings.idf
        weight = postings.text.weight(at, number)
        if not weight:
            continue
        held += postings.idf
        if postings.names.weight(at, number):
            named += postings.named_idf * boosts.NAMED
            weight -= boosts.NAME
        again += max(0.0, weight - 1)
    parts = (("text", own - named), ("name", named), ("neighbours", lift.window), ("source", lift.source))
    return Match(
        snapshot.value(PATH, document),
        own + lift.window + lift.source,
        held / total if total else 0.0,
        tuple((part, round(value, 4)) for part, value in parts if value),
        repeats=int(again),
    )


def accepted_documents(snapshot: Snapshot, accept: Filter) -> set[int] | None:
    """The live documents that pass a filter, None for all; remembered as long as the snapshot is open."""
    if accept not in snapshot.memo:
        snapshot.memo[accept] = _accepted(snapshot, accept)
    found = snapshot.memo[accept]
    return found if isinstance(found, set) else None


def _accepted(snapshot: Snapshot, accept: Filter) -> set[int] | None:
    accepted: set[int] | None = None
    for key, field in _FACET_FILTERS:
        allowed: frozenset[str] | None = getattr(accept, field)
        if allowed is None or (key in _ALL_HAVE and allowed.issuperset(snapshot.facet_values(key))):
            continue
        passed = snapshot.with_facets(f"{key}:{value}" for value in allowed)
        accepted = passed if accepted is None else accepted & passed
    if accept.after or accept.before:
        days = [day for day in snapshot.facet_values("day") if _within(day, accept)]
        passed = snapshot.with_facets(f"day:{day}" for day in days)
        accepted = passed if accepted is None else accepted & passed
    for name in accept.names or ():
        called = _called(snapshot, name)
        accepted = called if accepted is None else accepted & called
    return None if accepted is None else accepted - snapshot.deleted


def _called(snapshot: Snapshot, name: str) -> set[int]:
    """Who has all words of `name` in its name, title, aliases or tags."""
    found: list[set[int]] = []
    for term in analyzer.query_terms(name):
        found.append(snapshot.postings(term.encode("utf-8", "surrogateescape")).names.documents(snapshot.bases))
    return set.intersection(*found) if found else set()


def _within(day: str, accept: Filter) -> bool:
    return day >= accept.after and (not accept.before or day[: len(accept.before)] <= accept.before)


def _newest(snapshot: Snapshot, rest: set[int], limit: int, considered: int) -> Matches:
    """No words to search for: the notes themselves, newest first, undated ones last."""
    matched = len(rest)
    hits: list[Match] = []
    for day in reversed(snapshot.facet_values("day")):
        dated = rest & snapshot.with_facets([f"day:{day}"])
        hits += sorted(Match(snapshot.value(PATH, document), 0.0) for document in dated)
        rest -= dated
        if len(hits) >= limit:
            break
    else:
        hits += sorted(Match(snapshot.value(PATH, document), 0.0) for document in rest)
    return Matches(tuple(hits[:limit]), considered, matched)
