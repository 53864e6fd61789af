"""MEMORY.md on disk, compared with what the notes make of it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core.layout import MEMORY_INDEX
from markdown_memory.errors import MarkdownMemoryError, NotFound
from markdown_memory.storage import files

if TYPE_CHECKING:
    from markdown_memory.core.note import Header
    from markdown_memory.core.settings import Settings


class Drift(NamedTuple):
    """The SHA-256 of MEMORY.md as it is (None = no such file), and the bytes that it should have."""

    old: str | None
    new: bytes


def drift(root: str, headers: "Iterable[Header]", settings: "Settings", around: bytes | None = None) -> Drift | None:
    """How MEMORY.md differs from the notes; None when it does not, or when it cannot be read as a file.

    `around` is a MEMORY.md whose text around the block is to stand there.
    """
    from markdown_memory.rules import memory_index

    try:
        now = files.read(root, MEMORY_INDEX, None)
    except NotFound:
        now = None
    except MarkdownMemoryError:
        return None
    new = memory_index.merge_into(now if around is None else around, memory_index.render(headers, settings))
    return Drift(None if now is None else files.digest(now), new) if new != now else None
