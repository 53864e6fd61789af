"""What a change does to files, one by one, and which of them go together."""

from collections.abc import Sequence
from typing import NamedTuple

from markdown_memory.core import layout
from markdown_memory.errors import UserError
from markdown_memory.storage import files

FOR_GOOD = ("redact", "purge")
"""Operations that are meant to leave nothing behind."""


class Edit(NamedTuple):
    """One file of a change: the hash that was read (None = no such file) and the new bytes (None = remove)."""

    path: str
    old: str | None
    new: bytes | None
    move_from: str = ""


def ledger_for(path: str) -> str:
    """The log that vouches for a file."""
    from markdown_memory.core.log_names import is_log, ledger_of

    log = ledger_of(layout.private_owner(path))
    if not is_log(log):
        raise UserError(f"{path} lies in the private folder of nobody: its name is no agent's. Rename that folder.")
    return log


def by_owner(paths: Sequence[str]) -> list[list[str]]:
    """The paths of each private folder together, those of none first."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(layout.private_owner(path), []).append(path)
    return [found[owner] for owner in sorted(found)]


def by_ledger(edits: Sequence[Edit]) -> list[list[Edit]]:
    by_path = {edit.path: edit for edit in edits}
    return [[by_path[path] for path in paths] for paths in by_owner(list(by_path))]


def check_size(edits: Sequence[Edit]) -> None:
    """Refuse to write what could not be read again."""
    for edit in edits:
        if edit.new is not None and len(edit.new) > files.NOTE_LIMIT:
            raise UserError(
                f"{edit.path} would have {len(edit.new):,} bytes, and a note holds at most {files.NOTE_LIMIT:,}; "
                f"nothing was written. Split the text, or name the file that it comes from."
            )


def leaving(edits: Sequence[Edit]) -> dict[str, str]:
    """Files by the SHA-256 of texts that are nowhere else once the edits are done; MEMORY.md is rendered anyway."""
    moved = {files.digest(one.new) for one in edits if one.new is not None}
    return {one.old: one.path for one in edits if one.old and one.old not in moved and one.path != layout.MEMORY_INDEX}
