"""What the ledger's entries say about files, and whether anybody has written to a log since one last looked."""

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from markdown_memory.core.layout import LOG_FOLDER, PRIVATE_FOLDER
from markdown_memory.core.log_names import PRIVATE
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.storage import files

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.core.ledger import FileChange
    from markdown_memory.storage.log_values import Reading


def stamp(root: str, log: str) -> list[tuple[str, int, int]]:
    """Name, size and time of every file of a log: the same as long as nobody has written to it."""
    found: list[tuple[str, int, int]] = []
    owner = log.removeprefix(PRIVATE)
    folder = os.path.join(root, LOG_FOLDER, log) if owner == log else os.path.join(root, PRIVATE_FOLDER, owner, "log")
    try:
        for month in os.listdir(folder):
            with os.scandir(os.path.join(folder, month)) as listing:
                stats = [(one.name, one.stat()) for one in listing]
            found += [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]
    except OSError:
        return found
    return sorted(found)


def changes_of(root: str, entry: "Entry", arriving: "Mapping[str, bytes] | None" = None) -> "Sequence[FileChange]":
    """The files that an entry speaks of; none when its manifest is not there or not the one that was signed.

    `arriving` are files that are not on the disk yet, by path.
    """
    from markdown_memory.core.ledger import manifest_of, parse_ledger

    data = entry.values()
    named = manifest_of(data)
    try:
        if named is None:
            return parse_ledger(data)
        manifest = (arriving or {}).get(named[0]) or files.read(root, named[0], None)
        return parse_ledger(data, manifest) if files.digest(manifest) == named[1] else ()
    except MarkdownMemoryError:
        return ()


def signed_by_a_person(root: str, reading: "Reading", folders: tuple[str, ...]) -> dict[str, str]:
    """SHA-256 by path of the files in these folders whose newest state a person's key has signed; "" for the others."""
    from markdown_memory.rules.attestation import OBSERVED

    found: dict[str, str] = {}
    for entry in reading.entries:
        if entry.kind == OBSERVED:
            continue  # who has seen a file has not signed it
        signed = reading.standings.trusts(entry, "person")
        for change in changes_of(root, entry):
            if change.path.startswith(folders):
                found[change.path] = change.new if signed else ""
    return found


def trusted_hashes(root: str, reading: "Reading", own: Collection[str]) -> dict[str, list[str]]:
    """SHA-256 by path of the newest states that trusted writers have signed through the gate.

    `own` are fingerprints of keys that count beside those of confirmed writers. See rules/attestation.py.
    """
    from markdown_memory.rules.attestation import OBSERVED, VOID, Ledger

    def counts(entry: "Entry") -> bool:
        gated = entry.kind != OBSERVED and entry.values().get("via") != "file"
        return gated and (entry.key in own or reading.standings.trusts(entry))

    entries = [entry for entry in reading.entries if entry.kind == VOID or counts(entry)]
    book = Ledger(entries, {entry.id: changes_of(root, entry) for entry in entries}, reading.standings)
    return {
        path: sorted({event.change.new for event in book.current(path) if event.change.new}) for path in book.paths()
    }


def newest_signed(root: str, reading: "Reading") -> dict[str, tuple[str, str, str]]:
    """By path: SHA-256, agent and role ("" for a writer of no standing) of the newest signed state."""
    from markdown_memory.rules.attestation import OBSERVED, histories

    changes = {entry.id: changes_of(root, entry) for entry in reading.entries if entry.kind != OBSERVED}
    found: dict[str, tuple[str, str, str]] = {}
    trusts = reading.standings.trusts
    for path, events in histories(reading.entries, changes).items():
        entry, change = events[-1]
        role = "person" if trusts(entry, "person") else "agent" if trusts(entry) else ""
        found[path] = (change.new, entry.agent, role)
    return found
