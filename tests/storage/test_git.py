"""What git knows, read from its files; made by the real git."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory.storage import git

Git = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Run git in a folder with a configuration of its own."""
    config = tmp_path / "gitconfig"
    config.write_text(
        '[user]\nname = T\nemail = t@example.org\n[init]\ndefaultBranch = main\n[protocol "file"]\nallow = always\n'
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")

    def git_(folder: Path, *words: str, check: bool = True) -> str:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=check)
        return done.stdout.strip()

    return git_


@pytest.fixture
def project(tmp_path: Path, run: Git) -> Path:
    """A repository with one commit on main."""
    root = tmp_path / "project"
    root.mkdir()
    run(root, "init", "-q")
    commit(run, root, "a.txt", "one")
    return root


def commit(run: Git, root: Path, name: str, text: str) -> None:
    (root / name).write_text(text)
    run(root, "add", name)
    run(root, "commit", "-q", "-m", text)


def found(folder: Path) -> git.Repo:
    repo = git.repo(str(folder))
    assert repo is not None
    return repo


def test_no_repository_is_none(tmp_path: Path) -> None:
    assert git.repo(str(tmp_path)) is None
    assert git.operation(str(tmp_path)) == ""


def test_a_repository_is_seen_from_any_folder_in_it(project: Path, run: Git) -> None:
    run(project, "checkout", "-q", "-b", "feature/äuth")
    (project / "deep" / "er").mkdir(parents=True)
    repo = found(project / "deep" / "er")
    assert (repo.branch, repo.worktree, repo.main_worktree) == ("feature/äuth", str(project), str(project))
    assert repo.common_dir == str(project / ".git")
    assert repo.remote == ""


def test_a_new_repository_without_a_commit_has_its_branch(tmp_path: Path, run: Git) -> None:
    run(tmp_path, "init", "-q", "-b", "trunk", "new")
    assert found(tmp_path / "new").branch == "trunk"


def test_worktrees_share_the_common_dir_and_have_their_own_branch(project: Path, tmp_path: Path, run: Git) -> None:
    run(project, "worktree", "add", "-q", "-b", "fix", str(tmp_path / "tree"))
    repo = found(tmp_path / "tree")
    assert repo.branch == "fix"
    assert repo.worktree == str(tmp_path / "tree")
    assert repo.main_worktree == str(project)
    assert repo.common_dir == found(project).common_dir


def test_worktrees_of_a_bare_repository_have_no_main_worktree(project: Path, tmp_path: Path, run: Git) -> None:
    run(tmp_path, "clone", "-q", "--bare", str(project), "bare.git")
    run(tmp_path / "bare.git", "worktree", "add", "-q", str(tmp_path / "tree"), "main")
    repo = found(tmp_path / "tree")
    assert (repo.main_worktree, repo.common_dir) == (str(tmp_path / "tree"), str(tmp_path / "bare.git"))


def test_a_git_dir_that_lies_elsewhere_is_followed(tmp_path: Path, run: Git) -> None:
    run(tmp_path, "init", "-q", "--separate-git-dir", str(tmp_path / "data"), "work")
    repo = found(tmp_path / "work")
    assert (repo.common_dir, repo.branch) == (str(tmp_path / "data"), "main")


def test_a_submodule_is_a_project_of_its_own(project: Path, tmp_path: Path, run: Git) -> None:
    run(tmp_path, "init", "-q", "library")
    commit(run, tmp_path / "library", "b.txt", "b")
    run(project, "submodule", "add", "-q", str(tmp_path / "library"), "lib")
    run(project / "lib", "remote", "set-url", "origin", "https://example.org/lib.git")
    repo = found(project / "lib")
    assert (repo.worktree, repo.main_worktree) == (str(project / "lib"), str(project / "lib"))
    assert repo.common_dir == str(project / ".git" / "modules" / "lib")
    assert repo.remote == "example.org/lib"


