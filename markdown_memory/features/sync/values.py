"""What a synchronisation hands out."""

from typing import NamedTuple


class Conflict(NamedTuple):
    """A file that both sides changed so that a person has to look: what stays at `path`, and where the other text is.

    `kept` is a proposal in the inbox, or a file in archive/ where the file is no note.
    """

    path: str
    kept: str
    sentence: str


class Synced(NamedTuple):
    """What a synchronisation did. Numbers count files."""

    remote: str
    branch: str
    committed: int
    """Files that had changed here since the last time."""
    received: int
    """Files that changed here because others had changed them."""
    merged: int
    """Files that both had changed, and that came out as one text."""
    conflicts: tuple[Conflict, ...] = ()
    pushed: bool = False
    tries: int = 1
    commit: str = ""
