"""What reading the signed logs gives."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core.entry import REDACTED, Entry, Head
from markdown_memory.core.log_layout import LogFile
from markdown_memory.core.log_names import MARKERS
from markdown_memory.core.log_text import unsigned_digest
from markdown_memory.rules.standing import Standings

if TYPE_CHECKING:
    from markdown_memory.core.problem import Problem
    from markdown_memory.rules.chain import Chain

ADOPTED = "unsigned"  # the kind of entries that sign a hand-written line


class Unsigned(NamedTuple):
    """A line that somebody wrote without a key: where, by whom as far as the file's name tells, and its digest."""

    path: str
    line: int
    text: str
    by: str = ""

    @property
    def digest(self) -> str:
        """What an `unsigned` entry that signs it names."""
        return unsigned_digest(self.text)


class Reading(NamedTuple):
    """What a log holds: valid entries in reading order; `notices` may solve themselves; `chains` by writer.

    Of news `entries` are the unread ones, `around` are enough to tell what is concurrent with them, and `adopted` are
    those that sign hand-written lines; of a whole reading these are all entries, and all of that kind.
    """

    entries: tuple[Entry, ...]
    unsigned: tuple[Unsigned, ...] = ()
    problems: tuple["Problem", ...] = ()
    notices: tuple["Problem", ...] = ()
    standings: Standings = Standings({})
    chains: Mapping[str, "Chain"] = {}
    around: tuple[Entry, ...] = ()
    adopted: tuple[Entry, ...] = ()


class Authority(NamedTuple):
    """What the `keys` log says: who may sign, which entries were redacted, which losses are accepted."""

    standings: Standings = Standings({})
    redacted: frozenset[Head] = frozenset()
    accepted: Mapping[str, Head] = {}
    publics: Mapping[str, str] = {}

    def shows(self, entry: Entry) -> bool:
        """Whether an entry is read: one of a revoked writer is not, when it lies beyond what is trusted."""
        standing = self.standings.writers.get(entry.writer)
        return standing is None or standing.state != "revoked" or standing.covers(entry.log, entry.seq)

    def has_redacted(self, entry: Entry) -> bool:
        """Whether a person has redacted it, and this copy still holds what it said."""
        return bool(self.redacted) and not entry.redacted and entry.head in self.redacted


def blank(entry: Entry) -> Entry:
    """The entry as it is shown when it was redacted."""
    return entry._replace(text=REDACTED, salt="", data="")


def text_lines(data: bytes) -> list[str]:
    """A file's lines, whatever its line ends."""
    return [line.removesuffix("\r") for line in data.decode("utf-8", "replace").split("\n")]


def unsigned_lines(file: LogFile, data: bytes) -> list[Unsigned]:
    """The lines of an agent without this program; headings, blank lines and conflict markers say nothing."""
    return [
        Unsigned(file.path, number, line.strip(), file.writer)
        for number, line in enumerate(text_lines(data), start=1)
        if line.strip() and not line.startswith(("# ", *MARKERS))
    ]