def test_during_a_rebase_it_is_the_branch_that_is_rebased(project: Path, run: Git) -> None:
    run(project, "checkout", "-q", "-b", "feature/x")
    commit(run, project, "a.txt", "theirs")
    run(project, "checkout", "-q", "main")
    commit(run, project, "a.txt", "ours")
    for way in ("--merge", "--apply"):
        run(project, "checkout", "-q", "feature/x")
        run(project, "rebase", way, "main", check=False)
        repo = found(project)
        assert (repo.branch, repo.rebasing) == ("feature/x", True)
        assert git.operation(str(project)) == "rebase"
        run(project, "rebase", "--abort")
        assert git.operation(str(project)) == ""


def test_a_detached_head_has_no_branch(project: Path, run: Git) -> None:
    run(project, "checkout", "-q", "--detach")
    repo = found(project)
    assert (repo.branch, repo.rebasing) == (None, False)


def test_a_merge_that_waits_is_an_operation(project: Path, run: Git) -> None:
    run(project, "checkout", "-q", "-b", "other")
    commit(run, project, "a.txt", "other")
    run(project, "checkout", "-q", "main")
    commit(run, project, "a.txt", "main")
    run(project, "merge", "other", check=False)
    assert git.operation(str(project)) == "merge"


def test_packed_refs_make_no_difference(project: Path, run: Git) -> None:
    run(project, "branch", "trunk")
    run(project, "pack-refs", "--all")
    run(project, "gc", "-q")
    assert found(project).branch == "main"
    assert git.default_branch(found(project)) == "main"


def test_the_project_s_remote_is_origin_then_what_the_branch_tracks_then_any(project: Path, run: Git) -> None:
    run(project, "remote", "add", "backup", "ssh://git@backup.example.org/p")
    run(project, "remote", "add", "mine", "git@forge.example.org:me/p.git")
    assert found(project).remotes == ("backup.example.org/p", "forge.example.org/me/p")
    run(project, "config", "branch.main.remote", "mine")
    assert found(project).remote == "forge.example.org/me/p"
    run(project, "remote", "add", "origin", "https://forge.example.org/team/p")
    assert found(project).remote == "forge.example.org/team/p"
    run(project, "remote", "rename", "origin", "renamed")
    assert "forge.example.org/team/p" in found(project).remotes


def test_a_remote_on_this_disk_names_no_project(project: Path, tmp_path: Path, run: Git) -> None:
    run(tmp_path, "clone", "-q", str(project), "clone")
    assert found(tmp_path / "clone").remotes == ()


def test_git_s_own_quoting_and_includes_are_understood(project: Path, tmp_path: Path, run: Git) -> None:
    run(project, "config", 'remote.we"ird [name].url', "https://example.org/a b;c#d")
    assert found(project).remotes == ("example.org/a b;c",)
    (tmp_path / "more").write_text('[remote "origin"]\n\turl = https://example.org/included.git\n')
    run(project, "config", "include.path", str(tmp_path / "more"))
    assert found(project).remote == "example.org/included"


def test_what_git_sets_for_hooks_is_not_looked_at(
    project: Path, tmp_path: Path, run: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path, "init", "-q", "-b", "wrong", "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
    (project / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")
    assert found(project).worktree == str(project)
    assert found(project).branch != "wrong"


def test_the_default_branch_is_what_origin_says(project: Path, tmp_path: Path, run: Git) -> None:
    run(project, "branch", "-m", "main", "stable")
    run(tmp_path, "clone", "-q", str(project), "clone")
    run(tmp_path / "clone", "checkout", "-q", "-b", "main")
    assert git.default_branch(found(tmp_path / "clone")) == "stable"


def test_a_repository_is_made_where_there_is_none_of_its_own(project: Path, run: Git) -> None:
    (project / "vault").mkdir()
    for _ in range(2):
        git.make_repository(str(project / "vault"))
    assert found(project / "vault").worktree == str(project / "vault")


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"\xff" * 100, b"x" * 100_000, b"gitdir: /nowhere\n", b"gitdir: .\n"]
)
def test_a_git_file_that_is_nonsense_is_no_repository(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / ".git").write_bytes(content)
    assert git.repo(str(tmp_path / "p")) is None


