"""What redactions mean for a merge: text that a person made vanish on one side is not brought back by the other. Pure.

Rules:

1. Redacted is what the file held when it was redacted and whatever the ledger says that it had held before, under other
   names too. It is known by its hashes, wherever it lies: in the archive, as a proposal, in a copy.
2. A file that comes in is left out when it is such a text, and when it was changed by somebody who did not know of the
   redaction: the change may still hold what had to vanish.
3. Such a text that lies here is removed, and no copy of it is kept. What was changed here since stays and is told.
4. What somebody who knew of the redaction has written again under the same name counts as new.

    find(entries, changes, trusts, has) -> Redactions
    applied(actions, redactions) -> (actions, left_out, still_here)
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from markdown_memory.core.entry import Entry
from markdown_memory.core.ledger import FileChange
from markdown_memory.rules.attestation import OBSERVED
from markdown_memory.rules.log_order import Clock, knowledge
from markdown_memory.rules.merge_plan import REMOVE, SKIP, UPDATE, Action

REDACT = "redact"
REASON = "redacted"
OURS, THEIRS = 0, 1


class Redactions(NamedTuple):
    """Hashes of redacted texts, and for each side the paths and hashes redacted by entries that it has not got."""

    hashes: frozenset[str] = frozenset()
    unseen: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())

    def touches(self, side: int, path: str, sha256: str, base: str) -> bool:
        """Whether a side's file is a redacted text, or was made of one without knowing that."""
        return bool(sha256) and (sha256 in self.hashes or path in self.unseen[side] or base in self.unseen[side])


def find(
    entries: Sequence[Entry],
    changes: Mapping[str, Iterable[FileChange]],
    trusts: Callable[[Entry], bool],
    has: tuple[frozenset[str], frozenset[str]] | None = None,
) -> Redactions:
    """What was redacted, by the ledger in reading order; `has` are the ids of the entries that each side has.

    `trusts` says whether an entry is signed by a person whose word counts.
    """
    if not any(entry.kind == REDACT for entry in entries):
        return Redactions()
    known = knowledge(entries)
    held: dict[str, dict[str, Entry]] = {}
    by: dict[str, Entry] = {}
    unseen: tuple[set[str], set[str]] = (set(), set())
    for entry in entries:
        for change in changes.get(entry.id, ()):
            texts = held.setdefault(change.path, {})
            for sha256, first in [*held.get(change.move_from, {}).items(), (change.old, entry), (change.new, entry)]:
                if sha256:
                    texts.setdefault(sha256, first)
            if entry.kind == REDACT and not change.new and trusts(entry):  # MEMORY.md, which moves with it, stays
                gone = [sha256 for sha256, first in texts.items() if _knew(known, entry, first)]
                by.update(dict.fromkeys(gone, entry))
                for side, ids in enumerate(has or ()):
                    if entry.id not in ids:
                        unseen[side].update({change.path, *gone})
                held[change.path] = {}
            elif change.new in by and entry.kind != OBSERVED and _knew(known, entry, by[change.new]):
                del by[change.new]  # rule 4
    return Redactions(frozenset(by), (frozenset(unseen[OURS]), frozenset(unseen[THEIRS])))


def _knew(known: Mapping[str, Clock], entry: Entry, other: Entry) -> bool:
    """Whether the writer of an entry had seen the other one, or it is the same."""
    return known[f"{entry.log}/{entry.id}"].get(f"{other.log}/{other.writer}", 0) >= other.seq or entry is other


def applied(
    actions: Sequence[Action], redactions: Redactions
) -> tuple[tuple[Action, ...], tuple[Action, ...], tuple[str, ...]]:
    """The actions without redacted text; those that are left out, and paths here that a person must look at."""
    if not redactions.hashes:
        return tuple(actions), (), ()
    found: list[Action] = []
    left_out: list[Action] = []
    look: list[str] = []
    for one in actions:
        ours = redactions.touches(OURS, one.ours_path, one.ours, one.base)
        theirs = redactions.touches(THEIRS, one.theirs_path, one.theirs, one.base)
        if theirs and one.verb != SKIP:
            left_out.append(one)
        if ours and one.ours not in redactions.hashes:
            look.append(one.ours_path)
            ours, theirs = False, True  # it stays as it is
        found.append(_without(one, ours, theirs))
    return tuple(found), tuple(left_out), tuple(look)


def _without(one: Action, ours: bool, theirs: bool) -> Action:
    if ours:
        if one.theirs and not theirs:
            return one._replace(verb=UPDATE, reason="redacted there")
        return one._replace(verb=REMOVE, path=one.ours_path, reason=REASON)
    return one._replace(verb=SKIP, reason=REASON, path=one.ours_path) if theirs else one


def rest(base: bytes, text: bytes) -> bytes:
    """The whole lines that a text adds to what was redacted; a line that was changed may still say it, and is none."""
    from difflib import SequenceMatcher

    old, new = base.splitlines(keepends=True), text.splitlines(keepends=True)
    rows = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return b"".join(line for verb, _, _, low, high in rows if verb == "insert" for line in new[low:high])
