"""What is known of notes without opening them, and how it follows the files."""

import os
from pathlib import Path

import pytest

from markdown_memory.core.note import Header
from markdown_memory.storage import headers
from markdown_memory.storage.files import digest
from tests.storage.conftest import Notes


def note(name: str, **more: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in {"name": name, **more}.items()) + "---\nBody.\n"


def test_the_first_refresh_adds_all_notes_and_the_second_does_nothing(notes: Notes) -> None:
    notes.write("memory/user/a.md", note("Anna's coffee"))
    notes.write("memory/project/main/b.md")
    changes = notes.catalog.refresh()
    assert sorted(changes.added) == ["memory/project/main/b.md", "memory/user/a.md"]
    generation = notes.catalog.generation
    assert notes.catalog.refresh() == ((), (), (), (), ())
    assert notes.catalog.generation == generation


def test_an_edit_a_removal_and_an_addition_are_told_apart(notes: Notes) -> None:
    for name in "abc":
        notes.write(f"memory/user/{name}.md", name)
    notes.catalog.refresh()
    notes.write("memory/user/a.md", "other", age=900)
    (notes.root / "memory/user/b.md").unlink()
    notes.write("memory/user/d.md")
    changes = notes.catalog.refresh()
    assert changes[:3] == (("memory/user/d.md",), ("memory/user/a.md",), ("memory/user/b.md",))
    assert notes.paths() == ["memory/user/a.md", "memory/user/c.md", "memory/user/d.md"]


def test_another_process_sees_what_was_kept(notes: Notes) -> None:
    notes.write("memory/user/a.md", note("Coffee", aliases="[Espresso]", tags="[drinks]"))
    notes.catalog.refresh()
    before = notes.catalog.get("memory/user/a.md")
    again = notes.again()
    assert not again.refresh().added
    assert again.get("memory/user/a.md") == before
    assert before is not None and before.aliases == ("Espresso",)
    again.close()


@pytest.mark.parametrize(
    "asked",
    [
        "Prüfung",
        "prüfung",
        "Pru\u0308fung",
        "PRÜFUNG",
        "datei",
        "datei.md",
        "user/Prüfung",
        "memory/user/datei",
        "Zweit-Name",
        "zweit name",
    ],
)
def test_a_note_is_found_by_any_of_its_names(asked: str, notes: Notes) -> None:
    notes.write("memory/user/datei.md", note("Prüfung", aliases="[Zweit Name]"))
    notes.write("memory/user/other.md")
    notes.catalog.refresh()
    assert [header.path for header in notes.catalog.by_name(asked)] == ["memory/user/datei.md"]


def test_a_note_that_lost_a_name_is_not_found_by_it(notes: Notes) -> None:
    notes.write("memory/user/a.md", note("Old"))
    notes.catalog.refresh()
    notes.write("memory/user/a.md", note("New"), age=900)
    notes.catalog.refresh()
    assert not notes.catalog.by_name("Old")
    assert notes.catalog.names() == ["New"]


def test_headers_are_chosen_by_status_type_scope_and_owner(notes: Notes) -> None:
    for path in (
        "memory/user/a.md",
        "memory/project/main/b.md",
        "memory/project/@shop/feature~x/c.md",
        "memory/private/lyra/user/d.md",
        "inbox/lyra/e.md",
        "archive/memory/user/f.md",
    ):
        notes.write(path)
    catalog = notes.catalog
    catalog.refresh()

    def ends(found: list[Header]) -> str:
        return "".join(header.path[-4] for header in found)

    assert sorted(ends(catalog.headers())) == list("abcdef")
    assert sorted(ends(catalog.headers(("accepted",)))) == list("abcd")
    assert sorted(ends(catalog.headers(("proposal", "archived")))) == list("ef")
    assert ends(catalog.headers(types=("project",), scopes=("main",))) == "b"
    assert ends(catalog.headers(scopes=("@shop/feature~x",))) == "c"
    assert ends(catalog.headers(("accepted",), owners=("lyra",))) == "d"
    assert ends(catalog.headers(("accepted",), scopes=("",), owners=("",))) == "a"
    assert not catalog.headers(scopes=())


def test_what_changed_since_a_generation_is_told_once(notes: Notes) -> None:
    notes.write("a.md")
    notes.write("b.md", "b")
    notes.catalog.refresh()
    changed, gone, first = notes.catalog.changed_since(-1)
    assert [header.path for header in changed] == ["a.md", "b.md"] and not gone
    assert notes.catalog.changed_since(first) == ([], [], first)
    (notes.root / "a.md").unlink()
    notes.write("b.md", "changed", age=900)
    notes.catalog.refresh()
    changed, gone, second = notes.catalog.changed_since(first)
    assert [header.path for header in changed] == ["b.md"] and gone == ["a.md"] and second > first
    notes.write("a.md")
    notes.catalog.refresh()
    changed, gone, _ = notes.catalog.changed_since(first)
    assert [header.path for header in changed] == ["a.md", "b.md"] and not gone


def test_a_moved_note_is_added_before_it_is_removed(notes: Notes) -> None:
    notes.write("memory/user/a.md", "same text")
    notes.catalog.refresh()
    (notes.root / "archive").mkdir()
    os.rename(notes.root / "memory/user/a.md", notes.root / "archive/a.md")
    changes = notes.catalog.refresh()
    assert changes.added == ("archive/a.md",) and changes.removed == ("memory/user/a.md",)


# stamps


def test_a_change_within_one_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    for number in range(30):
        (notes.root / "a.md").write_text(f"{number:04}")
        notes.catalog.refresh()
        header = notes.catalog.get("a.md")
        assert header is not None and header.sha256 == digest(f"{number:04}".encode())
    notes.catalog.close()


def test_a_change_that_keeps_size_and_modification_time_is_seen(notes: Notes) -> None:
    notes.write("a.md", "one")
    notes.catalog.refresh()
    notes.write("a.md", "two")
    assert notes.catalog.refresh().modified == ("a.md",)


def test_a_fresh_file_is_read_again_and_found_unchanged(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    (notes.root / "a.md").write_text("x")
    notes.catalog.refresh()
    generation = notes.catalog.generation
    assert notes.catalog.refresh()[:3] == ((), (), ())
    assert notes.catalog.generation == generation
    notes.catalog.close()


@pytest.mark.parametrize(
    ("stamp", "looked_at", "settled"),
    [
        (1_000_000_000_001, 1_000_000_000_002, False),
        (1_000_000_000_001, 1_000_100_000_000, True),
        (1_000_000_000_000, 1_001_000_000_000, False),  # a disk that counts whole seconds
        (1_000_000_000_000, 1_003_000_000_000, True),
        (2_000_000_000_001, 1_000_000_000_000, False),  # the clock was set back
    ],
)
def test_a_stamp_is_relied_upon_only_when_the_clock_has_moved_on(stamp: int, looked_at: int, settled: bool) -> None:
    assert headers.settled(stamp, stamp, looked_at) is settled
