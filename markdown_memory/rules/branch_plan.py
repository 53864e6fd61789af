"""What becomes of each note of a branch whose memory is merged into another's.

A note is the same one when type and name agree. What is only on the source is taken over; what says the same, under
whatever name, is folded into the note that is there; what says something else is decided by the strategy:

    merge         the longer text where one only adds lines to the other; else as `ask`
    ask           the target's text stays, and the source's waits for a person
    local_wins    the target's text stays
    remote_wins   the source's text takes its place
    newer_wins    the later of the two; as `ask` where the notes do not tell
    keep_both     both stay, the source's under a name of its own

Whatever happens, the source's text goes to archive/ under the path that it had, and so does a text that is replaced.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markdown_memory.core import frontmatter
from markdown_memory.core.names import name_key
from markdown_memory.core.note import StoredNote
from markdown_memory.errors import UserError

STRATEGIES = ("merge", "ask", "local_wins", "remote_wins", "newer_wins", "keep_both")
_SILENT = ("created", "updated", "agent", "source", "trust", "merged_from", "name", "type")


class Step(NamedTuple):
    """One note of the source, and what happens to it: take, fold, keep, replace, both, ask.

    `there` is the path of the target's note that it meets, "" when it meets none.
    """

    action: str
    note: StoredNote
    there: str = ""

    @property
    def conflict(self) -> bool:
        """Whether two texts stood against each other."""
        return self.action not in ("take", "fold")


def plan(source: Iterable[StoredNote], target: Sequence[StoredNote], strategy: str = "merge") -> tuple[Step, ...]:
    """One step for each note of the source, in order."""
    check_strategy(strategy)
    named = {_identity(note): note for note in target}
    saying = {words: note for note in target if (words := _words(note))}
    return tuple(_step(note, named.get(_identity(note)), saying.get(_words(note)), strategy) for note in source)


def check_strategy(strategy: str) -> str:
    """The strategy, unchanged; UserError when there is none of that name."""
    if strategy not in STRATEGIES:
        raise UserError(f"The strategy {strategy!r} is not known; use one of {', '.join(STRATEGIES)}.")
    return strategy


def same_note(one: StoredNote, other: StoredNote) -> bool:
    """Whether two notes say the same: their text but for white space, and what their properties tell a reader."""
    return one.data == other.data or (_words(one) == _words(other) and _told(one) == _told(other))


def _step(note: StoredNote, met: StoredNote | None, twin: StoredNote | None, strategy: str) -> Step:
    if met is None:
        return Step("fold", note, twin.path) if twin and _told(twin) == _told(note) else Step("take", note)
    if same_note(note, met):
        return Step("fold", note, met.path)
    actions = {"local_wins": "keep", "remote_wins": "replace", "keep_both": "both", "ask": "ask"}
    action = actions.get(strategy) or (_newer(note, met) if strategy == "newer_wins" else _longer(note, met))
    return Step(action, note, met.path)


def _longer(note: StoredNote, met: StoredNote) -> str:
    if _told(note) != _told(met):
        return "ask"
    mine, theirs = note.body.split("\n"), met.body.split("\n")
    if _adds_to(mine, theirs):
        return "replace"
    return "keep" if _adds_to(theirs, mine) else "ask"


def _adds_to(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Whether every line of the shorter text stands in the longer one, in that order."""
    rest = iter(longer)
    return all(line in rest for line in shorter)


def _newer(note: StoredNote, met: StoredNote) -> str:
    mine, theirs = (one.header.updated or one.header.created for one in (note, met))
    if not mine or not theirs or mine == theirs:
        return "ask"
    return "replace" if mine > theirs else "keep"


def _identity(note: StoredNote) -> tuple[str, str]:
    return note.header.type, name_key(note.header.name)


def _words(note: StoredNote) -> tuple[str, ...]:
    return tuple(note.body.split())


def _told(note: StoredNote) -> dict[str, object]:
    front, _, _ = frontmatter.read(note.data)
    return {key: value for key, value in front.items() if key not in _SILENT and value not in (None, "", [])}
