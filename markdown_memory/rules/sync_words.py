"""What a commit of a vault says: how much of what changed, by whom, and which files."""

from collections import Counter
from collections.abc import Iterable, Sequence

from markdown_memory.core.layout import place_of
from markdown_memory.core.log_layout import file_at

LISTED = 50
_WORDS = {"A": "new", "M": "changed", "D": "gone"}
_ONE = {
    "memory": "note", "inbox": "proposal", "archive": "archived note", "identity": "identity", "agents": "agent page",
    "skills": "skill", "state": "project state", "checkpoint": "checkpoint", "settings": "setting", "page": "page",
}  # fmt: skip
_MANY = {"identity": "identities"}


def message(changes: Iterable[tuple[str, str]], author: str, merged: str = "") -> str:
    """A commit message for pairs of letter (A, M, D) and path; `merged` names the remote branch that came in."""
    files = [(letter, path) for letter, path in changes if path != "MEMORY.md"]
    told = [(letter, path) for letter, path in files if place_of(path).area != "log"]
    who = sorted({author, *_writers(path for _, path in files)} - {""})
    what = _counted(told) or ("log entries" if files else "the memory index")
    subject = f"memory: {what} ({', '.join(who)})" if not merged else f"memory: merge {merged}: {what}"
    rows = [f"{_WORDS.get(letter, letter)}: {path}" for letter, path in told[:LISTED]]
    if len(told) > LISTED:
        rows.append(f"… and {len(told) - LISTED} more files")
    return "\n".join([_one_line(subject), *(["", *map(_one_line, rows)] if rows else []), ""])


def _counted(told: Sequence[tuple[str, str]]) -> str:
    """`2 notes, 1 proposal`."""
    counts = Counter(_ONE.get(place_of(path).area, "file") for _, path in told)
    return ", ".join(
        f"{number} {name if number == 1 else _MANY.get(name, f'{name}s')}" for name, number in counts.most_common()
    )


def _writers(paths: Iterable[str]) -> set[str]:
    """The agents and people whose logs have grown."""
    found = (file_at(path) for path in paths)
    return {file.writer.rpartition("-")[0] if not file.unsigned else file.writer for file in found if file}


def _one_line(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
