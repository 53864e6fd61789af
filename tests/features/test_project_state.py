"""The state of a project: one page that people and agents replace, and never over each other's words."""

import subprocess
from pathlib import Path

import pytest

from markdown_memory import upkeep
from markdown_memory.errors import ConflictError, FormatError, UserError
from markdown_memory.memory import Memory
from tests.conftest import Note, Open

PATH = "nexus/project-state/home.md"


def test_a_project_without_a_state_shows_none(memory: Memory) -> None:
    assert memory.project.show() == ("home", PATH, "", "")


def test_what_one_writes_the_other_reads_with_its_hash(memory: Memory, lyra: Memory, vault: Path) -> None:
    written = lyra.project.edit("Release 3 is being tested.")
    assert memory.project.show() == written == ("home", PATH, "Release 3 is being tested.\n", written.sha256)
    assert (vault / PATH).read_text() == "Release 3 is being tested.\n"
    assert "Release 3 is being tested." in memory.context().text


def test_properties_stay_when_the_text_is_replaced(memory: Memory, note: Note, vault: Path) -> None:
    note(PATH, "---\nname: home  # ours\nagent: lyra\n---\n\nOld.\n")
    assert memory.project.show().text == "Old.\n"
    memory.project.edit("New.")
    assert (vault / PATH).read_text() == "---\nname: home  # ours\nagent: lyra\n---\n\nNew.\n"


def test_a_hash_that_is_no_longer_true_overwrites_nothing(memory: Memory, lyra: Memory, vault: Path) -> None:
    read = memory.project.edit("One.").sha256
    lyra.project.edit("Two.", if_hash=read)
    with pytest.raises(ConflictError, match="changed since it was read"):
        memory.project.edit("Three.", if_hash=read)
    assert (vault / PATH).read_text() == "Two.\n"
    (vault / PATH).unlink()
    with pytest.raises(ConflictError, match="is gone"):
        memory.project.edit("Three.", if_hash=read)


def test_an_empty_hash_means_that_there_was_no_state_yet(memory: Memory, lyra: Memory) -> None:
    lyra.project.edit("One.", if_hash="")
    with pytest.raises(ConflictError):
        memory.project.edit("Two.", if_hash="")


def test_each_change_is_signed_in_the_ledger_and_writing_the_same_is_no_change(memory: Memory, lyra: Memory) -> None:
    before = len(memory.workspace.ledger())
    lyra.project.edit("One.")
    lyra.project.edit("One.")
    (entry,) = memory.workspace.ledger()[before:]
    assert (entry.agent, entry.kind, entry.text) == ("lyra", "edit", f"state of home ({PATH})")
    assert [one.state for one in memory.verify().files if one.path == PATH] == ["attested"]


def test_each_project_has_its_own(open_as: Open, vault: Path) -> None:
    open_as(project="shop").project.edit("The shop is open.")
    assert (vault / "nexus/project-state/shop.md").is_file()
    assert open_as().project.show().text == ""
    assert open_as(project="shop").project.show().text == "The shop is open.\n"


def test_where_no_project_is_known_it_says_what_to_do(open_as: Open, tmp_path: Path) -> None:
    for name in ("code", "other"):
        subprocess.run(["git", "init", "-q", str(tmp_path / name)], check=True)
        remote = ["git", "-C", str(tmp_path / name), "remote", "add", "origin", f"https://example.org/{name}.git"]
        subprocess.run(remote, check=True)
    upkeep.link(open_as(), "shop", str(tmp_path / "other"))
    with pytest.raises(UserError, match="mdmem link"):
        open_as(cwd=str(tmp_path / "code")).project.show()


def test_properties_that_do_not_parse_stay_for_a_person_to_correct(memory: Memory, note: Note) -> None:
    page = note(PATH, "---\nname: [home\n---\nOld.\n")
    memory.project.edit("New.")
    assert page.read_text() == "---\nname: [home\n---\nNew.\n"


def test_what_is_no_text_is_left_alone(memory: Memory, note: Note) -> None:
    page = note(PATH, b"\x89PNG\x00\x00")
    with pytest.raises(FormatError, match=PATH):
        memory.project.edit("New.")
    assert page.read_bytes() == b"\x89PNG\x00\x00"
