"""What a merge would do: the plan over two copies, settled note by note into edits, with nothing written."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.ledger import FileChange
from markdown_memory.features.snapshots.copies import Copy, Scopes, chosen, is_log
from markdown_memory.features.snapshots.values import Change
from markdown_memory.rules import merge_plan, merge_settling, redactions
from markdown_memory.rules.attestation import OBSERVED, histories
from markdown_memory.rules.merge_plan import Action, Side
from markdown_memory.rules.merge_settling import Settled, Version
from markdown_memory.rules.redactions import Redactions
from markdown_memory.storage.files import digest
from markdown_memory.workspace import Edit

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry

Progress = Callable[[int, int], None]
Text = Callable[[str], bytes | None]
LEDGER = "ledger"


class Past(NamedTuple):
    """What the ledgers say: each side's history and moves, and when a version was written."""

    ours: Side
    theirs: Side
    written: Mapping[tuple[str, str], str]
    redacted: Redactions = Redactions()
    latest: Mapping[str, str] = {}
    """By path: the hash that the ledger named last, "" when it said that the file is gone."""


class Comparison(NamedTuple):
    """The changes to tell, the edits that carry them out, the counts, and what else is to be said."""

    changes: tuple[Change, ...]
    edits: tuple[Edit, ...]
    counts: dict[str, int]
    notices: tuple[str, ...] = ()
    redacted: frozenset[str] = frozenset()
    refusal: str = ""


class Merging(NamedTuple):
    """How two copies are merged. `base_text` gives a text of the base by hash; `inbox` whose bank questions wait in."""

    ours: Copy
    theirs: Copy
    base: Mapping[str, str]
    base_text: Text
    past: Past
    strategy: str
    scopes: Scopes
    inbox: str


def merged_files(files: Mapping[str, str], scopes: Scopes, left_out: frozenset[str]) -> dict[str, str]:
    """The listing without logs, which are joined, without MEMORY.md, which follows from the notes, and without what
    one side has and could not send."""
    return {
        path: sha
        for path, sha in files.items()
        if not is_log(path) and path != layout.MEMORY_INDEX and path not in left_out and chosen(path, scopes)
    }


def past(
    ours: Mapping[str, str],
    theirs: Mapping[str, str],
    entries: "Iterable[Entry]",
    changes: Mapping[str, Iterable[FileChange]],
    has: tuple[frozenset[str], frozenset[str]],
) -> Past:
    """What the joined ledger says about each side; `has` are the entries that each side has."""
    known: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
    moved: tuple[dict[str, str], dict[str, str]] = ({}, {})
    written: dict[tuple[str, str], str] = {}
    latest: dict[str, str] = {}
    for path, events in histories(list(entries), {name: tuple(rows) for name, rows in changes.items()}).items():
        for event in events:
            change = event.change
            latest[path] = change.new
            if change.new and event.entry.kind != OBSERVED:
                written[path, change.new] = event.entry.time
            for side, ids in enumerate(has):
                if event.entry.id in ids:
                    known[side].setdefault(path, []).extend(one for one in (change.old, change.new) if one)
                    if change.move_from:
                        moved[side][change.move_from] = path
    return Past(Side(ours, moved[0], known[0]), Side(theirs, moved[1], known[1]), written, latest=latest)


def compare(how: Merging, progress: Progress | None = None) -> Comparison:
    """Plan and settle; everything is read, and nothing written."""
    planned = merge_plan.plan(how.base, how.past.ours, how.past.theirs)
    actions, left_out, look = redactions.applied(planned, how.past.redacted)
    here = {*how.ours.files}
    after = {sha for path, sha in how.ours.files.items()}
    changes: list[Change] = []
    edits: list[Edit] = []
    counts = dict.fromkeys(
        ("imported", "updated", "removed", "renamed", "merged", "conflicts", "skipped", "log_entries"), 0
    )
    after |= {action.theirs for action in actions if action.verb in (merge_plan.TAKE, merge_plan.UPDATE)}
    gone = {action.ours_path for action in actions if action.verb == merge_plan.REMOVE}
    stay = {sha for path, sha in how.ours.files.items() if path not in gone} | {
        action.theirs for action in actions if action.verb in (merge_plan.TAKE, merge_plan.UPDATE)
    }
    for number, action in enumerate(actions, 1):
        change, made = _done(how, action, stay)
        made = [edit for edit in made if not (edit.old is None and edit.path in here and edit.new is not None)]
        if change is None or not (made or change.conflicts):
            counts["skipped"] += 1
        else:
            changes.append(change)
            edits += made
            counts[_counted(change)] += 1
        if progress is not None and not number % 100:
            progress(number, len(actions))
    edits += _gone(how, left_out)
    redacted = how.past.redacted.hashes | {one.theirs for one in left_out}
    return Comparison(tuple(changes), tuple(_once(edits)), counts, tuple(_about(left_out, look)), redacted)


