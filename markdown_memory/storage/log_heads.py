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
    """Other writers' heads in one copy of a vault. `key_of` gives a writer's public key line, "" when it is unknown."""

    def __init__(self, root: str, vault: str, key_of: Callable[[str], str], now: Callable[[], str]) -> None:
        self._root = root
        self._vault = vault
        self._key_of = key_of
        self._now = now
        self._looked: dict[str, Looked] = {}

    def others(self, log: str, writer: str) -> dict[str, Head]:
        """The newest head of every chain but this writer's own in that log, by `<log>/<writer>`."""
        found: dict[str, Head] = {}
        own = f"{log}-{writer}-"
        for each in SHORTS:
            for path, stat in self._files(each, own):
                head = self._head(path, each, stat)
                if head and head.seq > found.get(f"{each}/{head.writer}", head._replace(seq=0)).seq:
                    found[f"{each}/{head.writer}"] = head
        return found

    def unseen(self, log: str, writer: str, declared: Mapping[str, int]) -> tuple[Head, ...]:
        """Those heads that are newer than what the chain has declared, in the order of the format; the newest first
        to be named when there are too many for one entry."""
        others = self.others(log, writer)
        new = [head for name, head in others.items() if head.seq > declared.get(name, 0)]
        return tuple(sorted(new[-MAX_SEEN:]))

    def _files(self, log: str, own: str) -> list[tuple[str, os.stat_result]]:
        folder = log_folder(log)
        found = []
        months = sorted(_names(os.path.join(self._root, folder)))
        past = [month for month in months if month <= self._now()[:7]]
        for month in past[-NEWEST:] + months[len(past) :]:
            try:
                with os.scandir(os.path.join(self._root, folder, month)) as listing:
                    for item in listing:
                        if (
                            item.name.endswith(".md")
                            and not item.name.startswith(own)
                            and item.is_file(follow_symlinks=False)
                        ):
                            found.append((f"{folder}/{month}/{item.name}", item.stat()))
            except OSError:
                continue
        return found

    def _head(self, path: str, log: str, stat: os.stat_result) -> Head | None:
        known = self._looked.get(path)
        if known and (known.size, known.mtime) == (stat.st_size, stat.st_mtime_ns):
            return known.head
        head = self._last(path, log, stat.st_size)
        self._looked[path] = Looked(stat.st_size, stat.st_mtime_ns, head)
        return head

    def _last(self, path: str, log: str, size: int) -> Head | None:
        named = file_at(path)
        if named is None or named.unsigned:
            return None
        try:
            with open(os.path.join(self._root, path), "rb") as file:
                file.seek(max(0, size - _TAIL))
                lines = file.read(_TAIL).decode("utf-8", "replace").split("\n")[:-1]
        except OSError:
            return None
        for line in reversed(lines):
            block = block_of(line.removesuffix("\r"))
            if block and block[1] == named.writer:
                return self._checked(line.removesuffix("\r"), log, named.writer)
        return None

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


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
