"""Where somebody stands in real repositories, and what is seen and written from there."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory import upkeep
from markdown_memory.errors import ConflictError, UserError
from markdown_memory.memory import Memory
from tests.conftest import Open

IDENTITY = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always")


@pytest.fixture
def code(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    git(root, "remote", "add", "origin", "git@forge.example.org:ana/shop.git")
    git(root, "commit", "-q", "--allow-empty", "-m", "begin")
    return root


def git(folder: Path, *words: str, fails: bool = False) -> None:
    done = subprocess.run(["git", *IDENTITY, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert fails or done.returncode == 0, done.stderr


@pytest.fixture
def at(memory: Memory, open_as: Open, code: Path) -> Callable[[Path], Memory]:
    """Open the vault from a folder; the repository is linked as the project shop."""
    upkeep.link(memory, "shop", str(code))
    return lambda folder: open_as(cwd=str(folder))


def test_a_worktree_belongs_to_the_project_and_stands_on_its_own_branch(
    at: Callable[[Path], Memory], code: Path, tmp_path: Path
) -> None:
    at(code).store("db", "PostgreSQL 14.")
    git(code, "worktree", "add", "-q", "-b", "fix/ü", str(tmp_path / "elsewhere"))
    there = at(tmp_path / "elsewhere")
    assert there.scope == ("shop", "fix/ü") and there.show("db").body.strip() == "PostgreSQL 14."
    assert there.store("cart", "Carts expire.").path == "memory/project/@shop/fix~ü/cart.md"
    assert [one.name for one in at(code).list()] == ["db"]


def test_a_clone_whose_remote_has_another_name_or_spelling_is_the_same_project(
    at: Callable[[Path], Memory], code: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", str(code), "clone")
    git(tmp_path / "clone", "remote", "rename", "origin", "upstream")
    git(tmp_path / "clone", "remote", "set-url", "upstream", "https://forge.example.org/ana/shop")
    assert at(tmp_path / "clone").scope == ("shop", "main")


def test_a_repository_that_moved_is_linked_again_to_the_same_project(
    at: Callable[[Path], Memory], code: Path, memory: Memory
) -> None:
    at(code).store("db", "PostgreSQL 14.")
    git(code, "remote", "set-url", "origin", "git@other.example.org:team/store.git")
    moved = at(code)
    assert moved.list() == [] and "mdmem link" in moved.where().hint
    assert "add" in upkeep.link(memory, "shop", str(code)).hint
    assert [one.name for one in at(code).list()] == ["db"]


def test_a_submodule_is_not_the_project_around_it(at: Callable[[Path], Memory], code: Path, tmp_path: Path) -> None:
    other = tmp_path / "lib"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    git(other, "commit", "-q", "--allow-empty", "-m", "begin")
    git(code, "submodule", "--quiet", "add", str(other), "lib")
    assert "mdmem link" in at(code / "lib").where().hint


def test_a_detached_head_reads_the_default_branch_and_asks_before_it_writes(
    at: Callable[[Path], Memory], code: Path
) -> None:
    at(code).store("db", "PostgreSQL 14.")
    git(code, "checkout", "-q", "--detach")
    detached = at(code)
    assert [one.name for one in detached.list()] == ["db"]
    with pytest.raises(UserError, match="say which branch with --branch"):
        detached.store("cart", "Carts expire.")
    with pytest.raises(UserError, match="say which branch with --branch"):
        detached.branches.show()


def test_during_a_rebase_notes_go_to_the_branch_that_is_rebased(at: Callable[[Path], Memory], code: Path) -> None:
    for branch, text in (("fix", "one"), ("main", "two")):
        git(code, "checkout", "-q", "-B", branch)
        (code / "a").write_text(text)
        git(code, "add", "a")
        git(code, "commit", "-q", "-m", text)
        git(code, "checkout", "-q", "--detach", "HEAD~1")
    git(code, "checkout", "-q", "fix")
    git(code, "rebase", "-q", "main", fails=True)
    assert at(code).scope == ("shop", "fix")


@pytest.mark.parametrize("branch", ["con", "feature/über-läng", 'say"hi"', "100%", "a]b#c"])
def test_odd_names_of_branches_become_folders_and_come_back(
    at: Callable[[Path], Memory], code: Path, branch: str
) -> None:
    git(code, "checkout", "-q", "-b", branch)
    here = at(code)
    here.store("db", "PostgreSQL 14.")
    assert [one.branch for one in here.branches.list() if one.notes] == [branch]
    assert here.branches.merge(branch).done and here.show("db").header.scope == ("shop", "main")


def test_branches_that_differ_only_by_case_are_refused_with_a_sentence(
    at: Callable[[Path], Memory], code: Path, open_as: Open
) -> None:
    at(code).store("db", "PostgreSQL 14.", namespace="project:fix")
    with pytest.raises(ConflictError, match="differ only by case"):
        at(code).store("cart", "Carts expire.", namespace="project:Fix")


def test_outside_any_repository_the_own_project_is_meant(at: Callable[[Path], Memory], tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert at(tmp_path / "plain").scope == ("", "main")
