"""The queue of proposals: in which order they wait, how one is named, what is shown of it."""

from typing import NamedTuple

from markdown_memory.core import layout, times
from markdown_memory.core.names import name_key
from markdown_memory.core.note import Header, StoredNote
from markdown_memory.errors import MarkdownMemoryError, NotFound
from markdown_memory.features.inbox import numbering
from markdown_memory.features.inbox.snoozing import snoozed
from markdown_memory.features.inbox.values import Proposal
from markdown_memory.rules import gate, proposals
from markdown_memory.rules.resolve import resolve
from markdown_memory.workspace import Workspace


def waiting(space: Workspace) -> list[Header]:
    """Headers of what waits, oldest first, what is snoozed last; an agent sees its own."""
    own = [header for header in space.headers() if header.status == "proposal"]
    later = snoozed(space)
    return sorted(own, key=lambda one: ((one.path, one.sha256) in later, one.created, one.path))


def find(space: Workspace, ref: str) -> Header:
    """The proposal that a number of the list, a name or a path means."""
    queue = waiting(space)
    if is_number(ref) and not any(header.name == ref for header in queue):
        return _numbered(space, int(ref), queue)
    try:
        return resolve(ref, queue, space.scopes)
    except NotFound as missing:
        raise NotFound(f"No proposal is called {ref!r}; {_how_many(len(queue))}.", missing.near) from missing


def is_number(ref: str) -> bool:
    """Whether a reference is a number of the list."""
    return ref.isascii() and ref.isdecimal()


def path_of(space: Workspace, number: int) -> str:
    """The path that bears, or bore, a number; "" for none."""
    given = numbering.numbers(space, waiting(space))
    return next((path for path, one in given.items() if one == number), "")


def _numbered(space: Workspace, number: int, queue: list[Header]) -> Header:
    path = path_of(space, number)
    for header in queue:
        if header.path == path:
            return header
    was = f"{number} was {path}, which waits no more" if path else f"There is no proposal number {number}"
    raise NotFound(f"{was}; {_how_many(len(queue))}.")


class Crowd(NamedTuple):
    """Among what a proposal waits: its number in the queue, and who bears which name or says which line."""

    numbers: dict[str, str]
    named: dict[str, list[str]]
    saying: dict[str, list[str]]
    later: dict[tuple[str, str], float]


def crowd(space: Workspace) -> Crowd:
    """Looked at once for a whole queue: thousands may wait among tens of thousands of notes."""
    given = numbering.numbers(space, waiting(space))
    found = Crowd({path: str(number) for path, number in given.items()}, {}, {}, snoozed(space))
    for header in space.headers():
        if header.status in ("accepted", "proposal"):
            found.named.setdefault(name_key(header.name), []).append(header.path)
            found.saying.setdefault(_line(header), []).append(header.path)
    return found


def shown(space: Workspace, header: Header, among: Crowd | None = None) -> Proposal:
    """What is shown of one that waits; of a file that cannot be read, why: it stops no other."""
    try:
        return proposal(space, space.read(header.path), among)
    except NotFound:
        raise
    except MarkdownMemoryError as error:
        return proposal(space, StoredNote(header, b""), among)._replace(note=str(error))


def proposal(space: Workspace, stored: StoredNote, among: Crowd | None = None) -> Proposal:
    """What is shown of a proposal."""
    header = stored.header
    type = type_of(header)
    among = among or crowd(space)
    until = among.later.get((header.path, header.sha256), 0.0)
    return Proposal(
        ref=among.numbers.get(header.path, ""),
        path=header.path,
        sha256=header.sha256,
        name=header.name,
        kind=header.kind,
        type=type,
        description=header.description,
        text=proposals.bare(stored.body),
        agent=header.agent or header.owner,
        source=header.source,
        trust=header.trust,
        target=target_of(space, header),
        created=header.created,
        accept=header.accept,
        reject=header.reject,
        similar=similar(header, among),
        snoozed_until=times.utc(until) if until else "",
    )


def type_of(header: Header) -> str:
    """The type that acceptance gives: the one it names, else the one that goes with its kind."""
    return header.type or gate.type_of_kind(header.kind)


def target_of(space: Workspace, header: Header) -> str:
    """The folder into which acceptance moves it; what was proposed privately stays private, and what was meant for a
    branch that has been merged since goes where that went."""
    type = type_of(header)
    scope = proposals.target_scope(header, type, space.home)
    if scope and header.target:
        scope = space.landing(scope, header.created)
    return layout.note_folder(type, scope, layout.private_owner(header.path))


def similar(header: Header, among: Crowd) -> tuple[str, ...]:
    """Paths of other notes that bear the same name or say the same in one line."""
    same = {*among.named.get(name_key(header.name), ())}
    if header.description:
        same.update(among.saying.get(_line(header), ()))
    return tuple(sorted(same - {header.path}))


def _line(header: Header) -> str:
    return " ".join(header.description.casefold().split())


def _how_many(number: int) -> str:
    if not number:
        return "nothing waits for a decision"
    return "one proposal waits" if number == 1 else f"{number} proposals wait (`mdmem review list` shows them)"
