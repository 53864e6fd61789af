"""Which files travel in a snapshot, and which names in one are refused.

A name is refused when some system would put the file elsewhere than it says, or could not hold it: absolute paths,
`..`, backslashes, drive letters, control characters, device names, outer blanks and dots. Dot files and dot folders
(among them `.obsidian`) never travel; the two exceptions carry the snapshot's own facts.
"""

from collections.abc import Iterable
from functools import lru_cache

from markdown_memory.core import layout
from markdown_memory.core.names import DEVICES, conflict_copy, nfc_key
from markdown_memory.core.scope import Scope

MANIFEST = ".mdmem/snapshot.json"
BASE_FOLDER = ".mdmem/base/"
LONGEST_PATH = 1024  # bytes
LONGEST_NAME = 255
_FORBIDDEN = frozenset('\\:*?"<>|') | {chr(code) for code in (*range(32), 127)}
_CREATED = ("AGENTS.md", layout.SETTINGS)


def refused(path: str) -> str:
    """Why a name cannot be in a snapshot, "" when it can."""
    if path == MANIFEST or (path.startswith(BASE_FOLDER) and _is_digest(path.removeprefix(BASE_FOLDER))):
        return ""
    if not path or path.startswith("/") or not _encodes(path):
        return "is no path inside a vault"
    for part in path.split("/"):
        if why := _part(part):
            return why
    return ""


@lru_cache(maxsize=4096)  # the folders of a vault are few
def _part(part: str) -> str:
    if part in ("", ".", ".."):
        return "leads out of the vault"
    if part.startswith("."):
        return "is a hidden file or folder, and these never travel"
    if _FORBIDDEN.intersection(part) or part[-1] in ". " or part[0] == " ":
        return "has a name that not every system can take"
    if part.partition(".")[0].rstrip().casefold() in DEVICES:
        return "has the name of a device"
    return "has a name that is too long" if len(part.encode()) > LONGEST_NAME else ""


def twins(paths: Iterable[str]) -> tuple[str, str] | None:
    """Two paths that are one on some disk: by case, by Unicode form, or as a file and a folder."""
    known: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in paths:
        key = nfc_key(path).casefold()
        if key in known or key in folders:
            return known.get(key) or folders[key], path
        known[key] = path
        at = key.rfind("/")
        while at > 0 and key[:at] not in folders:
            if key[:at] in known:
                return known[key[:at]], path
            folders[key[:at]] = path
            at = key.rfind("/", 0, at)
    return None


def travels(path: str) -> bool:
    """Whether a file of a vault belongs in a snapshot; private notes, views and copies of sync tools do not."""
    private = path.startswith(f"{layout.PRIVATE_FOLDER}/")
    return not private and path != layout.LIVE_CONTEXT and not conflict_copy(path)


def within(path: str, scopes: frozenset[Scope | None]) -> bool:
    """Whether a file belongs to one of some namespaces (None = `user`): accepted notes, and forgotten ones."""
    place = layout.place_of(path)
    return place.area in ("memory", "archive") and bool(place.type) and place.scope in scopes


def needed(path: str) -> bool:
    """Whether a snapshot of some namespaces only needs a file to be a vault, and to say who signs there."""
    return path in _CREATED or path.startswith(f"{layout.LOG_FOLDER}/keys/")


def _encodes(path: str) -> bool:
    try:
        return len(path.encode()) <= LONGEST_PATH
    except UnicodeEncodeError:
        return False


def _is_digest(text: str) -> bool:
    return len(text) == 64 and all(char in "0123456789abcdef" for char in text)
