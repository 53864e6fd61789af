"""What a person wants to see beside a proposal: notes that say the same, that it contradicts or replaces, decisions.

Candidates come from two sides: the names and descriptions of all notes, compared word by word, and what a search for
the proposal's text finds (by meaning, too, where embeddings are enabled). Each candidate's text is then read and judged
by the rules of `rules/similarity.py` and `rules/contradiction.py`. Nothing is decided here.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.names import name_key
from markdown_memory.core.note import Header, StoredNote
from markdown_memory.features.inbox import deciding
from markdown_memory.features.inbox.queue import target_of, type_of
from markdown_memory.rules import proposals
from markdown_memory.rules.contradiction import conflicts
from markdown_memory.rules.similarity import NEAR, most_alike, similarity, terms
from markdown_memory.workspace import Workspace

Find = Callable[[str, str], Mapping[str, float]]
"""Search for (text, scope folder): paths, with the cosine to the text where embeddings are enabled, else 0."""
RELATIONS = ("updates", "contradicts", "same", "near", "rejected", "forgotten")
SHOWN = 8
CANDIDATES = 40
_BY_MEANING = 0.8


class Neighbour(NamedTuple):
    """One note beside a proposal."""

    path: str
    sha256: str
    name: str
    status: str
    relation: str
    """updates: the proposal names it, or bears its name. contradicts: both cannot hold. same, near: says the same, or
    nearly. rejected, forgotten: what a person put away said so."""
    similarity: float
    """0 to 1, by common words, or by meaning where embeddings are enabled."""
    why: str
    """One sentence."""
    diff: str = ""
    """For what would be updated or replaced: its lines with `-`, the proposal's with `+`."""


def beside(space: Workspace, stored: StoredNote, find: Find | None = None) -> tuple[Neighbour, ...]:
    """The neighbours of a proposal, those that matter most first."""
    found = []
    with space.standing_still():
        for header, cosine in _candidates(space, stored, find):
            other = space.read_quietly(header.path)
            neighbour = _judged(space, stored, other, cosine) if other else None
            if neighbour is not None:
                found.append(neighbour)
    found.sort(key=lambda one: (RELATIONS.index(one.relation), -one.similarity, one.path))
    return tuple(found[:SHOWN])


def _candidates(space: Workspace, stored: StoredNote, find: Find | None) -> Iterable[tuple[Header, float]]:
    wanted = terms(f"{stored.header.name} {stored.header.description} {_first(stored.body)}")
    relevant = [one for one in space.headers() if _counts(space, stored.header, one)]
    chosen = {one.path: (one, 0.0) for one in most_alike(wanted, relevant, CANDIDATES)}
    chosen |= {one.path: (one, 0.0) for one in relevant if _updates(space, stored.header, one)}
    by_path = {one.path: one for one in relevant}
    scope = proposals.target_scope(stored.header, type_of(stored.header), space.home)
    for path, cosine in (find(stored.body, proposals.folder_name(scope)) if find else {}).items():
        if path in by_path:
            chosen[path] = (by_path[path], cosine)
    return chosen.values()


def _first(body: str) -> str:
    return proposals.describe(body)


def _counts(space: Workspace, proposal: Header, other: Header) -> bool:
    """Whether what that file says bears on where the proposal would go."""
    if other.path == proposal.path or other.superseded_by:
        return False
    if layout.private_owner(other.path) not in ("", layout.private_owner(proposal.path)):
        return False
    if other.status == "archived":
        return other.path != layout.archive_path(proposal.path)
    if other.status not in ("accepted", "proposal"):
        return False
    scope = proposals.target_scope(proposal, type_of(proposal), space.home)
    theirs = other.scope
    if other.status == "proposal":
        theirs = proposals.target_scope(other, type_of(other), space.home)
    if scope is None or theirs is None or theirs == scope:
        return True
    return theirs.project == scope.project and theirs.branch == space.settings.default_branch(scope.project)


def _updates(space: Workspace, proposal: Header, other: Header) -> bool:
    if other.status != "accepted":
        return False
    if any(name_key(other.name) == name_key(name) for name in proposal.supersedes):
        return True
    folder = target_of(space, proposal)
    return name_key(other.name) == name_key(proposal.name) and other.path.startswith(folder + "/")


def _judged(space: Workspace, stored: StoredNote, other: StoredNote, cosine: float) -> Neighbour | None:
    new, old = proposals.bare(stored.body), proposals.bare(other.body)
    near = max(similarity(terms(new), terms(old)), cosine if cosine >= _BY_MEANING else 0.0)
    header = other.header

    def said(relation: str, why: str, diff: str = "") -> Neighbour:
        return Neighbour(header.path, header.sha256, header.name, header.status, relation, round(near, 2), why, diff)

    if header.status == "archived":
        return None if conflicts(new, old) else _put_away(space, header, near, said)
    if _updates(space, stored.header, header):
        named = any(name_key(header.name) == name_key(name) for name in stored.header.supersedes)
        why = "The proposal says that it replaces this note." if named else "A note of that name is there."
        return said("updates", why, difference(old, new))
    if proposals.same_text(new, old):
        return said("same", "Says the same, word for word.")
    if found := conflicts(new, old):
        first = found[0]
        return said("contradicts", f"{first.what}: “{first.old}”", difference(old, new))
    if near >= NEAR:
        return said("near", "Says nearly the same." if cosine < near else "Says nearly the same, by its meaning.")
    return None


def _put_away(
    space: Workspace, header: Header, near: float, said: "Callable[[str, str], Neighbour]"
) -> Neighbour | None:
    if near < NEAR:
        return None
    if layout.place_of(layout.unarchived_path(header.path)).area == "inbox":
        rejected = deciding.rejected_because(space, header.path)
        return None if rejected is None else said("rejected", _because("Nearly the same was rejected before", rejected))
    forgotten = deciding.forgotten_because(space, header.path)
    return None if forgotten is None else said("forgotten", _because("Nearly the same was forgotten", forgotten))


def _because(what: str, reason: str) -> str:
    return f"{what}, because: {reason.rstrip('.')}." if reason else f"{what}."


def difference(old: str, new: str) -> str:
    """The lines that differ, as `- old` and `+ new`, with the unchanged ones between."""
    from difflib import ndiff

    lines = ndiff(old.strip().split("\n"), new.strip().split("\n"))
    return "\n".join(line.rstrip() for line in lines if not line.startswith("?"))
