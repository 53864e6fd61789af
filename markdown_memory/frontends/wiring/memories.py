"""Where clients keep memory of their own, and bringing it before a person: each thing once, and again when it changed.

The client's files are read and never written.
"""

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory import outside
from markdown_memory.core import client_memories
from markdown_memory.core.client_memories import ENTRIES, HEADINGS, NOTE, Remembered
from markdown_memory.core.names import near
from markdown_memory.errors import ConflictError, MarkdownMemoryError, NotFound

if TYPE_CHECKING:
    from markdown_memory.frontends.wiring.clients import Homes
    from markdown_memory.memory import Memory

CLIENTS = ("claude-code", "codex", "openclaw", "hermes")
SEEN = "from-clients.json"


class File(NamedTuple):
    """A file of a client: in which form it is, and the type of what it says nothing about."""

    path: str
    form: str
    type: str = "project"


class Brought(NamedTuple):
    """What became of one thing that a client remembers: `waiting`, `accepted`, `known` or `refused`."""

    name: str
    source: str
    state: str
    path: str = ""
    note: str = ""


def files(client: str, at: "Homes") -> list[File]:
    """The files that a client keeps; NotFound for a client that keeps none, and where there are none yet."""
    if client not in CLIENTS:
        raise NotFound(f"Memory of {client!r} cannot be read; known are {', '.join(CLIENTS)}.", near(client, CLIENTS))
    found = [one for one in _files(client, at) if os.path.isfile(one.path)]
    if not found:
        looked = ", ".join(dict.fromkeys(os.path.dirname(one.path) for one in _files(client, at)))
        raise NotFound(f"{client} keeps no memory for this project yet: nothing is in {looked or _claude(at)}.")
    return found


def bring(memory: "Memory", found: list[File]) -> list[Brought]:
    """Propose what has not been brought before; a person reviews it."""
    space = memory.workspace
    seen = _seen(space.read_state(SEEN))
    brought = []
    for file in found:
        for one in _remembered(file):
            key = f"{file.path}#{one.name}"
            stamp = str(hash_of(one))
            if seen.get(key) == stamp:
                brought.append(Brought(one.name, file.path, "known"))
                continue
            done = _propose(memory, file, one)
            brought.append(done)
            if done.state != "refused":
                seen[key] = stamp
    space.write_state(SEEN, json.dumps(seen, ensure_ascii=False))
    return brought


def hash_of(one: Remembered) -> int:
    """The same for the same words."""
    from zlib import crc32

    return crc32("\0".join(one).encode("utf-8", "replace"))


def _propose(memory: "Memory", file: File, one: Remembered) -> Brought:
    given = {"type": one.type, "description": one.description, "source": file.path, "trust": "agent"}
    try:
        try:
            note = memory.store(one.name, one.text, **given)  # type: ignore[arg-type]  # texts, all of them
        except ConflictError:  # it waits already, in other words
            there = next(each for each in memory.inbox.list() if each.name == one.name)
            note = memory.store(one.name, one.text, if_hash=there.sha256, **given)  # type: ignore[arg-type]
    except (MarkdownMemoryError, StopIteration) as error:
        return Brought(one.name, file.path, "refused", note=str(error))
    state = {"proposal": "waiting", "archived": "rejected"}.get(note.header.status, "accepted")
    return Brought(one.name, file.path, state, note.path)


def _remembered(file: File) -> Iterator[Remembered]:
    try:
        data = outside.read(file.path)
    except MarkdownMemoryError:
        return
    stem = os.path.basename(file.path).removesuffix(".md")
    yield from client_memories.read(file.form, data or b"", stem, file.type)


def _seen(text: str) -> dict[str, str]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _files(client: str, at: "Homes") -> Iterator[File]:
    if client == "claude-code":
        folder = _claude(at)
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        yield from (
            File(os.path.join(folder, one), NOTE) for one in names if one.endswith(".md") and one != "MEMORY.md"
        )
    elif client == "codex":
        yield File(os.path.join(at.codex, "memories", "MEMORY.md"), HEADINGS)
    elif client == "openclaw":
        yield File(os.path.join(at.openclaw_workspace, "MEMORY.md"), HEADINGS)
    else:
        yield File(os.path.join(at.hermes, "memories", "MEMORY.md"), ENTRIES)
        yield File(os.path.join(at.hermes, "memories", "USER.md"), ENTRIES, "user")


def _claude(at: "Homes") -> str:
    """Claude Code's folder for a project is named after the project's path, with hyphens."""
    name = "".join(char if char.isascii() and char.isalnum() else "-" for char in at.project)
    return os.path.join(at.claude, "projects", name, "memory")
