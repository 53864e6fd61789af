"""What is in a vault now: a listing of its files with their stat signatures, fast enough to be made for every command.

Rules:

1. Names that begin with a dot, `node_modules`, and files without the wanted suffix are not listed.
2. A folder that cannot be read is a problem and stands in `unseen`: its files are unknown, which is not the same as
   gone.
3. A link that leads out of the vault is a problem and is not followed. A link to a note that is listed anyway is left
   out, so that the note counts once; so is a link to a folder of the vault. What a link to a dot-folder of the vault
   holds is listed under the link's name.
4. A pipe or device with a note's name is a problem. A folder called x.md is a folder.
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

from markdown_memory.core.problem import Problem
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.storage.inside import real_path
from markdown_memory.storage.places import reason

SUFFIX = ".md"
LINK = -1
_LEFT_OUT = frozenset(("node_modules",))
_BY_HANDLE = os.scandir in os.supports_fd


class Stat(NamedTuple):
    """A file and what changes when its content does (never compare for order, only for sameness)."""

    path: str
    mtime_ns: int
    size: int
    inode: int
    ctime_ns: int


class Listing(NamedTuple):
    """One folder ("" is the vault): its files as (name, mtime_ns, size, inode, ctime_ns), in the disk's order."""

    folder: str
    files: list[tuple[str, int, int, int, int]]


class Findings:
    """What a scan met that it could not list."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.unseen: list[str] = []
        self.stamps: dict[str, tuple[int, int]] = {}
        """Of every folder that was listed, as it was right before: when its entries changed last (ns), its inode."""
        self.cost = 0.0
        """Seconds of processor time that it took to list everything and to compare it with what was known."""

    def hides(self, path: str) -> bool:
        """Whether a path lies in a folder that could not be read."""
        return any(not folder or path.startswith(f"{folder}/") for folder in self.unseen)


def scan(root: str, suffix: str = SUFFIX, findings: Findings | None = None) -> Iterator[Stat]:
    """Every file of the vault whose name ends in `suffix` (without regard to case), in no particular order."""
    for folder, files in walk(root, Findings() if findings is None else findings, suffix):
        head = f"{folder}/" if folder else ""
        for name, *signature in files:
            yield Stat(head + name, *signature)


def walk(root: str, findings: Findings, suffix: str = SUFFIX, skip: frozenset[str] = frozenset()) -> Iterator[Listing]:
    """The vault's folders one by one; those in `skip` are left out with all that is in them."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        files: list[tuple[str, int, int, int, int]] = []
        try:
            below = _list(root, folder, suffix, files, findings)
        except OSError as error:
            _unreadable(folder, error, findings)
            continue
        waiting += [path for path in below if path not in skip]
        yield Listing(folder, files)


class Names(NamedTuple):
    """The notes of one folder with their inodes (LINK for links and other oddities), and its subfolders, by path."""

    files: dict[str, int]
    folders: set[str]


def names(root: str, folder: str, skip: frozenset[str], suffix: str = SUFFIX) -> Names | None:
    """What is in a folder, without looking at any file; None when it cannot be read."""
    head = f"{folder}/" if folder else ""
    found = Names({}, set())
    try:
        with os.scandir(os.path.join(root, folder)) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == ".":
                    continue
                if name.endswith(suffix) and entry.is_file(follow_symlinks=False):
                    found.files[head + name] = entry.inode()
                elif entry.is_dir(follow_symlinks=False):
                    if name not in _LEFT_OUT and head + name not in skip:
                        found.folders.add(head + name)
                elif name.lower().endswith(suffix):
                    found.files[head + name] = entry.inode() if entry.is_file(follow_symlinks=False) else LINK
    except OSError:
        return None
    return found


def _list(
    root: str, folder: str, suffix: str, files: list[tuple[str, int, int, int, int]], findings: Findings
) -> list[str]:
    head = f"{folder}/" if folder else ""
    below = []
    path = os.path.join(root, folder)
    handle = os.open(path, os.O_RDONLY) if _BY_HANDLE else None
    try:
        found = os.stat(path if handle is None else handle)
        findings.stamps[folder] = found.st_mtime_ns, found.st_ino
        with os.scandir(path if handle is None else handle) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == ".":
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if name not in _LEFT_OUT:
                        below.append(head + name)
                elif name.endswith(suffix) or name.lower().endswith(suffix):
                    if entry.is_file(follow_symlinks=False):
                        found = entry.stat(follow_symlinks=False)
                        files.append((name, found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns))
                    else:
                        _irregular(root, head + name, entry.is_symlink(), files, findings)
    finally:
        if handle is not None:
            os.close(handle)
    return below


def _irregular(
    root: str, path: str, link: bool, files: list[tuple[str, int, int, int, int]], findings: Findings
) -> None:
    if not link:
        findings.problems.append(
            Problem("not-a-file", path, 0, "This is a pipe, socket or device, not a file.", "Move it out of the vault.")
        )
        return
    try:
        real = real_path(root, path)
        found = os.lstat(os.path.join(root, real))
    except (MarkdownMemoryError, OSError) as error:
        findings.problems.append(Problem("link-unusable", path, 0, str(error), "Remove the link, or copy the file."))
        return
    hidden = any(part.startswith(".") or part in _LEFT_OUT for part in real.split("/"))
    if hidden and os.path.isfile(os.path.join(root, real)):
        name = path.rpartition("/")[2]
        files.append((name, found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns))


def _unreadable(folder: str, error: OSError, findings: Findings) -> None:
    if isinstance(error, FileNotFoundError) and folder:
        return  # removed while we looked
    findings.unseen.append(folder)
    findings.problems.append(
        Problem(
            "folder-unreadable",
            folder or ".",
            0,
            f"The folder cannot be read ({reason(error)}); what is in it is kept as it was last seen.",
            "Make it readable for yourself: `chmod u+rx`.",
        )
    )
