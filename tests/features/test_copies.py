"""Copies that sync tools make of notes and logs: no memory, named by doctor, folded in without a loss."""

from pathlib import Path

import pytest

from markdown_memory.core.names import copied_from, numbered_from
from markdown_memory.errors import NotFound
from markdown_memory.memory import Memory
from tests.conftest import Note, Open, tree

SYNCTHING = "memory/project/main/tea.sync-conflict-20261130-021304-ABCDEFG.md"
DROPBOX = "memory/project/main/tea (Ana's conflicted copy 2026-11-30).md"
OBSIDIAN = "memory/project/main/tea (Conflicted copy laptop 202611301015).md"


@pytest.fixture
def tea(memory: Memory, vault: Path) -> Path:
    """A note that a person stored."""
    return vault / memory.store("tea", "Green tea, says the zebra.", description="Which tea").path


def codes(memory: Memory) -> list[str]:
    return [problem.code for problem in memory.doctor()]


@pytest.mark.parametrize("copy", [SYNCTHING, DROPBOX, OBSIDIAN, DROPBOX.replace(").md", ") (1).md")])
def test_a_copy_says_what_it_was_made_of(copy: str) -> None:
    assert copied_from(copy) == "memory/project/main/tea.md"


@pytest.mark.parametrize("name", ["tea.md", "how we handle a conflicted copy.md", "(conflicted copy).md"])
def test_other_names_say_nothing(name: str) -> None:
    assert copied_from(name) == ""


@pytest.mark.parametrize("name", ["x/tea 2.md", "x/tea (1).md", "x/tea-LAPTOP.md", "x/tea-DESKTOP-AB12.md"])
def test_a_number_or_a_device_may_say_so_too(name: str) -> None:
    assert numbered_from(name) == "x/tea.md"


@pytest.mark.parametrize("copy", [SYNCTHING, DROPBOX, OBSIDIAN])
def test_a_copy_is_no_memory(tea: Path, memory: Memory, lyra: Memory, note: Note, copy: str) -> None:
    note(copy, tea.read_text().replace("Green", "Black"))
    assert [hit.path for hit in memory.search("zebra").hits] == ["memory/project/main/tea.md"]
    assert [one.path for one in memory.list(all=True)] == ["memory/project/main/tea.md"]
    assert "Black" not in lyra.context("tea").text and "conflict" not in memory.index()
    assert memory.show("tea").path == "memory/project/main/tea.md"
    assert "Black" in memory.show(copy).text, "who names it by its path may compare it"
    with pytest.raises(NotFound):
        lyra.show(copy.rpartition("/")[2].removesuffix(".md"))
    assert memory.verify().sound and [one.path for one in memory.doctor() if one.code == "conflict-copy"] == [copy]


def test_a_copy_in_the_inbox_is_no_proposal(memory: Memory, lyra: Memory, vault: Path) -> None:
    path = vault / lyra.retain("The zebra sleeps.", name="sleep").path
    path.with_name("sleep (conflicted copy 2026-11-30).md").write_bytes(path.read_bytes() + b"accept: true\n")
    assert [one.name for one in memory.inbox.list()] == ["sleep"]
    assert memory.inbox.carry_out().decisions == ()


def test_an_equal_copy_is_put_into_the_archive(tea: Path, memory: Memory, vault: Path, note: Note) -> None:
    for copy in (SYNCTHING, "memory/project/main/tea 2.md"):
        note(copy, tea.read_bytes())
    done = memory.fold_copies()
    assert [one.path for one in done] == ["memory/project/main/tea 2.md", SYNCTHING]
    kept = [path for path, data in tree(vault / "archive").items() if data == tea.read_bytes()]
    assert len(kept) == 2 and not (vault / SYNCTHING).exists()
    assert memory.inbox.list() == [] and "conflict-copy" not in codes(memory) and memory.verify().sound


def test_a_differing_copy_is_put_before_a_person_and_both_are_kept(
    tea: Path, memory: Memory, vault: Path, note: Note
) -> None:
    text = tea.read_text().replace("Green", "Black")
    note(SYNCTHING, text)
    memory.fold_copies()
    (proposal,) = memory.inbox.list()
    assert "Black tea" in proposal.text and proposal.source == "sync copy of memory/project/main/tea.md"
    assert "Green tea" in tea.read_text() and text.encode() in tree(vault / "archive").values()
    assert memory.fold_copies() == []


def test_what_only_looks_like_a_numbered_copy_stays(tea: Path, memory: Memory, note: Note) -> None:
    other = note("memory/project/main/tea 2.md", "---\ndescription: Second\n---\nAnother note.\n")
    assert memory.fold_copies() == [] and other.exists()


