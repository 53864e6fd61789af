"""Notes that cannot both hold: what a new one rules out, all pairs of the vault, and what a person says about them.

The rules of `rules/contradiction.py` say what differs. A person decides: the newer note supersedes the older, which
stays, says so and ranks below; or both stand, which the ledger remembers for as long as neither changes.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from markdown_memory.core import frontmatter, times
from markdown_memory.core.note import Header, StoredNote
from markdown_memory.errors import AccessError, UserError
from markdown_memory.rules.contradicting import pairs
from markdown_memory.rules.contradiction import Conflict, conflicts
from markdown_memory.rules.proposals import bare, folder_name
from markdown_memory.rules.similarity import most_alike, terms
from markdown_memory.workspace import Edit, Workspace

KEPT = "keep-both"
SUPERSEDED = "supersede"
_CANDIDATES = 40


class Contradiction(NamedTuple):
    """Two notes of which the newer says otherwise than the older."""

    newer: str
    """Its name; `newer_path` is its file."""
    newer_path: str
    older: str
    older_path: str
    what: str
    """What differs, as in `16, not 14`."""
    says: str
    """The sentence of the newer note, and `said` that of the older."""
    said: str


class Superseded(NamedTuple):
    """The note that counts now, and the one that it supersedes."""

    newer_path: str
    older_path: str


class Conflicts:
    """Contradictions between accepted notes that one principal may see."""

    def __init__(self, workspace: Workspace, find: Callable[[str, str], Mapping[str, float]] | None = None) -> None:
        self._workspace = workspace
        self._find = find

    def scan(self) -> list[Contradiction]:
        """All pairs of the vault, except where both were said to stand; newest first."""
        space = self._workspace
        with space.standing_still():
            headers = {header.path: header for header in space.headers() if self._counts(header)}
            texts = {path: note.body for path in headers if (note := space.read_quietly(path))}
        kept = self._kept()
        found = [
            self._told(headers[new], headers[old], what)
            for new, old, what in pairs(
                texts,
                lambda one, other: self._meet(headers[one], headers[other]),
                lambda one, other: _age(headers[one]) < _age(headers[other]),
            )
            if _signature(headers[new], headers[old]) not in kept
        ]
        return sorted(found, key=lambda one: (_age(headers[one.newer_path]), one.older_path), reverse=True)

    def of(self, name: str) -> list[Contradiction]:
        """What one note contradicts, or is contradicted by."""
        note = self._workspace.serve(self._workspace.resolve(name, statuses=("accepted",)).path)
        kept = self._kept()
        found = []
        for other, what in self.against(note.header, note.body):
            if _signature(note.header, other) in kept:
                continue
            if _age(other) < _age(note.header):
                found.append(self._told(note.header, other, what))
            else:
                swapped = conflicts(self._workspace.body(other.path), note.body)
                found += [self._told(other, note.header, one) for one in swapped[:1]]
        return found

    def against(self, header: Header, body: str) -> list[tuple[Header, Conflict]]:
        """Accepted notes that a text rules out; `header` says where it belongs, and need not exist as a file."""
        space = self._workspace
        found = []
        with space.standing_still():
            relevant = {one.path: one for one in space.headers() if one.path != header.path and self._counts(one)}
            relevant = {path: one for path, one in relevant.items() if self._meet(header, one)}
            for path in self._candidates(header, body, relevant):
                other = space.read_quietly(path)
                what = conflicts(bare(body), other.body) if other else ()
                if what:
                    found.append((relevant[path], what[0]))
        return found

    def supersede(self, newer: str, older: str) -> Superseded:
        """Let the newer note supersede the older, which stays and says so; doing it again changes nothing."""
        space = self._workspace
        with space.writing():
            new, old = (space.read(space.resolve(name, statuses=("accepted",)).path) for name in (newer, older))
            if new.path == old.path:
                raise UserError(f"{new.path} cannot supersede itself; name the older note second.")
            if edits := _superseding(space, new, old):
                text = f"{new.header.name} supersedes {old.header.name}"
                space.change(edits, kind=SUPERSEDED, text=text, data={"by": new.path})
            return Superseded(new.path, old.path)

    def keep_both(self, one: str, other: str) -> Superseded:
        """Both notes stand: they are shown as contradicting each other only when one of them changes."""
        space = self._workspace
        with space.writing():
            first, second = (space.resolve(name, statuses=("accepted",)) for name in (one, other))
            if first.path == second.path:
                raise UserError(f"Name two notes; {first.path} was named twice.")
            text = f"{first.name} and {second.name}"
            space.attest([first.path, second.path], kind=KEPT, text=text, data={"both": _signature(first, second)})
            return Superseded(first.path, second.path)

    def _candidates(self, header: Header, body: str, relevant: Mapping[str, Header]) -> Iterable[str]:
        wanted = terms(f"{header.name} {header.description} {body[:500]}")
        chosen = [one.path for one in most_alike(wanted, relevant.values(), _CANDIDATES)]
        like = self._find(body, folder_name(header.scope)) if self._find else {}
        return dict.fromkeys([*chosen, *(path for path in like if path in relevant)])

    def _counts(self, header: Header) -> bool:
        """Whether a note is accepted and holds today."""
        today = times.utc(self._workspace.clock())
        over = header.valid_until and header.valid_until < today[: len(header.valid_until)]
        return header.status == "accepted" and not header.superseded_by and not over

    def _meet(self, one: Header, other: Header) -> bool:
        """Whether somebody reads both: they count in one scope, and nobody's private note is held against another's."""
        if one.owner != other.owner or _apart(one, other):
            return False
        if one.scope is None or other.scope is None or one.scope == other.scope:
            return True
        default = self._workspace.settings.default_branch(one.scope.project)
        return one.scope.project == other.scope.project and default in (one.scope.branch, other.scope.branch)

    def _kept(self) -> set[tuple[str, ...]]:
        entries = (entry.values().get("both") for entry in self._workspace.ledger() if entry.kind == KEPT)
        return {tuple(map(str, both)) for both in entries if isinstance(both, list)}

    def _told(self, new: Header, old: Header, what: Conflict) -> Contradiction:
        return Contradiction(new.name, new.path, old.name, old.path, what.what, what.new, what.old)


def _superseding(space: Workspace, new: StoredNote, old: StoredNote) -> list[Edit]:
    """The edits by which a note in memory/ supersedes another."""
    if not space.may_change(old.header):
        raise AccessError(f"An agent may not supersede {old.path}: a person looks after it. Use `mdmem retain`.")
    if new.header.owner != old.header.owner:
        raise UserError(f"{new.path} and {old.path} are not both shared, or private to the same agent.")
    if new.header.superseded_by:
        raise UserError(f"{new.path} is superseded by {new.header.superseded_by!r} itself; name the note that counts.")
    names = dict.fromkeys([*new.header.supersedes, old.header.name])
    newer = frontmatter.set_key(new.data, "supersedes", [f"[[{name}]]" for name in names])
    older = frontmatter.set_key(old.data, "superseded_by", f"[[{new.header.name}]]")
    edits = [Edit(new.path, new.header.sha256, newer), Edit(old.path, old.header.sha256, older)]
    return [edit for edit, note in zip(edits, (new, old), strict=True) if edit.new != note.data]


def _age(header: Header) -> tuple[str, str]:
    return header.updated or header.created, header.path


def _apart(one: Header, other: Header) -> bool:
    """Whether the times for which they hold do not meet."""
    return any(
        first.valid_until and second.valid_from and first.valid_until <= second.valid_from
        for first, second in ((one, other), (other, one))
    )


def _signature(one: Header, other: Header) -> tuple[str, ...]:
    return tuple(sorted((one.sha256, other.sha256)))
