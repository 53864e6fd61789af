"""A vault on several machines: what one writes the others have, and nothing is lost where two wrote."""

import pytest

from markdown_memory import upkeep
from tests.features.sync.conftest import Machine, Machines

NOTES = "memory/project/main"


@pytest.fixture
def pair(machine: Machines) -> tuple[Machine, Machine]:
    return machine("first"), machine("second")


def both(one: Machine, other: Machine) -> None:
    """Until nothing is new for either."""
    one.sync()
    other.sync()
    one.sync()
    assert one.files() == other.files()
    for each in (one, other):
        with each.open() as memory:
            report = memory.verify()
            assert report.sound, report.problems


def test_what_one_machine_writes_the_other_has(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    first.store("tea", "We drink tea.")
    with first.open("lyra") as lyra:
        lyra.log.append("Brewed tea")
    done = first.sync()
    assert done.pushed and done.committed > 2 and done.conflicts == ()
    arrived = second.sync()
    assert arrived.received > 2 and not arrived.pushed
    assert second.read("tea") == "We drink tea."
    with second.open() as memory:
        assert [line.text for line in memory.log.read()] == ["Brewed tea"]
        assert "tea" in memory.index() and memory.search("drink").hits[0].name == "tea"
    again = second.sync()
    assert (again.committed, again.received, again.pushed) == (0, 0, False)
    both(first, second)


def test_both_write_and_both_have_all(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    first.store("tea", "We drink tea.")
    second.store("db", "PostgreSQL 14.")
    for each in pair:
        with each.open("lyra") as lyra:
            lyra.log.append(f"Worked on {each.base.name}")
    both(first, second)
    assert second.read("tea") and first.read("db")
    with first.open() as memory:
        assert {line.text for line in memory.log.read()} == {"Worked on first", "Worked on second"}
        assert "tea" in memory.index() and "db" in memory.index()


def test_a_commit_says_what_changed_and_by_whom(pair: tuple[Machine, Machine]) -> None:
    first, _ = pair
    first.store("tea", "We drink tea.")
    with first.open("lyra") as lyra:
        lyra.log.append("Brewed tea")
    first.sync()
    assert first.git("log", "-1", "--format=%B").strip().split("\n") == [
        "memory: 1 note (ana, lyra)", "", f"new: {NOTES}/tea.md",
    ]  # fmt: skip
    assert first.git("status", "--porcelain") == ""


def test_edits_in_different_places_of_a_note_come_together(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    first.store("list", "one\n\ntwo\n\nthree\n")
    both(first, second)
    with first.open() as memory:
        memory.edit("list", body="ONE\n\ntwo\n\nthree\n")
    note = second.root / NOTES / "list.md"
    note.write_text(note.read_text().replace("three", "THREE"))  # by hand
    first.sync()
    assert second.sync().merged == 1
    both(first, second)
    assert first.read("list") == "ONE\n\ntwo\n\nTHREE"


def test_the_same_line_changed_twice_waits_for_a_person_with_both_texts(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    first.store("db", "PostgreSQL 14.")
    both(first, second)
    for each, version in ((first, "15"), (second, "16")):
        with each.open() as memory:
            memory.edit("db", body=f"PostgreSQL {version}.")
    first.sync()
    (conflict,) = second.sync().conflicts
    assert conflict.path == f"{NOTES}/db.md" and conflict.kept.startswith("inbox/")
    both(first, second)
    with first.open() as memory:
        (waiting,) = memory.inbox.list()
        assert {memory.show("db").body.strip(), waiting.text} == {"PostgreSQL 15.", "PostgreSQL 16."}
        memory.inbox.accept("1", replace=True)
    both(first, second)
    assert second.read("db") == "PostgreSQL 15."


@pytest.mark.parametrize("forgets", ["first", "second"])
def test_what_one_forgets_and_the_other_edits_is_forgotten_and_the_edit_waits(
    pair: tuple[Machine, Machine], forgets: str
) -> None:
    first, second = pair
    first.store("db", "PostgreSQL 14.")
    both(first, second)
    for each in pair:
        with each.open() as memory:
            if each.base.name == forgets:
                memory.forget("db")
            else:
                memory.edit("db", body="PostgreSQL 16.")
    both(first, second)
    assert not (first.root / NOTES / "db.md").exists() and (first.root / "archive" / NOTES / "db.md").exists()
    with first.open() as memory:
        assert [one.text for one in memory.inbox.list()] == ["PostgreSQL 16."]


def test_an_edit_follows_a_note_that_was_renamed_elsewhere(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    first.store("db", "PostgreSQL 14.\n\nOn one host.")
    first.store("app", "See [[db]].")
    both(first, second)
    (first.root / NOTES / "db.md").rename(first.root / NOTES / "store.md")
    with second.open() as memory:
        memory.edit("db", body="PostgreSQL 16.\n\nOn one host.")
    both(first, second)
    assert (second.root / NOTES / "store.md").read_text().count("PostgreSQL 16.") == 1
    assert not (second.root / NOTES / "db.md").exists()


@pytest.mark.parametrize("forgets", ["first", "second"])
def test_what_one_renames_and_the_other_forgets_is_missed_by_nobody(
    pair: tuple[Machine, Machine], forgets: str
) -> None:
    first, second = pair
    first.store("db", "PostgreSQL 14.")
    both(first, second)
    for each in pair:
        with each.open() as memory:
            if each.base.name == forgets:
                memory.forget("db")
            else:
                memory.branches.rename("main", "trunk")
    both(first, second)
    assert not list((first.root / "memory" / "project").rglob("db.md"))


def test_an_edit_follows_a_note_that_was_given_another_name(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    first.store("db", "PostgreSQL 14.\n\nOn one host.")
    both(first, second)
    with first.open() as memory:
        memory.rename("db", "store")
    with second.open() as memory:
        memory.edit("db", body="PostgreSQL 16.\n\nOn one host.")
    first.sync()
    assert second.sync().conflicts == ()
    both(first, second)
    assert first.read("store") == "PostgreSQL 16.\n\nOn one host."


def test_notes_that_change_places_arrive_in_their_new_ones(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    for name in ("one", "two", "three"):
        first.store(name, f"All about {name}.")
    both(first, second)
    folder = first.root / NOTES
    for old, new in (("one", "spare"), ("two", "one"), ("three", "two"), ("spare", "three")):
        (folder / f"{old}.md").rename(folder / f"{new}.md")
    second.store("tea", "We drink tea.")
    first.sync()
    second.sync()
    first.sync()
    assert first.files() == second.files()
    assert b"All about two." in second.files()[f"{NOTES}/one.md"]
    assert b"All about one." in second.files()[f"{NOTES}/three.md"]


def test_a_note_does_not_take_the_place_of_one_that_moves_on(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    first.store("x", "All about x.")
    both(first, second)
    here, there = (each.root / NOTES for each in pair)
    (here / "x.md").rename(here / "a.md")
    (here / "b.md").write_text("Another b.\n")
    (there / "x.md").rename(there / "b.md")
    first.sync()
    second.sync()
    first.sync()
    assert first.files() == second.files()
    found = {path.removeprefix(f"{NOTES}/"): data for path, data in second.files().items() if path.startswith(NOTES)}
    assert b"All about x." in found["a.md"] and b"Another b.\n" in found.values() and len(found) == 2


def test_what_both_rename_has_one_of_the_names(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    first.store("db", "PostgreSQL 14.")
    both(first, second)
    for each in pair:
        with each.open() as memory:
            memory.branches.rename("main", f"of-{each.base.name}")
    both(first, second)
    assert [path.parent.name for path in (first.root / "memory" / "project").rglob("db.md")] == ["of-first"]


def test_what_is_private_or_a_programs_own_never_travels(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    secret = first.root / "memory/private/lyra/project/main/secret.md"
    secret.parent.mkdir(parents=True)
    secret.write_text("for lyra alone\n")
    (first.root / ".gitignore").write_text("# nothing\n")
    (first.root / ".obsidian" / "app.json").write_text("{}\n")
    both_files = first.sync()
    assert both_files.pushed
    second.sync()
    assert not (second.root / "memory/private").exists() and not (second.root / ".obsidian").exists()
    assert "private" not in first.git("ls-tree", "-r", "--name-only", "HEAD")


def test_settings_of_programs_that_others_committed_do_not_come_in(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    plugin = first.root / ".obsidian" / "plugins" / "evil" / "main.js"
    plugin.parent.mkdir(parents=True)
    plugin.write_text("alert(1)\n")
    (first.root / "memory/private/lyra").mkdir(parents=True)
    (first.root / "memory/private/lyra/x.md").write_text("x\n")
    first.git("add", "-f", ".obsidian", "memory/private")
    first.git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "by hand")
    second.store("tea", "We drink tea.")
    first.sync()
    second.sync()
    assert not (second.root / ".obsidian").exists() and not (second.root / "memory/private").exists()
    first.sync()
    assert plugin.exists() and "evil/main.js" in first.git("ls-tree", "-r", "--name-only", "HEAD")


def test_a_redaction_reaches_every_machine_also_those_that_went_on_writing(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    with second.open("lyra") as lyra:
        entry = lyra.log.append("the key is hunter2")
    both(first, second)
    with first.open() as memory:
        upkeep.redact(memory, [entry.id])
    with second.open("lyra") as lyra:
        lyra.log.append("went on")
    both(first, second)
    for each in pair:
        assert not any(b"hunter2" in data for data in each.files().values())


def test_two_that_push_at_once_both_get_through(machine: Machines) -> None:
    from concurrent.futures import ThreadPoolExecutor

    machines = [machine(name) for name in ("first", "second", "third")]
    for each in machines:
        each.store(f"from-{each.base.name}", f"Written on {each.base.name}.")
    with ThreadPoolExecutor() as pool:
        assert all(done.pushed for done in pool.map(Machine.sync, machines))
    for each in machines:
        each.sync()
    assert machines[0].files() == machines[1].files() == machines[2].files()


def test_people_merge_with_plain_git_and_the_vault_stays_sound(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for each, name in ((first, "tea"), (second, "db")):
        each.store(name, f"About {name}.")
        with each.open("lyra") as lyra:
            lyra.log.append(f"Wrote {name}")
    first.sync()
    second.git("add", "-A")
    second.git(*identity, "commit", "-qm", "by hand")
    second.git(*identity, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    second.git("push", "-q", "origin", "main")
    both(first, second)
    assert first.read("db") and second.read("tea")
