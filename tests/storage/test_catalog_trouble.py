"""What can go wrong with a catalog: much is gone at once, files that are no good notes, a damaged database."""

import os
import shutil
import sqlite3
from pathlib import Path
from time import process_time

import pytest

from markdown_memory.storage import catalog_database
from markdown_memory.storage.catalog import Catalog
from tests.storage.conftest import Notes


def note(name: str, **more: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in {"name": name, **more}.items()) + "---\nBody.\n"


# much is gone


def many(notes: Notes, number: int) -> None:
    for at in range(number):
        notes.write(f"memory/project/main/n{at}.md", f"note {at}")
    notes.catalog.refresh()


def test_an_emptied_folder_is_kept_until_somebody_confirms(notes: Notes) -> None:
    many(notes, 30)
    notes.write("memory/user/a.md")
    notes.catalog.refresh()
    shutil.rmtree(notes.root / "memory/project")
    notes.write("memory/user/b.md")
    for _ in range(2):
        changes = notes.catalog.refresh()
        assert changes.suspicious and len(changes.missing) == 30 and not changes.removed
        assert [(one.code, one.path) for one in changes.problems] == [("notes-missing", "memory/project/main")]
        assert (
            "30 notes are gone at once" in changes.problems[0].message and "mdmem index" in changes.problems[0].remedy
        )
    assert len(notes.paths()) == 32
    confirmed = notes.catalog.refresh(confirmed=True)
    assert not confirmed.suspicious and len(confirmed.removed) == 30
    assert notes.paths() == ["memory/user/a.md", "memory/user/b.md"]


def test_looking_after_thousands_were_deleted_takes_no_longer_than_reading_them_did(notes: Notes) -> None:
    many(notes, 3000)
    for at in range(2000):
        os.remove(notes.root / f"memory/project/main/n{at}.md")
    began = process_time()
    assert len(notes.catalog.refresh().missing) == 2000
    assert process_time() - began < 1


def test_notes_that_come_back_are_unsuspicious_again(notes: Notes) -> None:
    many(notes, 30)
    os.rename(notes.root / "memory", notes.root.parent / "unmounted")
    assert notes.catalog.refresh().suspicious
    os.rename(notes.root.parent / "unmounted", notes.root / "memory")
    assert not notes.catalog.refresh().suspicious
    assert len(notes.paths()) == 30


def test_few_or_moved_notes_are_no_cause_for_suspicion(notes: Notes) -> None:
    many(notes, 30)
    for at in range(9):
        (notes.root / f"memory/project/main/n{at}.md").unlink()
    assert len(notes.catalog.refresh().removed) == 9
    os.rename(notes.root / "memory/project/main", notes.root / "memory/project/trunk")
    changes = notes.catalog.refresh()
    assert len(changes.added) == len(changes.removed) == 21 and not changes.suspicious


def test_a_vault_that_is_not_there_loses_nothing(notes: Notes) -> None:
    many(notes, 5)
    os.rename(notes.root, notes.root.parent / "away")
    changes = notes.catalog.refresh()
    assert not changes.removed and changes.problems[0].code == "folder-unreadable"
    assert len(notes.paths()) == 5


# files that are no good notes


def test_one_bad_file_hides_no_good_one(notes: Notes) -> None:
    notes.write("memory/user/good.md", note("Good"))
    notes.write("memory/user/broken.md", "---\nname: [\n---\n")
    (notes.root / "memory/user/binary.md").write_bytes(b"\x00\x01" * 100)
    notes.write("memory/user/empty.md", "")
    (notes.root / "memory/user/folder.md").mkdir()
    os.mkfifo(notes.root / "memory/user/pipe.md")
    changes = notes.catalog.refresh()
    assert [one.code for one in changes.problems] == ["not-a-file"]
    found = {header.path.rpartition("/")[2]: header for header in notes.catalog.headers()}
    assert sorted(found) == ["binary.md", "broken.md", "empty.md", "good.md"]
    assert found["good.md"].name == "Good" and not found["good.md"].problems
    assert found["binary.md"].problems and found["broken.md"].problems and found["binary.md"].sha256


def test_a_huge_file_is_known_with_a_problem_and_its_digest(notes: Notes) -> None:
    with open(notes.root / "huge.md", "wb") as file:
        file.truncate(50_000_000)
    notes.catalog.refresh()
    header = notes.catalog.get("huge.md")
    assert header is not None and header.size == 50_000_000 and len(header.sha256) == 64
    assert header.problems[0].code == "note-too-large"
    assert not notes.catalog.refresh().modified


def test_a_name_that_is_no_valid_text_is_kept_by_its_bytes(notes: Notes) -> None:
    name = os.fsdecode(b"memory/user/caf\xe9.md")
    notes.write(name, note("Café"))
    notes.catalog.refresh()
    assert notes.again().get(name) == notes.catalog.get(name) is not None
    (notes.root / name).unlink()
    assert notes.catalog.refresh().removed == (name,)


def test_composed_and_decomposed_names_stay_two_files(notes: Notes) -> None:
    notes.write("memory/user/\u00e9.md", "one")
    notes.write("memory/user/e\u0301.md", "two")
    notes.catalog.refresh()
    assert len(notes.catalog.by_name("é")) == 2


