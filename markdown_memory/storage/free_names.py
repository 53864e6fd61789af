"""File names that no neighbour has, not even in other capitals or accents."""

import os

from markdown_memory.core.names import folded, nfc_key


def free_file(root: str, path: str, instead_of: str = "") -> str:
    """The path, or the next one with a number when it is taken; the file `instead_of` is about to go."""
    folder, _, name = path.rpartition("/")
    try:
        taken = set(folded(os.listdir(os.path.join(root, folder))))
    except OSError:
        taken = set()
    taken.discard(nfc_key(instead_of.rpartition("/")[2]).casefold())
    stem, number = name.removesuffix(".md"), 1
    while nfc_key(name).casefold() in taken:
        number += 1
        name = f"{stem}-{number}.md"
    return f"{folder}/{name}"
