"""How a fact comes before a person: looked up among what is known, counted, written down, and sometimes let through."""

from typing import TYPE_CHECKING

from markdown_memory.core import layout
from markdown_memory.core.names import name_key
from markdown_memory.core.note import Header, StoredNote, read_header
from markdown_memory.errors import ConflictError, UserError
from markdown_memory.features.inbox import by_file, deciding, folding, queue
from markdown_memory.features.inbox.beside import beside
from markdown_memory.features.inbox.values import Proposal
from markdown_memory.rules import gate, proposals
from markdown_memory.rules.proposals import Draft, check_name
from markdown_memory.workspace import Edit, Workspace

if TYPE_CHECKING:
    from markdown_memory.features.inbox.beside import Neighbour

STANDING = ("updates", "contradicts", "same", "near")
PUT_AWAY = ("rejected", "forgotten")


def retain(space: Workspace, draft: Draft, session: str = "", *, by_name: bool = False) -> Proposal:
    """Put a fact before a person; a fact that is known already is pointed out instead.

    What its agent will read back `by_name` is never folded, and its text is nothing but what was given.
    """
    if not any(char.isprintable() and not char.isspace() for char in draft.body):
        raise UserError("There is nothing to retain: the text is empty.")
    with space.writing(quickly=True):
        same = _same(space, draft)
        for found in same:
            known = _said_before(space, found)
            if known is not None:
                return known
        limit = folding.over_quota(space, session)
        folding.count(space, session)
        if limit and not by_name:
            return _folded(space, draft, limit)
        return _written(space, draft, _forgotten_before(space, same), by_name)


def propose(space: Workspace, draft: Draft, if_hash: str | None, session: str = "") -> StoredNote:
    """What an agent stores for good: a proposal under exactly that name, or other words for the one that waits."""
    check_name(draft.name)
    with space.writing(quickly=True):
        there = _waiting_as(space, draft)
        if there is None:
            return space.read(retain(space, draft, session, by_name=True).path)
        stored = space.read(there.path)
        if proposals.same_text(proposals.bare(stored.body), draft.body):
            return stored
        if if_hash is None:
            raise ConflictError(
                f"A proposal called {draft.name!r} waits already with other content ({stored.path}); change it "
                f"with `mdmem edit {draft.name}`, or give the hash that you read as if_hash (--if-hash)."
            )
        space.check_hash(stored, if_hash)
        return reword(space, stored, draft.body)


def reword(space: Workspace, stored: StoredNote, text: str) -> StoredNote:
    """Put a proposal into other words; what stands beside it stays."""
    from markdown_memory.core import frontmatter

    text, old = space.masked(text), proposals.bare(stored.body)
    new = proposals.rebodied(stored.data, text + proposals.aside(stored.body))
    if stored.header.description == proposals.describe(old):
        new = frontmatter.set_key(new, "description", proposals.describe(text))
    if new == stored.data:
        return stored
    space.change([Edit(stored.path, stored.header.sha256, new)], kind="edit", text=stored.name)
    by_file.remember(space)
    return space.read(stored.path)


def _written(space: Workspace, draft: Draft, note: str, by_name: bool) -> Proposal:
    path = space.free_path(layout.inbox_folder(space.author, draft.owner), draft.name)
    data = proposals.proposal_bytes(draft)
    near = beside(space, StoredNote(read_header(path, data), data))
    data = proposals.proposal_bytes(draft, [] if by_name else [_line(one) for one in near])
    facts: dict[str, object] = {key: value for key, value in (("trust", draft.trust),) if value}
    if against := {one.path: one.sha256 for one in near if one.relation == "updates"}:
        facts["against"] = against
    space.change([Edit(path, None, data)], kind="retain", text=proposals.describe(draft.body), data=facts)
    by_file.remember(space)
    note = note or next((one.why for one in near if one.relation in PUT_AWAY), "")
    shown = queue.proposal(space, space.read(path))
    alike = tuple(one.path for one in near if one.relation in STANDING and one.path not in shown.similar)
    return _let_through(space, shown._replace(note=note, similar=(*shown.similar, *alike)), near)


def _let_through(space: Workspace, proposal: Proposal, near: "tuple[Neighbour, ...]") -> Proposal:
    """Accepted at once, where a policy of the settings wants that; else as it is."""
    if not space.principal or any(one.relation in ("updates", "contradicts", *PUT_AWAY) for one in near):
        return proposal
    nearest = max((one.similarity for one in near), default=0.0)
    number = gate.policy_for(space.settings.auto_accept, proposal.kind, proposal.agent, proposal.trust, nearest)
    if not number:
        return proposal
    done = deciding.accept(space, space.read(proposal.path).header, via=gate.BY_POLICY)
    by_file.remember(space)
    note = f"Accepted by policy {number} in Settings.md; `mdmem review undo` takes it back."
    return proposal._replace(state="accepted", path=done.path, note=note)


def _folded(space: Workspace, draft: Draft, limit: str) -> Proposal:
    path = folding.add_to_the_days(space, draft)
    by_file.remember(space)
    note = f"{space.author} has made {limit}: this one was added to {path}. Retain only what must be true next month."
    return queue.proposal(space, space.read(path))._replace(note=note)


def _line(one: "Neighbour") -> str:
    """A neighbour as a line of the proposal, with a link where there is a note to open."""
    stem = one.path.rpartition("/")[2].removesuffix(".md")
    if one.relation in PUT_AWAY:
        return one.why
    said = {"updates": "would replace", "contradicts": "may contradict", "same": "the same as", "near": "like"}
    return f"{said[one.relation]} [[{stem}]]" + (f": {one.why}" if one.relation == "contradicts" else "")


def _waiting_as(space: Workspace, draft: Draft) -> Header | None:
    wanted = (name_key(draft.name), draft.type)
    for one in queue.waiting(space):
        mine = layout.private_owner(one.path) == draft.owner
        if (name_key(one.name), queue.type_of(one)) == wanted and mine:
            return one
    return None


def _same(space: Workspace, draft: Draft) -> list[Proposal]:
    """Whatever says the same: proposals, notes, and what lies in the archive."""
    lines = {draft.description, proposals.describe(draft.body)}
    found = []
    for header in space.headers():
        known = header.status in ("accepted", "proposal", "archived")
        if header.description in lines and known and layout.private_owner(header.path) == draft.owner:
            stored = space.read_quietly(header.path)
            if stored and proposals.same_text(proposals.bare(stored.body), draft.body):
                found.append(queue.proposal(space, stored))
    return found


def _forgotten_before(space: Workspace, same: list[Proposal]) -> str:
    for one in same:
        reason = deciding.forgotten_because(space, one.path)
        if reason is not None:
            why = f", because: {reason}" if reason else ""
            return f"A note that said the same was forgotten before{why} ({one.path})."
    return ""


def _said_before(space: Workspace, found: Proposal) -> Proposal | None:
    area = layout.place_of(found.path).area
    if area == "inbox":
        return found._replace(note=f"The same waits already as {found.path}; nothing was added.")
    if area == "memory":
        return found._replace(state="accepted", note=f"The same is accepted already: {found.path}.")
    reason = None
    if layout.place_of(layout.unarchived_path(found.path)).area == "inbox":
        reason = deciding.rejected_because(space, found.path)
    if reason is None:
        return None
    why = f", because: {reason}" if reason else ""
    return found._replace(
        state="rejected",
        note=f"The same was rejected before{why}. It was not proposed again; put what is new about it into words.",
    )
