"""What a merge may not do by itself, because a mistake or a foreign hand would cost too much. Pure.

Rules:

1. Removing more than a third of the notes, and at least ten, takes a word of the person: an emptied folder is more
   often a disk that was not there.
2. The settings that protect a vault get no looser by a merge: ours stay. Its id stays, and so does the file.
3. What guides agents is told before anything else.
"""

import re
from collections.abc import Collection

from markdown_memory.core import layout
from markdown_memory.core.settings import Settings, parse

FEW, SHARE = 10, 3
_STRICT = {"store": "review", "integrity": "strict", "acl_enabled": True, "audit": True}
_GUIDING = ("settings", "identity", "skills", "agents")
_PAGES = ("AGENTS.md", "CLAUDE.md")


def too_many(removed: int, notes: int) -> bool:
    """Rule 1."""
    return removed >= FEW and removed * SHARE > notes


def is_note(path: str) -> bool:
    """Whether a path is one of an accepted note."""
    return layout.place_of(path).area == "memory"


def guides(path: str) -> bool:
    """Rule 3: whether a file says how the vault works, who an agent is or what it can."""
    return path in _PAGES or layout.place_of(path).area in _GUIDING


def settings(ours: bytes, new: bytes | None) -> tuple[bytes, tuple[str, ...]]:
    """Rule 2: the bytes that Settings.md gets, and a sentence for each setting that stays as it is."""
    before = parse(ours)
    if new is None or parse(new).vault_id != before.vault_id:
        return ours, (f"{layout.SETTINGS} stays as it is here: the other copy's would be no settings of this vault.",)
    said = []
    for key in _looser(before.settings, parse(new).settings):
        new = _with_line_of(ours, new, key)
        said.append(f"{layout.SETTINGS}: `{key}` stays as it is here; the other copy's is looser.")
    after = parse(new).settings
    if _looser(before.settings, after) or not set(after.auto_accept) <= set(before.settings.auto_accept):
        why = "the other copy's accepts more without a person; take over by hand what you want of it"
        return ours, (f"{layout.SETTINGS} stays as it is here: {why}.",)
    return new, tuple(said)


def _looser(ours: Settings, new: Settings) -> list[str]:
    return [key for key, strict in _STRICT.items() if getattr(ours, key) == strict != getattr(new, key)]


def _with_line_of(ours: bytes, new: bytes, key: str) -> bytes:
    """The new text in which the line of one setting is ours, or is not there as it is not in ours."""
    line = re.compile(rb"^[ \t]*" + key.encode() + rb"[ \t]*=.*(?:\n|\Z)", re.M)
    own = line.search(ours)
    wanted = own[0] if own else b""
    if line.search(new):
        return line.sub(lambda _: wanted, new, count=1)
    return re.sub(rb"^```toml[^\n]*\n", lambda fence: fence[0] + wanted, new, count=1, flags=re.M)


def removed_notes(gone: Collection[str], moved: Collection[str]) -> list[str]:
    """The notes that go and do not live on as notes under another name."""
    return sorted(path for path in gone if is_note(path) and path not in moved)
