"""The files that a new vault begins with, as bytes, from the shipped templates.

In a person's Obsidian vault our file names give way where theirs are the same: Home.md and Review.base get another
name, and the links in them name the folder, so that `[[Home]]` goes on meaning what it meant.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.scope import Scope
from markdown_memory.storage import shipped
from markdown_memory.storage.inside import failure

_IGNORED = """# made anew on every machine, or private to one
/.mdmem/
/nexus/live-context.md
/memory/private/
/.obsidian/workspace*.json
/.trash/
"""
_ATTRIBUTES = """# signed line by line: no line ending may change
nexus/log/** -text merge=union
MEMORY.md merge=union
"""
_FIXED = ("MEMORY", "Settings", "AGENTS")  # their names are part of the format


class Start(NamedTuple):
    """For whom the files are made. `taken` are the names of notes and bases around the vault, in lower case."""

    agents: Sequence[str]
    person: str
    project: str
    date: str
    folder: str  # the vault's folder within an Obsidian vault, "" when it is one of its own
    taken: frozenset[str] = frozenset()
    git: bool = False


def folders(agents: Iterable[str]) -> list[str]:
    """The folders of a new vault."""
    main = Scope("", "main")
    notes = [layout.note_folder(type, None) for type in layout.GLOBAL_TYPES]
    notes += [layout.note_folder(type, main) for type in layout.SCOPED_TYPES]
    inboxes = [layout.inbox_folder(agent) for agent in agents]
    rest = ["identity", "agents", "skills", "archive", "nexus/project-state", "nexus/checkpoints", layout.LOG_FOLDER]
    return [*notes, *inboxes, *rest]


def first_files(start: Start) -> dict[str, bytes]:
    """Path and bytes of every file but Settings.md and MEMORY.md."""
    source = os.path.join(shipped.folder("templates"), "vault")
    names = {"Home.md": _free("Home.md", start), "Review.base": _free("Review.base", start)}
    made = {names[name]: _filled(os.path.join(source, name), start, names) for name in names}
    made["AGENTS.md"] = _filled(os.path.join(source, "AGENTS.md"), start, names)
    for agent in start.agents:
        made[f"identity/{agent}.md"] = _filled(os.path.join(source, "identity", "agent.md"), start, names, agent)
    made[".gitignore"] = _IGNORED.encode()
    made[".mdmem/.gitignore"] = b"*\n"
    if start.git:
        made[".gitattributes"] = _ATTRIBUTES.encode()
    if not start.folder:
        made |= _copied(os.path.join(source, ".obsidian"), ".obsidian")
        made |= _copied(os.path.join(shipped.folder("templates"), "notes"), "templates")
    return made


def collisions(start: Start) -> list[str]:
    """Sentences about names that the format fixes and that the person's notes have too."""
    stems = [*_FIXED, *start.agents]
    return [
        f"Your vault has a note {stem!r} of its own; [[{start.folder}/…/{stem}]] means the one made here."
        for stem in stems
        if f"{stem.lower()}.md" in start.taken
    ]


def _free(name: str, start: Start) -> str:
    return f"Memory {name}" if name.lower() in start.taken else name


def _filled(path: str, start: Start, names: Mapping[str, str], agent: str = "") -> bytes:
    text = _bytes(path).decode("utf-8")
    values = {"agent": agent, "person": start.person, "project": start.project, "date": start.date}
    for key, value in values.items():
        text = text.replace("{{" + key + "}}", value)
    if start.folder:
        for stem in _FIXED:
            text = text.replace(f"[[{stem}]]", f"[[{start.folder}/{stem}]]")
        text = text.replace("[[Review.base", f"[[{start.folder}/{names['Review.base']}")
    return text.encode("utf-8")


def _copied(source: str, target: str) -> dict[str, bytes]:
    try:
        names = sorted(os.listdir(source))
    except OSError as error:
        raise failure(source, "cannot be read", error) from error
    return {f"{target}/{name}": _bytes(os.path.join(source, name)) for name in names}


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise failure(path, "cannot be read", error) from error
