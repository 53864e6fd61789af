"""Reading the signed logs of one copy of a vault: what is valid, in reading order, and everything that is not right.

First the `keys` log says who may sign and what was redacted; then each log is put together from its files. A file whose
bytes were valid before needs no signature checked again, and `cryptography` is not even loaded.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from markdown_memory.core.entry import REDACTED, Entry, Head, NotAnEntry, parse, signed
from markdown_memory.core.log_layout import LogFile, fingerprint_of, log_folder, log_path
from markdown_memory.core.log_text import unsigned_digest
from markdown_memory.core.problem import Problem
from markdown_memory.errors import FormatError
from markdown_memory.rules import chain as chains
from markdown_memory.rules.chain import Chain
from markdown_memory.rules.log_lines import MARKERS, Lines, Placed, read_lines
from markdown_memory.rules.log_order import reading_order
from markdown_memory.rules.standing import (
    INTRODUCING,
    Introduction,
    Standings,
    heads_of,
    introduction,
    parse_head,
    weigh,
)
from markdown_memory.storage import keys
from markdown_memory.storage.log_files import Memory, list_log, read_log_file

KEYS = "keys"
NOTHING = "A" * 43
"""Stands for a hash where no entry is left."""


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
    """What a log holds: valid entries in reading order; `notices` may solve themselves; `chains` by writer."""

    entries: tuple[Entry, ...]
    unsigned: tuple[Unsigned, ...] = ()
    problems: tuple[Problem, ...] = ()
    notices: tuple[Problem, ...] = ()
    standings: Standings = Standings({})
    chains: Mapping[str, Chain] = {}


class Authority(NamedTuple):
    """What the `keys` log says: who may sign, which entries were redacted, which losses are accepted."""

    standings: Standings = Standings({})
    redacted: frozenset[Head] = frozenset()
    accepted: Mapping[str, Head] = {}
    publics: Mapping[str, str] = {}


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
        authority = self.authority()
        reading = self._put_together(log, months, authority, thorough)
        self._memory.note_heads(
            one.head for one in reading.chains.values() if one.head and not one.quarantined and one.head.seq
        )
        self._memory.save()
        return reading

    def authority(self) -> Authority:
        """The `keys` log's word; read anew when one of its files has changed."""
        listed = list_log(self._root, KEYS).files
        stamp = (self._pinned(), [(file.path, _stamp(self._root, file.path)) for file in listed])
        if self._authority[0] != stamp:
            self._authority = (stamp, self._weighed(listed))
        return self._authority[1]

    def remembered(self) -> dict[str, Head]:
        """The newest heads that this machine knows, by `<log>/<writer>`."""
        return self._memory.heads()

    def lost(self, log: str) -> list[Head]:
        """The present ends of the chains that this machine remembers to have been longer."""
        chains_here = self.read(log).chains
        found = []
        for writer, head in self._promised(log, self.authority()).items():
            chain = chains_here.get(writer)
            end = chain.head if chain else None
            if head.seq > (end.seq if end else 0):
                found.append(end or Head(log, writer, 0, NOTHING))
        return found

    def key_of(self, writer: str) -> str:
        """The public key line of a writer, "" when it has not been introduced."""
        return self.authority().publics.get(writer, "")

    # the keys log

    def _weighed(self, listed: Iterable[LogFile]) -> Authority:
        introductions = [one for file in listed if not file.unsigned for one in self._introductions(file)]
        publics: dict[str, str] = {}
        for one in introductions:
            publics.setdefault(one.entry.writer, one.public)
        first = Authority(publics=publics)
        entries = list(self._put_together(KEYS, None, first, False).entries)
        standings = weigh(introductions, entries, self._pinned())
        publics = {name: one.public for name, one in standings.writers.items()}
        trusted = [entry for entry in entries if standings.trusts(entry, "person")]
        redacted = [head for entry in trusted if entry.kind == "redact" for head in _heads(entry, "entries")]
        accepted = [head for entry in trusted if entry.kind == "accept-rollback" for head in _heads(entry, "heads")]
        return Authority(
            standings, frozenset(redacted), {f"{head.log}/{head.writer}": head for head in accepted}, publics
        )

    def _introductions(self, file: LogFile) -> list[Introduction]:
        """The keys that a file's writer has published in it, each signed by itself."""
        found = []
        for line in _text(read_log_file(self._root, file.path)[0]):
            if any(f" · {kind} · " in line for kind in INTRODUCING):
                one = self._introduced(line)
                if one and one.entry.writer == file.writer:
                    found.append(one)
        return found

    def _introduced(self, line: str) -> Introduction | None:
        try:
            public = str(parse(line, self._vault, KEYS, "").values().get("key"))
            entry = parse(line, self._vault, KEYS, fingerprint_of(public))
        except (NotAnEntry, FormatError):
            return None
        one = introduction(entry)
        name = f"introduction {entry.id}"
        if one and self._memory.is_valid(name, entry.sig, one.fingerprint):
            return one
        if one and keys.verify(public, entry.sig, signed(entry)):
            self._memory.note_valid(name, entry.sig, one.fingerprint)
            return one
        return None

    # any log

    def _put_together(self, log: str, months: int | None, authority: Authority, thorough: bool) -> Reading:
        listed = list_log(self._root, log, months, self._now(0)[:7])
        by_writer: dict[str, list[Lines]] = {}
        unsigned: list[Unsigned] = []
        problems: list[Problem] = []
        for file in listed.files:
            data, unreadable = read_log_file(self._root, file.path)
            if unreadable:
                problems.append(unreadable)
            elif file.unsigned:
                unsigned += _unsigned_lines(file, data)
            else:
                by_writer.setdefault(file.writer, []).append(self._lines(file, data, authority, thorough))
        remembered = self._promised(log, authority)
        joined = {
            writer: chains.join(log, writer, files, remembered.get(writer), whole=months is None)
            for writer, files in by_writer.items()
        }
        for writer in remembered.keys() - joined.keys():
            if months is None or not self._has_older(log, writer):
                joined[writer] = chains.join(log, writer, (), remembered[writer])
        unsigned += [
            Unsigned(f.file.path, *line, f.file.writer) for fs in by_writer.values() for f in fs for line in f.unsigned
        ]
        return self._reading(joined, unsigned, problems, authority)

    def _lines(self, file: LogFile, data: bytes, authority: Authority, thorough: bool) -> Lines:
        from hashlib import sha256

        public = authority.publics.get(file.writer, "")
        digest = sha256(data).hexdigest()
        known = not thorough and self._memory.is_valid(file.path, digest, public)
        lines = read_lines(
            file, data, self._vault, authority.publics, _believe if known else keys.verify,
            redacted=lambda entry, hashed: Head(entry.log, entry.writer, entry.seq, hashed) in authority.redacted,
            thorough=thorough,
        )  # fmt: skip
        if public and not lines.problems:
            self._memory.note_valid(file.path, digest, public)
        return lines

    def _promised(self, log: str, authority: Authority) -> dict[str, Head]:
        """The remembered heads of a log by writer; a loss that a person has accepted is forgotten."""
        found = {}
        for name, head in self._memory.heads().items():
            if head.log == log:
                accepted = authority.accepted.get(name)
                found[head.writer] = accepted if accepted and accepted.seq < head.seq else head
        return found

    def _has_older(self, log: str, writer: str) -> bool:
        folder = os.path.join(self._root, *log_folder(log).split("/"))
        try:
            months = os.listdir(folder)
        except OSError:
            return False
        return any(os.path.isfile(os.path.join(self._root, log_path(log, writer, month))) for month in months)

    def _reading(
        self, joined: Mapping[str, Chain], unsigned: list[Unsigned], problems: list[Problem], authority: Authority
    ) -> Reading:
        entries: list[Entry] = []
        notices = [notice for chain in joined.values() for notice in chain.notices]
        for writer, chain in joined.items():
            problems += chain.problems
            standing = authority.standings.writers.get(writer)
            if standing is None and chain.log != KEYS:
                notices += _unknown(chain)
            for placed in chain.placed:
                if standing and standing.state == "revoked" and not standing.covers(chain.log, placed.entry.seq):
                    problems.append(_after_revocation(placed, standing.by))
                    continue
                head = Head(chain.log, writer, placed.entry.seq, placed.hash)
                blank = head in authority.redacted and not placed.entry.redacted
                entries.append(_blank(placed.entry) if blank else placed.entry)
                if blank:
                    notices.append(_to_blank(placed))
        problems += chains.across({f"{chain.log}/{writer}": chain for writer, chain in joined.items()})
        ordered = reading_order(entries, self._now(86400.0))
        notices += [_ahead(entry, joined) for entry in ordered if entry.time > self._now(86400.0)]
        return Reading(tuple(ordered), tuple(unsigned), tuple(problems), tuple(notices), authority.standings, joined)


