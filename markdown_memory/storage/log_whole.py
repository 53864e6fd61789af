"""A whole log put together from its files: every line looked at, every chain joined, every defect named."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256

from markdown_memory.core.entry import Entry, Head
from markdown_memory.core.log_layout import LogFile, log_folder
from markdown_memory.core.problem import Problem
from markdown_memory.rules import chain as chains
from markdown_memory.rules.chain import Chain
from markdown_memory.rules.log_lines import Lines, Placed, read_lines
from markdown_memory.rules.log_order import reading_order
from markdown_memory.rules.standing import Standing
from markdown_memory.storage import keys
from markdown_memory.storage.log_files import Memory, Valid, read_log_file
from markdown_memory.storage.log_values import ADOPTED, Authority, Reading, Unsigned, blank, unsigned_lines

KEYS = "keys"


class Whole:
    """Puts one log together. `latest` is the moment beyond which a time is ahead; `thorough` believes no memory."""

    def __init__(
        self, root: str, vault: str, memory: Memory, authority: Authority, latest: str, thorough: bool
    ) -> None:
        self._root, self._vault, self._memory = root, vault, memory
        self._authority, self._latest, self._thorough = authority, latest, thorough
        self._problems: list[Problem] = []
        self._notices: list[Problem] = []
        self._unsigned: list[Unsigned] = []

    def read(
        self,
        log: str,
        files: Iterable[LogFile],
        promised: Mapping[str, Head],
        is_gone: Callable[[str], bool],
        whole: bool,
    ) -> Reading:
        """The log. `promised` are remembered heads by writer; `is_gone` says that a writer has no older file either."""
        by_writer: dict[str, list[Lines]] = {}
        for file in files:
            self._take(file, by_writer)
        joined = {
            writer: chains.join(log, writer, files, promised.get(writer), whole=whole)
            for writer, files in by_writer.items()
        }
        for writer in promised.keys() - joined.keys():
            if whole or is_gone(writer):
                joined[writer] = chains.join(log, writer, (), promised[writer])
        self._note_valid(joined, by_writer)
        return self._reading(joined)

    def _take(self, file: LogFile, by_writer: dict[str, list[Lines]]) -> None:
        data, unreadable = read_log_file(self._root, file.path)
        if unreadable:
            self._problems.append(unreadable)
        elif file.unsigned:
            self._unsigned += unsigned_lines(file, data)
        else:
            lines = self._lines(file, data)
            by_writer.setdefault(file.writer, []).append(lines)
            self._unsigned += [Unsigned(file.path, number, text, file.writer) for number, text in lines.unsigned]

    def _lines(self, file: LogFile, data: bytes) -> Lines:
        public, digest = self._authority.publics.get(file.writer, ""), sha256(data).hexdigest()
        known = not self._thorough and self._memory.is_valid(file.path, digest, public)
        lines = read_lines(
            file, data, self._vault, self._authority.publics, _believe if known else keys.verify,
            redacted=lambda entry, hashed: Head(entry.log, entry.writer, entry.seq, hashed) in self._authority.redacted,
            thorough=self._thorough,
        )  # fmt: skip
        return lines._replace(size=len(data), sha256=digest)

    def _note_valid(self, joined: Mapping[str, Chain], by_writer: Mapping[str, list[Lines]]) -> None:
        """Remember the files of chains in which nothing is wrong."""
        for writer, files in by_writer.items():
            public = self._authority.publics.get(writer, "")
            if public and not joined[writer].problems:
                for lines in files:
                    last = lines.placed[-1] if lines.placed else None
                    seq, hashed = (last.entry.seq, last.hash) if last else (0, "")
                    self._memory.note_valid(lines.file.path, Valid(lines.sha256, public, lines.size, seq, hashed))

    def _reading(self, joined: Mapping[str, Chain]) -> Reading:
        entries = [entry for chain in joined.values() for entry in self._shown(chain)]
        self._problems += chains.across({f"{chain.log}/{writer}": chain for writer, chain in joined.items()})
        ordered = reading_order(entries, self._latest)
        self._notices += [_ahead(entry, joined) for entry in ordered if entry.time > self._latest]
        adopted = tuple(entry for entry in ordered if entry.kind == ADOPTED)
        return Reading(
            tuple(ordered), tuple(self._unsigned), tuple(self._problems), tuple(self._notices),
            self._authority.standings, joined, tuple(ordered), adopted,
        )  # fmt: skip

    def _shown(self, chain: Chain) -> Iterable[Entry]:
        """The chain's entries as they are read."""
        self._problems += chain.problems
        self._notices += chain.notices
        if chain.writer not in self._authority.standings.writers and chain.log != KEYS:
            self._notices.append(_unknown(chain))
        standing = self._authority.standings.writers.get(chain.writer)
        for placed in chain.placed:
            if standing and standing.state == "retired" and _is_after(placed, standing):
                self._notices.append(_after_retirement(placed, standing.by))
            if not self._authority.shows(placed.entry):
                self._problems.append(_after_revocation(placed, standing.by if standing else ""))
            elif self._authority.redacted and self._authority.has_redacted(placed.entry):
                self._notices.append(_to_blank(placed))
                yield blank(placed.entry)
            else:
                yield placed.entry


def _believe(public: str, signature: str, message: bytes) -> bool:
    """The check for bytes that were found valid before."""
    return True


def _to_blank(placed: Placed) -> Problem:
    message = f"Entry {placed.entry.id} was redacted, and this copy still holds what it said."
    return Problem("log-to-blank", placed.path, placed.line, message, "`mdmem redact --apply` blanks it here.")


def _after_revocation(placed: Placed, by: str) -> Problem:
    message = f"Entry {placed.entry.id} lies beyond the point up to which {placed.entry.writer} is trusted ({by})."
    remedy = "It is not read; remove it, or look who wrote it."
    return Problem("log-after-revocation", placed.path, placed.line, message, remedy)


def _is_after(placed: Placed, standing: Standing) -> bool:
    """Whether an entry lies beyond its writer's retirement; the entry that says so does itself."""
    return not standing.covers(placed.entry.log, placed.entry.seq) and placed.entry.id != standing.by


def _after_retirement(placed: Placed, by: str) -> Problem:
    message = f"Entry {placed.entry.id} was written after {placed.entry.writer} had been retired ({by})."
    remedy = "If its machine writes on after all, its agent should get a new key there: `mdmem keys rotate`."
    return Problem("log-after-retirement", placed.path, placed.line, message, remedy)


def _unknown(chain: Chain) -> Problem:
    message = f"Nobody has introduced {chain.writer}, so none of its entries can be checked; they are not read."
    path = min([problem.path for problem in chain.problems], default=log_folder(chain.log))
    remedy = "Wait for its file in nexus/log/keys/, or remove its file."
    return Problem("log-unknown-writer", path, 0, message, remedy)


def _ahead(entry: Entry, joined: Mapping[str, Chain]) -> Problem:
    placed = next(one for one in joined[entry.writer].placed if one.entry.id == entry.id)
    message = f"Entry {entry.id} says {entry.time}Z, more than a day from now: the clock of {entry.writer} was wrong."
    remedy = "Set that machine's clock; the entry is shown by its order."
    return Problem("log-ahead", placed.path, placed.line, message, remedy)
