"""Which branches a real repository has, and what its last merge brought in."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory.storage.git import repo
from markdown_memory.storage.git_branches import branches, just_merged, merge_names

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Run git in the repository, which has one commit on main."""
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    config = tmp_path / "gitconfig"
    config.write_text("[user]\nname = T\nemail = t@example.org\n[init]\ndefaultBranch = main\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    (tmp_path / "code").mkdir()

    def run(*words: str, cwd: Path = tmp_path / "code") -> str:
        return subprocess.run(["git", *words], cwd=cwd, check=True, capture_output=True, text=True).stdout

    run("init", "-q")
    run("commit", "-q", "--allow-empty", "-m", "begin")
    return run


def here(tmp_path: Path, name: str = "code") -> tuple[frozenset[str], tuple[str, ...]]:
    found = repo(str(tmp_path / name))
    assert found is not None
    return branches(found), just_merged(found)


def test_own_and_remote_branches_count_loose_and_packed(git: Git, tmp_path: Path) -> None:
    git("branch", "feature/auth")
    git("pack-refs", "--all")
    git("branch", "fix/ü")
    git("clone", "-q", ".", str(tmp_path / "clone"))
    assert here(tmp_path)[0] == {"main", "feature/auth", "fix/ü"}
    assert here(tmp_path, "clone")[0] == {"main", "feature/auth", "fix/ü"}


def test_without_git_the_files_tell(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("branch", "feature/auth")
    git("pack-refs", "--all")
    git("branch", "fix")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert here(tmp_path)[0] == {"main", "feature/auth", "fix"}


@pytest.mark.parametrize("manner", ["--ff", "--no-ff"])
def test_a_merge_tells_which_branch_it_brought(git: Git, tmp_path: Path, manner: str) -> None:
    git("checkout", "-q", "-b", "feature/auth")
    git("commit", "-q", "--allow-empty", "-m", "work")
    git("checkout", "-q", "main")
    git("branch", "untouched")
    assert here(tmp_path)[1] == ()
    git("merge", "-q", manner, "--no-edit", "feature/auth")
    assert here(tmp_path)[1] == ("feature/auth",)
    git("commit", "-q", "--allow-empty", "-m", "on it goes")
    assert here(tmp_path)[1] == ()


def test_a_pull_tells_what_was_merged_elsewhere(git: Git, tmp_path: Path) -> None:
    git("clone", "-q", ".", str(tmp_path / "clone"))
    for name in ("one", "two"):
        git("checkout", "-q", "-b", name)
        git("commit", "-q", "--allow-empty", "-m", "work")
        git("checkout", "-q", "main")
        git("merge", "-q", "--no-ff", "--no-edit", name)
    git("pull", "-q", cwd=tmp_path / "clone")
    assert set(here(tmp_path, "clone")[1]) == {"one", "two"}


@pytest.mark.parametrize(
    ("subject", "names"),
    [
        ("Merge branch 'feature/auth' into main", ("feature/auth",)),
        ("Merge remote-tracking branch 'origin/fix'", ("origin/fix",)),
        ("Merge pull request #88 from ana/feature/auth", ("feature/auth",)),
        ("Merged in feature/auth (pull request #3)", ("feature/auth",)),
        ("Merge the two ideas", ()),
        ("Fix Merge branch 'x'", ()),
    ],
)
def test_the_subjects_of_git_and_of_forges_name_the_branch(subject: str, names: tuple[str, ...]) -> None:
    assert merge_names(subject) == names
