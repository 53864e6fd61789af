"""Checkpoints: where an agent stands in a long task, replaced every few steps, so that a session that died can go on.

There is one for each agent, project and branch, a small note in nexus/checkpoints/, and in the agent's private folder
where access control is on. It is written by one durable rename
and is no ledger entry: it is cheap, only its own writer replaces it, and what must last goes into the log or the inbox.
Finishing moves it to the archive, under the day on which that happened.
"""

from collections.abc import Sequence
from typing import NamedTuple

from markdown_memory.core import frontmatter, layout, times
from markdown_memory.core.note import StoredNote, read_header
from markdown_memory.core.scope import encode_name
from markdown_memory.errors import NotFound, UserError
from markdown_memory.storage import files
from markdown_memory.workspace import Workspace

FOLDER = "nexus/checkpoints"
LONGEST = 4000
FRESH = 86400.0
_HEADINGS = {"done": "Done", "next": "Next", "questions": "Open questions", "files": "Files"}


class Checkpoint(NamedTuple):
    """What a checkpoint holds; only the goal must be there."""

    goal: str
    done: Sequence[str] = ()
    next: Sequence[str] = ()
    questions: Sequence[str] = ()
    files: Sequence[str] = ()


def save(space: Workspace, checkpoint: Checkpoint, source: str = "") -> StoredNote:
    """Replace the principal's checkpoint in its scope."""
    goal = " ".join(checkpoint.goal.split())
    if not goal:
        raise UserError("A checkpoint needs a goal: what the work is for, in one line.")
    data = _rendered(space, checkpoint._replace(goal=goal), source)
    if len(data) > LONGEST:
        raise UserError(f"A checkpoint has at most {LONGEST:,} bytes, and this one has {len(data):,}; shorten it.")
    space.found.check_meant()
    path = path_of(space)
    files.write_durable(space.root, path, data)
    space.serving.remember_own(path, data)
    return StoredNote(read_header(path, data), data)


def load(space: Workspace) -> StoredNote:
    """The principal's checkpoint in its scope."""
    found = space.read_quietly(path_of(space))
    if found is None:
        raise NotFound(f"{space.author} has no checkpoint here; `mdmem checkpoint GOAL` writes one.")
    return found


def kept_by_agent(space: Workspace, source: str) -> bool:
    """Whether there is a checkpoint of the last day that did not come from `source`."""
    found = space.read_quietly(path_of(space))
    if found is None or found.header.source == source:
        return False
    since = times.parse(found.header.updated)
    return since is not None and space.clock() - since < FRESH


def finish(space: Workspace) -> str:
    """Move the checkpoint to the archive, since its work is done; returns where it lies now."""
    space.found.check_meant()
    found = load(space)
    day = times.utc(space.clock())[:10]
    target = space.free_file(layout.archive_path(f"{found.path.removesuffix('.md')}-{day}.md"))
    files.write_durable(space.root, target, found.data)
    files.remove(space.root, found.path)
    return target


def path_of(space: Workspace) -> str:
    """The file of the principal's checkpoint in its scope; its writer's key is made when there is none."""
    writer = space.logs.writer(space.author, "agent" if space.principal else "person")
    scope = space.scope if space.scopes else space.home
    project = encode_name(space.project_name(scope))
    folder = f"{layout.PRIVATE_FOLDER}/{space.author}/checkpoints" if space.access.on else FOLDER
    return f"{folder}/checkpoint-{writer.id}-{project}-{encode_name(scope.branch)}.md"


def _rendered(space: Workspace, checkpoint: Checkpoint, source: str) -> bytes:
    front = {
        "description": checkpoint.goal,
        "agent": space.author,
        "updated": times.utc(space.clock()),
    }
    if source:
        front["source"] = source
    parts = [f"Goal: {checkpoint.goal}"]
    for field, heading in _HEADINGS.items():
        lines = [" ".join(line.split()) for line in getattr(checkpoint, field) if line.strip()]
        if lines:
            parts.append(f"## {heading}\n\n" + "\n".join(f"- {line}" for line in lines))
    clean = {key: space.masked(value) for key, value in front.items()}
    return frontmatter.new(clean, space.masked("\n\n".join(parts)) + "\n")
