"""The end of one's own chain: where the next entry goes, and what this host remembers of it outside the vault.

    <state>/heads/<vault id>/<log>/<writer>.json     seq, hash, month, size of the file, what was declared as seen

Rules:

1. The remembered head is written after the entry is on disk, without fsync: after a power cut it may be older than the
   file, never newer than what was acknowledged.
2. The file may be ahead of the memory (killed in between): its further entries are read, and must be valid.
3. The file may end in half a line (killed while writing). Only its writer repairs that: a whole entry that lacks its
   line break gets it, anything else was never acknowledged and is cut off.
4. The file may be behind the memory (an old copy, a restored backup, a second clone), or show another entry in its
   place (two hosts wrote as one). Then this writer must not continue there: `Behind` is raised; another one is taken.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from markdown_memory.core.entry import FIRST, Entry, NotAnEntry, entry_hash, parse, signed
from markdown_memory.core.log_layout import header, log_folder, log_path
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.storage import keys
from markdown_memory.storage.inside import failure, folder
from markdown_memory.storage.keys import Writer
from markdown_memory.storage.places import overwrite_private

_READ = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_MEMORY = 1 << 20  # bytes; what is remembered of a chain is much less
_compact = json.JSONEncoder(separators=(",", ":")).encode
_APPEND = _READ | os.O_APPEND | os.O_CREAT


class Behind(MarkdownMemoryError):
    """This copy of the vault lacks entries that this writer has written, or has others in their place."""


class Tip(NamedTuple):
    """The newest entry of a chain (seq 0: none yet), its file's month and size, and the heads it has declared."""

    seq: int = 0
    hash: str = FIRST
    month: str = ""
    size: int = 0
    seen: Mapping[str, int] = {}


class Chain(NamedTuple):
    """One writer's chain in one log of one copy of a vault."""

    root: str
    vault: str
    log: str
    writer: Writer
    memory: str
    """The file that remembers its head."""

    def path(self, month: str) -> str:
        """The vault-relative path of a month's file."""
        return log_path(self.log, self.writer.id, month)

    def where(self, month: str) -> str:
        """The absolute path of a month's file."""
        return os.path.join(self.root, *self.path(month).split("/"))


def load(chain: Chain) -> Tip:
    """The tip to continue from; repairs a torn last line. The writer's lock must be held."""
    remembered = recall(chain)
    month = _newest_month(chain)
    if remembered.seq and month == remembered.month and _size(chain.where(month)) == remembered.size:
        return remembered
    if not month:
        if remembered.seq:
            raise _behind(chain, 0, remembered.seq)
        return Tip()
    return _from_file(chain, month, remembered)


def append(chain: Chain, tip: Tip, entry: Entry, line: str, month: str) -> Tip:
    """Put the line at the end of the month's file, durably, and remember the new tip."""
    data = f"{line}\n".encode()
    new = month != tip.month
    if new:
        data = header(chain.log, chain.writer.id, month).encode() + data
        _make_folder(chain, month)
    try:
        with _opened(chain, month, _APPEND) as handle:
            size = os.fstat(handle).st_size
            _write(handle, data, size)
            os.fsync(handle)
        if new:
            _sync(os.path.dirname(chain.where(month)))
    except OSError as error:
        raise failure(chain.path(month), "was not written", error) from error
    seen = {**tip.seen, **{f"{head.log}/{head.writer}": head.seq for head in entry.seen}}
    after = Tip(entry.seq, entry_hash(entry), month, size + len(data), seen)
    remember(chain, after)
    return after


