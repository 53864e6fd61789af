"""What comes of snapshots."""

from typing import NamedTuple

from markdown_memory.rules.merge_guard import guides


class Snapshot(NamedTuple):
    """A snapshot that was made: its file, the signature beside it, and what stayed behind because of its name."""

    path: str
    signature: str
    sha256: str
    tree: str
    files: int
    bytes: int
    writer: str
    left_out: tuple[str, ...] = ()


class OpenedCopy(NamedTuple):
    """A snapshot that was unpacked: the folder, and the vault's id."""

    folder: str
    vault_id: str
    files: int
    writer: str


class Change(NamedTuple):
    """What a merge does with one file.

    `verb` is take, update, remove, rename, merge or conflict; `verdict` is "" or says who was right: merged, local,
    remote, both, asked. `kept` are the files in which other versions are kept.
    """

    verb: str
    path: str
    reason: str
    old_path: str = ""
    verdict: str = ""
    conflicts: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


class MergeReport(NamedTuple):
    """What a merge did, or would do.

    `counts` has imported (new notes), updated, removed, renamed, merged, conflicts, skipped (the same, or changed here
    only) and log_entries; `base` says what the two were compared with: a tree, `ledger`, or "" for nothing.
    """

    source: str
    strategy: str
    maker: str
    base: str
    changes: tuple[Change, ...]
    counts: dict[str, int]
    entry: str = ""
    notices: tuple[str, ...] = ()

    @property
    def guiding(self) -> tuple[Change, ...]:
        """What changes in Settings.md, identity, skills and agents' pages; `changes` begins with it."""
        return tuple(change for change in self.changes if guides(change.path))

    @property
    def conflicts(self) -> tuple[Change, ...]:
        """The files about which the two copies disagree."""
        return tuple(change for change in self.changes if change.conflicts)
