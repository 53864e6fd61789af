"""What becomes of a note that both sides have changed: the merged text, and where the other version is kept.

Every strategy joins what the sides changed in different places. Where they changed the same lines or the same key:

    merge        the newer side's words stand; when nobody can say which is newer, a person decides (the default)
    newer_wins   the newer side's words stand; when nobody can say which is newer, both notes are kept
    local_wins   ours stand
    remote_wins  theirs stand
    keep_both    ours stays, and theirs is kept as a note of its own beside it
    ask          ours stays, and theirs waits in the inbox

Rules:

1. The version that loses is kept whole in the archive, under the path that it had and a name made of its hash.
2. An edit by hand is never the older one for want of a date: nobody dates what is typed into an editor.
3. A note that one side removed and the other changed is kept, unless a strategy says which side is right.

    settle(action, base, ours, theirs, strategy, newer) -> Settled
"""

from typing import NamedTuple

from markdown_memory.core import frontmatter, layout
from markdown_memory.core.names import file_name
from markdown_memory.core.note import read_header
from markdown_memory.core.scope import folder_of
from markdown_memory.errors import FormatError
from markdown_memory.rules import note_merge
from markdown_memory.rules.merge_plan import Action, beside

STRATEGIES = ("merge", "newer_wins", "local_wins", "remote_wins", "keep_both", "ask")
OURS, THEIRS = "ours", "theirs"
MERGED, LOCAL, REMOTE, BOTH, ASKED = "merged", "local", "remote", "both", "asked"


class Version(NamedTuple):
    """When a version was written, as the ledger says ("" = it does not know), and whether by hand."""

    time: str = ""
    by_hand: bool = False


class Kept(NamedTuple):
    """A file that comes into being beside the note: in the archive, in the inbox, or next to it."""

    path: str
    data: bytes


class Settled(NamedTuple):
    """`data` is what the note says now (None = it is removed); `verdict` one of merged local remote both asked."""

    data: bytes | None
    verdict: str
    conflicts: tuple[str, ...] = ()
    kept: tuple[Kept, ...] = ()


def newer(ours: Version, theirs: Version) -> str:
    """The side whose version is newer, "" when nobody can say."""
    if ours.by_hand != theirs.by_hand:
        return OURS if ours.by_hand else THEIRS
    if not ours.time or not theirs.time or ours.time == theirs.time:
        return ""
    return OURS if ours.time > theirs.time else THEIRS


def settle(
    action: Action,
    base: bytes | None,
    ours: bytes | None,
    theirs: bytes | None,
    strategy: str = "merge",
    newer: str = "",
    inbox: str = "",
) -> Settled:
    """Decide a `merge` or `conflict` action; None stands for a side that has removed the note.

    `newer` is the side that is newer, if that is known; `inbox` the agent in whose bank a question waits.
    """
    winner = _winner(strategy, newer)
    if ours is None or theirs is None:
        return _one_removed(action, ours, theirs, "" if strategy == "merge" else winner, strategy == "ask" and inbox)
    merged = note_merge.merge(base, ours, theirs, winner)
    if not merged.conflicts:
        return Settled(merged.data, MERGED)
    if merged.data is not None:
        loser, path = (theirs, action.theirs_path) if winner == OURS else (ours, action.ours_path)
        kept = (in_archive(path, loser),) if loser != merged.data else ()
        return Settled(merged.data, LOCAL if winner == OURS else REMOTE, merged.conflicts, kept)
    if strategy in ("keep_both", "newer_wins"):
        return Settled(ours, BOTH, merged.conflicts, (_beside(action.path, theirs),))
    return Settled(ours, ASKED, merged.conflicts, (in_review(action.path, theirs, inbox),))


def in_archive(path: str, data: bytes) -> Kept:
    """Where a version that lost is kept."""
    return Kept(beside(_archived(path), _digest(data)), data)


def in_review(path: str, data: bytes, inbox: str) -> Kept:
    """The other version as a proposal; what is no note that could be accepted goes to the archive."""
    place = layout.place_of(path)
    if place.area != "memory" or not inbox or place.owner:
        return in_archive(path, data)
    header = read_header(path, data)
    front: dict[str, object] = {"name": header.name, "type": place.type, "accept": False, "reject": False}
    if place.scope is not None:
        front["scope"] = folder_of(place.scope)
    try:
        proposal = frontmatter.set_keys(data, front)
    except FormatError:
        return in_archive(path, data)
    name = beside(file_name(header.name), _digest(data))
    return Kept(f"{layout.inbox_folder(inbox)}/{name}", proposal)


def _winner(strategy: str, newer: str) -> str:
    if strategy == "local_wins":
        return OURS
    if strategy == "remote_wins":
        return THEIRS
    return newer if strategy in ("merge", "newer_wins") else ""


def _one_removed(action: Action, ours: bytes | None, theirs: bytes | None, winner: str, inbox: str | bool) -> Settled:
    """Rule 3: the version that was changed stays, or comes back, unless the side that removed it is right."""
    sentence = (f"It was {action.reason}.",)
    if theirs is None:
        if ours is None or winner != THEIRS:
            return Settled(ours, LOCAL if ours else MERGED, sentence)
        return Settled(None, REMOTE, sentence, (in_archive(action.ours_path, ours),))
    if inbox:
        return Settled(None, ASKED, sentence, (in_review(action.path, theirs, str(inbox)),))
    if winner == OURS:
        return Settled(None, LOCAL, sentence, (in_archive(action.theirs_path, theirs),))
    return Settled(theirs, REMOTE, sentence)


def _beside(path: str, data: bytes) -> Kept:
    """The other version as a note of its own, with a name of its own."""
    digest = _digest(data)
    try:
        front, _, problems = frontmatter.read(data)
        name = front.get("name")
        if isinstance(name, str) and name and not problems:
            return Kept(beside(path, digest), frontmatter.set_key(data, "name", f"{name}-{digest[:8]}"))
    except FormatError:
        pass
    return Kept(beside(path, digest), data)


def _archived(path: str) -> str:
    return path if layout.place_of(path).area == "archive" else layout.archive_path(path)


def _digest(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()
