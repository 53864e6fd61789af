"""Where things lie in a vault, and what a path says about the file there.

The folder decides a note's status, type and scope; the file's own words about them never do.
"""

from typing import NamedTuple

from markdown_memory.core.names import conflict_copy
from markdown_memory.core.scope import Scope, encode_name, folder_of, scope_of

MEMORY_INDEX = "MEMORY.md"
SETTINGS = "Settings.md"
LIVE_CONTEXT = "nexus/live-context.md"
LOG_FOLDER = "nexus/log"
PRIVATE_FOLDER = "memory/private"
GLOBAL_TYPES = ("user", "feedback")
SCOPED_TYPES = ("project", "reference")
SIGNED_AREAS = ("memory", "inbox", "archive", "identity", "agents", "skills", "state", "settings")
"""Where the package writes what agents are served, through the ledger."""

_AREAS = {
    "inbox": "inbox",
    "identity": "identity",
    "agents": "agents",
    "skills": "skills",
    "templates": "template",
}
_NEXUS = {"log": "log", "project-state": "state", "checkpoints": "checkpoint"}
_PRIVATE = {"inbox": "inbox", "checkpoints": "checkpoint", "log": "log"}
_TOP = {MEMORY_INDEX: "derived", LIVE_CONTEXT: "derived", SETTINGS: "settings"}
_TOP |= dict.fromkeys(("AGENTS.md", "Home.md", "README.md", "CLAUDE.md"), "other")


class Place(NamedTuple):
    """What a path means.

    `area` is one of memory inbox archive identity agents skills state checkpoint log settings page template derived
    copy other; a copy is what a sync tool kept of one of them under another name. `type` is "" outside memory/. `scope`
    None means everywhere. `owner` is the agent whose private folder or inbox this is, and "" for what is shared.
    """

    area: str
    type: str = ""
    scope: Scope | None = None
    owner: str = ""


def place_of(path: str) -> Place:
    """The place of a vault-relative path with `/` between its parts."""
    place = _named_place(path)
    return place._replace(area="copy") if conflict_copy(path) else place


def _named_place(path: str) -> Place:
    if path in _TOP:
        return Place(_TOP[path])
    first, _, rest = path.partition("/")
    if first == "memory" and rest:
        return _in_memory(rest)
    if first == "archive" and rest:
        return _named_place(rest)._replace(area="archive")
    if first == "inbox":
        return Place("inbox", owner=rest.partition("/")[0] if "/" in rest else "")
    if not rest:
        return Place("page")
    return Place(_NEXUS.get(rest.partition("/")[0], "other") if first == "nexus" else _AREAS.get(first, "page"))


def note_folder(type: str, scope: Scope | None, owner: str = "") -> str:
    """The folder for a note of this type; custom types are scoped, `user` and `feedback` are not."""
    base = f"{PRIVATE_FOLDER}/{owner}" if owner else "memory"
    return f"{base}/{type}" if scope is None or type in GLOBAL_TYPES else f"{base}/{type}/{folder_of(scope)}"


def inbox_folder(agent: str, owner: str = "") -> str:
    """The folder of an agent's proposals; of private ones, when there is an owner."""
    return f"{PRIVATE_FOLDER}/{owner}/inbox" if owner else f"inbox/{agent}"


def private_owner(path: str) -> str:
    """Whose private folder a path lies in, "" for none; it need not be a note."""
    return path.removeprefix(f"{PRIVATE_FOLDER}/").partition("/")[0] if path.startswith(f"{PRIVATE_FOLDER}/") else ""


def state_path(project: str) -> str:
    """The page that holds a project's present state."""
    return f"nexus/project-state/{encode_name(project)}.md"


def archive_path(path: str) -> str:
    """Where a note goes when it is forgotten; a private note stays below its owner's folder."""
    if path.startswith(f"{PRIVATE_FOLDER}/"):
        owner, _, rest = path.removeprefix(f"{PRIVATE_FOLDER}/").partition("/")
        return f"{PRIVATE_FOLDER}/{owner}/archive/{rest}"
    return f"archive/{path}"


def unarchived_path(path: str) -> str:
    """Where an archived note was before; any other path is left as it is."""
    owner = private_owner(path)
    base = f"{PRIVATE_FOLDER}/{owner}/" if owner else ""
    return base + path.removeprefix(base).removeprefix("archive/")


def _in_memory(rest: str) -> Place:
    type, _, inner = rest.partition("/")
    if type == "private":
        owner, _, inner = inner.partition("/")
        return _private(owner, inner)
    if not inner:
        return Place("memory")
    return Place("memory", type, _scope(type, inner))


def _private(owner: str, rest: str) -> Place:
    first, _, inner = rest.partition("/")
    if first == "archive" and inner:
        return _private(owner, inner)._replace(area="archive")
    if first in _PRIVATE and inner:
        return Place(_PRIVATE[first], owner=owner)
    if not inner:
        return Place("memory", owner=owner)
    return Place("memory", first, _scope(first, inner), owner)


def _scope(type: str, inner: str) -> Scope | None:
    folder, _, _ = inner.rpartition("/")
    if type in GLOBAL_TYPES or not folder or (folder.startswith("@") and "/" not in folder):
        return None
    return scope_of(folder)