def _believe(public: str, signature: str, message: bytes) -> bool:
    """The check for bytes that were found valid before."""
    return True


def _heads(entry: Entry, name: str) -> list[Head]:
    if name == "heads":
        return list(heads_of(entry).values())
    listed = entry.values().get(name)
    return [head for text in (listed if isinstance(listed, list) else ()) if (head := parse_head(str(text)))]


def _unsigned_lines(file: LogFile, data: bytes) -> list[Unsigned]:
    """The lines of an agent without this program; headings, blank lines and conflict markers say nothing."""
    return [
        Unsigned(file.path, number, line.strip(), file.writer)
        for number, line in enumerate(_text(data), start=1)
        if line.strip() and not line.startswith(("# ", *MARKERS))
    ]


def _text(data: bytes) -> list[str]:
    return [line.removesuffix("\r") for line in data.decode("utf-8", "replace").split("\n")]


def _stamp(root: str, path: str) -> tuple[int, int, int]:
    try:
        found = os.stat(os.path.join(root, *path.split("/")))
    except OSError:
        return (0, 0, 0)
    return (found.st_size, found.st_mtime_ns, found.st_ino)


def _blank(entry: Entry) -> Entry:
    return entry._replace(text=REDACTED, salt="", data="")


def _to_blank(placed: Placed) -> Problem:
    message = f"Entry {placed.entry.id} was redacted, and this copy still holds what it said."
    return Problem("log-to-blank", placed.path, placed.line, message, "`mdmem redact --apply` blanks it here.")


def _after_revocation(placed: Placed, by: str) -> Problem:
    message = f"Entry {placed.entry.id} lies beyond the point up to which {placed.entry.writer} is trusted ({by})."
    return Problem(
        "log-after-revocation", placed.path, placed.line, message, "It is not read; remove it, or look who wrote it."
    )


def _unknown(chain: Chain) -> list[Problem]:
    message = f"Nobody has introduced {chain.writer}, so none of its entries can be checked; they are not read."
    paths = {problem.path for problem in chain.problems} or {log_folder(chain.log)}
    return [
        Problem(
            "log-unknown-writer",
            sorted(paths)[0],
            0,
            message,
            "Wait for its file in nexus/log/keys/, or remove its file.",
        )
    ]


def _ahead(entry: Entry, joined: Mapping[str, Chain]) -> Problem:
    placed = next(one for one in joined[entry.writer].placed if one.entry.id == entry.id)
    message = f"Entry {entry.id} says {entry.time}Z, more than a day from now: the clock of {entry.writer} was wrong."
    return Problem(
        "log-ahead", placed.path, placed.line, message, "Set that machine's clock; the entry is shown by its order."
    )
