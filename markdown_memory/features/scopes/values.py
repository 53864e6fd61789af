"""What branches and projects hand out."""

from typing import NamedTuple

from markdown_memory.core.note import Header
from markdown_memory.core.scope import Scope


class Branch(NamedTuple):
    """What the vault remembers about one branch of a project."""

    project: str
    """The project's name; "" is the vault's own where that has none."""
    branch: str
    notes: int
    proposals: int
    default: bool
    """Whether it is the project's default branch."""
    current: bool
    """Whether this session works on it."""
    in_git: bool | None
    """Whether the repository here has it; None where no repository tells."""
    updated: str = ""
    """When a note of it was changed last, as far as the notes say."""


class Shown(NamedTuple):
    """One branch with its notes, and the scopes that a session on it sees, nearest first."""

    branch: Branch
    seen: tuple[Scope, ...]
    notes: tuple[Header, ...]


class Difference(NamedTuple):
    """How a note differs between two branches: `only-one`, `only-other` or `changed`; `diff` is a unified diff."""

    state: str
    name: str
    type: str
    path: str
    other_path: str
    diff: str = ""


class Merged(NamedTuple):
    """A merge that was made, or would be: what happens to each note of the source."""

    source: str
    into: str
    done: bool
    """False for a dry run, and when there was nothing to merge."""
    steps: tuple["MergedNote", ...]
    proposals: tuple[str, ...] = ()
    """Paths of the proposals that wait for the target now."""
    links_changed: tuple[str, ...] = ()


class MergedNote(NamedTuple):
    """`action` is take, fold, keep, replace, both or ask; `path` is where the text is now, "" in the archive only."""

    action: str
    name: str
    type: str
    source_path: str
    path: str
    archived: str = ""


class Moved(NamedTuple):
    """Notes that went somewhere else: pairs of old and new path."""

    name: str
    new: str
    paths: tuple[tuple[str, str], ...]
    links_changed: tuple[str, ...] = ()


class ProjectMemory(NamedTuple):
    """What the vault remembers about one project."""

    name: str
    own: bool
    default_branch: str
    remotes: tuple[str, ...]
    branches: int
    notes: int
    in_settings: bool
