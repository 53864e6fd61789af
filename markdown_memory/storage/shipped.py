"""Where the folders lie that are delivered with the package: note templates and the example vault.

An installed package carries them inside itself (pyproject.toml, force-include); in a checkout they stand beside it,
at the top, where a reader of the repository sees them.
"""

import os

from markdown_memory.errors import StorageError

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def folder(name: str) -> str:
    """The absolute path of "templates" or "vault-example"."""
    for parent in (PACKAGE, os.path.dirname(PACKAGE)):
        path = os.path.join(parent, name)
        if os.path.isdir(path):
            return path
    raise StorageError(f"This installation lacks its folder {name!r} (looked in {PACKAGE}): install the package again.")
