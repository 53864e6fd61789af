"""Listing a vault's files."""

import os
from pathlib import Path

import pytest

from markdown_memory.core.names import conflict_copy
from markdown_memory.storage.scan import Findings, scan


def listed(root: Path, suffix: str = ".md", findings: Findings | None = None) -> list[str]:
    return sorted(one.path for one in scan(str(root), suffix, findings))


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)


def test_notes_are_listed_with_their_stamps(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "memory/user/B.MD", "memory/user/c.txt", "深い/注.md")
    assert listed(tmp_path) == ["a.md", "memory/user/B.MD", "深い/注.md"]
    found = {one.path: one for one in scan(str(tmp_path))}["a.md"]
    real = (tmp_path / "a.md").stat()
    assert found[1:] == (real.st_mtime_ns, real.st_size, real.st_ino, real.st_ctime_ns)


def test_dot_files_temporary_files_and_packages_of_others_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.md", ".b.md", ".git/c.md", ".obsidian/d.md", "node_modules/e.md", ".mdmem-t-1.tmp", "f.base")
    assert listed(tmp_path) == ["a.md"]
    assert listed(tmp_path, ".base") == ["f.base"]


def test_a_folder_called_like_a_note_is_looked_into(tmp_path: Path) -> None:
    write(tmp_path, "x.md/y.md")
    assert listed(tmp_path) == ["x.md/y.md"]


def test_a_link_to_what_is_listed_anyway_does_not_count_twice(tmp_path: Path) -> None:
    write(tmp_path, "folder/a.md", ".attic/b.md")
    (tmp_path / "again.md").symlink_to("folder/a.md")
    (tmp_path / "also").symlink_to("folder")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "b.md").symlink_to(".attic/b.md")
    findings = Findings()
    assert listed(tmp_path, findings=findings) == ["b.md", "folder/a.md"]
    assert not findings.problems


def test_what_cannot_be_listed_is_a_problem_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    write(tmp_path, "outside.md")
    root = tmp_path / "vault"
    (root / "out.md").symlink_to("../outside.md")
    (root / "nothing.md").symlink_to("gone.md")
    (root / "a.md").symlink_to("b.md")
    (root / "b.md").symlink_to("a.md")
    os.mkfifo(root / "pipe.md")
    findings = Findings()
    assert not listed(root, findings=findings)
    assert {(one.code, one.path) for one in findings.problems} == {
        ("link-unusable", "out.md"),
        ("link-unusable", "nothing.md"),
        ("link-unusable", "a.md"),
        ("link-unusable", "b.md"),
        ("not-a-file", "pipe.md"),
    }
    assert all(one.message and one.remedy for one in findings.problems)


def test_a_vault_that_is_not_there_is_unseen_and_not_empty(tmp_path: Path) -> None:
    findings = Findings()
    assert not listed(tmp_path / "unmounted", findings=findings)
    assert findings.hides("memory/a.md")


def test_names_that_are_no_valid_text_are_listed(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("")
    assert [os.fsencode(path) for path in listed(tmp_path)] == [b"caf\xe9.md"]


@pytest.mark.parametrize(
    "name",
    [
        "a.sync-conflict-20261130-101500-ABCDEFG.md",
        "a.sync-conflict-20261130-101500.md",
        "a (Conflicted copy laptop 202611301015).md",
        "x/a (Ana's conflicted copy 2026-11-30).md",
        "a (conflicted copy 2026-11-30 101500) (1).md",
    ],
)
def test_copies_that_a_sync_tool_made_are_known(name: str) -> None:
    assert conflict_copy(name)


@pytest.mark.parametrize(
    "name",
    [
        "a.md",
        "a 2.md",
        "a (1).md",
        "how we handle a conflicted copy.md",
        "sync-conflict-notes.md",
        "a.sync-conflict-x.md",
    ],
)
def test_other_names_are_no_copies(name: str) -> None:
    assert not conflict_copy(name)
