"""Copies that sync tools made, folded in: logs joined, equal notes put away, other versions put before a person.

What is put away lies in the archive. A version that differs becomes a proposal first, and then its file is put away, so
that a stop in between loses nothing and repeats nothing. Pages of a person's own, settings, identities, skills and
states are never decided here: where such a copy differs it stays, and `mdmem doctor` goes on naming it.
"""

from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.log_names import SHORTS
from markdown_memory.core.names import copied_from
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.features import copies
from markdown_memory.features.copies import Found
from markdown_memory.rules.gate import KINDS
from markdown_memory.rules.proposals import Draft
from markdown_memory.storage import files

if TYPE_CHECKING:
    from markdown_memory.memory.parts import Parts

REVIEWED = ("memory", "inbox")
RENDERED = ("derived", "checkpoint", "archive")
"""What is made anew all the time, or lies in the archive anyway: a copy needs nobody's decision."""


class Folded(NamedTuple):
    """A copy and what became of it, as the end of a sentence about it."""

    path: str
    what: str


def fold(memory: "Parts") -> list[Folded]:
    """Do it, one copy after the other; what cannot be done for one stops none."""
    space = memory.workspace
    space.found.check_meant()
    done = []
    for log in space.logs.fold_copies((*SHORTS, *space.private_ledgers())):
        if log.why_left:
            done.append(Folded(log.path, f"was left: {log.why_left}"))
        else:
            files.remove(space.root, log.path)
            done.append(Folded(log.path, f"was joined with {log.original}, which got {log.added} entries from it"))
    for copy in copies.found(space):
        try:
            if what := _fold_note(memory, copy):
                done.append(Folded(copy.path, what))
        except MarkdownMemoryError as error:
            done.append(Folded(copy.path, f"was left: {error}"))
    return done


def _fold_note(memory: "Parts", copy: Found) -> str:
    """What was done; "" when a person has to."""
    space, named = memory.workspace, copied_from(copy.path) or copy.original
    area = layout.place_of(named).area
    waiting = ""
    if named == layout.LIVE_CONTEXT:
        memory.log.keep_by_hand(space.read(copy.path).text)
    elif area in REVIEWED and not copy.same:
        waiting = _propose(memory, copy, named)
    elif area not in RENDERED and (not copy.same or area == "page"):
        return ""
    put = copies.put_away(space, copy, f"{copy.path} was a copy of {named}")
    if waiting:
        return f"differs from its original: it waits as {waiting}, and its file is kept as {put}"
    return f"{'said the same and ' if copy.same else ''}is kept as {put}"


def _propose(memory: "Parts", copy: Found, named: str) -> str:
    """Put the other version before a person; the proposal's path, "" when there is no text to decide about."""
    space = memory.workspace
    stored = space.read(copy.path)
    if not stored.body.strip():
        return ""
    header, place = stored.header, layout.place_of(named)
    type = place.type or header.type or "project"
    kind = next((kind for kind, known in KINDS.items() if known == type), "fact")
    draft = Draft(
        f"{header.name}, other version",
        stored.body,
        type,
        kind=header.kind or ("fact" if type == "project" else kind),
        description=header.description,
        scope=place.scope,
        source=f"sync copy of {named}",
        trust=header.trust,
        agent=header.agent,
        created=header.created,
        owner=layout.private_owner(copy.path),
    )
    return memory.inbox.retain(draft).path
