"""A person makes a text vanish, or signs what was edited by hand."""

import os
import shutil
from pathlib import Path

import pytest

from markdown_memory.errors import AccessError, NotFound, UserError
from markdown_memory.features import approve, redact
from markdown_memory.memory import Memory
from tests.conftest import Note, Open, tree

SECRET = "the password is tr0ub4dor"


def holding(vault: Path) -> list[str]:
    """The files that hold the secret."""
    return [path for path, data in tree(vault).items() if b"tr0ub4dor" in data]


def test_a_redacted_entry_is_blanked_and_every_chain_still_verifies(memory: Memory, lyra: Memory, vault: Path) -> None:
    lyra.log.append("before")
    entry = lyra.log.append(SECRET, refs=["tr0ub4dor"])
    lyra.log.append("after")
    lyra.log.render()
    assert len(holding(vault)) == 2
    done = redact.redact(memory.workspace, [entry.id], person_present=True)
    assert done.entries == (entry.id,) and "change it now" in done.unreachable[-1]
    memory.log.render()
    assert holding(vault) == []
    assert [(line.text, line.mark) for line in memory.log.read()] == [
        ("before", ""),
        ("[redacted]", "redacted"),
        ("after", ""),
    ]
    report = memory.verify()
    assert report.sound and not report.notices
    assert lyra.log.append("on it goes").seq == 4 and memory.verify().sound


def test_a_copy_that_still_holds_it_shows_it_blanked_and_blanks_it(memory: Memory, lyra: Memory, vault: Path) -> None:
    entry = lyra.log.append(SECRET)
    (log,) = (vault / "nexus/log/live-context/2026-11").iterdir()
    before = log.read_bytes()
    redact.redact(memory.workspace, [entry.id], person_present=True)
    blanked = log.read_bytes()
    log.write_bytes(before)
    assert [line.text for line in memory.log.read()] == ["[redacted]"]
    assert [notice.code for notice in memory.verify().notices] == ["log-to-blank"] and memory.verify().sound
    assert redact.apply(memory.workspace) == [log.relative_to(vault).as_posix()]
    assert log.read_bytes() == blanked, "the same bytes on every host"
    assert redact.apply(memory.workspace) == []


def test_a_blank_without_a_persons_word_is_tampering(memory: Memory, lyra: Memory, vault: Path) -> None:
    entry = lyra.log.append(SECRET)
    redact.redact(memory.workspace, [entry.id], person_present=True)
    shutil.rmtree(vault / "nexus/log/keys")
    assert "log-blanked" not in {one.code for one in memory.verify().problems}, "without keys nothing can be told"
    again = lyra.log.append("x")
    (log,) = (vault / "nexus/log/live-context/2026-11").glob(f"*{again.writer}*")
    assert log


def test_a_ledger_entry_is_named_with_its_logs_word(memory: Memory, vault: Path) -> None:
    memory.store("Tea", "Green.", type="user")
    entry = memory.workspace.logs.read("ledger").entries[-1]
    redact.redact(memory.workspace, [f"led-{entry.id}"], person_present=True)
    assert memory.workspace.logs.read("ledger").entries[-1].redacted
    with pytest.raises(NotFound, match="There is no entry"):
        redact.redact(memory.workspace, [f"live-{entry.id}"], person_present=True)


def test_the_keys_log_is_not_redacted_and_only_a_person_redacts(memory: Memory, lyra: Memory) -> None:
    entry = lyra.log.append(SECRET)
    with pytest.raises(UserError, match="nobody could check who may sign"):
        redact.redact(memory.workspace, [f"key-{entry.writer}-1"], person_present=True)
    with pytest.raises(AccessError, match="Only a person redacts"):
        redact.redact(lyra.workspace, [entry.id], person_present=False)


