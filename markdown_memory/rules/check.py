"""What can be wrong with a set of notes without opening any of them."""

from collections.abc import Iterable, Iterator

from markdown_memory.core.names import nfc_key
from markdown_memory.core.note import Header
from markdown_memory.core.problem import Problem

FORBIDDEN = '\\:*?"<>|#^[]'
DEVICES = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))}
LONGEST = 255


def same_names(headers: Iterable[Header]) -> Iterator[Problem]:
    """Two accepted notes with one name in one type and scope: nobody can say which is meant."""
    first: dict[tuple[object, ...], str] = {}
    for header in sorted((one for one in headers if one.status == "accepted"), key=lambda one: one.path):
        key = (header.type, header.scope, header.owner, nfc_key(header.name))
        if key in first:
            yield Problem(
                "name-twice",
                header.path,
                0,
                f"The name {header.name!r} is borne by {first[key]} too.",
                "Rename one of them with `mdmem rename`, by its path.",
            )
        else:
            first[key] = header.path


def file_names(paths: Iterable[str]) -> Iterator[Problem]:
    """Names that another system, Obsidian or a clone on another disk could not have."""
    twins: dict[str, str] = {}
    for path in sorted(paths):
        if reason := _unportable(path):
            yield Problem("name-not-portable", path, 0, f"The path {reason}.", "Rename it with `mdmem rename`.")
        key = nfc_key(path).casefold()
        if key in twins:
            yield Problem(
                "name-differs-by-case",
                path,
                0,
                f"The path differs from {twins[key]} only by case or by the form of its accents.",
                "Rename one of them: on some disks only one of the two can exist.",
            )
        twins[key] = path


def _unportable(path: str) -> str:
    for part in path.split("/"):
        bad = next((char for char in part if char in FORBIDDEN or ord(char) < 32), "")
        if bad:
            return f"has a {bad!r}, which Windows or a link cannot take"
        if part.split(".")[0].casefold() in DEVICES:
            return f"has the part {part!r}, which is a device on Windows"
        if part != part.rstrip(". "):
            return "has a part that ends in a dot or a blank, which Windows drops"
        if len(part.encode("utf-8", "surrogateescape")) > LONGEST:
            return f"has a part of more than {LONGEST} bytes"
    return ""