def test_copies_that_a_person_must_look_at_stay_and_are_named(memory: Memory, vault: Path, note: Note) -> None:
    copies = ["identity/lyra (conflicted copy 2026-11-30).md", "Settings.sync-conflict-20261130-021304-ABCDEFG.md"]
    for copy in copies:
        note(copy, "Something else.\n")
    assert memory.fold_copies() == []
    assert sorted(one.path for one in memory.doctor() if one.code == "conflict-copy") == sorted(copies)


def test_lines_in_a_copy_of_the_view_are_taken_over(memory: Memory, lyra: Memory, vault: Path, note: Note) -> None:
    lyra.log.append("signed")
    lyra.log.render()
    view = vault / "nexus/live-context.md"
    note("nexus/live-context (conflicted copy 2026-11-30).md", view.read_text() + "- written on the phone\n")
    memory.fold_copies()
    assert [line.text for line in memory.log.read()] == ["signed", "- written on the phone"]


def test_a_private_copy_stays_private(memory: Memory, lyra: Memory, vault: Path, open_as: Open, note: Note) -> None:
    path = lyra.store("mine", "Private zebra.", private=True, category="daily").path
    note(path.replace(".md", " (conflicted copy 2026-11-30).md"), "Other private zebra.\n")
    memory.fold_copies()
    assert not [one for one, data in tree(vault).items() if b"zebra" in data and not one.startswith("memory/private")]
    assert open_as("ella").search("zebra").hits == ()


def log_of(vault: Path) -> Path:
    (file,) = (vault / "nexus/log/live-context/2026-11").glob("*lyra*.md")
    return file


@pytest.mark.parametrize("ending", [" (1)", ".sync-conflict-20261130-021304-ABCDEFG", " 2", "-LAPTOP"])
def test_a_copy_of_a_log_gives_back_what_the_log_lacks(memory: Memory, lyra: Memory, vault: Path, ending: str) -> None:
    for text in ("one", "two", "three"):
        lyra.log.append(text)
    file = log_of(vault)
    whole = file.read_bytes()
    copy = file.with_name(f"{file.stem}{ending}.md")
    copy.write_bytes(whole)
    file.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    assert [line.text for line in memory.log.read()] == ["one", "two"] and not memory.verify().sound
    assert "conflict-copy" in codes(memory)
    (done,) = memory.fold_copies()
    assert "got 1 entries" in done.what and file.read_bytes() == whole and not copy.exists()
    assert memory.verify().sound and lyra.log.append("four").seq == 4 and memory.verify().sound


def test_a_hole_in_the_middle_is_filled(memory: Memory, lyra: Memory, vault: Path) -> None:
    for text in ("one", "two", "three"):
        lyra.log.append(text)
    file = log_of(vault)
    whole = file.read_bytes()
    file.with_name(f"{file.stem} (1).md").write_bytes(whole)
    lines = whole.splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:3], *lines[4:]]))
    memory.fold_copies()
    assert file.read_bytes() == whole and memory.verify().sound


def test_a_copy_of_a_file_that_is_gone_becomes_the_file(memory: Memory, lyra: Memory, vault: Path) -> None:
    lyra.log.append("one")
    file = log_of(vault)
    whole = file.read_bytes()
    file.rename(file.with_name(f"{file.stem} (1).md"))
    memory.fold_copies()
    assert file.read_bytes() == whole and memory.verify().sound


def test_copies_that_contradict_or_are_damaged_stay_as_they_are(memory: Memory, lyra: Memory, vault: Path) -> None:
    lyra.log.append("one")
    file = log_of(vault)
    early = file.read_bytes()
    lyra.log.append("two")
    forged = file.with_name(f"{file.stem} (1).md")
    forged.write_bytes(file.read_bytes().replace(b"two", b"owt"))
    before = tree(vault)
    (done,) = memory.fold_copies()
    assert "no valid entries" in done.what and tree(vault) == before
    forged.write_bytes(early)
    memory.fold_copies()
    assert not forged.exists(), "an older copy holds nothing more"


def test_lines_that_nobody_signs_are_joined_too(memory: Memory, vault: Path) -> None:
    folder = vault / "nexus/log/live-context/2026-11"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "live-context-bot-unsigned-2026-11.md").write_text("- one\n")
    (folder / "live-context-bot-unsigned-2026-11 (1).md").write_text("- one\n- two\n")
    memory.fold_copies()
    assert [line.text for line in memory.log.read()] == ["- one", "- two"]
    assert len(list(folder.iterdir())) == 1