def recall(chain: Chain) -> Tip:
    """What this host remembers; nothing (seq 0) when there is no memory or it is torn."""
    try:
        handle = os.open(chain.memory, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
        try:
            return Tip(**json.loads(os.read(handle, _MEMORY)))
        finally:
            os.close(handle)
    except (OSError, ValueError, TypeError):
        return Tip()


def remember(chain: Chain, tip: Tip) -> None:
    """Write the memory over the old one; one that a power cut has torn is no JSON any more and counts as none."""
    overwrite_private(chain.memory, _compact(tip._asdict()))


def _newest_month(chain: Chain) -> str:
    """The newest month in which this writer has a file, "" when it has none."""
    base = os.path.join(chain.root, *log_folder(chain.log).split("/"))
    try:
        months = sorted(os.listdir(base), reverse=True)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise failure(log_folder(chain.log), "cannot be read", error) from error
    return next((month for month in months if os.path.isfile(chain.where(month))), "")


def _from_file(chain: Chain, month: str, remembered: Tip) -> Tip:
    """The tip that the newest file shows, checked against what is remembered."""
    entries, size = _read(chain, month)
    if not entries:
        tip = _before(chain, month, size)
    else:
        _refuse_fork(chain, entries)
        last = max(entries, key=lambda entry: entry.seq)
        seen = {f"{head.log}/{head.writer}": head.seq for entry in entries for head in entry.seen}
        tip = Tip(last.seq, entry_hash(last), month, size, {**remembered.seen, **seen})
    if not _continues(entries, tip, remembered):
        raise _behind(chain, tip.seq, remembered.seq)
    return tip


def _refuse_fork(chain: Chain, entries: list[Entry]) -> None:
    """A chain that two hosts have continued is continued by neither."""
    known: dict[int, str] = {}
    for entry in entries:
        if known.setdefault(entry.seq, entry.sig) != entry.sig:
            raise Behind(
                f"Entry {entry.id} is there twice with different content: another machine, perhaps a copy of this one, "
                f"has written as {chain.writer.id}."
            )


def _continues(entries: list[Entry], tip: Tip, remembered: Tip) -> bool:
    """Whether the remembered head is part of the chain that the file shows."""
    if tip[:2] == remembered[:2] or not remembered.seq:
        return True
    return any(
        (entry.seq == remembered.seq and entry_hash(entry) == remembered.hash)
        or (entry.seq == remembered.seq + 1 and entry.prev == remembered.hash)
        for entry in entries
    )


def _before(chain: Chain, month: str, size: int) -> Tip:
    """The newest file holds no entry (only a heading, or nothing): the tip is in an older one."""
    base = os.path.join(chain.root, *log_folder(chain.log).split("/"))
    for older in sorted((one for one in os.listdir(base) if one < month), reverse=True):
        if os.path.isfile(chain.where(older)):
            entries, _ = _read(chain, older)
            if entries:
                last = max(entries, key=lambda entry: entry.seq)
                return Tip(last.seq, entry_hash(last), month, size, {})
    return Tip(0, FIRST, month, size, {})


def _read(chain: Chain, month: str) -> tuple[list[Entry], int]:
    """The valid entries of one of the writer's own files, and its size after repair."""
    try:
        with _opened(chain, month, _READ) as handle:
            data = _repaired(chain, month, handle, _all(handle))
    except OSError as error:
        raise failure(chain.path(month), "cannot be read", error) from error
    found = [_valid(chain, line) for line in data.decode("utf-8", "replace").split("\n")]
    return [entry for entry in found if entry], len(data)


def _repaired(chain: Chain, month: str, handle: int, data: bytes) -> bytes:
    _, _, torn = data.rpartition(b"\n")
    if not torn and data:
        return data
    if _valid(chain, torn.decode("utf-8", "replace")):
        os.lseek(handle, 0, os.SEEK_END)
        os.write(handle, b"\n")
        data += b"\n"
    else:
        data = data[: len(data) - len(torn)]
        os.ftruncate(handle, len(data))
        if not data.startswith(header(chain.log, chain.writer.id, month).encode()) and len(data) < 200:
            data = _headed(chain, month, handle)
    os.fsync(handle)
    return data


def _headed(chain: Chain, month: str, handle: int) -> bytes:
    """The file was cut off within its heading: begin it again."""
    data = header(chain.log, chain.writer.id, month).encode()
    os.ftruncate(handle, 0)
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, data)
    return data


def _valid(chain: Chain, line: str) -> Entry | None:
    try:
        entry = parse(line.removesuffix("\r"), chain.vault, chain.log, chain.writer.fingerprint)
    except NotAnEntry:
        return None
    good = entry.writer == chain.writer.id and keys.verify(chain.writer.public, entry.sig, signed(entry))
    return entry if good else None


def _behind(chain: Chain, here: int, remembered: int) -> Behind:
    return Behind(
        f"This copy of the vault has {chain.writer.id}'s {chain.log} up to entry {here}, but this machine has written "
        f"entry {remembered}: an older copy, a second clone or a restored backup."
    )


def _write(handle: int, data: bytes, size: int) -> None:
    """One write at the end; when it comes out short, the file is put back as it was."""
    try:
        if os.write(handle, data) == len(data):
            return
    except OSError:
        os.ftruncate(handle, size)
        raise
    os.ftruncate(handle, size)
    raise OSError(28, os.strerror(28))  # ENOSPC: nothing else makes a write to a file short


@contextmanager
def _opened(chain: Chain, month: str, flags: int) -> Iterator[int]:
    """The month's file; no folder on the way to it is followed out of the vault."""
    *parts, name = chain.path(month).split("/")
    with folder(chain.root, parts) as at:
        handle = os.open(at.prefix + name, flags, 0o666, dir_fd=at.handle)
    try:
        yield handle
    finally:
        os.close(handle)


def _make_folder(chain: Chain, month: str) -> None:
    from markdown_memory.storage import files

    files.make_folder(chain.root, chain.path(month).rpartition("/")[0])


def _size(path: str) -> int:
    try:
        return os.stat(path, follow_symlinks=False).st_size
    except OSError:
        return -1


def _all(handle: int) -> bytes:
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _sync(folder: str) -> None:
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
