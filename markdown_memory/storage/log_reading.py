"""Reading the signed logs of one copy of a vault.

First the `keys` log says who may sign and what was redacted. Then a log is either put together as a whole
(log_whole.py), or only what a session has not read is taken from it (log_news.py). What was found valid before needs no
signature checked again, and `cryptography` is not even loaded.
"""

import os
from collections.abc import Callable, Iterator, Mapping

from markdown_memory.core.entry import Head
from markdown_memory.core.log_layout import LogFile, log_folder, log_path
from markdown_memory.rules.log_order import reading_order
from markdown_memory.storage import log_authority
from markdown_memory.storage.log_files import Memory, list_log, read_log_file
from markdown_memory.storage.log_news import Asked, Gleaner, Unexpected
from markdown_memory.storage.log_values import Authority, Reading, blank, unsigned_lines

DAY = 86400.0
KEYS = "keys"
NOTHING = "A" * 43
"""Stands for a hash where no entry is left."""


class Reader:
    """Everybody's entries in one copy of a vault. `now` gives the present moment as the format writes it."""

    def __init__(
        self, root: str, vault: str, memory: Memory, pinned: Callable[[], tuple[str, ...]], now: Callable[[float], str]
    ) -> None:
        self._root = root
        self._vault = vault
        self._memory = memory
        self._pinned = pinned
        self._now = now
        self._authority: tuple[object, Authority] = (None, Authority())

    def read(self, log: str, months: int | None = None, *, thorough: bool = False) -> Reading:
        """A log, or its newest `months` months. `thorough` checks every signature and believes no memory."""
        reading = self._whole(log, months, self.authority(), thorough)
        heads = [chain.head for chain in reading.chains.values() if not chain.quarantined]
        self._memory.note_heads(head for head in heads if head)
        self._memory.save()
        return reading

    def news(self, log: str, months: int, asked: Asked) -> Reading:
        """What is unread in the newest months; the way that costs little when nothing is wrong."""
        authority = self.authority()
        files = list_log(self._root, log, months, self._now(0)[:7]).files
        try:
            news = Gleaner(self._root, self._vault, self._memory, authority.publics, log).glean(files, asked)
            self._expect(log, news.ends, authority)
        except Unexpected:
            reading = self.read(log, months)
            wanted = [entry for entry in reading.entries if asked.wants(entry.writer, entry.seq, entry.time)]
            return reading._replace(entries=tuple(wanted))
        self._memory.note_heads(news.ends.values())
        self._memory.save()
        latest = self._now(DAY)
        shown = [entry for entry in reading_order(news.entries, latest) if authority.shows(entry)]
        return Reading(
            tuple(blank(entry) if authority.has_redacted(entry) else entry for entry in shown),
            tuple(line for file in files if file.unsigned for line in unsigned_lines(file, self._data(file))),
            standings=authority.standings,
            around=tuple(reading_order(news.around, latest)),
            adopted=tuple(news.adopted),
        )

    def authority(self) -> Authority:
        """The `keys` log's word; worked out anew when one of its files has changed."""
        stamp = (self._pinned(), sorted(self._stamps()))
        if self._authority[0] != stamp:
            files = list_log(self._root, KEYS).files
            self._authority = (stamp, self._weighed([file for file in files if not file.unsigned]))
        return self._authority[1]

    def key_of(self, writer: str) -> str:
        """The public key line of a writer, "" when it has not been introduced."""
        return self.authority().publics.get(writer, "")

    def remembered(self) -> dict[str, Head]:
        """The newest heads that this machine knows, by `<log>/<writer>`."""
        return self._memory.heads()

    def lost(self, log: str) -> list[Head]:
        """The present ends of the chains that this machine remembers to have been longer."""
        here = {writer: chain.head for writer, chain in self.read(log).chains.items()}
        return [
            here.get(writer) or Head(log, writer, 0, NOTHING)
            for writer, head in self._promised(log, self.authority()).items()
            if head.seq > (end.seq if (end := here.get(writer)) else 0)
        ]

    def _stamps(self) -> Iterator[tuple[str, int, int, int]]:
        """Names, sizes, times and inodes of the files of the `keys` log."""
        folder = os.path.join(self._root, *log_folder(KEYS).split("/"))
        try:
            for month in os.listdir(folder):
                with os.scandir(os.path.join(folder, month)) as listing:
                    for item in listing:
                        stat = item.stat()
                        yield f"{month}/{item.name}", stat.st_size, stat.st_mtime_ns, stat.st_ino
        except OSError:
            return

    def _weighed(self, files: list[LogFile]) -> Authority:
        from hashlib import sha256

        contents = [(file, self._data(file)) for file in files]
        stamp = [[file.path, sha256(data).hexdigest()] for file, data in contents]
        pinned = self._pinned()
        kept = log_authority.from_json(self._memory.authority([list(pinned), stamp]))
        if kept:
            return kept
        found = log_authority.introductions(contents, self._vault, self._memory)
        reading = self._whole(KEYS, None, log_authority.first_authority(found), False)
        authority = log_authority.authority_of(reading, found, pinned)
        self._memory.note_authority([list(pinned), stamp], log_authority.to_json(authority))
        return authority

    def _whole(self, log: str, months: int | None, authority: Authority, thorough: bool) -> Reading:
        from markdown_memory.storage.log_whole import Whole

        files = list_log(self._root, log, months, self._now(0)[:7]).files
        whole = Whole(self._root, self._vault, self._memory, authority, self._now(DAY), thorough)
        promised = self._promised(log, authority)
        return whole.read(log, files, promised, lambda writer: not self._has_older(log, writer), months is None)

    def _promised(self, log: str, authority: Authority) -> dict[str, Head]:
        """The remembered heads of a log by writer; a loss that a person has accepted is forgotten."""
        found = {}
        for name, head in self._memory.heads().items():
            if head.log == log:
                accepted = authority.accepted.get(name)
                found[head.writer] = accepted if accepted and accepted.seq < head.seq else head
        return found

    def _expect(self, log: str, ends: Mapping[str, Head], authority: Authority) -> None:
        """Unexpected, when a chain is shorter than this machine remembers."""
        for writer, head in self._promised(log, authority).items():
            end = ends.get(writer)
            if head.seq > (end.seq if end else 0) and (end or not self._has_older(log, writer)):
                raise Unexpected(writer)

    def _has_older(self, log: str, writer: str) -> bool:
        """Whether a writer has a file in any month."""
        folder = os.path.join(self._root, *log_folder(log).split("/"))
        try:
            months = os.listdir(folder)
        except OSError:
            return False
        return any(os.path.isfile(os.path.join(self._root, log_path(log, writer, month))) for month in months)

    def _data(self, file: LogFile) -> bytes:
        return read_log_file(self._root, file.path)[0]
