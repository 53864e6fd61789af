"""What is known of notes without opening them, and how it follows the files."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from markdown_memory.core.note import Header
from markdown_memory.storage import catalog_database, headers
from markdown_memory.storage.catalog import Catalog
from markdown_memory.storage.files import digest

NOW = 1_700_000_000


class Vault:
    """A folder of notes with a catalog; what is written is old enough for its stamps to be relied upon."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "vault"
        self.root.mkdir()
        self.file = folder / "cache" / "catalog.sqlite"
        self.catalog = Catalog(str(self.file), str(self.root))

    def write(self, path: str, text: str = "text", age: int = 1000) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        os.utime(target, (NOW - age, NOW - age))

    def paths(self) -> list[str]:
        return [header.path for header in self.catalog.headers()]

    def again(self) -> Catalog:
        """The same catalog as another process opens it."""
        return Catalog(str(self.file), str(self.root))


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    monkeypatch.setattr(headers, "_TICK", -(10**18))  # stamps count as settled at once
    made = Vault(tmp_path)
    yield made
    made.catalog.close()


def note(name: str, **more: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in {"name": name, **more}.items()) + "---\nBody.\n"


def test_the_first_refresh_adds_all_notes_and_the_second_does_nothing(vault: Vault) -> None:
    vault.write("memory/user/a.md", note("Anna's coffee"))
    vault.write("memory/project/main/b.md")
    changes = vault.catalog.refresh()
    assert sorted(changes.added) == ["memory/project/main/b.md", "memory/user/a.md"]
    generation = vault.catalog.generation
    assert vault.catalog.refresh() == ((), (), (), (), ())
    assert vault.catalog.generation == generation


def test_an_edit_a_removal_and_an_addition_are_told_apart(vault: Vault) -> None:
    for name in "abc":
        vault.write(f"memory/user/{name}.md", name)
    vault.catalog.refresh()
    vault.write("memory/user/a.md", "other", age=900)
    (vault.root / "memory/user/b.md").unlink()
    vault.write("memory/user/d.md")
    changes = vault.catalog.refresh()
    assert changes[:3] == (("memory/user/d.md",), ("memory/user/a.md",), ("memory/user/b.md",))
    assert vault.paths() == ["memory/user/a.md", "memory/user/c.md", "memory/user/d.md"]


def test_another_process_sees_what_was_kept(vault: Vault) -> None:
    vault.write("memory/user/a.md", note("Coffee", aliases="[Espresso]", tags="[drinks]"))
    vault.catalog.refresh()
    before = vault.catalog.get("memory/user/a.md")
    again = vault.again()
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
def test_a_note_is_found_by_any_of_its_names(asked: str, vault: Vault) -> None:
    vault.write("memory/user/datei.md", note("Prüfung", aliases="[Zweit Name]"))
    vault.write("memory/user/other.md")
    vault.catalog.refresh()
    assert [header.path for header in vault.catalog.by_name(asked)] == ["memory/user/datei.md"]


def test_a_note_that_lost_a_name_is_not_found_by_it(vault: Vault) -> None:
    vault.write("memory/user/a.md", note("Old"))
    vault.catalog.refresh()
    vault.write("memory/user/a.md", note("New"), age=900)
    vault.catalog.refresh()
    assert not vault.catalog.by_name("Old")
    assert vault.catalog.names() == ["New"]


def test_headers_are_chosen_by_status_type_scope_and_owner(vault: Vault) -> None:
    for path in (
        "memory/user/a.md",
        "memory/project/main/b.md",
        "memory/project/@shop/feature~x/c.md",
        "memory/private/lyra/user/d.md",
        "inbox/lyra/e.md",
        "archive/memory/user/f.md",
    ):
        vault.write(path)
    catalog = vault.catalog
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


def test_what_changed_since_a_generation_is_told_once(vault: Vault) -> None:
    vault.write("a.md")
    vault.write("b.md", "b")
    vault.catalog.refresh()
    changed, gone, first = vault.catalog.changed_since(-1)
    assert [header.path for header in changed] == ["a.md", "b.md"] and not gone
    assert vault.catalog.changed_since(first) == ([], [], first)
    (vault.root / "a.md").unlink()
    vault.write("b.md", "changed", age=900)
    vault.catalog.refresh()
    changed, gone, second = vault.catalog.changed_since(first)
    assert [header.path for header in changed] == ["b.md"] and gone == ["a.md"] and second > first
    vault.write("a.md")
    vault.catalog.refresh()
    changed, gone, _ = vault.catalog.changed_since(first)
    assert [header.path for header in changed] == ["a.md", "b.md"] and not gone


