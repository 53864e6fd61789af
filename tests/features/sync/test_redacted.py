"""What a person has made vanish on one machine is on none after they have synchronised."""

from collections.abc import Callable

import pytest

from markdown_memory import upkeep
from markdown_memory.memory import Memory
from tests.features.sync.conftest import Machine, Machines

SECRET = b"tr0ub4dor"
Act = Callable[[Memory], object]


def holding(machine: Machine) -> list[str]:
    return [path for path, data in machine.files().items() if SECRET in data]


@pytest.mark.parametrize("first", ["desk", "lap"])
@pytest.mark.parametrize(
    "act",
    [
        lambda memory: memory.edit("door", body="The word is tr0ub4dor, they say.\n"),
        lambda memory: memory.forget("door"),
        lambda memory: memory.rename("door", "gate"),
    ],
)
def test_a_redacted_note_comes_back_from_nowhere(act: Act, first: str, machine: Machines) -> None:
    desk = machine("desk")
    desk.store("door", "The word is tr0ub4dor.")
    desk.sync()
    lap = machine("lap")
    with lap.open() as memory:
        act(memory)
    with desk.open() as memory:
        upkeep.redact(memory, ["door"])
    order = (desk, lap) if first == "desk" else (lap, desk)
    for one in (*order, *order, *order):
        one.sync()
    assert holding(desk) == []
    assert holding(lap) == []
    assert desk.files() == lap.files()
    for one in (desk, lap):
        with one.open() as memory:
            assert memory.verify().sound, memory.verify().problems


def test_what_was_added_to_it_elsewhere_waits_for_a_person_without_what_was_redacted(machine: Machines) -> None:
    desk = machine("desk")
    desk.store("door", "The word is tr0ub4dor.")
    desk.sync()
    lap = machine("lap")
    with lap.open() as memory:
        memory.edit("door", body="The word is tr0ub4dor.\n\nIt squeaks.\n")
    with desk.open() as memory:
        upkeep.redact(memory, ["door"])
    for one in (desk, lap, desk, lap):
        one.sync()
    assert holding(desk) == holding(lap) == []
    assert [path for path, data in desk.files().items() if b"It squeaks." in data and path.startswith("inbox/")]
