"""A folder of notes with a catalog, as the tests of the catalog need it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from markdown_memory.storage import headers
from markdown_memory.storage.catalog import Catalog

NOW = 1_700_000_000


class Notes:
    """A folder of notes with a catalog; what is written is old enough for its stamps to be relied upon."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "vault"
        self.root.mkdir()
        self.file = folder / "cache" / "catalog.sqlite"
        self.opened: list[Catalog] = []
        self.catalog = self.again()

    def write(self, path: str, text: str = "text", age: int = 1000) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        os.utime(target, (NOW - age, NOW - age))

    def paths(self) -> list[str]:
        return [header.path for header in self.catalog.headers()]

    def again(self) -> Catalog:
        """The same catalog as another process opens it."""
        self.opened.append(Catalog(str(self.file), str(self.root)))
        return self.opened[-1]


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notes]:
    monkeypatch.setattr(headers, "_TICK", -(10**18))  # stamps count as settled at once
    made = Notes(tmp_path)
    yield made
    for catalog in made.opened:
        catalog.close()
