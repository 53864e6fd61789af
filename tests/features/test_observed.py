"""Edits by hand are noted with this host's next write, and vouched for by nobody."""

from pathlib import Path

import pytest

from markdown_memory import upkeep
from markdown_memory.core.entry import Entry
from markdown_memory.core.ledger import parse_ledger
from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places
from tests.conftest import Clock, Note, Open, tree

TEA = "memory/project/main/tea.md"


@pytest.fixture
def tea(memory: Memory, vault: Path) -> Path:
    """A note that a person stored."""
    return vault / memory.store("tea", "Green.").path


def observed(memory: Memory) -> list[Entry]:
    return [entry for entry in memory.workspace.ledger() if entry.kind == "observed"]


def state(memory: Memory, path: str = TEA) -> str:
    return next((one.state for one in memory.verify().files if one.path == path), "")


def test_a_hand_edit_goes_before_the_next_write_with_path_and_hash(tea: Path, memory: Memory, lyra: Memory) -> None:
    tea.write_text("Black.\n")
    sha256 = memory.show("tea").header.sha256
    lyra.retain("Something else.", name="else")
    (entry,) = observed(memory)
    assert [(one.path, one.new) for one in parse_ledger(entry.values())] == [(TEA, sha256)]
    kinds = [one.kind for one in memory.workspace.ledger()]
    assert kinds.index("observed") == len(kinds) - 2, "it precedes the change that it accompanies"


def test_verify_still_says_that_it_was_edited_by_hand(tea: Path, memory: Memory, lyra: Memory) -> None:
    tea.write_text("Black.\n")
    assert state(memory) == "by-hand"
    lyra.retain("Something else.")
    report = memory.verify()
    assert report.sound and state(memory) == "observed"
    assert [(one.code, "edited by hand" in one.message) for one in report.notices] == [("file-by-hand", True)]
    upkeep.approve(memory, everything=True)
    assert state(memory) == "attested"


def test_reading_writes_nothing(tea: Path, memory: Memory, lyra: Memory, vault: Path) -> None:
    tea.write_text("Black.\n")
    before = tree(vault)
    memory.show("tea"), memory.search("black"), lyra.context(), memory.list(), memory.verify(), memory.doctor()
    assert tree(vault) == before


def test_the_same_edit_is_noted_once(tea: Path, memory: Memory, lyra: Memory, open_as: Open) -> None:
    tea.write_text("Black.\n")
    for number in range(3):
        lyra.retain(f"Fact {number}.")
        open_as("ella").retain(f"Ella's fact {number}.")
    assert len(observed(memory)) == 1
    tea.write_text("White.\n")
    lyra.retain("One more.")
    assert len(observed(memory)) == 2


def test_a_change_of_the_file_itself_says_what_was_there(tea: Path, memory: Memory) -> None:
    tea.write_text("Black.\n")
    old = memory.show("tea").header.sha256
    memory.edit("tea", body="White.")
    assert observed(memory) == []
    (change,) = [one for one in parse_ledger(memory.workspace.ledger()[-1].values()) if one.path == TEA]
    assert change.old == old and state(memory) == "attested"


def test_taking_an_edit_back_is_no_roll_back(tea: Path, memory: Memory, lyra: Memory) -> None:
    signed = tea.read_bytes()
    for text in (b"Black.\n", b"White.\n"):
        tea.write_bytes(text)
        lyra.retain(f"Beside {text!r}.")
    tea.write_bytes(b"Black.\n")
    assert state(memory) == "by-hand" and memory.verify().sound
    tea.write_bytes(signed)
    assert state(memory) == "attested" and memory.verify().sound


def test_a_file_made_and_deleted_by_hand_is_missed_by_nobody(memory: Memory, lyra: Memory, note: Note) -> None:
    path = note(TEA, "Green.\n")
    lyra.retain("Something else.")
    assert state(memory) == "observed"
    path.unlink()
    assert memory.verify().sound and state(memory) == ""


def test_an_older_signed_state_is_a_roll_back_all_the_same(tea: Path, memory: Memory, lyra: Memory) -> None:
    old = tea.read_bytes()
    memory.edit("tea", body="White.")
    tea.write_bytes(old)
    lyra.retain("Something else.")
    assert observed(memory) == [] and state(memory) == "rolled-back"


def test_what_a_person_only_wrote_beside_is_not_guidance(memory: Memory, lyra: Memory, vault: Path) -> None:
    path = vault / memory.store("terse", "Answers are terse.", type="feedback", description="Answers are terse").path
    assert "[[terse]]" in lyra.context().text.split("## Recalled")[0]
    path.write_text("Answers are long.\n")
    memory.store("other", "A person writes.")
    assert len(observed(memory)) == 1
    assert "[[terse]]" not in lyra.context().text.split("## Recalled")[0]


def test_many_edits_make_one_entry(memory: Memory, lyra: Memory, note: Note) -> None:
    for number in range(40):
        note(f"memory/project/main/note-{number}.md", f"Text {number}.\n")
    lyra.retain("Something else.")
    (entry,) = observed(memory)
    assert entry.text == "edited by hand: 40 files" and "manifest" in entry.values()
    assert memory.verify().counts["files observed"] == 40 and memory.verify().sound


def test_what_another_host_signed_is_no_edit_by_hand(
    tea: Path, memory: Memory, lyra: Memory, vault: Path, tmp_path: Path, clock: Clock
) -> None:
    places = default_places(str(tmp_path / "elsewhere"))
    upkeep.trust(str(vault), places=places, clock=clock, person_present=True)
    with Memory.open(str(vault), places=places, clock=clock, cwd=str(vault)) as other:
        other.edit("tea", body="White.")
    lyra.retain("Something else.")
    assert observed(memory) == []


def test_private_notes_stay_in_their_own_ledger(memory: Memory, lyra: Memory, vault: Path, note: Note) -> None:
    note("memory/private/lyra/project/main/mine.md", "Mine.\n")
    memory.store("other", "A person writes.")
    (log,) = (vault / "memory/private/lyra/log").rglob("*.md")
    assert "observed" in log.read_text()
    assert not [one for one in (vault / "nexus/log/ledger").rglob("*.md") if "mine.md" in one.read_text()]
