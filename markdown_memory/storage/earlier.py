"""Texts that files had before they were changed here, kept on this host so that a change can be taken back.

    <state>/earlier/<vault id>/<SHA-256>      the newest few hundred, for all copies on this account; not synced to disk

They are a convenience: one that is gone, or torn, means that a change cannot be undone, and nothing else.
"""

import os
from collections.abc import Collection, Mapping
from contextlib import suppress

from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.storage import files
from markdown_memory.storage.places import make_private

KEPT = 400
TOO_MANY = KEPT + 100
"""Only then is the folder tidied, so that not every change lists it."""


class Earlier:
    """The earlier texts of a vault, by SHA-256."""

    def __init__(self, state: str, vault_id: str) -> None:
        self._folder = os.path.join(state, "earlier", vault_id)

    def keep(self, root: str, paths: Mapping[str, str]) -> None:
        """Keep the texts of these files of the vault, by their SHA-256; what cannot be kept is not."""
        if not paths:
            return
        with suppress(OSError, MarkdownMemoryError):
            make_private(self._folder)
            for sha256, path in paths.items():
                self._write(sha256, files.read(root, path))
            self._tidy()

    def text(self, sha256: str) -> bytes | None:
        """The text with that hash, if it is kept."""
        try:
            with open(self._path(sha256), "rb") as file:
                data = file.read()
        except OSError:
            return None
        return data if files.digest(data) == sha256 else None

    def purge(self, hashes: Collection[str]) -> None:
        """Forget what was redacted."""
        for sha256 in hashes:
            with suppress(OSError):
                os.unlink(self._path(sha256))

    def _write(self, sha256: str, data: bytes) -> None:
        path = self._path(sha256)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(data)

    def _path(self, sha256: str) -> str:
        return os.path.join(self._folder, sha256)

    def _tidy(self) -> None:
        kept = [os.path.join(self._folder, name) for name in os.listdir(self._folder)]
        if len(kept) > TOO_MANY:
            for path in sorted(kept, key=os.path.getmtime)[:-KEPT]:
                os.unlink(path)
