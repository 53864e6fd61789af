"""What a merge of two copies of a vault does with each file, decided from hashes alone.

The vocabulary: the *base* is what both copies came from, *ours* the copy that is written to, *theirs* the one that
comes in. A listing is path → SHA-256. Rules:

1. A file that one side alone has changed, made, renamed or removed is no conflict: that side is followed.
2. A removal is known by the base, or by a history in which the side has had the file: a path that is merely absent says
   nothing. Removing what the other side has changed is a conflict, and so is changing what the other side has removed.
3. Where the base knows nothing of a file, the last hash that both histories have is its base; and a present hash in the
   other side's history proves which of the two is the ancestor.
4. A renamed file is the same file: it is found by the ledger, or by its hash at a new path of the same area; the change
   of the other side follows it. What both renamed differently gets the path that is first in the alphabet. Moving to
   the archive is a removal, and accepting a proposal is no renaming either.
5. No two files end at paths that differ only by case or by Unicode form: the one that comes in gets another name, made
   of its hash, so that every host gives it the same.

    plan(base, ours, theirs) -> tuple[Action, ...]         sorted by path
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from markdown_memory.core.layout import place_of
from markdown_memory.core.names import nfc_key

TAKE, UPDATE, REMOVE, RENAME, MERGE, CONFLICT, SKIP = "take", "update", "remove", "rename", "merge", "conflict", "skip"
Listing = Mapping[str, str]


class Side(NamedTuple):
    """A copy's files, where it has moved files to, and the hashes that files have had there, oldest first."""

    files: Listing
    moved: Mapping[str, str] = {}
    history: Mapping[str, Sequence[str]] = {}

    def had(self, path: str, sha256: str) -> bool:
        """Whether this side has had these bytes at that path."""
        return sha256 in self.history.get(path, ())


class Action(NamedTuple):
    """What happens to one file.

    take: theirs is new here. update: theirs replaces ours. remove: theirs is gone, and so is ours. rename: ours moves
    from `ours_path` to `path`, as theirs has. merge: both changed it, the texts decide. conflict: one removed what the
    other changed. skip: ours stays. Hashes are "" where there is no file; paths are those of each side.
    """

    verb: str
    path: str
    base: str = ""
    ours: str = ""
    theirs: str = ""
    ours_path: str = ""
    theirs_path: str = ""
    reason: str = ""

    @property
    def moves(self) -> bool:
        """Whether our file gets another path."""
        return bool(self.ours) and self.ours_path != self.path


def plan(base: Listing, ours: Side, theirs: Side) -> tuple[Action, ...]:
    """What brings theirs into ours."""
    base = common_base(base, ours, theirs)
    actions = [*_known(base, ours, theirs), *_unknown(base, ours, theirs)]
    return tuple(sorted(_apart(actions, ours.files), key=lambda action: (action.path, action.theirs_path)))


def common_base(base: Listing, ours: Side, theirs: Side) -> Listing:
    """The base, with what two histories know beyond it."""
    known = {}
    for path in ours.history.keys() & theirs.history.keys():
        there = set(theirs.history[path])
        common = next((sha256 for sha256 in reversed(ours.history[path]) if sha256 in there), "")
        later = path not in base or base[path] in ours.history[path][: _last(ours.history[path], common)]
        if common and later and (path in ours.files or path in theirs.files):
            known[path] = common
    return {**base, **known} if known else base


def _last(hashes: Sequence[str], sha256: str) -> int:
    """Where a hash stands last."""
    return max((at for at, one in enumerate(hashes) if one == sha256), default=0)


def counts(actions: Collection[Action]) -> dict[str, int]:
    """How many actions there are of each kind."""
    found = Counter(action.verb for action in actions)
    return {verb: found[verb] for verb in (TAKE, UPDATE, REMOVE, RENAME, MERGE, CONFLICT, SKIP)}


def beside(path: str, sha256: str) -> str:
    """The path at which other bytes for the same place are kept: `tea.md` → `tea-1a2b3c4d.md`."""
    stem, dot, suffix = path.rpartition(".")
    if not dot or "/" in suffix:
        return f"{path}-{sha256[:8]}"
    return f"{stem}-{sha256[:8]}.{suffix}"


# files that the base knows


def _known(base: Listing, ours: Side, theirs: Side) -> Iterator[Action]:
    ours_at, theirs_at = _whereabouts(base, ours), _whereabouts(base, theirs)
    for path, sha256 in base.items():
        if ours.files.get(path) == sha256 == theirs.files.get(path):  # nearly all of them
            yield Action(SKIP, path, sha256, sha256, sha256, path, path, "same")
            continue
        here, there = ours_at.get(path, ""), theirs_at.get(path, "")
        action = Action(
            SKIP, path, sha256, ours.files.get(here, ""), theirs.files.get(there, ""), here or path, there or path
        )
        if here and there:
            yield _both_have(action, _place(path, here, there), ours, theirs)
        elif here:
            yield _they_removed(action, here)
        elif there:
            yield _we_removed(action, there)


def _place(path: str, here: str, there: str) -> str:
    """Where a file belongs that both sides have."""
    if here in (path, there):
        return there
    return here if there == path else min(here, there)


