"""Keeps the catalog close behind the files while one process searches again and again; see rules/freshness.py."""

from time import monotonic, process_time
from typing import TYPE_CHECKING

from markdown_memory.core.layout import private_owner
from markdown_memory.rules.freshness import believed_for

if TYPE_CHECKING:
    from markdown_memory.workspace import Workspace


class Looking:
    """When to look at all files, and when a glance at the folders will do."""

    def __init__(self, workspace: "Workspace") -> None:
        self._space = workspace
        self._until = -1.0
        self._lost: frozenset[str] = frozenset()

    def look(self) -> frozenset[str]:
        """Bring the catalog up; of whose notes so much is gone at once that nothing may be dropped for it."""
        catalog = self._space.catalog
        if monotonic() < self._until and catalog.glance():
            return self._lost
        began = process_time()
        self._lost = frozenset(map(private_owner, catalog.refresh().missing))
        self._until = monotonic() + believed_for(process_time() - began)
        return self._lost
