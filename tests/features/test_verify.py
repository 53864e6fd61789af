"""Verify, as a person reads it: what was changed behind the package's back, and what was only edited by hand."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory.features import keys
from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places
from tests.conftest import Clock, Note, Open

TEA = "memory/user/Tea.md"


@pytest.fixture
def tea(memory: Memory) -> str:
    """A note that ana has written twice."""
    stored = memory.store("Tea", "Green tea.", type="user")
    assert stored.header.path == TEA
    memory.edit("Tea", body="Black tea.\n")
    return TEA


def found(memory: Memory) -> list[tuple[str, str]]:
    report = memory.verify()
    return [(one.code, one.path) for one in (*report.problems, *report.notices)]


def state(memory: Memory, path: str) -> str:
    return next(one.state for one in memory.verify().files if one.path == path)


def test_a_vault_in_order_is_sound_and_says_what_it_cannot_know(memory: Memory, tea: str) -> None:
    report = memory.verify()
    assert report.sound and not report.problems and not report.notices
    assert report.counts["files attested"] == report.counts["files"] > 3 and report.counts["writers"] == 3
    assert report.unknown[-1].startswith("Entries that have not arrived")


def test_an_edit_by_hand_is_said_and_is_no_problem(memory: Memory, vault: Path, tea: str) -> None:
    (vault / tea).write_text("White tea.", encoding="utf-8")
    report = memory.verify()
    assert report.sound and [one.code for one in report.notices] == ["file-by-hand"]
    assert report.notices[0].message.startswith(f"{tea} was edited by hand since ana (ana-")


def test_a_note_made_by_hand_is_said(memory: Memory, note: Note) -> None:
    note("memory/user/new.md", "By hand.")
    assert found(memory) == [("file-unsigned", "memory/user/new.md")]


def test_other_line_ends_are_told_apart_from_edits(memory: Memory, vault: Path, tea: str) -> None:
    (vault / tea).write_bytes((vault / tea).read_bytes().replace(b"\n", b"\r\n"))
    assert found(memory) == [("file-line-ends", tea)] and memory.verify().sound


def test_an_older_state_is_rolled_back(memory: Memory, vault: Path, tea: str) -> None:
    before = (vault / tea).read_bytes()
    memory.edit("Tea", body="Mint tea.\n")
    (vault / tea).write_bytes(before)
    assert found(memory) == [("file-rolled-back", tea)] and not memory.verify().sound


def test_a_file_that_is_gone_is_missing_and_one_that_was_forgotten_is_not(
    memory: Memory, vault: Path, tea: str
) -> None:
    memory.store("Coffee", "None.", type="user")
    memory.forget("Coffee")
    assert memory.verify().sound
    (vault / tea).unlink()
    assert found(memory) == [("file-missing", tea)]


def test_a_file_that_was_moved_by_hand_is_moved(memory: Memory, vault: Path, tea: str) -> None:
    (vault / "memory/feedback").mkdir(exist_ok=True)
    (vault / tea).rename(vault / "memory/feedback/Tea.md")
    assert sorted(found(memory)) == [("file-moved", "memory/feedback/Tea.md"), ("file-moved", tea)]


def test_the_state_before_anothers_change_has_not_arrived_yet(
    memory: Memory, vault: Path, tea: str, tmp_path: Path, clock: Clock
) -> None:
    before = (vault / tea).read_bytes()
    memory.edit("Tea", body="Mint tea.\n")
    (vault / tea).write_bytes(before)
    elsewhere = Memory.open(
        str(vault), places=default_places(str(tmp_path / "other")), clock=clock, cwd=str(vault), untrusted=True
    )
    report = elsewhere.verify()
    elsewhere.close()
    assert ("file-not-here", tea) in [(one.code, one.path) for one in report.notices]


def test_strict_integrity_makes_a_hand_edit_a_problem(memory: Memory, vault: Path, tea: str, open_as: Open) -> None:
    (vault / tea).write_text("White tea.", encoding="utf-8")
    settings = vault / "Settings.md"
    settings.write_text(
        settings.read_text(encoding="utf-8").replace('integrity = "normal"', 'integrity = "strict"'), encoding="utf-8"
    )
    assert {one.code for one in open_as().verify().problems} == {"file-by-hand"}


def test_a_copy_by_a_sync_tool_in_the_logs_is_named(memory: Memory, vault: Path) -> None:
    memory.log.append("hello")
    (log,) = (vault / "nexus/log/live-context/2026-11").iterdir()
    copy = log.with_name(log.name.replace(".md", ".sync-conflict-20261130-021304-ABCDEFG.md"))
    shutil.copy(log, copy)
    shutil.copy(log, log.with_name("notes.md"))
    assert [code for code, _ in found(memory)] == ["log-stray-file", "log-stray-file"]
    assert "A sync tool made this copy" in memory.verify().problems[0].message


def test_a_fresh_host_says_what_it_cannot_know(
    memory: Memory, vault: Path, tea: str, tmp_path: Path, clock: Clock
) -> None:
    fresh = Memory.open(
        str(vault), places=default_places(str(tmp_path / "other")), clock=clock, cwd=str(vault), untrusted=True
    )
    first, second = fresh.verify(), fresh.verify()
    fresh.close()
    assert (
        first.sound
        and "for the first time" in first.unknown[0]
        and "No person's key is pinned here" in first.unknown[1]
    )
    assert "for the first time" not in second.unknown[0], "now it remembers"


def test_a_whole_older_copy_is_found_out(memory: Memory, vault: Path, tea: str, open_as: Open) -> None:
    memory.log.append("one")
    shutil.copytree(vault, vault.with_name("backup"))
    memory.log.append("two")
    memory.edit("Tea", body="Mint tea.\n")
    memory.verify()
    memory.close()
    shutil.rmtree(vault)
    vault.with_name("backup").rename(vault)
    restored = open_as()
    codes = [one.code for one in restored.verify().problems]
    assert codes == ["log-cut", "log-cut"], "live context and ledger"
    keys.accept_rollback(restored.workspace, person_present=True)
    assert restored.verify().sound
    assert keys.accept_rollback(restored.workspace, person_present=True) is None
    restored.log.append("three")
    assert restored.verify().sound


def test_a_quick_check_believes_what_was_found_valid(memory: Memory, vault: Path, tea: str) -> None:
    memory.log.append("one")
    memory.verify()
    report = memory.verify(whole=False)
    assert report.sound and "files" not in report.counts and report.counts["entries"] > 3
    (log,) = (vault / "nexus/log/live-context/2026-11").iterdir()
    log.write_text(log.read_text(encoding="utf-8").replace("one", "two"), encoding="utf-8")
    assert [one.code for one in memory.verify(whole=False).problems] == ["log-changed"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(path.read_bytes() + b"\n"),
        lambda path: path.write_bytes(b""),
    ],
)
def test_a_list_of_files_that_was_lost_or_changed_is_named(
    memory: Memory, vault: Path, note: Note, damage: Callable[[Path], None]
) -> None:
    paths = [str(note(f"memory/user/n{number}.md", "x").relative_to(vault)) for number in range(20)]
    memory.workspace.attest(paths, kind="approve", text="all of them")
    assert memory.verify().sound
    (manifest,) = (vault / "nexus/log/ledger/2026-11").glob("manifest-*.md")
    damage(manifest)
    assert [one.code for one in memory.verify().problems] == ["ledger-manifest"]


def test_an_agent_is_told_nothing_of_anothers_private_notes(vault: Path, open_as: Open, note: Note) -> None:
    note("memory/private/ella/user/secret.md", "x")
    assert not [one for one in found(open_as("lyra")) if "private" in one[1]]
    assert [one for one in found(open_as("ella")) if "private" in one[1]]
    assert [one for one in found(open_as()) if "private" in one[1]]
