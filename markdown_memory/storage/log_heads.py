"""The newest entries of all other chains, as far as they have arrived here: what an entry of one's own has `seen`.

Only the two newest months of each log are looked at, and of a file that has grown only its last entry: its signature
vouches for all the entries before it. What was looked at is remembered by size and time of the file.
"""

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from markdown_memory.core.entry import MAX_SEEN, Head, NotAnEntry, block_of, entry_hash, parse, signed
from markdown_memory.core.log_layout import file_at, fingerprint_of, log_folder
from markdown_memory.core.log_names import SHORTS
from markdown_memory.errors import FormatError
from markdown_memory.storage import keys

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

    def unseen(self, log: str, writer: str, declared: Mapping[str, int]) -> tuple[Head, ...]:
        """Heads of all chains but this one that are newer than what it has declared, in the order of the format.

        Nothing is checked that has been declared before. When there are too many for one entry, some wait for the next.
        """
        found: dict[str, Head] = {}
        for each in SHORTS:
            for path, stat in self._files(each, f"{log}-{writer}-"):
                head = self._head(path, each, stat, declared)
                if head:
                    name = f"{head.log}/{head.writer}"
                    known = max(declared.get(name, 0), found[name].seq if name in found else 0)
                    if head.seq > known:
                        found[name] = head
        return tuple(sorted(found.values())[:MAX_SEEN])

    def _files(self, log: str, own: str) -> list[tuple[str, os.stat_result]]:
        folder = log_folder(log)
        found = []
        months = sorted(_names(os.path.join(self._root, folder)))
        past = [month for month in months if month <= self._now()[:7]]
        for month in past[-NEWEST:] + months[len(past) :]:
            try:
                with os.scandir(os.path.join(self._root, folder, month)) as listing:
                    found += [
                        (f"{folder}/{month}/{item.name}", item.stat())
                        for item in listing
                        if item.name.endswith(".md")
                        and not item.name.startswith((own, "manifest-"))
                        and item.is_file(follow_symlinks=False)
                    ]
            except OSError:
                continue
        return found

    def _head(self, path: str, log: str, stat: os.stat_result, declared: Mapping[str, int]) -> Head | None:
        known = self._looked.get(path)
        if known and (known.size, known.mtime) == (stat.st_size, stat.st_mtime_ns):
            return known.head
        named = file_at(path)
        if named is None or named.unsigned:
            return None
        line, seq = self._last(path, named.writer, stat.st_size)
        head = self._checked(line, log, named.writer) if seq > declared.get(f"{log}/{named.writer}", 0) else None
        self._looked[path] = Looked(stat.st_size, stat.st_mtime_ns, head)
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
