"""The example vault as a demo: a copy whose logs are signed anew, by keys that lie in the demo's own home.

The example is delivered with public keys only; nobody can sign in it any more. So the demo is a new vault with the
example's files, and what the example's logs say is said again, in the same order and at the same times, by new writers
of the same agents and person. It is a lineage of its own and never mixes with the example.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from markdown_memory.core import frontmatter, layout, times
from markdown_memory.core.entry import Entry
from markdown_memory.core.layout import place_of
from markdown_memory.core.settings import parse
from markdown_memory.errors import StorageError
from markdown_memory.storage import files
from markdown_memory.storage.keys import Writer
from markdown_memory.storage.log_file import LogStore
from markdown_memory.storage.places import Places
from markdown_memory.workspace import Edit, Workspace

LOGS = ("live-context", "decisions")
READER = "ella"  # who was away for the night
MORNING = "T08:00:00"
MADE_ANEW = (layout.MEMORY_INDEX, layout.LIVE_CONTEXT)
NOT_COPIED = (layout.LOG_FOLDER, ".mdmem", "memory/private")


class Example(NamedTuple):
    """The example as it was delivered: where, its person, who wrote in it (agent by writer), what its logs say."""

    root: str
    person: str
    writers: Mapping[str, str]
    entries: tuple[Entry, ...]

    @property
    def slugs(self) -> tuple[str, ...]:
        """Everybody who wrote, the person too."""
        return tuple(sorted(set(self.writers.values())))

    @property
    def beginning(self) -> float:
        """An hour before the first entry."""
        return (times.parse(self.entries[0].time) or 0.0) - 3600

    @property
    def morning(self) -> float:
        """When the story begins: eight o'clock on the day of the last entry."""
        return times.parse(self.entries[-1].time[:10] + MORNING) or 0.0


class Hands:
    """A clock whose hands are moved by the one who tells the story."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def read_example(root: str, places: Places) -> Example:
    """Read what was delivered; nothing is written there."""
    vault_id = parse(files.read(root, layout.SETTINGS)).vault_id
    logs = LogStore(root, vault_id, places, lambda: 0.0)
    readings = [logs.read(log) for log in LOGS]
    entries = sorted((one for reading in readings for one in reading.entries), key=lambda entry: entry.time)
    if not entries:
        raise StorageError(f"The example vault in {root} has no logs: install the package again.")
    standings = readings[0].standings.writers.values()
    person = next((one.agent for one in standings if one.role == "person"), "person")
    return Example(root, person, {entry.writer: entry.agent for entry in entries}, tuple(entries))


def fill(example: Example, spaces: Mapping[str, Workspace], hands: Hands, evening: Callable[[], None]) -> None:
    """Put the example's files and entries into a new vault.

    `spaces` are workspaces of it by slug; `evening` is called after the last entry of READER, who then goes home.
    """
    last = max((at for at, entry in enumerate(example.entries) if entry.agent == READER), default=-1)
    hands.now = example.beginning
    _copy(example, spaces, _writers(example, spaces))
    said: dict[str, str] = {}
    for at, entry in enumerate(example.entries):
        hands.now = times.parse(entry.time) or hands.now
        _say_again(entry, spaces[entry.agent], said)
        if at == last:
            evening()
    hands.now = example.morning


def _writers(example: Example, spaces: Mapping[str, Workspace]) -> dict[str, str]:
    """New writer by old one."""
    return {old: _writer(spaces[agent]).id for old, agent in example.writers.items()}


def _writer(space: Workspace) -> Writer:
    return space.logs.writer(space.author, "agent" if space.principal else "person")


def _say_again(entry: Entry, space: Workspace, said: dict[str, str]) -> None:
    """Sign what an entry says; `said` has the new name of every entry by its old one."""
    again = space.logs.append(
        _writer(space),
        entry.log,
        channel=entry.channel,
        kind=entry.kind,
        text=entry.text,
        ack=[said[one] for one in entry.ack if one in said],
        data=entry.values(),
    )
    said[entry.id] = again.id


def _copy(example: Example, spaces: Mapping[str, Workspace], names: Mapping[str, str]) -> None:
    """Write the files: each by the one whose it is, in one change per author; what is no note as it is."""
    changes: dict[str, list[Edit]] = {slug: [] for slug in spaces}
    for path, data in _files(example.root):
        target, text = _renamed(path, names), _renamed_bytes(data, names)
        space = spaces[_author(target, spaces)]
        if target.startswith(".") or not target.endswith(".md"):
            files.write_durable(space.root, target, data)
        else:
            new = _marked(text, space) if target == layout.SETTINGS else text
            changes[space.author].append(Edit(target, space.hash_of(target), new))
    for slug, edits in changes.items():
        if edits:
            spaces[slug].change(edits, kind="import", text=f"copied {len(edits)} files of the example vault")


def _files(root: str) -> Iterator[tuple[str, bytes]]:
    for folder, below, names in os.walk(root):
        inner = "" if folder == root else os.path.relpath(folder, root).replace(os.sep, "/") + "/"
        below[:] = sorted(name for name in below if inner + name not in NOT_COPIED)
        for name in sorted(names):
            if inner + name not in MADE_ANEW:
                yield inner + name, files.read(root, inner + name)


def _author(path: str, spaces: Mapping[str, Workspace]) -> str:
    """Whose file it is: a proposal and a checkpoint are their agent's, all else is the person's."""
    place = place_of(path)
    person = next(slug for slug, space in spaces.items() if not space.principal)
    owner = place.owner
    if place.area == "checkpoint":
        owner = path.rpartition("/")[2].removeprefix("checkpoint-").partition("-")[0]
    return owner if place.area in ("inbox", "checkpoint") and owner in spaces else person


def _marked(settings: bytes, space: Workspace) -> bytes:
    """The example's settings under the new vault's id, marked as a demo."""
    return frontmatter.set_keys(settings, {"vault": space.vault_id, "demo": True})


def _renamed(text: str, names: Mapping[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new)
    return text


def _renamed_bytes(data: bytes, names: Mapping[str, str]) -> bytes:
    """Links to checkpoints and entries name their writer; they follow."""
    for old, new in names.items():
        data = data.replace(old.encode(), new.encode())
    return data
