"""What keeps a vault from being synchronised is one sentence that says what to do."""

import subprocess
from pathlib import Path

import pytest

from markdown_memory.errors import StorageError, UserError
from markdown_memory.memory import Memory
from tests.features.sync.conftest import Machine, Machines


@pytest.fixture
def pair(machine: Machines) -> tuple[Machine, Machine]:
    return machine("first"), machine("second")


def test_without_git_or_remote_or_branch_one_sentence_says_what_to_do(machine: Machines, tmp_path: Path) -> None:
    one = machine("first")
    one.git("remote", "remove", "origin")
    refused(one, "has no remote; `git remote add origin ADDRESS`")
    one.git("checkout", "-q", "--detach")
    refused(one, "head is detached")
    one.git("checkout", "-q", "main")
    (one.root / ".git" / "MERGE_HEAD").write_text(one.git("rev-parse", "HEAD"))
    refused(one, "A merge is half done")
    (one.root / ".git" / "MERGE_HEAD").unlink()
    (one.root / ".git").rename(tmp_path / "git")
    refused(one, "is no git repository")
    subprocess.run(["git", "init", "-q", str(one.base)], check=True)
    refused(one, "lies inside the repository")


def test_a_text_that_lies_in_the_index_only_is_not_overwritten(machine: Machines) -> None:
    one = machine("first")
    (one.root / "Home.md").write_text("staged\n")
    one.git("add", "Home.md")
    (one.root / "Home.md").write_text("and changed\n")
    refused(one, "Home.md is staged and was changed again")


def test_a_busy_or_unreachable_repository_is_named(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    (first.root / ".git" / "index.lock").write_text("")
    refused(first, "Another git command works in the vault", StorageError)
    second.git("remote", "set-url", "origin", "/nowhere/x.git")
    refused(second, "could not ls-remote for the remote origin: .*nowhere", StorageError)


def test_another_vault_at_the_remote_is_refused(pair: tuple[Machine, Machine], tmp_path: Path) -> None:
    first, _ = pair
    other = Machine(tmp_path / "other", first.clock)
    Memory.init(str(other.root), places=other.places, clock=other.clock, git=True).close()
    other.git("remote", "add", "origin", str(tmp_path / "forge.git"))
    before = other.files()
    refused(other, "holds another vault")
    assert other.files() == before


def test_a_remote_whose_branch_has_another_name_is_not_given_a_second_one(machine: Machines, tmp_path: Path) -> None:
    one = machine("first")
    one.git("branch", "-m", "master")
    one.git("branch", "--unset-upstream")
    subprocess.run(["git", "-C", str(tmp_path / "forge.git"), "symbolic-ref", "HEAD", "refs/heads/main"], check=True)
    refused(one, "origin has a branch main and none called master; `git branch -m main`")


def test_a_refusal_of_the_remote_is_told_with_its_reason(pair: tuple[Machine, Machine], tmp_path: Path) -> None:
    first, _ = pair
    hook = tmp_path / "forge.git" / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho no pushing on Sundays >&2\nexit 1\n")
    hook.chmod(0o755)
    first.store("tea", "We drink tea.")
    refused(first, "origin did not take the commits: .*Nothing was lost", StorageError)
    hook.unlink()
    assert first.sync().pushed


def refused(one: Machine, sentence: str, kind: type[Exception] = UserError) -> None:
    with pytest.raises(kind, match=sentence):
        one.sync()


def test_notes_that_are_gone_in_numbers_are_asked_about_on_either_side(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    for number in range(12):
        first.store(f"fact-{number}", f"Number {number} counts.")
    first.sync()
    second.sync()
    for note in (second.root / "memory" / "project" / "main").glob("fact-*.md"):
        note.unlink()
    with pytest.raises(UserError, match=r"this machine's files lack 12 of 12 notes.*--allow-removals"):
        second.sync()
    assert first.sync().received == 0
    with second.open() as memory:
        assert memory.sync(allow_removals=True).committed >= 12
    with pytest.raises(UserError, match=r"origin/main lacks 12 of 12 notes"):
        first.sync()
    assert first.read("fact-3") == "Number 3 counts."
    with first.open() as memory:
        memory.sync(allow_removals=True)
    assert not list((first.root / "memory" / "project" / "main").glob("fact-*.md"))


def test_many_that_were_forgotten_are_no_loss(pair: tuple[Machine, Machine]) -> None:
    first, second = pair
    for number in range(12):
        first.store(f"fact-{number}", f"Number {number} counts.")
    first.sync()
    second.sync()
    with second.open() as memory:
        for number in range(12):
            memory.forget(f"fact-{number}")
    second.sync()
    assert first.sync().received >= 12
