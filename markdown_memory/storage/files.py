"""Reading and writing the files of a vault: never half, and never by way of a path that leads elsewhere (inside.py).

Rules:

1. A write is: temporary dot-file in the same folder, fsync, rename, fsync of the folder. A reader sees the old bytes or
   the new ones, and what was reported as written survives a power cut. The mode bits of what is replaced are kept. The
   note behind a link is replaced, not the link.
2. A new file whose name differs only by case or by Unicode form from a neighbour's is refused: on the next disk, or in
   the next clone, one of the two would be gone.
3. When a write fails, for want of space or permission, the old file is untouched and nothing of the new one remains.
4. Names are text by os.fsdecode, compared in NFC, opened by the bytes that they have on the disk, and never changed.

The standard library's slow modules are imported where they are needed.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

from markdown_memory.core.names import nfc_key
from markdown_memory.errors import AccessError, ConflictError, FormatError, MarkdownMemoryError, NotFound
from markdown_memory.storage.inside import (
    BY_HANDLE,
    NO_FOLLOW,
    Folder,
    explained,
    folder,
    opened,
    opened_in,
    parts_of,
    real_path,
    refuse_irregular,
    refuse_twin,
)

NOTE_LIMIT = 5_000_000  # bytes; more than this is no note, and is not read into memory
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | getattr(os, "O_BINARY", 0)
_CHUNK = 1 << 20
_HEAD, _TAIL = ".mdmem-", ".tmp"


# reading


def read(root: str, rel: str, limit: int | None = NOTE_LIMIT) -> bytes:
    """The bytes of a file; FormatError when there are more than `limit` (None: no limit)."""
    with opened(root, rel) as handle:
        size = os.fstat(handle).st_size
        if limit is not None and size > limit:
            raise FormatError(f"{rel} has {size:,} bytes; more than {limit:,} are not read as a note.")
        return _read_up_to(handle, size if limit is None else limit + 1)


def read_all(root: str, paths: Iterable[str], limit: int | None = None) -> Iterator[tuple[str, bytes | None]]:
    """The bytes of many files, None of those that cannot be read or have more than `limit` (None: no limit); each
    folder is opened once for those that follow."""
    from itertools import groupby

    for above, members in groupby(paths, key=lambda path: path.rpartition("/")[0]):
        with ExitStack() as stack:
            at = None
            with suppress(OSError):  # a link, say: each file explains itself then
                at = stack.enter_context(folder(root, parts_of(above) if above else []))
            for path in members:
                yield path, _read_in(root, at, path, limit)


def _read_in(root: str, at: Folder | None, path: str, limit: int | None) -> bytes | None:
    try:
        if at is not None:
            with suppress(OSError), opened_in(at, path.rpartition("/")[2], path) as handle:
                size = os.fstat(handle).st_size
                return None if limit is not None and size > limit else _read_up_to(handle, size)
        return read(root, path, limit)
    except MarkdownMemoryError:
        return None  # one bad file never stops the rest


def read_prefix(root: str, rel: str, size: int) -> tuple[bytes, str, int]:
    """The first `size` bytes, and the SHA-256 and length of the whole file, which is never in memory as a whole."""
    with opened(root, rel) as handle:
        head = _read_up_to(handle, size)
        hashed, length = _sha256(os.fstat(handle).st_size)(head), len(head)
        while chunk := os.read(handle, _CHUNK):
            hashed.update(chunk)
            length += len(chunk)
        return head, hashed.hexdigest(), length


def exists(root: str, rel: str) -> bool:
    """Whether a regular file inside the vault has that path."""
    try:
        return stat.S_ISREG(os.lstat(os.path.join(root, real_path(root, rel))).st_mode)
    except (OSError, AccessError, FormatError, NotFound):
        return False


def digest(data: bytes) -> str:
    """SHA-256 in hex: what a caller shows to prove which bytes it has read."""
    return str(_sha256(len(data))(data).hexdigest())


def _sha256(size: int) -> Any:
    """Python's own SHA-256 for little data: hashlib first loads OpenSSL, which takes longer than reading a note may."""
    if size < _CHUNK:
        for name in ("_sha256", "_sha2"):  # until Python 3.11, and since
            with suppress(ImportError, AttributeError):
                return __import__(name).sha256
    from hashlib import sha256

    return sha256


def digest_of(root: str, rel: str) -> str | None:
    """The digest of a file's present bytes, None when there is no such file."""
    try:
        return read_prefix(root, rel, 0)[1]
    except NotFound:
        return None


def same_file(root: str, one: str, other: str) -> bool:
    """Whether two paths are one file: on a disk that folds case, `Note.md` and `note.md` are."""
    try:
        return os.path.samestat(os.lstat(os.path.join(root, one)), os.lstat(os.path.join(root, other)))
    except OSError:
        return False


def _read_up_to(handle: int, size: int) -> bytes:
    data = os.read(handle, min(size, _CHUNK))
    while len(data) < size and (more := os.read(handle, min(size - len(data), _CHUNK))):
        data += more
    return data


# writing


def write_durable(root: str, rel: str, data: bytes, token: str = "") -> None:
    """Replace or make a file in one step."""
    publish(root, stage(root, rel, data, token or f"{os.getpid():x}"), rel)


