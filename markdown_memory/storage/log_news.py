"""What a session has not read, without reading the rest: the way to the live context that a session's start can afford.

A file whose beginning has the bytes that were found valid before is believed as far as that goes. Only its unread lines
are parsed, and only what has been added since is checked. Whatever is not as expected (a file that nobody has checked,
a chain shorter than remembered, a line that does not fit) sends the caller to the whole reading, which names it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from markdown_memory.core.entry import Entry, Head, NotAnEntry, parse
from markdown_memory.core.log_layout import LogFile, fingerprint_of, header
from markdown_memory.rules.cursors import Cursor
from markdown_memory.rules.standing import parse_head
from markdown_memory.storage.log_files import Memory, Valid, read_log_file
from markdown_memory.storage.log_values import ADOPTED

WINDOW = 40
"""So many lines of each file are parsed to tell what is concurrent with the news."""
SEEN = b" seen="
ADOPTING = f" · {ADOPTED} · ".encode()


class Asked(NamedTuple):
    """Whose news: what was read already, from which moment on entries count as unread again, and whose never do."""

    cursor: Cursor = Cursor()
    again: str = "9"
    own: Collection[str] = ()

    def wants(self, writer: str, seq: int, time: str) -> bool:
        """Whether an entry is news."""
        return writer not in self.own and (time >= self.again or not self.cursor.has_read(writer, seq))


class News(NamedTuple):
    """Entries that are unread; entries around them, whose `seen` tells all that their chain had seen by then; the
    newest head of each writer; and the entries that sign hand-written lines."""

    entries: list[Entry]
    around: list[Entry]
    ends: dict[str, Head]
    adopted: list[Entry]


class Unexpected(Exception):
    """Something is not as it was found valid before."""


class Gleaner:
    """Looks through the files of one log for what is new."""

    def __init__(self, root: str, vault: str, memory: Memory, publics: Mapping[str, str], log: str) -> None:
        self._root, self._vault, self._memory, self._publics, self._log = root, vault, memory, publics, log

    def glean(self, files: Iterable[LogFile], asked: Asked) -> News:
        """The news in these files; Unexpected when the whole log should be read instead."""
        news = News([], [], {}, [])
        known_writers = [file for file in files if not file.unsigned and file.writer in self._publics]
        contents = [(file, *self._content(file)) for file in known_writers]
        for file, data, known in contents:
            if known.seq > (news.ends[file.writer].seq if file.writer in news.ends else 0):
                news.ends[file.writer] = Head(self._log, file.writer, known.seq, known.hash)
            news.entries.extend(self._unread(file, data, asked))
            if ADOPTING in data:
                news.adopted.extend(self._parsed(file, [line for line in data.split(b"\n") if ADOPTING in line]))
        if news.entries:
            for file, data, _ in contents:
                news.around.extend(self._window(file, data.split(b"\n")[2:-1]))
        return news

    def _content(self, file: LogFile) -> tuple[bytes, Valid]:
        """A file's bytes, all of whose lines are valid, and what is remembered of it from now on."""
        data, unreadable = read_log_file(self._root, file.path)
        known = self._memory.valid(file.path)
        if unreadable or known is None or known.key != self._publics[file.writer] or len(data) < known.size:
            raise Unexpected(file.path)
        if known.sha256 != sha256(memoryview(data)[: known.size]).hexdigest():
            raise Unexpected(file.path)
        return data, known if len(data) == known.size else self._checked(file, data, known)

    def _checked(self, file: LogFile, data: bytes, known: Valid) -> Valid:
        """The file as valid as a whole, after checking what was added."""
        from markdown_memory.rules.log_lines import read_lines
        from markdown_memory.storage import keys

        start = header(file.log, file.writer, file.month).encode()
        added = read_lines(file, start + data[known.size :], self._vault, self._publics, keys.verify)
        first = added.placed[0].entry if added.placed else None
        if added.problems or first is None or (known.seq and (first.seq, first.prev) != (known.seq + 1, known.hash)):
            raise Unexpected(file.path)
        numbers = [one.entry.seq for one in added.placed]
        if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
            raise Unexpected(file.path)
        last = added.placed[-1]
        now = Valid(sha256(data).hexdigest(), known.key, len(data), last.entry.seq, last.hash)
        self._memory.note_valid(file.path, now)
        return now

    def _unread(self, file: LogFile, data: bytes, asked: Asked) -> list[Entry]:
        """The unread entries, looked for from the end of the file on."""
        wanted, upto = [], asked.cursor.upto.get(file.writer, 0)
        if file.writer in asked.own:
            return []
        for line in _backwards(data):
            seq, time = _number(line), line[2:21].decode("utf-8", "replace")
            if not seq or (seq <= upto and time < asked.again):
                break
            if asked.wants(file.writer, seq, time):
                wanted.append(line)
        return self._parsed(file, wanted)

    def _window(self, file: LogFile, lines: list[bytes]) -> list[Entry]:
        """The newest entries; the first of them is said to have seen all that its chain had seen before it."""
        entries = self._parsed(file, lines[-WINDOW:])
        earlier: dict[tuple[str, str], Head] = {}
        for line in lines[:-WINDOW]:
            seen = line.rpartition(b" <!-- mdmem1 ")[2].partition(SEEN)[2].partition(b" ")[0]
            for text in seen.decode().split(",") if seen else ():
                head = parse_head(text)
                if head and head.log == self._log:
                    earlier[head.log, head.writer] = head
        if entries and earlier:
            earlier.update({(head.log, head.writer): head for head in entries[0].seen})
            entries[0] = entries[0]._replace(seen=tuple(earlier.values()))
        return entries

    def _parsed(self, file: LogFile, lines: Iterable[bytes]) -> list[Entry]:
        key = fingerprint_of(self._publics[file.writer])
        try:
            return [parse(line.decode().removesuffix("\r"), self._vault, self._log, key) for line in lines]
        except (NotAnEntry, UnicodeDecodeError):
            raise Unexpected(file.path) from None


def _backwards(data: bytes) -> Iterator[bytes]:
    """A file's lines from the last to the first."""
    end = len(data) - 1
    while end > 0:
        start = data.rfind(b"\n", 0, end) + 1
        yield data[start:end].removesuffix(b"\r")
        end = start - 1


def _number(line: bytes) -> int:
    """The number at the end of an entry's line; 0 for any other line."""
    number = line[-15:].rpartition(b"-")[2]
    return int(number) if number.isdigit() else 0
