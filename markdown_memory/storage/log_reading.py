"""Reading the signed logs from the files of one copy of a vault."""

import os
from typing import NamedTuple

from markdown_memory.core.entry import Entry, NotAnEntry, parse, signed
from markdown_memory.core.log_layout import LogFile, file_at, fingerprint_of, log_folder
from markdown_memory.core.problem import Problem
from markdown_memory.errors import FormatError, MarkdownMemoryError
from markdown_memory.storage import files, keys


class Reading(NamedTuple):
    """Entries in reading order, lines that nobody has signed, and what is wrong."""

    entries: tuple[Entry, ...]
    unsigned: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


class Reader:
    """Everybody's entries in one copy of a vault."""

    def __init__(self, root: str, vault: str) -> None:
        self._root = root
        self._vault = vault

    def read(self, log: str, months: int | None = None) -> Reading:
        """The valid entries of a log."""
        known = self.introductions()
        entries: list[Entry] = []
        for file in self.files(log, months):
            if not file.unsigned and file.writer in known:
                entries += self._valid(file, known[file.writer])
        return Reading(tuple(sorted(entries, key=lambda entry: (entry.time, entry.writer, entry.seq))))

    def files(self, log: str, months: int | None = None) -> list[LogFile]:
        """The files of a log by month and writer; of the newest `months` months when given."""
        folder = log_folder(log)
        names = sorted(_names(os.path.join(self._root, folder)))
        found = []
        for month in names[-months:] if months else names:
            listed = sorted(_names(os.path.join(self._root, folder, month)))
            found += [file for name in listed if (file := file_at(f"{folder}/{month}/{name}"))]
        return found

    def introductions(self) -> dict[str, str]:
        """Public key lines by writer, as the writers' own entries in the `keys` log give them."""
        found: dict[str, str] = {}
        for file in self.files("keys"):
            for line in self._lines(file):
                if " root · " in line or " introduce · " in line:
                    self._introduced(line, found)
        return found

    def key_of(self, writer: str) -> str:
        """The public key line of a writer, "" when it has not been introduced."""
        return self.introductions().get(writer, "")

    def _introduced(self, line: str, found: dict[str, str]) -> None:
        try:
            public = str(parse(line, self._vault, "keys", "").values().get("key"))
            entry = parse(line, self._vault, "keys", fingerprint_of(public))
        except FormatError:
            return
        if keys.verify(public, entry.sig, signed(entry)):
            found.setdefault(entry.writer, public)

    def _valid(self, file: LogFile, public: str) -> list[Entry]:
        found = []
        for line in self._lines(file):
            try:
                entry = parse(line, self._vault, file.log, fingerprint_of(public))
            except NotAnEntry:
                continue
            if entry.writer == file.writer and keys.verify(public, entry.sig, signed(entry)):
                found.append(entry)
        return found

    def _lines(self, file: LogFile) -> list[str]:
        try:
            data = files.read(self._root, file.path, None)
        except MarkdownMemoryError:
            return []
        return [line.removesuffix("\r") for line in data.decode("utf-8", "replace").split("\n")]


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