def test_a_moved_note_is_added_before_it_is_removed(vault: Vault) -> None:
    vault.write("memory/user/a.md", "same text")
    vault.catalog.refresh()
    (vault.root / "archive").mkdir()
    os.rename(vault.root / "memory/user/a.md", vault.root / "archive/a.md")
    changes = vault.catalog.refresh()
    assert changes.added == ("archive/a.md",) and changes.removed == ("memory/user/a.md",)


# stamps


def test_a_change_within_one_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    for number in range(30):
        (vault.root / "a.md").write_text(f"{number:04}")
        vault.catalog.refresh()
        header = vault.catalog.get("a.md")
        assert header is not None and header.sha256 == digest(f"{number:04}".encode())
    vault.catalog.close()


def test_a_change_that_keeps_size_and_modification_time_is_seen(vault: Vault) -> None:
    vault.write("a.md", "one")
    vault.catalog.refresh()
    vault.write("a.md", "two")
    assert vault.catalog.refresh().modified == ("a.md",)


def test_a_fresh_file_is_read_again_and_found_unchanged(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    (vault.root / "a.md").write_text("x")
    vault.catalog.refresh()
    generation = vault.catalog.generation
    assert vault.catalog.refresh()[:3] == ((), (), ())
    assert vault.catalog.generation == generation
    vault.catalog.close()


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


# much is gone


def many(vault: Vault, number: int) -> None:
    for at in range(number):
        vault.write(f"memory/project/main/n{at}.md", f"note {at}")
    vault.catalog.refresh()


def test_an_emptied_folder_is_kept_until_somebody_confirms(vault: Vault) -> None:
    many(vault, 30)
    vault.write("memory/user/a.md")
    vault.catalog.refresh()
    shutil.rmtree(vault.root / "memory/project")
    vault.write("memory/user/b.md")
    for _ in range(2):
        changes = vault.catalog.refresh()
        assert changes.suspicious and len(changes.missing) == 30 and not changes.removed
    assert len(vault.paths()) == 32
    confirmed = vault.catalog.refresh(confirmed=True)
    assert not confirmed.suspicious and len(confirmed.removed) == 30
    assert vault.paths() == ["memory/user/a.md", "memory/user/b.md"]


def test_notes_that_come_back_are_unsuspicious_again(vault: Vault) -> None:
    many(vault, 30)
    os.rename(vault.root / "memory", vault.root.parent / "unmounted")
    assert vault.catalog.refresh().suspicious
    os.rename(vault.root.parent / "unmounted", vault.root / "memory")
    assert not vault.catalog.refresh().suspicious
    assert len(vault.paths()) == 30


def test_few_or_moved_notes_are_no_cause_for_suspicion(vault: Vault) -> None:
    many(vault, 30)
    for at in range(9):
        (vault.root / f"memory/project/main/n{at}.md").unlink()
    assert len(vault.catalog.refresh().removed) == 9
    os.rename(vault.root / "memory/project/main", vault.root / "memory/project/trunk")
    changes = vault.catalog.refresh()
    assert len(changes.added) == len(changes.removed) == 21 and not changes.suspicious


def test_a_vault_that_is_not_there_loses_nothing(vault: Vault) -> None:
    many(vault, 5)
    os.rename(vault.root, vault.root.parent / "away")
    changes = vault.catalog.refresh()
    assert not changes.removed and changes.problems[0].code == "folder-unreadable"
    assert len(vault.paths()) == 5


# files that are no good notes


def test_one_bad_file_hides_no_good_one(vault: Vault) -> None:
    vault.write("memory/user/good.md", note("Good"))
    vault.write("memory/user/broken.md", "---\nname: [\n---\n")
    (vault.root / "memory/user/binary.md").write_bytes(b"\x00\x01" * 100)
    vault.write("memory/user/empty.md", "")
    (vault.root / "memory/user/folder.md").mkdir()
    os.mkfifo(vault.root / "memory/user/pipe.md")
    changes = vault.catalog.refresh()
    assert [one.code for one in changes.problems] == ["not-a-file"]
    found = {header.path.rpartition("/")[2]: header for header in vault.catalog.headers()}
    assert sorted(found) == ["binary.md", "broken.md", "empty.md", "good.md"]
    assert found["good.md"].name == "Good" and not found["good.md"].problems
    assert found["binary.md"].problems and found["broken.md"].problems and found["binary.md"].sha256


def test_a_huge_file_is_known_with_a_problem_and_its_digest(vault: Vault) -> None:
    with open(vault.root / "huge.md", "wb") as file:
        file.truncate(50_000_000)
    vault.catalog.refresh()
    header = vault.catalog.get("huge.md")
    assert header is not None and header.size == 50_000_000 and len(header.sha256) == 64
    assert header.problems[0].code == "note-too-large"
    assert not vault.catalog.refresh().modified


def test_a_name_that_is_no_valid_text_is_kept_by_its_bytes(vault: Vault) -> None:
    name = os.fsdecode(b"memory/user/caf\xe9.md")
    vault.write(name, note("Café"))
    vault.catalog.refresh()
    assert vault.again().get(name) == vault.catalog.get(name) is not None
    (vault.root / name).unlink()
    assert vault.catalog.refresh().removed == (name,)


def test_composed_and_decomposed_names_stay_two_files(vault: Vault) -> None:
    vault.write("memory/user/\u00e9.md", "one")
    vault.write("memory/user/e\u0301.md", "two")
    vault.catalog.refresh()
    assert len(vault.catalog.by_name("é")) == 2


def test_logs_are_no_notes(vault: Vault) -> None:
    vault.write("nexus/log/ledger/2026-11/ledger-a-2026-11.md")
    vault.write("nexus/project-state/shop.md")
    vault.catalog.refresh()
    vault.catalog.touch(["nexus/log/ledger/2026-11/ledger-a-2026-11.md"])
    assert vault.paths() == ["nexus/project-state/shop.md"]


# the database


def test_touched_files_are_known_without_a_listing(vault: Vault) -> None:
    vault.write("memory/user/a.md")
    vault.write("memory/user/b.md")
    vault.catalog.refresh()
    vault.write("memory/user/c.md", note("New"))
    vault.write("memory/user/a.md", "changed", age=10)
    (vault.root / "memory/user/b.md").unlink()
    changes = vault.catalog.touch(["memory/user/a.md", "memory/user/b.md", "memory/user/c.md", "memory/user/none.md"])
    assert changes[:3] == (("memory/user/c.md",), ("memory/user/a.md",), ("memory/user/b.md",))
    assert vault.catalog.refresh()[:3] == ((), (), ())


@pytest.mark.parametrize("damage", ["garbage", "truncated", "tables", "version", "empty", "folder"])
def test_whatever_is_wrong_with_the_database_it_is_made_anew(damage: str, vault: Vault) -> None:
    many(vault, 300)
    before = vault.catalog.generation
    vault.catalog.close()
    harm(vault.file, damage)
    catalog = vault.again()
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


def test_damage_that_shows_while_asking_is_repaired_and_the_answer_given(vault: Vault) -> None:
    many(vault, 20)
    with sqlite3.connect(vault.file) as connection:
        connection.execute("DROP TABLE names")
    connection.close()
    assert [header.path for header in vault.catalog.by_name("n7")] == ["memory/project/main/n7.md"]


def test_after_a_rebuild_an_older_index_learns_that_it_must_begin_anew(vault: Vault) -> None:
    many(vault, 3)
    held = vault.catalog.generation
    vault.catalog.close()
    vault.file.unlink()
    catalog = vault.again()
    catalog.refresh()
    assert catalog.born > held
    catalog.close()


def test_a_cache_folder_that_cannot_be_made_costs_time_and_nothing_else(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md")
    (tmp_path / "file").write_text("")
    catalog = Catalog(str(tmp_path / "file" / "catalog.sqlite"), str(vault.root))
    assert catalog.refresh().added == ("a.md",)
    assert len(catalog.headers()) == 1
    catalog.close()


def test_texts_can_be_kept_beside_the_notes(vault: Vault) -> None:
    assert vault.catalog.meta("settings 1") == ""
    vault.catalog.set_meta("settings 1", "{ü}")
    vault.catalog.set_meta("generation", "mine")
    assert vault.again().meta("settings 1") == "{ü}"
    assert vault.catalog.generation > 0


def test_progress_is_told_up_to_the_last_note(vault: Vault) -> None:
    for at in range(1200):
        vault.write(f"n{at}.md")
    seen: list[tuple[int, int]] = []
    vault.catalog.refresh(lambda done, total: seen.append((done, total)))
    assert seen == [(500, 1200), (1000, 1200), (1200, 1200)]


def test_a_first_fill_that_was_cut_off_goes_on_where_it_stopped(vault: Vault) -> None:
    for at in range(1200):
        vault.write(f"n{at}.md")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        vault.catalog.refresh(stop)
    assert len(vault.again().refresh().added) == 700


def test_a_reader_is_not_held_up_by_a_writer(vault: Vault) -> None:
    vault.write("a.md")
    vault.catalog.refresh()
    writer = sqlite3.connect(vault.file, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM notes")
    assert [header.path for header in vault.again().headers()] == ["a.md"]
    writer.execute("ROLLBACK")
    writer.close()


def test_a_writer_that_never_ends_is_a_sentence(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog_database, "_WAIT", 0.05)
    vault.write("a.md")
    vault.catalog.refresh()
    writer = sqlite3.connect(vault.file, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    vault.write("b.md")
    with pytest.raises(Exception, match="being written by another process"):
        vault.again().refresh()
    writer.execute("ROLLBACK")
    writer.close()
