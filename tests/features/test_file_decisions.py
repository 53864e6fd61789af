"""What a person decides by touching files: ticked boxes, moved and deleted proposals, notes written by hand."""

import subprocess
from pathlib import Path

from markdown_memory.memory import Memory
from tests.conftest import Clock, Note
from tests.features.test_inbox import PKCE


def test_a_ticked_box_accepts(lyra: Memory, memory: Memory, vault: Path) -> None:
    path = vault / lyra.retain(PKCE).path
    path.write_text(path.read_text().replace("accept: false", "accept: true"))
    carried = memory.inbox.carry_out()
    assert [one.decision for one in carried.decisions] == ["accepted"]
    assert memory.show("mobile-clients-must-use-pkce").header.status == "accepted"
    assert memory.inbox.carry_out().decisions == ()
    entry = next(entry for entry in memory.workspace.ledger() if entry.kind == "accept")
    assert '"via":"file"' in entry.data and entry.agent != "ana"


def test_undoing_a_ticked_box_brings_it_back_empty(lyra: Memory, memory: Memory, vault: Path) -> None:
    path = vault / lyra.retain(PKCE).path
    before = path.read_text()
    path.write_text(before.replace("reject: false", "reject: true"))
    memory.inbox.carry_out()
    assert not path.exists()
    memory.inbox.undo()
    assert path.read_text() == before
    assert memory.inbox.carry_out().decisions == ()


def test_both_boxes_decide_nothing(lyra: Memory, memory: Memory, vault: Path) -> None:
    path = vault / lyra.retain(PKCE).path
    path.write_text(path.read_text().replace("false", "true"))
    carried = memory.inbox.carry_out()
    assert carried.decisions == ()
    assert [problem.code for problem in carried.problems] == ["both-ticked"]
    assert path.exists()


def test_moving_the_file_into_memory_accepts(lyra: Memory, memory: Memory, vault: Path) -> None:
    path = vault / lyra.retain(PKCE).path
    memory.inbox.carry_out()
    data = path.read_bytes()
    target = vault / "memory/reference/main" / path.name
    target.parent.mkdir(parents=True, exist_ok=True)
    path.rename(target)
    assert [one.path for one in memory.inbox.carry_out().decisions] == [f"memory/reference/main/{path.name}"]
    text = target.read_text()
    assert "type: reference\n" in text and "accept" not in text and "kind" not in text
    memory.inbox.undo()
    assert path.read_bytes() == data and not target.exists()


def test_a_deleted_proposal_is_rejected_after_ten_minutes_and_kept(
    lyra: Memory, memory: Memory, vault: Path, clock: Clock
) -> None:
    path = vault / lyra.retain(PKCE).path
    memory.inbox.carry_out()
    data = path.read_bytes()
    path.unlink()
    assert memory.inbox.carry_out().decisions == ()
    clock.move(599)
    assert memory.inbox.carry_out().decisions == ()
    clock.move(2)
    assert [one.decision for one in memory.inbox.carry_out().decisions] == ["rejected"]
    assert (vault / "archive/inbox/lyra" / path.name).read_bytes() == data
    memory.inbox.undo()
    assert path.read_bytes() == data


def test_a_proposal_that_comes_back_was_never_rejected(lyra: Memory, memory: Memory, vault: Path, clock: Clock) -> None:
    path = vault / lyra.retain(PKCE).path
    data = path.read_bytes()
    path.unlink()
    memory.inbox.carry_out()
    clock.move(500)
    path.write_bytes(data)
    memory.inbox.carry_out()
    path.unlink()
    clock.move(500)
    assert memory.inbox.carry_out().decisions == ()


def test_more_than_three_deleted_at_once_are_asked_about(
    lyra: Memory, memory: Memory, vault: Path, clock: Clock
) -> None:
    for number in range(4):
        (vault / lyra.retain(f"Thing number {number}.").path).unlink()
    memory.inbox.carry_out()
    clock.move(700)
    carried = memory.inbox.carry_out()
    assert carried.decisions == () and "4 proposals have disappeared" in carried.questions[0]
    assert len(memory.inbox.carry_out(confirmed=True).decisions) == 4


def test_nothing_is_concluded_during_a_git_operation(lyra: Memory, memory: Memory, vault: Path, clock: Clock) -> None:
    subprocess.run(["git", "init", "-q", str(vault)], check=True)
    (vault / ".git" / "MERGE_HEAD").write_text("")
    (vault / lyra.retain(PKCE).path).unlink()
    memory.inbox.carry_out()
    clock.move(700)
    assert memory.inbox.carry_out().decisions == ()


def test_a_file_that_a_person_wrote_into_the_inbox_is_a_proposal(memory: Memory, note: Note) -> None:
    note("inbox/lyra/Team lunch.md", "Lunch is at noon.\n")
    (proposal,) = memory.inbox.list()
    assert (proposal.name, proposal.text, proposal.target) == ("Team lunch", "Lunch is at noon.", "memory/project/main")
    assert memory.inbox.accept("1").path == "memory/project/main/Team lunch.md"