def _both_have(action: Action, place: str, ours: Side, theirs: Side) -> Action:
    action = action._replace(path=place)
    moving = "renamed there" if action.moves else ""
    if action.theirs in (action.ours, action.base):
        if moving:
            return action._replace(verb=RENAME, reason=moving)
        return action._replace(reason="same" if action.ours == action.theirs else "changed here only")
    if action.ours == action.base:
        return action._replace(verb=UPDATE, reason=f"changed and {moving}" if moving else "changed there only")
    return _proven(action, ours, theirs)


def _they_removed(action: Action, here: str) -> Action:
    action = action._replace(path=here)
    if action.ours == action.base:
        return action._replace(verb=REMOVE, reason="removed there")
    return action._replace(verb=CONFLICT, reason="changed here, removed there")


def _we_removed(action: Action, there: str) -> Action:
    action = action._replace(path=there)
    if action.theirs == action.base:
        return action._replace(reason="removed here")
    return action._replace(verb=CONFLICT, reason="removed here, changed there")


def _proven(action: Action, ours: Side, theirs: Side) -> Action:
    """Both differ from the base, or there is none: a history may still show one to be the other's ancestor."""
    theirs_is_old = ours.had(action.ours_path, action.theirs)
    ours_is_old = theirs.had(action.theirs_path, action.ours)
    if theirs_is_old and not ours_is_old:
        return action._replace(verb=SKIP, base=action.theirs, reason="newer here")
    if ours_is_old and not theirs_is_old:
        return action._replace(verb=UPDATE, base=action.ours, reason="newer there")
    return action._replace(verb=MERGE, reason="changed on both sides")


def _whereabouts(base: Listing, side: Side) -> dict[str, str]:
    """Where a side has the files of the base now; none that are gone."""
    found = {path: path for path in base if path in side.files}
    used = {*base}
    gone = [path for path in base if path not in side.files]
    new: dict[tuple[str, str], list[str]] = {}
    if gone:
        for path in side.files:
            if path not in base:
                new.setdefault((side.files[path], _area(path)), []).append(path)
    for path in gone:
        told = _last_place(path, side)
        same = new.get((base[path], _area(path)), [])
        to = told or (same[0] if len(same) == 1 else "")
        if to and to not in used:
            used.add(to)
            found[path] = to
    return found


def _last_place(path: str, side: Side) -> str:
    """Where the ledger says that a file went, step by step; "" when that is not there, or is another kind of place."""
    seen = {path}
    to = path
    while (to := side.moved.get(to, "")) and to not in seen:
        if to in side.files:
            return to if _area(to) == _area(path) else ""
        seen.add(to)
    return ""


def _area(path: str) -> str:
    return place_of(path).area


# files that the base does not know


def _unknown(base: Listing, ours: Side, theirs: Side) -> Iterator[Action]:
    here, there = (_strangers(base, side) for side in (ours, theirs))
    for path in here.keys() | there.keys():
        action = Action(SKIP, path, "", here.get(path, ""), there.get(path, ""), path, path)
        if action.ours and action.theirs:
            yield action._replace(reason="same") if action.ours == action.theirs else _proven(action, ours, theirs)
        elif action.theirs:
            yield _new_there(action, ours)
        else:
            yield _new_here(action, theirs)


def _strangers(base: Listing, side: Side) -> dict[str, str]:
    """The files of a side that are none of the base's, not under another name either."""
    found = {path: sha256 for path, sha256 in side.files.items() if path not in base}
    if found:
        for path in _whereabouts(base, side).values():
            found.pop(path, None)
    return found


def _new_there(action: Action, ours: Side) -> Action:
    had = ours.history.get(action.path, ())
    if action.theirs in had:
        return action._replace(base=action.theirs, reason="removed here")
    if had and action.path not in ours.files:
        return action._replace(verb=CONFLICT, reason="removed here, changed there")
    return action._replace(verb=TAKE, reason="new there")


def _new_here(action: Action, theirs: Side) -> Action:
    had = theirs.history.get(action.path, ())
    gone = action.path not in theirs.files and action.path not in theirs.moved
    if gone and action.ours in had:
        return action._replace(verb=REMOVE, base=action.ours, reason="removed there")
    if gone and had:
        return action._replace(verb=CONFLICT, reason="changed here, removed there")
    return action._replace(reason="new here")


# paths that are one path elsewhere


def _apart(actions: Collection[Action], ours: Listing) -> Iterator[Action]:
    """Rule 5: what comes in gives way to what is here, and of two that come in the later one gives way."""
    if not any(one.verb in (TAKE, RENAME, CONFLICT) or one.moves for one in actions):
        yield from actions
        return
    taken = {_key(one.path): one.path for one in actions if one.ours and not one.moves and one.verb != REMOVE}
    for path in ours:
        taken.setdefault(_key(path), path)
    leaving = {one.ours_path for one in actions if one.verb == REMOVE or one.moves}
    here = ours.keys()
    for action in sorted(actions, key=lambda one: (one.path, one.theirs)):
        if action.verb not in (TAKE, RENAME, CONFLICT) and not action.moves:
            yield action
            continue
        other = taken.get(_key(action.path), "")
        blocked = other and other not in leaving and other != action.ours_path
        if blocked or (action.path in here and action.path != action.ours_path and action.path not in leaving):
            yield action._replace(path=beside(action.path, action.theirs or action.ours))
            continue
        taken[_key(action.path)] = action.path
        yield action


def _key(path: str) -> str:
    return nfc_key(path).casefold()
