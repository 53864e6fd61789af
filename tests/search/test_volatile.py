"""The index in memory keeps the contract, but for surviving the process."""

from markdown_memory.search.port import FullText
from markdown_memory.search.volatile import VolatileIndex
from tests.contracts.full_text import FullTextContract

_OPEN: dict[str, VolatileIndex] = {}


class TestVolatile(FullTextContract):
    def create(self, folder: str) -> FullText:
        return _OPEN.setdefault(folder, VolatileIndex())

    def test_many_changes_survive_the_process(self) -> None:  # type: ignore[override]
        """They do not, and need not."""
