"""Where a path of the vault leads, and that it stays inside.

Rules:

1. A path is relative to the vault, written with "/". An absolute one, one with `..`, or one that a symbolic link leads
   out of the vault is refused, for reading as for writing. A link that stays inside is followed.
2. Every folder on the way is opened by itself and without following links, so that nothing can be exchanged between
   the check and the use. Where the system has no folder handles (Windows) the joined path has to do.
3. Only regular files are opened. A folder called x.md, a pipe or a device is refused before it is touched: opening a
   pipe would wait for ever.
4. What the system says becomes a sentence that names the file and what to do.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from markdown_memory.core.names import folded, nfc_key
from markdown_memory.errors import (
    AccessError,
    ConflictError,
    FormatError,
    MarkdownMemoryError,
    NotFound,
    StorageError,
)
from markdown_memory.storage.places import reason

BY_HANDLE = os.open in os.supports_dir_fd
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_READ = os.O_RDONLY | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_ROOT = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_DIRECTORY", 0)
_FOLDER = _ROOT | NO_FOLLOW
_LINK_MET = (errno.ELOOP, errno.ENOTDIR)

_ADVICE = {
    errno.ENOSPC: "the disk is full: free some space and try again",
    errno.EDQUOT: "your share of the disk is used up: free some space and try again",
    errno.EFBIG: "the system allows no file of that size: raise the limit (`ulimit -f`) or free some space",
    errno.EROFS: "the disk is read-only: mount it for writing, or work on a copy",
    errno.EACCES: "permission denied: look at who owns it and at its mode bits (`ls -l`)",
    errno.EPERM: "the system does not permit it: look at who owns it and at its attributes",
    errno.ENAMETOOLONG: "the name is too long for this disk: choose a shorter one",
    errno.EILSEQ: "this disk cannot store that name: choose another one",
    errno.EIO: "the disk reports an error: check it, and restore from a backup if need be",
    errno.ESTALE: "the network drive has lost the file: mount it again",
    errno.EBUSY: "another program holds it: close that program and try again",
    errno.ETXTBSY: "another program holds it: close that program and try again",
    errno.EMFILE: "too many files are open: close some programs and try again",
}


class Folder(NamedTuple):
    """An open folder: its handle, or where there are no such handles, the path to put before a name."""

    handle: int | None
    prefix: str

    def close(self) -> None:
        """Give the handle back."""
        if self.handle is not None:
            os.close(self.handle)


def parts_of(rel: str) -> list[str]:
    """The path's parts; AccessError when it could mean anything outside the vault."""
    parts = rel.split("/")
    foreign = os.sep != "/" and (os.sep in rel or ":" in rel)
    if "" in parts or ".." in parts or "." in parts or "\0" in rel or foreign:
        raise AccessError(f"{rel!r} is no path inside the vault, so it is neither read nor written.")
    return parts


