"""Paths of the memory tool that Anthropic's models use: `/memories/…`, and what may stand there.

A path is text that a model wrote, so it is checked as hostile input: it begins with `/memories` followed by `/` or
nothing; no part is `..`, not even behind percent signs; no backslash, no control character, no device of Windows. What
passes is a single way to write a place: empty parts and `.` are left out, and no two paths differ only in Unicode form.
"""

from markdown_memory.core.names import DEVICES, nfc_key
from markdown_memory.errors import UserError

ROOT = "/memories"
INDEX = "MEMORY.md"
SHARED = "shared"
"""The folder of what others wrote and a person accepted."""
PASSING = ("daily", "conversation")
"""Folders of notes that nobody has to review: they are of the category of that name."""
LONGEST_PATH, LONGEST_PART = 200, 100


class MemoryToolError(UserError):
    """What the model reads when a command of the memory tool cannot be carried out."""


def place_in_memories(path: object) -> str:
    """The path below `/memories` without slashes at its ends, "" for the root; MemoryToolError for any other."""
    if not isinstance(path, str):
        raise MemoryToolError("The path is missing, or it is no text.")
    shown = shortened(path)
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise MemoryToolError(f"Path must start with {ROOT}, got: {shown}")
    parts = [part for part in nfc_key(path).split("/")[2:] if part not in ("", ".")]
    if _escapes(path) or ".." in parts:
        raise MemoryToolError(f"Path {shown} would escape {ROOT} directory")
    for part in parts:
        _check_part(part, shown)
    place = "/".join(parts)
    if len(place) > LONGEST_PATH:
        raise MemoryToolError(f"Path {shown} is longer than {LONGEST_PATH} characters; choose a shorter one.")
    return place


def path_of(place: str) -> str:
    """The path that a model reads for a place below `/memories`."""
    return f"{ROOT}/{place}" if place else ROOT


def category_of(place: str) -> str:
    """The retention class of a file there."""
    first = place.partition("/")[0]
    return first if first in PASSING else "core"


def name_of(place: str) -> str:
    """The name of the note that a file there is."""
    return place.removesuffix(".md")


def shortened(text: str) -> str:
    """Foreign text in a sentence: one line of reasonable length that can be written to any terminal."""
    line = "".join(char if char.isprintable() else "\ufffd" for char in text[:120])
    return f"{line}…" if len(text) > 120 else line


def _escapes(path: str) -> bool:
    """Whether a path leads upwards once somebody decodes it, or takes a backslash for a slash."""
    decoded = path
    for _ in range(4):
        if "\\" in decoded or any(part.strip() == ".." for part in decoded.split("/")):
            return True
        further = _decoded(decoded)
        if further.count("/") != decoded.count("/") or "\0" in further:
            return True
        if further == decoded:
            return False
        decoded = further
    return True


def _decoded(text: str) -> str:
    """Percent signs resolved once; what is not two hexadecimal digits stays."""
    pieces = text.split("%")
    decoded = pieces[0]
    for piece in pieces[1:]:
        try:
            decoded += chr(int(piece[:2], 16)) + piece[2:] if len(piece[:2].strip()) == 2 else f"%{piece}"
        except ValueError:
            decoded += f"%{piece}"
    return decoded


def _check_part(part: str, shown: str) -> None:
    if not all(char.isprintable() or char in "\u200c\u200d" for char in part):
        raise MemoryToolError(f"Path {shown} holds a control character; use letters, digits and hyphens.")
    if part != " ".join(part.split()):
        raise MemoryToolError(f"Path {shown} has blanks at the end of a name, or two in a row; leave them out.")
    if part.partition(".")[0].casefold() in DEVICES:
        raise MemoryToolError(f"Path {shown} names a device of some systems; choose another name.")
    if len(part) > LONGEST_PART:
        raise MemoryToolError(f"Path {shown} has a name of more than {LONGEST_PART} characters; choose a shorter one.")
