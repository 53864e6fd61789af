"""Copies that sync tools make of notes: of two states of one file they keep both, one under another name.

    found(workspace) -> list[Found(path, original, same)]       looking changes nothing
    put_away(workspace, path, text) -> str                      into archive/, under the path of the original

A file whose name is a tool's own (Syncthing's `.sync-conflict-…`, a `(… conflicted copy …)` of Dropbox, Obsidian Sync
or Nextcloud) is no memory: no search, context or list shows it. A name that a person might have chosen as well
(`tea 2.md` of iCloud, `tea (1).md` of Google Drive, `tea-LAPTOP.md` of OneDrive) is taken for a copy only when the file
beside it without that ending holds the same bytes.
"""

from typing import NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.names import copied_from, numbered_from
from markdown_memory.workspace import Edit, Workspace


class Found(NamedTuple):
    """A copy, the path of the file that it was made of, and whether it holds the same text ("" in `original`: it is
    gone)."""

    path: str
    original: str
    same: bool


def found(space: Workspace) -> list[Found]:
    """The copies of notes, by path."""
    by_path = {header.path: header for header in space.headers()}
    copies = []
    for path, header in sorted(by_path.items()):
        named = copied_from(path)
        original = named or numbered_from(path)
        here = by_path.get(original) if original else None
        same = here is not None and _text(space, path) == _text(space, here.path)
        if named or (same and here is not None and header.sha256 == here.sha256):
            copies.append(Found(path, original if here else "", same))
    return copies


def put_away(space: Workspace, copy: Found, text: str) -> str:
    """Move a copy into the archive, where it is found as an older state of its original; its path there."""
    stored = space.read(copy.path)
    name = copied_from(copy.path) or copy.path
    target = space.free_file(name if name.startswith("archive/") else layout.archive_path(name))
    moves = [Edit(target, None, stored.data, move_from=copy.path), Edit(copy.path, stored.header.sha256, None)]
    space.change(moves, kind="fold", text=text)
    return target


def _text(space: Workspace, path: str) -> bytes:
    stored = space.read_quietly(path)
    return stored.data.replace(b"\r\n", b"\n") if stored else b""