def test_a_redacted_note_is_gone_with_its_archived_copies(memory: Memory, vault: Path) -> None:
    memory.store("Login", SECRET, type="user")
    memory.forget("Login")
    memory.store("Login", SECRET, type="user")
    assert holding(vault) == ["MEMORY.md", "archive/memory/user/Login.md", "memory/user/Login.md"]
    done = redact.redact(memory.workspace, ["Login"], person_present=True)
    assert holding(vault) == [] and len(done.paths) == 2
    assert memory.verify().sound


def test_a_note_may_be_called_like_an_entry(memory: Memory, vault: Path) -> None:
    memory.store("pier-disk-96", SECRET, type="user")
    redact.redact(memory.workspace, ["pier-disk-96"], person_present=True)
    assert holding(vault) == []


def test_a_person_signs_what_was_edited_by_hand(memory: Memory, note: Note, vault: Path) -> None:
    memory.store("Tea", "Green.", type="user")
    note("memory/user/Tea.md", "Black.")
    note("memory/user/new.md", "By hand.")
    with pytest.raises(AccessError, match="Only a person approves"):
        approve.approve(memory.workspace, memory.verify().files, [], person_present=False)
    one = approve.approve(memory.workspace, memory.verify().files, ["Tea"], person_present=True)
    assert one.paths == ("memory/user/Tea.md",) and [each.path for each in memory.verify().notices] == [
        "memory/user/new.md"
    ]
    rest = approve.approve(memory.workspace, memory.verify().files, [], person_present=True)
    assert rest.paths == ("memory/user/new.md",) and not memory.verify().notices
    assert approve.approve(memory.workspace, memory.verify().files, [], person_present=True).entry is None


def test_many_files_are_signed_with_one_entry(memory: Memory, note: Note) -> None:
    for number in range(40):
        note(f"memory/user/n{number}.md", "x")
    done = approve.approve(memory.workspace, memory.verify().files, [], person_present=True)
    assert len(done.paths) == 40 and done.entry and "manifest" in done.entry.values()
    report = memory.verify()
    assert report.sound and not report.notices and report.counts["files attested"] >= 40


def test_an_older_state_or_a_lost_file_can_be_meant(memory: Memory, note: Note, vault: Path) -> None:
    memory.store("Tea", "Green.", type="user")
    before = (vault / "memory/user/Tea.md").read_bytes()
    memory.edit("Tea", body="Black.")
    memory.store("Coffee", "None.", type="user")
    note("memory/user/Tea.md", before)
    (vault / "memory/user/Coffee.md").unlink()
    assert {one.code for one in memory.verify().problems} == {"file-rolled-back", "file-missing"}
    assert not approve.approve(memory.workspace, memory.verify().files, [], person_present=True).paths
    named = ["Tea", "memory/user/Coffee.md"]
    approve.approve(memory.workspace, memory.verify().files, named, person_present=True)
    assert memory.verify().sound


def test_an_agent_cannot_approve(open_as: Open) -> None:
    lyra = open_as("lyra")
    with pytest.raises(AccessError):
        approve.approve(lyra.workspace, lyra.verify().files, [], person_present=True)


@pytest.mark.parametrize("others", [1, 60])
def test_a_file_whose_name_is_no_utf8_is_approved_and_indexed_like_any_other(
    memory: Memory, vault: Path, note: Note, others: int
) -> None:
    note("memory/project/main/first.md", "First.\n")
    (vault / os.fsdecode(b"memory/project/main/bad\xff.md")).write_text("Bad name.\n")
    for number in range(others):
        note(f"memory/project/main/n{number}.md", f"Note {number}.\n")
    done = approve.approve(memory.workspace, memory.verify().files, [], person_present=True)
    assert os.fsdecode(b"memory/project/main/bad\xff.md") in done.paths
    memory.store("last", "Last.")
    assert memory.verify().sound and not memory.verify().problems
    assert "memory/project/main/bad%FF.md)" in (vault / "MEMORY.md").read_text("utf-8")