@pytest.mark.parametrize("content", [b"", b"\x00" * 50, b"ref: refs/remotes/x", b"y" * 50_000])
def test_a_head_that_is_nonsense_means_no_branch(content: bytes, project: Path) -> None:
    (project / ".git" / "HEAD").write_bytes(content)
    assert found(project).branch is None


def test_pipes_in_place_of_git_s_files_hold_nothing_up(project: Path) -> None:
    for name in ("HEAD", "config"):
        (project / ".git" / name).unlink()
        os.mkfifo(project / ".git" / name)
    assert found(project).branch is None


def test_a_config_that_is_nonsense_has_no_remotes(project: Path) -> None:
    for text in (
        "[remote",
        '[remote "x',
        "url = a\n[core]\n= b\n",
        '[remote "o"]\nurl',
        "\\\n\\\n",
        '[remote "o"]\nurl = "a\\',
    ):
        (project / ".git" / "config").write_text(text)
        assert found(project).remotes == ()


def test_a_git_that_hangs_is_left_after_a_while(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr(git, "TIME_LIMIT", 0.2)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")  # as a reftable repository has it
    assert found(project).branch is None


def test_without_git_installed_the_files_tell_enough(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert found(project).branch == "main"
    (tmp_path / "v").mkdir()
    with pytest.raises(Exception, match="is git installed"):
        git.make_repository(str(tmp_path / "v"))


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("https://github.com/Owner/Repo.git", "github.com/Owner/Repo"),
        ("https://user:token@GitHub.com/Owner/Repo.git/", "github.com/Owner/Repo"),
        ("https://github.com:443/Owner/Repo", "github.com/Owner/Repo"),
        ("http://github.com/Owner/Repo", "github.com/Owner/Repo"),
        ("ssh://git@github.com/Owner/Repo.git", "github.com/Owner/Repo"),
        ("ssh://git@github.com:22/Owner/Repo.git", "github.com/Owner/Repo"),
        ("git+ssh://git@github.com/Owner/Repo", "github.com/Owner/Repo"),
        ("git://github.com/Owner/Repo.git", "github.com/Owner/Repo"),
        ("git@github.com:Owner/Repo.git", "github.com/Owner/Repo"),
        ("github.com:Owner/Repo", "github.com/Owner/Repo"),
        ("git@github.com:/Owner/Repo.git", "github.com/Owner/Repo"),
        ("ssh://git@forge.example.org:2222/a/b.git", "forge.example.org:2222/a/b"),
        ("https://forge.example.org:8443/a/b", "forge.example.org:8443/a/b"),
        ("git@[2001:db8::1]:a/b.git", "2001:db8::1/a/b"),
        ("https://gitlab.example.org/group/sub/repo.git", "gitlab.example.org/group/sub/repo"),
        ("https://example.org/a%20b/c.git?x=1#y", "example.org/a b/c"),
        ("  https://example.org/a/b \n", "example.org/a/b"),
        ("ssh://host/~user/repo", "host/~user/repo"),
        ("file:///srv/git/repo.git", ""),
        ("/srv/git/repo.git", ""),
        ("../repo", ""),
        ("./a:b", ""),
        ("C:\\repos\\a", ""),
        ("c:/repos/a", ""),
        ("https://example.org", ""),
        ("https://example.org/.git", ""),
        ("ext::sh -c evil", ""),
        ("https://example.org/a\nb", ""),
        ("x" * 5000, ""),
        ("", ""),
    ],
)
def test_one_address_for_every_way_to_write_it(written: str, normal: str) -> None:
    assert git.normalise_remote(written) == normal
