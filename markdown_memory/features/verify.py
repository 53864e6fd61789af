"""Verify: is everything as it was signed? A report for people, with what cannot be known from here.

    verify(workspace, whole=True) -> Report(problems, notices, counts, unknown, files)      .sound

`whole` checks every signature of every log and the hash of every file of ours. Otherwise the two newest months of the
logs are checked, and what was found valid before is believed; that is what a session's start can afford.

A problem makes the report unsound: something was changed, lost, forged or rolled back. A notice does not: an edit by
hand, a file that has not arrived yet, a writer that nobody has confirmed.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.entry import Entry
from markdown_memory.core.ledger import FileChange, manifest_of, parse_ledger
from markdown_memory.core.log_layout import log_folder
from markdown_memory.core.log_names import PRIVATE, SHORTS
from markdown_memory.core.problem import Problem
from markdown_memory.errors import FormatError, MarkdownMemoryError, NotFound
from markdown_memory.rules import chain as chains
from markdown_memory.rules.attestation import Ledger, Present, Verdict
from markdown_memory.storage import files
from markdown_memory.storage.log_files import stray_problems
from markdown_memory.storage.scan import scan
from markdown_memory.workspace import Workspace

if TYPE_CHECKING:
    from markdown_memory.rules.chain import Chain
    from markdown_memory.rules.standing import Standings
    from markdown_memory.storage.log_values import Reading

MONTHS = 2
_COPY = "Bring it back from another copy (git, a backup, another machine), or sign what is there: `mdmem approve`."


class Report(NamedTuple):
    """What was found. `files` says for every file of ours who has signed it; `unknown` are sentences."""

    problems: tuple[Problem, ...]
    notices: tuple[Problem, ...]
    counts: dict[str, int]
    unknown: tuple[str, ...]
    files: tuple[Verdict, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing contradicts a signature, a chain, a remembered head or the ledger."""
        return not self.problems


def verify(space: Workspace, whole: bool = True) -> Report:
    """Check the logs, and when `whole` every file that the ledger knows or should know."""
    logs = (*SHORTS, *space.private_ledgers())
    remembered = space.logs.remembered()
    readings = {log: space.logs.read(log, None if whole else MONTHS, thorough=whole) for log in logs}
    standings = readings["keys"].standings
    problems = [problem for reading in readings.values() for problem in reading.problems]
    notices = [notice for reading in readings.values() for notice in reading.notices]
    problems += stray_problems(space.root)
    problems += _conflicts(standings, readings["keys"])
    notices += _unconfirmed(standings)
    everything = {
        f"{log}/{writer}": chain for log, reading in readings.items() for writer, chain in reading.chains.items()
    }
    if whole:
        problems += [one for one in chains.across(everything) if one not in problems]
    counts = {"entries": sum(len(chain.placed) for chain in everything.values()), "writers": len(standings.writers)}
    verdicts: list[Verdict] = []
    if whole:
        ledgers = {log.removeprefix(PRIVATE): readings[log] for log in logs if log.startswith(PRIVATE)}
        ledgers = {"": readings["ledger"], **ledgers}
        verdicts, found = _files(space, ledgers)
        problems += [one for one in found if one.code in _GRAVE or space.settings.integrity == "strict"]
        notices += [one for one in found if one.code not in _GRAVE and space.settings.integrity != "strict"]
        counts |= {"files": len(verdicts)} | Counter(f"files {verdict.state}" for verdict in verdicts)
    unknown = _unknown(standings, everything, bool(remembered), space)
    return Report(
        tuple(dict.fromkeys(problems)), tuple(dict.fromkeys(notices)), counts, tuple(unknown), tuple(verdicts)
    )


# the logs


def _conflicts(standings: "Standings", keys: "Reading") -> Iterable[Problem]:
    for entry in standings.conflicts:
        path = next((one.path for chain in keys.chains.values() for one in chain.placed if one.entry == entry), "")
        message = f"Two keys claim to be {entry.writer}; the one of entry {entry.id} with {entry.key} is not believed."
        yield Problem("keys-conflict", path or layout.LOG_FOLDER, 0, message, "Find out who made the second key.")


def _unconfirmed(standings: "Standings") -> Iterable[Problem]:
    for one in standings.writers.values():
        if not one.trusted:
            message = f"Nobody has confirmed {one.writer}: it is shown as unconfirmed."
            remedy = f"If you know this writer: `mdmem keys confirm {one.writer}`."
            yield Problem("keys-unconfirmed", layout.LOG_FOLDER, 0, message, remedy)


def _unknown(
    standings: "Standings", everything: "dict[str, Chain]", seen_before: bool, space: Workspace
) -> Iterable[str]:
    if not seen_before:
        yield (
            "This machine sees these logs for the first time: it cannot know whether the newest entries of a writer "
            "were cut off, or the whole vault is an older copy. From now on it remembers."
        )
    if standings.provisional:
        root = next((one.writer for one in standings.writers.values() if one.state == "root"), "")
        yield f"No person's key is pinned here; until `mdmem trust`, {root} is taken for the root, as it calls itself."
    elif not standings.roots:
        yield "No person's key is pinned here and no single one roots the logs, so no writer is confirmed."
    known = {
        name: head for name, head in space.logs.remembered().items() if space.access.may_know(log_folder(head.log))
    }
    for head, witness in chains.missing(everything, known):
        end = everything.get(f"{head.log}/{head.writer}")
        here = f"ends with {end.head.seq}" if end and end.head else "is not here"
        yield (
            f"{witness} has seen {head.log} of {head.writer} up to {head.seq}, and here it {here}: "
            "the rest has not arrived yet, or was cut off."
        )
    yield "Entries that have not arrived from other machines; who sat at a keyboard; whether a clock was right."


