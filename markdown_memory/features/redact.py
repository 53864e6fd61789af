"""Redaction: a person makes a text vanish everywhere the package can reach, and is told where it cannot.

Log entries are blanked on every host: a `redact` entry of the `keys` log names them by hash, each host replaces their
lines, and the chains still verify. Notes, proposals and archived copies are removed without a copy in the archive.

    redact(workspace, names, person_present) -> Redacted(entries, paths, unreachable)
    apply(workspace) -> list[str]         blank here what was redacted elsewhere; the files that were rewritten

The states that are kept as bases of later merges, in the state folder, lose it too.
"""

from collections.abc import Sequence
from typing import NamedTuple

from markdown_memory.core.entry import Head
from markdown_memory.core.log_names import SHORTS, is_entry_id, short, writer_of_id
from markdown_memory.errors import AccessError, NotFound, UserError
from markdown_memory.workspace import Edit, Workspace

MOST = 100  # entries in one act: a head has about 80 characters
UNREACHABLE = (
    "Copies on other machines hold it until they have synchronised; snapshots that were sent out keep it.",
    "Backups, git's history, and whatever other programs or people have read keep it.",
    "If it was a password or a key: change it now.",
)


class Redacted(NamedTuple):
    """Entries and files that are gone, and in sentences what could not be reached."""

    entries: tuple[str, ...]
    paths: tuple[str, ...]
    unreachable: tuple[str, ...] = UNREACHABLE


def redact(space: Workspace, names: Sequence[str], person_present: bool) -> Redacted:
    """Make entries (`lyra-k7f3-42`, `led-lyra-k7f3-7`) and notes (by name or path) vanish."""
    if not person_present:
        raise AccessError("Only a person redacts: run `mdmem redact` yourself, in a terminal.")
    space.found.check_meant()
    heads = [_head(space, name) for name in names if _is_entry(space, name)]
    paths = [path for name in names if not _is_entry(space, name) for path in _paths(space, name)]
    if len(heads) > MOST:
        raise UserError(f"At most {MOST} entries can be redacted at once; these are {len(heads)}.")
    if paths:
        edits = [Edit(path, space.hash_of(path), None) for path in dict.fromkeys(paths)]
        space.change(edits, kind="redact", text=f"redacted {len(edits)} file{'s' if len(edits) > 1 else ''}")
    if heads:
        person = space.logs.writer(space.person, "person")
        many = f"{len(heads)} entries" if len(heads) > 1 else "1 entry"
        data = {"entries": [str(head) for head in dict.fromkeys(heads)]}
        space.logs.append(person, "keys", channel=space.via, kind="redact", text=f"redacted {many}", data=data)
        space.logs.blank_redacted()
    purge(space, bool(heads))
    return Redacted(tuple(f"{head.writer}-{head.seq}" for head in heads), tuple(dict.fromkeys(paths)))


def apply(space: Workspace) -> list[str]:
    """Blank, in this copy, the entries that persons have redacted."""
    paths = space.logs.blank_redacted()
    purge(space, bool(paths))
    return paths


def purge(space: Workspace, logs: bool) -> None:
    """Take what was redacted out of the states that later merges start from, for all copies on this account."""
    from markdown_memory.rules import redactions
    from markdown_memory.storage.ledger_reading import changes_of
    from markdown_memory.storage.lineage import Lineage

    standings, hashes = space.logs.standings(), set[str]()
    for log in space.ledgers():
        entries = space.logs.read(log).entries
        changes = {entry.id: changes_of(space.root, entry) for entry in entries}
        hashes |= redactions.find(entries, changes, lambda one: standings.trusts(one, "person")).hashes
    space.earlier.purge(hashes)
    if hashes or logs:
        Lineage(space.places, space.vault_id, space.root).purge(hashes, logs)


def _is_entry(space: Workspace, name: str) -> bool:
    """Whether a name means a log entry: a note may be called like one, but not like one of a writer that is known."""
    return is_entry_id(name) and writer_of_id(name)[0] in space.logs.standings().writers


def _head(space: Workspace, name: str) -> Head:
    word = name.removeprefix("^").partition("-")[0]
    logs = [log for log in (*SHORTS, *space.private_ledgers()) if short(log) == word] or ["live-context"]
    if logs == ["keys"]:
        raise UserError("Entries of the keys log cannot be redacted: without them nobody could check who may sign.")
    writer, seq = writer_of_id(name)
    for log in logs:
        chain = space.logs.read(log).chains.get(writer)
        for one in chain.placed if chain else ():
            if one.entry.seq == seq:
                return Head(log, writer, seq, one.hash)
    raise NotFound(
        f"There is no entry {writer}-{seq} in {logs[0]}; with its log's word in front it is led-{writer}-{seq}."
    )


def _paths(space: Workspace, name: str) -> list[str]:
    """The note that the name means, and what else has its identity: archived copies and proposals."""
    header = space.resolve(name)
    same = [
        other.path
        for other in space.headers()
        if other.path == header.path or (other.status in ("archived", "proposal") and other.name == header.name)
    ]
    return [header.path, *(path for path in same if path != header.path)]
