"""A look at the folders only: what it shows of changes, and when it says that a whole scan is needed."""

import os
from pathlib import Path

import pytest

from tests.storage.conftest import Notes


@pytest.fixture
def old(notes: Notes) -> Notes:
    """Three notes that have been there for long, seen by a whole scan."""
    for name in "abc":
        notes.write(f"memory/user/{name}.md", name)
    notes.write("memory/project/main/d.md", "d")
    age(notes)
    notes.catalog.refresh()
    return notes


def age(notes: Notes) -> None:
    """Folders that nobody has touched for a while."""
    for folder, _, _ in os.walk(notes.root):
        os.utime(folder, (1_700_000_000, 1_700_000_000))


def test_nothing_can_be_told_before_a_whole_scan(notes: Notes) -> None:
    assert not notes.catalog.glance()


def test_where_nothing_happened_nothing_changes(old: Notes) -> None:
    generation = old.catalog.generation
    assert old.catalog.glance()
    assert old.catalog.generation == generation


def test_what_came_went_or_was_replaced_is_seen(old: Notes) -> None:
    old.write("memory/user/new.md", "new")
    (old.root / "memory/user/b.md").unlink()
    old.write("memory/user/.tmp", "replaced")
    os.replace(old.root / "memory/user/.tmp", old.root / "memory/user/c.md")
    assert old.catalog.glance()
    assert old.paths() == [f"memory/{name}.md" for name in ("project/main/d", "user/a", "user/c", "user/new")]
    header = old.catalog.get("memory/user/c.md")
    assert header is not None and header.size == len("replaced")


def test_a_file_written_in_place_is_left_to_the_whole_scan(old: Notes) -> None:
    old.write("memory/user/a.md", "written anew", age=900)
    assert old.catalog.glance()
    header = old.catalog.get("memory/user/a.md")
    assert header is not None and header.size == 1
    assert old.catalog.refresh().modified == ("memory/user/a.md",)


def test_a_moved_note_is_one_that_went_and_one_that_came(old: Notes) -> None:
    (old.root / "memory/user/a.md").rename(old.root / "memory/project/main/a.md")
    assert old.catalog.glance()
    assert "memory/project/main/a.md" in old.paths() and "memory/user/a.md" not in old.paths()


@pytest.mark.parametrize("what", ["folder came", "folder went", "vault went"])
def test_folders_that_come_or_go_need_a_whole_scan(old: Notes, what: str, tmp_path: Path) -> None:
    if what == "folder came":
        old.write("memory/reference/main/e.md", "e")
    else:
        (old.root / ("memory/project" if what == "folder went" else "")).rename(tmp_path / "elsewhere")
    assert not old.catalog.glance()


def test_many_notes_gone_at_once_are_for_the_whole_scan_to_judge(notes: Notes) -> None:
    for number in range(12):
        notes.write(f"memory/user/{number}.md")
    notes.catalog.refresh()
    for file in (notes.root / "memory/user").iterdir():
        file.unlink()
    assert not notes.catalog.glance()
    assert len(notes.paths()) == 12


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs symbolic links")
def test_a_link_to_a_note_is_left_as_the_scan_has_seen_it(old: Notes) -> None:
    old.write(".hidden/z.md", "z")
    os.symlink(old.root / ".hidden/z.md", old.root / "memory/user/z.md")
    old.catalog.refresh()
    before = old.paths()
    old.write("memory/user/new.md", "new")
    assert old.catalog.glance()
    assert old.paths() == sorted([*before, "memory/user/new.md"])


def test_from_its_second_listing_on_a_folder_shows_what_differs_from_the_first(old: Notes) -> None:
    for number in range(3):
        old.write(f"memory/user/new{number}.md", "new")
        assert old.catalog.glance()
        old.write("memory/user/.tmp", f"replaced {number}")
        os.replace(old.root / "memory/user/.tmp", old.root / "memory/user/a.md")
        (old.root / f"memory/user/{'bc'[number % 2]}.md").unlink(missing_ok=True)
        assert old.catalog.glance()
        header = old.catalog.get("memory/user/a.md")
        assert header is not None and header.size == len("replaced 0")
    left = ("project/main/d", "user/a", "user/new0", "user/new1", "user/new2")
    assert old.paths() == [f"memory/{name}.md" for name in left]


def test_a_file_that_is_asked_for_is_seen_as_it_is_now(old: Notes) -> None:
    paths = [f"memory/user/{name}.md" for name in "abc"]
    assert not old.catalog.check(paths)
    old.write("memory/user/a.md", "written anew", age=900)
    assert old.catalog.check(paths) and not old.catalog.check(paths)
    header = old.catalog.get("memory/user/a.md")
    assert header is not None and header.size == len("written anew")
    (old.root / "memory/user/b.md").unlink()
    assert old.catalog.check(["memory/user/b.md"]) and old.catalog.get("memory/user/b.md") is None