def _gone(how: Merging, left_out: Iterable[Action]) -> Iterable[Edit]:
    """The other ledger says that what is left out is there; so this one says that it is not, and nobody misses it."""
    for one in left_out:
        if one.theirs_path not in how.ours.files and how.past.latest.get(one.theirs_path):
            yield Edit(one.theirs_path, None, None)


def _about(left_out: Iterable[Action], look: Iterable[str]) -> Iterable[str]:
    """What a person hears about redacted text."""
    for path in sorted({one.theirs_path for one in left_out}):
        yield f"{path} is not brought in: what it was made of was redacted."
    for path in look:
        yield (
            f"{path} was redacted in the other copy and changed here without knowing that, so it stays: look whether "
            f"it still says what had to vanish, and then `mdmem redact {path}`."
        )


def _once(edits: Iterable[Edit]) -> Iterable[Edit]:
    """Two questions may wait in one file: the same bytes are written once."""
    seen: set[str] = set()
    for edit in edits:
        if edit.path not in seen:
            seen.add(edit.path)
            yield edit


def _counted(change: Change) -> str:
    if change.conflicts:
        return "conflicts"
    names = {"take": "imported", "update": "updated", "remove": "removed", "rename": "renamed"}
    return names.get(change.verb, "merged")


def _done(how: Merging, action: Action, stay: set[str]) -> tuple[Change | None, list[Edit]]:
    """One action as a row of the report and the edits that carry it out."""
    old_path = action.ours_path if action.moves else ""
    change = Change(action.verb, action.path, action.reason, old_path)
    if action.verb == merge_plan.TAKE:
        return change, [Edit(action.path, None, how.theirs.read(action.theirs_path))]
    if action.verb in (merge_plan.UPDATE, merge_plan.RENAME):
        updated = action.verb == merge_plan.UPDATE
        data = how.theirs.read(action.theirs_path) if updated else how.ours.read(action.ours_path)
        return change, _put(action, data)
    if action.verb == merge_plan.REMOVE:
        return _removed(how, change, action, stay)
    if action.verb in (merge_plan.MERGE, merge_plan.CONFLICT):
        return _settled(how, change, action)
    return None, []


def _put(action: Action, data: bytes | None) -> list[Edit]:
    """The edits after which our file says that, at the path where it belongs."""
    if data is None:
        return [Edit(action.ours_path, action.ours, None)] if action.ours else []
    if action.moves:
        return [
            Edit(action.path, None, data, move_from=action.ours_path),
            Edit(action.ours_path, action.ours, None),
        ]
    if action.ours and digest(data) == action.ours:
        return []
    return [Edit(action.path, action.ours or None, data)]


def _removed(how: Merging, change: Change, action: Action, stay: set[str]) -> tuple[Change, list[Edit]]:
    """What the other side removed goes; its bytes go to the archive, when nothing else here has them."""
    edits = [Edit(action.ours_path, action.ours, None)]
    if action.reason == redactions.REASON or action.ours in stay or layout.place_of(action.ours_path).area == "archive":
        return change, edits
    kept = merge_settling.in_archive(action.ours_path, how.ours.read(action.ours_path))
    return change._replace(kept=(kept.path,)), [Edit(kept.path, None, kept.data, move_from=action.ours_path), *edits]


def _settled(how: Merging, change: Change, action: Action) -> tuple[Change, list[Edit]]:
    ours = how.ours.read(action.ours_path) if action.ours else None
    theirs = how.theirs.read(action.theirs_path) if action.theirs else None
    base = how.base_text(action.base) if action.base else None
    who = merge_settling.newer(
        _version(how, action.ours_path, action.ours), _version(how, action.theirs_path, action.theirs)
    )
    settled: Settled = merge_settling.settle(action, base, ours, theirs, how.strategy, who, how.inbox)
    edits = [Edit(kept.path, None, kept.data) for kept in settled.kept]
    edits += _put(action, settled.data)
    kept_paths = tuple(kept.path for kept in settled.kept)
    return change._replace(verdict=settled.verdict, conflicts=settled.conflicts, kept=kept_paths), edits


def _version(how: Merging, path: str, sha256: str) -> Version:
    if not sha256:
        return Version()
    time = how.past.written.get((path, sha256), "")
    return Version(time, by_hand=not time)
