"""One process with a vault that takes long to scan: what it sees of others' changes between two whole scans."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory.errors import ConflictError, NotFound
from markdown_memory.memory import Memory
from markdown_memory.storage import catalog_refresh
from tests.conftest import Note, Open

Scans = Callable[[], int]


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> Scans:
    """How often all files have been looked at since one last asked; scans are believed for an hour."""
    made: list[int] = []
    scan = catalog_refresh.refresh

    def counted(*given: object) -> object:
        made.append(1)
        return scan(*given)  # type: ignore[arg-type]

    def number() -> int:
        there = len(made)
        made.clear()
        return there

    monkeypatch.setattr("markdown_memory.storage.catalog.believed_for", lambda cost: 3600.0)
    monkeypatch.setattr(catalog_refresh, "refresh", counted)
    return number


@pytest.fixture
def tea(scans: Scans, memory: Memory, vault: Path) -> Path:
    """A note, and all files looked at a moment ago."""
    path = vault / memory.store("tea", "Green tea.", category="daily").path
    memory.list()
    scans()
    return path


def in_place(file: Path, old: str, new: str) -> None:
    """Write into a file as it stands there, so that its folder does not change."""
    file.write_text(file.read_text().replace(old, new))


def test_showing_storing_and_listing_again_and_again_scans_nothing(memory: Memory, tea: Path, scans: Scans) -> None:
    for number in range(5):
        assert memory.show("tea").text.endswith("Green tea.\n")
        memory.store(f"note {number}", f"Fact {number}.")
        assert f"note {number}" in [header.name for header in memory.list()]
        assert f"[[note {number}]]" in memory.context().text
    assert scans() == 0


def test_a_note_is_shown_and_changed_as_its_file_is_now(memory: Memory, tea: Path, scans: Scans) -> None:
    in_place(tea, "Green", "Black")
    shown = memory.show("tea")
    assert "Black tea" in shown.text
    with pytest.raises(ConflictError):
        memory.store("tea", "White tea.", category="daily", if_hash="0" * 64)
    memory.store("tea", "White tea.", category="daily", if_hash=shown.header.sha256)
    in_place(tea, "White", "Yellow")
    archived = memory.forget("tea").archived
    assert b"Yellow tea" in (tea.parents[3] / archived).read_bytes()
    assert scans() == 0


def test_a_name_that_came_by_writing_in_place_is_found(memory: Memory, tea: Path, scans: Scans) -> None:
    in_place(tea, "name: tea", "name: coffee")
    assert memory.show("coffee").path == memory.show("memory/project/main/tea.md").path
    assert scans() == 1
    with pytest.raises(NotFound):
        memory.show("cocoa")


def test_a_name_that_a_note_no_longer_has_is_looked_for_everywhere(memory: Memory, tea: Path, note: Note) -> None:
    other = note("memory/reference/main/other.md", "---\nname: other\n---\nBlack tea.\n")
    memory.list()
    in_place(tea, "name: tea", "name: coffee")
    in_place(other, "name: other", "name: tea")
    os.rename(tea, tea.with_name("coffee.md"))
    assert memory.show("tea").path == "memory/reference/main/other.md"


def test_what_another_process_wrote_is_in_the_memory_index_that_this_one_writes(
    memory: Memory, tea: Path, open_as: Open, vault: Path, scans: Scans
) -> None:
    other = open_as()
    other.list()
    scans()
    for number in range(4):
        (memory, other)[number % 2].store(f"note {number}", f"Fact {number}.")
    index = (vault / "MEMORY.md").read_text()
    assert [f"[note {number}]" in index for number in range(4)] == [True] * 4
    assert scans() == 0


def test_an_edit_in_place_is_seen_everywhere_once_a_scan_is_due(
    memory: Memory, tea: Path, scans: Scans, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_place(tea, "Green", "Black")
    assert [header.description for header in memory.list()] == ["Green tea."] and scans() == 0
    monkeypatch.setattr(memory.workspace.catalog, "_scanned", -3600.0)
    assert [header.description for header in memory.list()] == ["Black tea."] and scans() == 1
    memory.store("other", "Something else.")
    assert "Black tea" in memory.index()