def stage(root: str, rel: str, data: bytes, token: str, leaving: tuple[str, ...] = ()) -> str:
    """Write the bytes beside their target, durably; the temporary file's path.

    `leaving` are paths that the same change removes: they are no collision for a new name.
    """
    parts = parts_of(real_path(root, rel))
    temporary = temporary_name(parts[-1], token)
    with explained(rel, "was not written"), folder(root, parts[:-1], make=True) as at:
        mode = _mode_of(at, parts[-1], rel)
        if mode is None:
            refuse_twin(at, parts, frozenset(map(nfc_key, leaving)))
        _write_new(at, temporary, data, mode)
    return "/".join((*parts[:-1], temporary))


def publish(root: str, temporary: str, rel: str) -> None:
    """Move a staged file into its place and make that durable."""
    parts, staged = parts_of(real_path(root, rel)), parts_of(temporary)
    if staged[:-1] != parts[:-1]:
        raise ConflictError(f"{temporary} was not staged in the folder of {rel}, so nothing was replaced.")
    with explained(rel, "was not replaced"), folder(root, parts[:-1]) as at:
        _mode_of(at, parts[-1], rel)
        _replace(at, staged[-1], parts[-1])
        _flush_names(at)


def remove(root: str, rel: str) -> None:
    """Remove a file, or the link itself when the path is a link; no complaint when it is gone already."""
    parts = parts_of(rel)
    above = parts_of(real_path(root, "/".join(parts[:-1]))) if parts[1:] else []
    try:
        with explained(rel, "was not removed"), folder(root, above) as at:
            os.unlink(at.prefix + parts[-1], dir_fd=at.handle)
            _flush_names(at)
    except NotFound:
        return


def remove_exactly(root: str, rel: str, sha256: str) -> None:
    """Remove a file of these bytes; ConflictError when somebody has written others, which stay, however late that was.

    It is renamed first and looked at under that name: what an editor saves meanwhile is a file of its own.
    """
    parts = parts_of(rel)
    above = parts_of(real_path(root, "/".join(parts[:-1]))) if parts[1:] else []
    aside = temporary_name(parts[-1], "removed")
    with explained(rel, "was not removed"), folder(root, above) as at:
        _replace(at, parts[-1], aside)
        if digest_of(root, "/".join([*above, aside])) == sha256:
            os.unlink(at.prefix + aside, dir_fd=at.handle)
            _flush_names(at)
            return
        if not os.path.lexists(os.path.join(root, *above, parts[-1])):
            _replace(at, aside, parts[-1])
        else:
            os.unlink(at.prefix + aside, dir_fd=at.handle)  # saved once more since
    raise ConflictError(f"{rel} was changed this very moment; read it again.")


def prune(root: str, rel_folder: str) -> None:
    """Remove a folder of the vault and its parents as long as they are empty; never the vault itself."""
    while rel_folder:
        try:
            os.rmdir(os.path.join(root, real_path(root, rel_folder)))
        except (OSError, AccessError, FormatError, NotFound):
            return
        rel_folder = rel_folder.rpartition("/")[0]


def make_folder(root: str, rel_folder: str) -> None:
    """Make a folder of the vault and its parents, durably."""
    with explained(rel_folder, "was not made"), folder(root, parts_of(rel_folder), make=True):
        return


def sync_folder(root: str, rel_folder: str) -> None:
    """Make the names in a folder durable ("" is the vault's own)."""
    parts = parts_of(real_path(root, rel_folder)) if rel_folder else []
    with explained(rel_folder or "the vault", "was not made durable"), folder(root, parts) as at:
        _flush_names(at)


def temporary_name(name: str, token: str) -> str:
    """A dot-file's name that depends on the target's name and on the change that it belongs to."""
    from zlib import crc32

    return f"{_HEAD}{token}-{crc32(os.fsencode(name)):08x}{_TAIL}"


def is_temporary(name: str) -> bool:
    """Whether this is the name of a temporary file of ours."""
    return name.startswith(_HEAD) and name.endswith(_TAIL)


def _mode_of(at: Folder, name: str, rel: str) -> int | None:
    try:
        found = os.lstat(at.prefix + name, dir_fd=at.handle)
    except FileNotFoundError:
        return None
    refuse_irregular(found, rel)
    return stat.S_IMODE(found.st_mode)


def _write_new(at: Folder, name: str, data: bytes, mode: int | None) -> None:
    path = at.prefix + name
    _unlink(path, at.handle)  # left over from a killed process with the same token
    handle = os.open(path, _CREATE, 0o666, dir_fd=at.handle)
    try:
        try:
            if mode is not None and BY_HANDLE:
                os.fchmod(handle, mode)
            _write_all(handle, data)
            _flush(handle)
        finally:
            os.close(handle)
    except BaseException:
        _unlink(path, at.handle)
        raise


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _unlink(path: str, handle: int | None) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path, dir_fd=handle)


def _flush(handle: int) -> None:
    if sys.platform == "darwin":  # fsync there leaves the data in the drive's own cache
        import fcntl

        try:
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
        except OSError:
            pass
    os.fsync(handle)


def _flush_names(at: Folder) -> None:
    if at.handle is None:
        return
    try:
        os.fsync(at.handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):  # some network drives cannot
            raise


def _replace(at: Folder, source: str, target: str) -> None:
    if at.handle is not None:
        os.replace(source, target, src_dir_fd=at.handle, dst_dir_fd=at.handle)
        return
    import time

    for wait in (0.05, 0.1, 0.2, 0.4, 0.8, None):  # on Windows an editor or a scanner may hold the file for a moment
        try:
            os.replace(at.prefix + source, at.prefix + target)
            return
        except PermissionError:
            if wait is None:
                raise
            time.sleep(wait)
