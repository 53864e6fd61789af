"""What the ledger's entries say about files, and whether anybody has written to a log since one last looked."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory.core.layout import LOG_FOLDER
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.storage import files

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.core.ledger import FileChange
    from markdown_memory.storage.log_values import Reading


def stamp(root: str, log: str) -> list[tuple[str, int, int]]:
    """Name, size and time of every file of a log: the same as long as nobody has written to it."""
    found: list[tuple[str, int, int]] = []
    folder = os.path.join(root, LOG_FOLDER, log)
    try:
        for month in os.listdir(folder):
            with os.scandir(os.path.join(folder, month)) as listing:
                stats = [(one.name, one.stat()) for one in listing]
            found += [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]
    except OSError:
        return found
    return sorted(found)


def changes_of(root: str, entry: "Entry") -> "Sequence[FileChange]":
    """The files that an entry speaks of; none when its manifest is not there or not the one that was signed."""
    from markdown_memory.core.ledger import manifest_of, parse_ledger

    data = entry.values()
    named = manifest_of(data)
    try:
        if named is None:
            return parse_ledger(data)
        manifest = files.read(root, named[0], None)
        return parse_ledger(data, manifest) if files.digest(manifest) == named[1] else ()
    except MarkdownMemoryError:
        return ()


def signed_by_a_person(root: str, reading: "Reading", folders: tuple[str, ...]) -> dict[str, str]:
    """SHA-256 by path of the files in these folders whose newest state a person's key has signed; "" for the others."""
    found: dict[str, str] = {}
    for entry in reading.entries:
        signed = reading.standings.trusts(entry, "person")
        for change in changes_of(root, entry):
            if change.path.startswith(folders):
                found[change.path] = change.new if signed else ""
    return found