# the files


_GRAVE = ("file-rolled-back", "file-missing", "ledger-manifest", "file-unreadable")
_SENTENCES = {
    "by-hand": ("file-by-hand", "was edited by hand since {who} signed it", "`mdmem approve` signs it as it is."),
    "observed": ("file-by-hand", "was edited by hand (seen by {who})", "`mdmem approve` signs it as it is."),
    "unknown": ("file-unsigned", "was made by hand; nobody has signed it", "`mdmem approve` signs it."),
    "line-ends": (
        "file-line-ends",
        "differs from what {who} signed in its line ends only",
        "Nothing is lost; `*.md text eol=lf` in .gitattributes keeps them.",
    ),
    "moved": ("file-moved", "was moved by hand: {other}", "`mdmem approve` signs the new place."),
    "not-here": ("file-not-here", "is not yet as {who} has signed it: the file has not arrived", "Synchronise again."),
    "rolled-back": ("file-rolled-back", "holds an older state than the one that {who} signed", _COPY),
    "missing": ("file-missing", "is gone; {who} signed it, and no entry says that it was removed", _COPY),
}


def _files(space: Workspace, ledgers: "Mapping[str, Reading]") -> tuple[list[Verdict], list[Problem]]:
    """What the ledger says about every file: the shared one, and each private folder's about what lies in there."""
    problems: list[Problem] = []
    own = [writer.id for writer in space.logs.chest.writers() if space.logs.chest.here(writer)]
    books = {owner: _book(space, ledger, own, problems) for owner, ledger in ledgers.items()}
    present = _present(space, problems)
    verdicts: list[Verdict] = []
    for owner, book in books.items():
        here = {path: hashes for path, hashes in present.items() if layout.private_owner(path) == owner}
        found = [one for one in book.verdicts(here) if layout.private_owner(one.path) == owner]
        verdicts += _moved_out(book, found, present) if owner else found
    verdicts = [one for one in verdicts if one.state != "gone" and _is_ours(space, one.path)]
    problems += [_problem(one) for one in verdicts if one.state in _SENTENCES]
    return verdicts, problems


def _book(space: Workspace, ledger: "Reading", own: Sequence[str], problems: list[Problem]) -> Ledger:
    changes = {entry.id: _changes(space, entry, problems) for entry in ledger.entries}
    return Ledger(ledger.entries, changes, ledger.standings, own)


def _moved_out(book: Ledger, verdicts: list[Verdict], present: "Mapping[str, Present]") -> list[Verdict]:
    """A private note that somebody moved to where it is shared is not lost."""
    places = {hashes.sha256: path for path, hashes in present.items()}
    return [
        one._replace(state="moved", other=places[now[0].change.new])
        if one.state == "missing" and (now := book.current(one.path)) and now[0].change.new in places
        else one
        for one in verdicts
    ]


def _changes(space: Workspace, entry: Entry, problems: list[Problem]) -> Sequence[FileChange]:
    data = entry.values()
    named = manifest_of(data)
    try:
        if named is None:
            return parse_ledger(data)
        content = files.read(space.root, named[0], None)
        if files.digest(content) != named[1]:
            raise FormatError(f"{named[0]} is not the list of files that entry {entry.id} names.")
        return parse_ledger(data, content)
    except MarkdownMemoryError as error:
        where = named[0] if named else layout.LOG_FOLDER
        message = f"It is not known which files entry {entry.id} changed: {error}"
        problems.append(Problem("ledger-manifest", where, 0, message, _COPY))
        return ()


def _present(space: Workspace, problems: list[Problem]) -> dict[str, Present]:
    """The hashes of every file."""
    found = {}
    for stat in scan(space.root):
        if not _is_ours(space, stat.path):
            continue
        try:
            data = files.read(space.root, stat.path, None)
        except NotFound:
            continue
        except MarkdownMemoryError as error:
            problems.append(Problem("file-unreadable", stat.path, 0, str(error), "Make it readable for yourself."))
            continue
        found[stat.path] = _hashes(data)
    return found


def _hashes(data: bytes) -> Present:
    lf = data.replace(b"\r\n", b"\n")
    crlf = lf.replace(b"\n", b"\r\n")
    return Present(*(hashlib.sha256(one).hexdigest() for one in (data, lf, crlf)))


def _is_ours(space: Workspace, path: str) -> bool:
    """Whether a file is one that agents are served, and this principal may know of it."""
    place = layout.place_of(path)
    return place.area in layout.SIGNED_AREAS and space.access.may_know(path)


def _problem(verdict: Verdict) -> Problem:
    code, sentence, remedy = _SENTENCES[verdict.state]
    who = f"{verdict.by.agent} ({verdict.by.id})" if verdict.by else ""
    other = f"its content lies at {verdict.other} now" if verdict.by and verdict.path != verdict.other else ""
    return Problem(code, verdict.path, 0, f"{verdict.path} {sentence.format(who=who, other=other)}.", remedy)