def test_logs_are_no_notes(notes: Notes) -> None:
    notes.write("nexus/log/ledger/2026-11/ledger-a-2026-11.md")
    notes.write("nexus/project-state/shop.md")
    notes.catalog.refresh()
    notes.catalog.touch(["nexus/log/ledger/2026-11/ledger-a-2026-11.md"])
    assert notes.paths() == ["nexus/project-state/shop.md"]


# the database


def test_touched_files_are_known_without_a_listing(notes: Notes) -> None:
    notes.write("memory/user/a.md")
    notes.write("memory/user/b.md")
    notes.catalog.refresh()
    notes.write("memory/user/c.md", note("New"))
    notes.write("memory/user/a.md", "changed", age=10)
    (notes.root / "memory/user/b.md").unlink()
    changes = notes.catalog.touch(["memory/user/a.md", "memory/user/b.md", "memory/user/c.md", "memory/user/none.md"])
    assert changes[:3] == (("memory/user/c.md",), ("memory/user/a.md",), ("memory/user/b.md",))
    assert notes.catalog.refresh()[:3] == ((), (), ())


@pytest.mark.parametrize("damage", ["garbage", "truncated", "tables", "version", "empty", "folder"])
def test_whatever_is_wrong_with_the_database_it_is_made_anew(damage: str, notes: Notes) -> None:
    many(notes, 300)
    before = notes.catalog.generation
    notes.catalog.close()
    harm(notes.file, damage)
    catalog = notes.again()
    catalog.refresh()
    assert len(catalog.headers()) == 300
    assert catalog.get("memory/project/main/n7.md")
    assert catalog.generation >= before
    catalog.close()


def harm(file: Path, how: str) -> None:
    if how == "garbage":
        file.write_bytes(b"no database" * 1000)
    elif how == "truncated":
        file.write_bytes(file.read_bytes()[:6000])
    elif how == "empty":
        file.write_bytes(b"")
    elif how == "folder":
        file.unlink()
        file.mkdir()
    else:
        statement = "DROP TABLE names" if how == "tables" else "UPDATE meta SET text = 'other' WHERE key = 'made by'"
        with sqlite3.connect(file) as connection:
            connection.execute(statement)
        connection.close()


def test_damage_that_shows_while_asking_is_repaired_and_the_answer_given(notes: Notes) -> None:
    many(notes, 20)
    with sqlite3.connect(notes.file) as connection:
        connection.execute("DROP TABLE names")
    connection.close()
    assert [header.path for header in notes.catalog.by_name("n7")] == ["memory/project/main/n7.md"]


def test_after_a_rebuild_an_older_index_learns_that_it_must_begin_anew(notes: Notes) -> None:
    many(notes, 3)
    held = notes.catalog.generation
    notes.catalog.close()
    notes.file.unlink()
    catalog = notes.again()
    catalog.refresh()
    assert catalog.born > held
    catalog.close()


def test_a_cache_folder_that_cannot_be_made_costs_time_and_nothing_else(notes: Notes, tmp_path: Path) -> None:
    notes.write("a.md")
    (tmp_path / "file").write_text("")
    catalog = Catalog(str(tmp_path / "file" / "catalog.sqlite"), str(notes.root))
    assert catalog.refresh().added == ("a.md",)
    assert len(catalog.headers()) == 1
    catalog.close()


def test_texts_can_be_kept_beside_the_notes(notes: Notes) -> None:
    assert notes.catalog.meta("settings 1") == ""
    notes.catalog.set_meta("settings 1", "{ü}")
    notes.catalog.set_meta("generation", "mine")
    assert notes.again().meta("settings 1") == "{ü}"
    assert notes.catalog.generation > 0


def test_progress_is_told_up_to_the_last_note(notes: Notes) -> None:
    for at in range(1200):
        notes.write(f"n{at}.md")
    seen: list[tuple[int, int]] = []
    notes.catalog.refresh(lambda done, total: seen.append((done, total)))
    assert seen == [(500, 1200), (1000, 1200), (1200, 1200)]


def test_a_first_fill_that_was_cut_off_goes_on_where_it_stopped(notes: Notes) -> None:
    for at in range(1200):
        notes.write(f"n{at}.md")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        notes.catalog.refresh(stop)
    assert len(notes.again().refresh().added) == 700


def test_a_reader_is_not_held_up_by_a_writer(notes: Notes) -> None:
    notes.write("a.md")
    notes.catalog.refresh()
    writer = sqlite3.connect(notes.file, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM notes")
    assert [header.path for header in notes.again().headers()] == ["a.md"]
    writer.execute("ROLLBACK")
    writer.close()


def test_a_writer_that_never_ends_is_a_sentence(notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog_database, "_WAIT", 0.05)
    notes.write("a.md")
    notes.catalog.refresh()
    writer = sqlite3.connect(notes.file, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    notes.write("b.md")
    with pytest.raises(Exception, match="being written by another process"):
        notes.again().refresh()
    writer.execute("ROLLBACK")
    writer.close()
