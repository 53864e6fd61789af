"""What the lines of one log file are: valid entries, or a problem that is named. Pure; the caller checks signatures.

Rules:

1. An entry counts when its line is canonical, it belongs to the file's writer and log, its free parts have their hash,
   and its writer's key signed it. Where entries follow each other by number and hash, the last signature vouches for
   all of them: who signed it signed the hashes that lead back to the first. `thorough` checks every one all the same.
2. A line that is no entry is named by what it comes nearest to: changed, forged, replayed from elsewhere, blanked, a
   conflict marker, written by hand, half a line.
3. Line endings that were converted, and a byte order mark, are one problem for the file. The entries are read anyway.
4. Nothing here is too much: a hostile file costs one problem for each run of lines.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from markdown_memory.core.entry import Entry, NotAnEntry, block_of, entry_hash, free_hash, parse, signed
from markdown_memory.core.log_layout import LogFile, fingerprint_of, header
from markdown_memory.core.log_names import MARKERS, SHORTS
from markdown_memory.core.log_text import escape
from markdown_memory.core.problem import Problem

Check = Callable[[str, str, bytes], bool]
"""Whether a public key line made a signature of a message: check(public, signature, message)."""

PATIENCE = 20
"""After so many problems in a file, no more guesses at where a bad entry came from."""
LONG_RUN = 10

_RESTORE = "Restore the line from a copy of the vault (git, a backup, another machine)."
_KEEP_ENDINGS = "Keep `nexus/log/** -text` in .gitattributes and check the file out again."
_BY_HAND = "Write it into nexus/live-context.md instead, or sign it with `mdmem log adopt`."
_WHOLE = ("log-replayed", "log-heading")


class Placed(NamedTuple):
    """A valid entry, its hash, and where it stands."""

    entry: Entry
    hash: str
    path: str
    line: int


class Lines(NamedTuple):
    """What a file holds. `claims`: by line, the number of this chain that a changed entry claims (0: none)."""

    file: LogFile
    placed: tuple[Placed, ...]
    problems: tuple[Problem, ...]
    claims: Mapping[int, int] = {}
    unsigned: tuple[tuple[int, str], ...] = ()
    size: int = 0
    sha256: str = ""


def read_lines(
    file: LogFile,
    data: bytes,
    vault: str,
    keys: Mapping[str, str],
    check: Check,
    *,
    redacted: Callable[[Entry, str], bool] = lambda entry, hashed: False,
    thorough: bool = False,
) -> Lines:
    """The entries of one file.

    `keys` holds public key lines by writer; `redacted` says whether a person has asked for an entry to be blanked.
    """
    return _FileReader(file, vault, keys, check, redacted).read(data, thorough)


class _FileReader:
    def __init__(
        self,
        file: LogFile,
        vault: str,
        keys: Mapping[str, str],
        check: Check,
        redacted: Callable[[Entry, str], bool],
    ) -> None:
        self._file = file
        self._vault = vault
        self._keys = keys
        self._check = check
        self._redacted = redacted
        self._public = keys.get(file.writer, "")
        self._fingerprint = fingerprint_of(self._public) if self._public else ""
        self._candidates: list[Placed] = []
        self._problems: list[Problem] = []
        self._claims: dict[int, int] = {}
        self._unsigned: list[tuple[int, str]] = []

    def read(self, data: bytes, thorough: bool) -> Lines:
        lines = self._split(data)
        for number, line in enumerate(lines, start=1):
            if number > 2:
                self._take(number, line)
        placed = self._every() if thorough else self._by_runs()
        problems = self._misplaced(placed) or self._problems
        return Lines(self._file, tuple(placed), tuple(problems), self._claims, tuple(self._unsigned))

    # the file as a whole

    def _split(self, data: bytes) -> list[str]:
        if data.startswith(b"\xef\xbb\xbf"):
            self._report(
                "log-byte-order-mark", 1, "The file begins with a byte order mark.", "Save it as UTF-8 without one."
            )
            data = data[3:]
        lines = [line.decode("utf-8", "replace") for line in data.split(b"\n")]
        converted = sum(line.endswith("\r") for line in lines)
        if converted:
            lines = [line.removesuffix("\r") for line in lines]
            message = f"{converted} line ends were converted (CRLF); the entries themselves are unharmed."
            self._report("log-line-endings", 0, message, _KEEP_ENDINGS)
        if lines[-1]:
            message = "The file ends in half a line: it was not acknowledged, or has not arrived whole."
            self._report("log-torn", len(lines), message, "Its writer repairs it with the next entry.")
        heading = header(self._file.log, self._file.writer, self._file.month).split("\n")[0]
        if data and lines[:2] != [heading, ""]:
            wrong = 1 if lines[0] != heading else 2
            self._report(
                "log-heading", wrong, f"The file does not begin with {heading!r} and an empty line.", "Put them back."
            )
        return lines[:-1]

    def _misplaced(self, placed: Sequence[Placed]) -> list[Problem]:
        """One problem for a file that as a whole belongs elsewhere."""
        others = {problem.message for problem in self._problems if problem.code == "log-replayed"}
        if placed or len(others) != 1 or any(problem.code not in _WHOLE for problem in self._problems):
            return []
        message = others.pop().replace("This entry belongs", "All these entries belong").replace("it was", "they were")
        return [Problem("log-misplaced-file", self._file.path, 0, message, "Move the file back, or remove this copy.")]

    # line by line

    def _take(self, number: int, line: str) -> None:
        try:
            entry = parse(line, self._vault, self._file.log, self._fingerprint)
        except NotAnEntry as reason:
            self._no_entry(number, line, str(reason))
            return
        if entry.writer != self._file.writer:
            self._of_another(number, entry)
        elif self._public:
            self._candidate(number, entry)

    def _candidate(self, number: int, entry: Entry) -> None:
        hashed = entry_hash(entry)
        if entry.redacted:
            if not self._redacted(entry, hashed):
                message = f"Entry {entry.id} was blanked, and no person's redaction says so."
                self._report("log-blanked", number, message, _RESTORE)
        elif free_hash(entry.salt, escape(entry.text), entry.data) != entry.free:
            self._changed(number, entry)
            return
        self._candidates.append(Placed(entry, hashed, self._file.path, number))

    def _no_entry(self, number: int, line: str, reason: str) -> None:
        block = block_of(line)
        if line.startswith(MARKERS):
            self._report(
                "log-conflict-marker", number, f"A conflict marker of git: {line[:7]}.", "Remove this line only."
            )
        elif not line.strip():
            self._report("log-empty-line", number, "An empty line that does not belong here.", "Remove it.")
        elif block and "<!--" in line:
            self._malformed(number, line, block, reason)
        elif "<!-- mdmem1 " in line:
            self._claims[number] = 0
            self._report("log-changed", number, f"An entry was changed: {reason}.", _RESTORE)
        else:
            self._unsigned.append((number, line))
            self._report("log-unsigned-line", number, "A line written by hand into a signed file.", _BY_HAND)

    def _malformed(self, number: int, line: str, block: tuple[str, str, int], reason: str) -> None:
        word, writer, seq = block
        log = next((name for name, known in SHORTS.items() if known == word), "")
        if log != self._file.log and self._is_valid_in(line, log, writer):
            self._replayed(number, f"the log {log} of {writer}")
            return
        if writer == self._file.writer:
            self._claims[number] = seq
        self._report("log-changed", number, f"Entry {writer}-{seq} was changed: {reason}.", _RESTORE)

    def _is_valid_in(self, line: str, log: str, writer: str) -> bool:
        public = self._keys.get(writer, "")
        try:
            entry = parse(line, self._vault, log, fingerprint_of(public)) if log and public else None
        except NotAnEntry:
            return False
        return entry is not None and self._check(public, entry.sig, signed(entry))

    def _of_another(self, number: int, entry: Entry) -> None:
        public = self._keys.get(entry.writer, "")
        if public and self._check(public, entry.sig, signed(entry._replace(key=fingerprint_of(public)))):
            self._replayed(number, entry.writer)
            return
        message = (
            f"Entry {entry.id} is not signed by the key of {entry.writer}, and this is the file of {self._file.writer}."
        )
        self._report("log-forged", number, message, "Remove the line.")

    def _changed(self, number: int, entry: Entry) -> None:
        if self._check(self._public, entry.sig, signed(entry)):
            message = f"Entry {entry.id} no longer has the text and data that were signed."
        elif log := self._log_that_signs(entry):
            self._replayed(number, f"the log {log} of {entry.writer}")
            return
        else:
            message = f"Entry {entry.id} was changed or forged: the key of {entry.writer} has not signed it like this."
        self._claims[number] = entry.seq
        self._report("log-changed", number, message, _RESTORE)

    def _log_that_signs(self, entry: Entry) -> str:
        """The other log in which this very entry would be valid; not tried again and again for a hostile file."""
        if len(self._problems) > PATIENCE:
            return ""
        logs = (log for log in SHORTS if log != self._file.log)
        return next((log for log in logs if self._check(self._public, entry.sig, signed(entry._replace(log=log)))), "")

    def _replayed(self, number: int, owner: str) -> None:
        message = f"This entry belongs to {owner}: it was copied here."
        self._report("log-replayed", number, message, "Remove the line.")

    # signatures

    def _every(self) -> list[Placed]:
        good = []
        for one in self._candidates:
            if self._check(self._public, one.entry.sig, signed(one.entry)):
                good.append(one)
            else:
                self._changed(one.line, one.entry)
        return good

    def _by_runs(self) -> list[Placed]:
        """The valid candidates, by one signature for each run that the hashes connect."""
        good: list[Placed] = []
        run: list[Placed] = []
        for one in self._candidates:
            if run and (one.entry.seq, one.entry.prev) != (run[-1].entry.seq + 1, run[-1].hash):
                good += self._vouched(run)
                run = []
            run.append(one)
        return good + self._vouched(run)

    def _vouched(self, run: list[Placed]) -> list[Placed]:
        end = len(run)
        while end and not self._check(self._public, run[end - 1].entry.sig, signed(run[end - 1].entry)):
            end -= 1
            self._changed(run[end].line, run[end].entry)
        return run[:end]

    def _report(self, code: str, line: int, message: str, remedy: str) -> None:
        self._problems.append(Problem(code, self._file.path, line, message, remedy))


def gathered(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems by file and line; a long run of one kind becomes one problem."""
    found = sorted(problems, key=lambda problem: (problem.path, problem.line))
    out: list[Problem] = []
    start = 0
    while start < len(found):
        end = start + 1
        while end < len(found) and found[end][:3] == (*found[start][:2], found[end - 1].line + 1):
            end += 1
        if end - start < LONG_RUN:
            out += found[start:end]
        else:
            first = found[start]
            out.append(first._replace(message=f"{first.message} So it goes on up to line {found[end - 1].line}."))
        start = end
    return tuple(out)
