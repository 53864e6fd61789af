"""A look that costs little: which folders have entries come or gone since a whole scan, and which files in them.

Rules:

1. A folder's time changes when a file in it is made, removed, renamed or replaced, which is how most programs save. A
   file that is written in place changes its own time only: that is for the whole scan to find.
2. A folder whose time is so young that it could change again within the same tick is listed again next time.
3. Of a folder that changed, only files that are new, gone, or have another inode are looked at; from its second
   listing on, only what differs from the one before is asked for at all.
4. What is not plain (a folder came or went, many files are gone at once) is for the whole scan as well.
"""

import os
import time
from collections.abc import Callable, Mapping

from markdown_memory.storage.catalog_refresh import NOT_NOTES, Known
from markdown_memory.storage.headers import settled
from markdown_memory.storage.scan import LINK, Findings, names

UNSETTLED = (0, 0)
_MANY = 10
KnownIn = Callable[[str], Mapping[str, Known]]


class Glance:
    """What a whole scan that began at `looked_at` (ns) has seen of the folders, kept up by every look since."""

    def __init__(self, findings: Findings, looked_at: int) -> None:
        self.stamps = {folder: _kept(stamp, looked_at) for folder, stamp in findings.stamps.items()}
        self._listed: dict[str, dict[str, int]] = {}

    def suspects(self, root: str, known_in: KnownIn, known: Callable[[str], Known | None]) -> list[str] | None:
        """Paths that have to be looked at; None when only a whole scan can tell."""
        found: list[str] = []
        lost = 0
        for folder in _changed(root, self.stamps):
            looked_at = time.time_ns()
            stamp = _stamp(root, folder)
            listed = names(root, folder, NOT_NOTES)
            if stamp is None or listed is None or not self.stamps.keys() >= listed.folders:
                return None
            gone, new = self._compared(folder, listed.files, known_in, known)
            lost += len(gone)
            if lost >= _MANY:
                return None
            found += [*gone, *new]
            self._listed[folder] = listed.files
            self.stamps[folder] = _kept(stamp, looked_at)
        return found

    def _compared(
        self, folder: str, files: dict[str, int], known_in: KnownIn, known: Callable[[str], Known | None]
    ) -> tuple[list[str], list[str]]:
        """Paths that are known and gone, and those that are there and not known as they are."""
        if (before := self._listed.get(folder)) is None:
            there = known_in(folder)
            gone = [path for path in there if path not in files]
            return gone, [path for path, inode in files.items() if _is_new(there.get(path), inode)]
        differing = {path for path, _ in before.items() ^ files.items()}
        gone = [path for path in differing if path not in files and known(path)]
        return gone, [path for path in differing if path in files and _is_new(known(path), files[path])]


def _changed(root: str, stamps: Mapping[str, tuple[int, int]]) -> list[str]:
    return [folder for folder, stamp in stamps.items() if stamp == UNSETTLED or _stamp(root, folder) != stamp]


def _stamp(root: str, folder: str) -> tuple[int, int] | None:
    try:
        found = os.stat(os.path.join(root, folder))
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def _kept(stamp: tuple[int, int], looked_at: int) -> tuple[int, int]:
    return stamp if settled(stamp[0], stamp[0], looked_at) else UNSETTLED


def _is_new(known: Known | None, inode: int) -> bool:
    if known is None or inode == LINK:
        return known is None
    return known.signature.split(" ")[2:3] not in ([str(inode)], ["0"])  # 0: Windows lists no inodes