def real_path(root: str, rel: str) -> str:
    """The path without symbolic links, still relative to the vault; AccessError when it leads out of it."""
    parts = parts_of(rel)
    at = root
    for depth, part in enumerate(parts, 1):
        at = os.path.join(at, part)
        try:
            linked = stat.S_ISLNK(os.lstat(at).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            break
        except OSError as error:
            raise failure(rel, "cannot be reached", error) from error
        if linked:
            return real_path(root, "/".join((_resolved(root, at, rel), *parts[depth:])))
    return rel


def _resolved(root: str, link: str, rel: str) -> str:
    try:
        real = os.path.realpath(link, strict=True)
    except FileNotFoundError:
        raise NotFound(f"{rel} is or passes through a link to a file that is not there.") from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise FormatError(f"{rel} is a link that leads back to itself; remove the link.") from None
        raise failure(rel, "cannot be reached", error) from error
    base = os.path.realpath(root)
    if os.path.commonpath((base, real)) != base or real == base:
        raise AccessError(f"{rel} is a link out of the vault; what lies outside is neither read nor written.")
    return os.path.relpath(real, base).replace(os.sep, "/")


@contextmanager
def folder(root: str, parts: list[str], make: bool = False) -> Iterator[Folder]:
    """The folder with these parts, none of them a link, open; with `make` it and its parents are made."""
    opened = _open_folder(root, parts, make)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def opened(root: str, rel: str) -> Iterator[int]:
    """A regular file of the vault, open for reading."""
    with explained(rel, "cannot be read"):
        try:
            handle = _open_file(root, parts_of(rel), rel)
        except OSError as error:
            if error.errno not in _LINK_MET:
                raise
            handle = _open_file(root, parts_of(real_path(root, rel)), rel)
        try:
            yield handle
        finally:
            os.close(handle)


@contextmanager
def opened_in(at: Folder, name: str, rel: str) -> Iterator[int]:
    """A regular file of an open folder, open for reading; OSError when it is a link."""
    handle = _open_in(at, name, rel)
    try:
        yield handle
    finally:
        os.close(handle)


def _open_file(root: str, parts: list[str], rel: str) -> int:
    at = _open_folder(root, parts[:-1])
    try:
        return _open_in(at, parts[-1], rel)
    finally:
        at.close()


def _open_in(at: Folder, name: str, rel: str) -> int:
    path = at.prefix + name
    found = os.lstat(path, dir_fd=at.handle)
    if stat.S_ISLNK(found.st_mode):
        raise OSError(errno.ELOOP, "a link")
    refuse_irregular(found, rel)
    handle = os.open(path, _READ, dir_fd=at.handle)
    try:
        refuse_irregular(os.fstat(handle), rel)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _open_folder(root: str, parts: list[str], make: bool = False) -> Folder:
    if not BY_HANDLE:
        path = os.path.join(root, *parts)
        if make:
            os.makedirs(path, exist_ok=True)
        return Folder(None, path + os.sep)
    handle = os.open(root, _ROOT)
    for depth, part in enumerate(parts):
        try:
            deeper = os.open(part, _FOLDER, dir_fd=handle)
        except FileNotFoundError:
            if not make:
                os.close(handle)
                raise
            deeper = _make_folder(handle, parts[: depth + 1])
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        handle = deeper
    return Folder(handle, "")


def _make_folder(handle: int, parts: list[str]) -> int:
    try:
        refuse_twin(Folder(handle, ""), parts, frozenset())
        try:
            os.mkdir(parts[-1], dir_fd=handle)
            os.fsync(handle)
        except FileExistsError:
            pass  # another process made it in this moment
        return os.open(parts[-1], _FOLDER, dir_fd=handle)
    except BaseException:
        os.close(handle)
        raise


# what may not be


def refuse_irregular(found: os.stat_result, rel: str) -> None:
    """FormatError unless it is a regular file."""
    if stat.S_ISDIR(found.st_mode):
        raise FormatError(f"{rel} is a folder, not a note; rename the folder if a note should have that name.")
    if not stat.S_ISREG(found.st_mode):
        raise FormatError(f"{rel} is a pipe, socket, link or device, not a file; move it out of the vault.")


def refuse_twin(at: Folder, parts: list[str], leaving: frozenset[str]) -> None:
    """ConflictError when a neighbour's name differs only by case or Unicode form; `leaving` are no neighbours."""
    wanted = nfc_key(parts[-1]).casefold()
    names = os.listdir(at.prefix if at.handle is None else at.handle)
    if wanted not in (keys := folded(names)):
        return
    for name, key in zip(names, keys, strict=True):
        if key != wanted or name == parts[-1]:
            continue
        if nfc_key("/".join((*parts[:-1], name))) not in leaving:
            raise ConflictError(
                f"{'/'.join(parts)} was not made, since {name} is there: the two names differ only by case or by the "
                "form of their accents and cannot live together on every disk. Choose another name."
            )


# sentences


@contextmanager
def explained(rel: str, what: str) -> Iterator[None]:
    """Turn the system's errors into sentences about this file."""
    try:
        yield
    except OSError as error:
        raise failure(rel, what, error) from error


def failure(rel: str, what: str, error: OSError) -> MarkdownMemoryError:
    """The error of ours for an error of the system's: `what` says what did not happen to `rel`."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return NotFound(f"There is no file {rel}.")
    if error.errno == errno.ELOOP:
        return FormatError(f"{rel} passes through a link that was changed meanwhile; try again.")
    return StorageError(f"{rel} {what}: {_ADVICE.get(error.errno or 0) or reason(error)}.")
