"""The newest entries of all other chains, as far as they have arrived here: what an entry of one's own has `seen`.

Only the two newest months of each log are looked at, and of a file that has grown only its last entry: its signature
vouches for all the entries before it. What was looked at is remembered by size and time of the file.
"""

import os
import stat
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from markdown_memory.core.entry import MAX_SEEN, Head, NotAnEntry, block_of, entry_hash, parse, signed
from markdown_memory.core.log_layout import file_at, fingerprint_of, log_folder
from markdown_memory.core.log_names import SHORTS
from markdown_memory.errors import FormatError
from markdown_memory.storage import keys
from markdown_memory.storage.headers import settled

NEWEST = 2  # months
_TAIL = 1 << 16


class Looked(NamedTuple):
    """A file as it was when it was looked at, and the head that it showed."""

    size: int
    mtime: int
    head: Head | None


class Heads:
    """Other chains' heads in one copy of a vault. `key_of` gives a writer's public key line, "" when it is unknown."""

    def __init__(self, root: str, vault: str, key_of: Callable[[str], str], now: Callable[[], str]) -> None:
        self._root = root
        self._vault = vault
        self._key_of = key_of
        self._now = now
        self._looked: dict[str, Looked] = {}
        self._listed: dict[str, tuple[int, list[str]]] = {}

    def unseen(self, log: str, writer: str, declared: Mapping[str, int]) -> tuple[Head, ...]:
        """Heads of all chains but this one that are newer than what it has declared, in the order of the format.

        Nothing is checked that has been declared before. When there are too many for one entry, some wait for the next.
        """
        found: dict[str, Head] = {}
        for each in SHORTS:
            for path, now in self._files(each, f"{log}-{writer}-"):
                head = self._head(path, each, now, declared)
                if head:
                    name = f"{head.log}/{head.writer}"
                    known = max(declared.get(name, 0), found[name].seq if name in found else 0)
                    if head.seq > known:
                        found[name] = head
        return tuple(sorted(found.values())[:MAX_SEEN])

    def _files(self, log: str, own: str) -> list[tuple[str, os.stat_result]]:
        folder = log_folder(log)
        found = []
        months = sorted(self._names(folder))
        past = [month for month in months if month <= self._now()[:7]]
        for month in past[-NEWEST:] + months[len(past) :]:
            for name in self._names(f"{folder}/{month}"):
                if name.endswith(".md") and not name.startswith((own, "manifest-")):
                    path = f"{folder}/{month}/{name}"
                    try:
                        found.append((path, os.lstat(f"{self._root}/{path}")))
                    except OSError:
                        continue
        return [(path, one) for path, one in found if stat.S_ISREG(one.st_mode)]

    def _names(self, folder: str) -> list[str]:
        """What is in a folder: as listed before, unless its time says that something has come or gone since."""
        where, looked_at = f"{self._root}/{folder}", time.time_ns()
        try:
            changed = os.stat(where).st_mtime_ns
        except OSError:
            return []
        before, names = self._listed.get(folder, (0, []))
        if changed != before:
            names = _names(where)
            self._listed[folder] = (changed if settled(changed, changed, looked_at) else 0, names)
        return names

    def _head(self, path: str, log: str, now: os.stat_result, declared: Mapping[str, int]) -> Head | None:
        known = self._looked.get(path)
        if known and (known.size, known.mtime) == (now.st_size, now.st_mtime_ns):
            return known.head
        named = file_at(path)
        if named is None or named.unsigned:
            return None
        line, seq = self._last(path, named.writer, now.st_size)
        head = self._checked(line, log, named.writer) if seq > declared.get(f"{log}/{named.writer}", 0) else None
        self._looked[path] = Looked(now.st_size, now.st_mtime_ns, head)
        return head

    def _last(self, path: str, writer: str, size: int) -> tuple[str, int]:
        """The last line that ends as one of the writer's entries does, and its number (0: there is none)."""
        try:
            with open(os.path.join(self._root, path), "rb") as file:
                file.seek(max(0, size - _TAIL))
                lines = file.read(_TAIL).decode("utf-8", "replace").split("\n")[:-1]
        except OSError:
            return "", 0
        for line in map(_bare, reversed(lines)):
            block = block_of(line)
            if block and block[1] == writer:
                return line, block[2]
        return "", 0

    def _checked(self, line: str, log: str, writer: str) -> Head | None:
        public = self._key_of(writer)
        if not public:
            return None
        try:
            entry = parse(line, self._vault, log, fingerprint_of(public))
        except (NotAnEntry, FormatError):
            return None
        if entry.writer != writer or not keys.verify(public, entry.sig, signed(entry)):
            return None
        return Head(log, writer, entry.seq, entry_hash(entry))


def _bare(line: str) -> str:
    return line.removesuffix("\r")


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
