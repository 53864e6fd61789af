"""A text that a person made vanish is not brought back by a merge, from whichever side it comes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory import upkeep
from markdown_memory.features.snapshots import making
from markdown_memory.features.vaults.trusting import trust
from markdown_memory.memory import Memory
from tests.conftest import Clock, tree

SECRET = b"tr0ub4dor"
NOTE = "memory/user/door.md"


@pytest.fixture
def copy(memory: Memory, tmp_path: Path, clock: Clock) -> Memory:
    """Another copy of a vault in which a secret was stored and sent out."""
    memory.store("door", "The word is tr0ub4dor.\n\nIt opens.", type="user")
    places = memory.workspace.places
    sent = memory.snapshots.make(str(tmp_path / "out.mdmem"))
    making.unpack(places, sent.path, str(tmp_path / "copy"), None)
    trust(str(tmp_path / "copy"), places=places, clock=clock)
    clock.move(60)
    return Memory.open(str(tmp_path / "copy"), places=places, clock=clock, cwd=str(tmp_path / "copy"))


def holding(memory: Memory) -> list[str]:
    return [path for path, data in tree(Path(memory.workspace.root)).items() if SECRET in data]


def kept(memory: Memory) -> list[str]:
    """The kept states of the account that hold the secret."""
    return [path for path, data in tree(Path(memory.workspace.places.state)).items() if SECRET in data]


def back(copy: Memory, tmp_path: Path, name: str = "back") -> str:
    return copy.snapshots.make(str(tmp_path / f"{name}.mdmem")).path


Act = Callable[[Memory], object]


@pytest.mark.parametrize("strategy", ["merge", "remote_wins", "ask"])
@pytest.mark.parametrize(
    "act",
    [
        lambda copy: copy.edit("door", body="The word is tr0ub4dor, they say."),
        lambda copy: copy.forget("door"),
        lambda copy: copy.rename("door", "gate"),
        lambda copy: copy.store("other", "Something else."),
    ],
)
def test_what_was_redacted_here_does_not_come_back(
    act: Act, strategy: str, memory: Memory, copy: Memory, tmp_path: Path
) -> None:
    act(copy)
    upkeep.redact(memory, ["door"])
    assert holding(memory) == []
    report = memory.snapshots.merge(back(copy, tmp_path), strategy=strategy)
    assert holding(memory) == []
    assert kept(memory) == []
    assert memory.verify().sound
    again = memory.snapshots.merge(back(copy, tmp_path, "again"), strategy=strategy)
    assert again.changes == () and holding(memory) == []
    assert not report.conflicts


def test_what_was_redacted_there_goes_here_too_and_no_copy_is_kept(
    memory: Memory, copy: Memory, tmp_path: Path
) -> None:
    memory.forget("door")
    upkeep.redact(copy, ["door"])
    memory.snapshots.merge(back(copy, tmp_path))
    assert holding(memory) == []
    assert kept(memory) == []
    assert memory.verify().sound


def test_what_was_changed_here_without_knowing_of_it_stays_and_a_person_is_told(
    memory: Memory, copy: Memory, tmp_path: Path
) -> None:
    memory.edit("door", body="Painted red.")
    upkeep.redact(copy, ["door"])
    report = memory.snapshots.merge(back(copy, tmp_path))
    assert memory.show("door").body.strip() == "Painted red."
    assert f"`mdmem redact {NOTE}`" in report.notices[0]


def test_a_note_of_that_name_that_was_written_since_comes(memory: Memory, copy: Memory, tmp_path: Path) -> None:
    upkeep.redact(memory, ["door"])
    copy.snapshots.merge(back(memory, tmp_path, "first"))
    assert holding(copy) == []
    copy.store("door", "It is green.", type="user")
    memory.snapshots.merge(back(copy, tmp_path))
    assert memory.show("door").body.strip() == "It is green."


def test_the_kept_states_lose_it_at_once(memory: Memory, copy: Memory) -> None:
    entry = copy.log.append("said tr0ub4dor")
    copy.snapshots.make(str(Path(copy.workspace.root).parent / "x.mdmem"))
    assert kept(memory)
    upkeep.redact(copy, ["door", entry.id])
    assert kept(memory) == []
