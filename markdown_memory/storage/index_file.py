"""MEMORY.md on disk, compared with what the notes make of it."""

from bisect import insort
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core.layout import MEMORY_INDEX
from markdown_memory.core.scope import folder_of, scope_of
from markdown_memory.errors import MarkdownMemoryError, NotFound
from markdown_memory.storage import files

if TYPE_CHECKING:
    from markdown_memory.core.note import Header
    from markdown_memory.core.settings import Settings
    from markdown_memory.storage.catalog import Catalog


class Drift(NamedTuple):
    """The SHA-256 of MEMORY.md as it is (None = no such file), and the bytes that it should have."""

    old: str | None
    new: bytes


def drift(
    root: str,
    catalog: "Catalog",
    settings: "Settings",
    edited: "Mapping[str, Header | None] | None" = None,
    around: bytes | None = None,
) -> Drift | None:
    """How MEMORY.md differs from the notes; None when it does not, or when it cannot be read as a file.

    `edited` are the headers that files will have instead of those that are known (None: gone); `around` is a MEMORY.md
    whose text around the block is to stand there.
    """
    from markdown_memory.rules import memory_index

    try:
        now = files.read(root, MEMORY_INDEX, None)
    except NotFound:
        now = None
    except MarkdownMemoryError:
        return None
    new = memory_index.merge_into(now if around is None else around, _block(catalog, settings, edited or {}))
    return Drift(None if now is None else files.digest(now), new) if new != now else None


def _block(catalog: "Catalog", settings: "Settings", edited: "Mapping[str, Header | None]") -> str:
    """What `memory_index.render` makes of all headers, with those read only that can be shown."""
    from markdown_memory.rules import memory_index as index

    numbers = Counter(catalog.number_by_scope("accepted"))
    numbers.subtract(_folder(one) for one in catalog.get_all(edited).values() if index.counts(one))
    new = [one for one in edited.values() if one and index.counts(one)]
    numbers.update(map(_folder, new))
    scopes = {folder: scope_of(folder) for folder in numbers if folder}
    others = {folder for folder, scope in scopes.items() if not index.is_shown(scope, settings)}
    shown = ["", *(folder for folder in scopes if folder not in others)]
    first = catalog.strongest("accepted", shown, index.MAX_LINES + len(edited))
    listed = [one for one in first if one.path not in edited]
    for one in new:
        if _folder(one) not in others:
            insort(listed, one, key=index.strength)
    return index.render_strongest(
        listed,
        sum(numbers[folder] for folder in shown),
        {scopes[folder]: numbers[folder] for folder in others if numbers[folder]},
    )


def _folder(header: "Header") -> str:
    return folder_of(header.scope) if header.scope else ""
