"""What is settled about single files before a merge is carried out: Settings.md, MEMORY.md, and too many removals."""

from collections.abc import Mapping

from markdown_memory.core import layout
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.features.snapshots.comparing import Comparison, Text
from markdown_memory.features.snapshots.copies import Copy
from markdown_memory.features.snapshots.values import Change
from markdown_memory.rules import memory_index, merge_guard, text_merge
from markdown_memory.storage.files import digest
from markdown_memory.workspace import Edit


def guarded(found: Comparison, ours: Copy) -> Comparison:
    """The settings that protect this vault stay, and what guides agents is told first."""
    changes, edits, said = list(found.changes), list(found.edits), list(found.notices)
    at = next((number for number, one in enumerate(edits) if one.path == layout.SETTINGS and one.old), None)
    if at is not None:
        before = ours.read(layout.SETTINGS)
        after, sentences = merge_guard.settings(before, edits[at].new)
        said += sentences
        edits[at] = edits[at]._replace(new=after)
        if after == before:
            del edits[at]
            changes = [one for one in changes if layout.SETTINGS not in (one.path, one.old_path)]
            edits = [one for one in edits if one.move_from != layout.SETTINGS]
    changes.sort(key=lambda one: not merge_guard.guides(one.path))
    return found._replace(changes=tuple(changes), edits=tuple(edits), notices=tuple(said))


def refusal(found: Comparison, ours: Copy, name: str) -> str:
    """Why the merge waits for a word of the person, "" when it need not."""
    moved = {one.move_from for one in found.edits if one.move_from and merge_guard.is_note(one.path)}
    gone = merge_guard.removed_notes([one.path for one in found.edits if one.new is None and one.old], moved)
    notes = sum(merge_guard.is_note(path) for path in ours.files)
    if not merge_guard.too_many(len(gone), notes):
        return ""
    return (
        f"{name} would remove {len(gone)} of the {notes} notes here, more than a third; "
        "if that is meant, say so with --allow-removals."
    )


def with_text_around_the_index(
    found: Comparison, ours: Copy, theirs: Copy, base: Mapping[str, str], text: Text, strategy: str
) -> Comparison:
    """What people wrote in MEMORY.md around the block, merged by lines; the block itself follows from the notes."""
    path = layout.MEMORY_INDEX
    if path not in ours.files or theirs.files.get(path) in (None, ours.files[path], base.get(path)):
        return found
    try:
        here, there = (_around(side.read(path)) for side in (ours, theirs))
    except MarkdownMemoryError:
        return found
    known = text(base[path]) if path in base else None
    before = _common(here, there) if known is None else _around(known)
    favour = {"local_wins": "ours", "remote_wins": "theirs"}.get(strategy, "both")
    merged = text_merge.merge(before, here, there).text(favour)
    if merged == here:
        return found
    new = merged.encode("utf-8", "surrogateescape")
    why = "changed there only" if here == before else "changed on both sides"
    change = Change("merge", path, f"the text around the index was {why}", verdict="merged")
    counts = {**found.counts, "merged": found.counts["merged"] + 1}
    edit = Edit(path, digest(ours.read(path)), new)
    return found._replace(changes=(*found.changes, change), edits=(*found.edits, edit), counts=counts)


def _around(data: bytes) -> str:
    return memory_index.merge_into(data, "").decode("utf-8", "surrogateescape")


def _common(one: str, other: str) -> str:
    """The lines that both have, for a base that nobody knows: then what either has beyond them is new."""
    lines, others = one.splitlines(keepends=True), other.splitlines(keepends=True)
    return "".join("".join(lines[at : at + count]) for at, _, count in text_merge.matches(lines, others))
