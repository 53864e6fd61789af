"""`mdmem branch`, typed into a shell inside a code repository."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.frontends.conftest import PROGRAM, REPOSITORY, Shell

AUTH = "memory/project/@shop/feature~auth"


@pytest.fixture
def code(shell: Shell, vault: Path) -> Shell:
    """A repository on feature/auth that is linked to the vault as the project shop, with a note on each branch."""
    git(shell, "init", "-q", "-b", "main")
    git(shell, "commit", "-q", "--allow-empty", "-m", "begin")
    shell.fine("link", "--project", "shop")
    shell.fine("store", "db", "PostgreSQL 14.")
    git(shell, "checkout", "-q", "-b", "feature/auth")
    git(shell, "commit", "-q", "--allow-empty", "-m", "work")
    shell.fine("store", "db", "PostgreSQL 16.")
    shell.fine("store", "pkce", "Use PKCE.")
    return shell


def git(shell: Shell, *words: str) -> None:
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, *words], cwd=shell.cwd, env=shell.env, check=True, capture_output=True)


def test_branches_are_shown_with_what_git_knows_of_them(code: Shell) -> None:
    assert [line.split()[:3] for line in code.fine("branch", "list").splitlines()[1:]] == [
        ["@shop:feature/auth", "2", "yes,"],
        ["@shop:main", "1", "yes,"],
    ]
    git(code, "checkout", "-q", "main")
    git(code, "branch", "-q", "-D", "feature/auth")
    rows = json.loads(code.fine("branch", "list", "--json"))["branches"]
    assert [(row["branch"], row["in_git"], row["current"]) for row in rows] == [
        ("feature/auth", False, False), ("main", True, True),
    ]  # fmt: skip
    shown = code.fine("branch", "show", "feature/auth").splitlines()
    assert shown[0] == "@shop:feature/auth: 2 notes; a session on it sees feature/auth"


def test_a_branch_is_compared_merged_and_reviewed(code: Shell) -> None:
    assert "+PostgreSQL 16." in code.fine("branch", "diff", "feature/auth")
    told = code.fine("branch", "merge", "feature/auth", "--dry-run")
    assert told.startswith("would merge feature/auth → main\n") and "waits for review" in told
    done = code("branch", "merge", "feature/auth")
    assert done.out.startswith("merged feature/auth → main\n") and "mdmem review" in done.err


def test_the_memory_follows_what_git_has_merged(code: Shell) -> None:
    git(code, "checkout", "-q", "main")
    assert "Git has merged no branch here" in code("branch", "merge").err
    git(code, "merge", "-q", "--no-edit", "feature/auth")
    (done,) = json.loads(code.fine("branch", "merge", "--json"))["merges"]
    assert (done["source"], done["into"], len(done["steps"])) == ("feature/auth", "main", 2)


def test_a_hook_lets_the_memory_follow_and_doctor_names_what_git_no_longer_has(code: Shell, tmp_path: Path) -> None:
    hook = code.cwd / ".git" / "hooks" / "post-merge"
    hook.write_bytes((REPOSITORY / "templates" / "git-hooks" / "post-merge").read_bytes())
    hook.chmod(0o755)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "mdmem"
    program.write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n')
    program.chmod(0o755)
    code.env["PATH"] = f"{program.parent}:{code.env['PATH']}"
    git(code, "checkout", "-q", "-b", "spike/cache")
    code.fine("store", "cache", "A cache did not pay off.")
    git(code, "checkout", "-q", "main")
    git(code, "merge", "-q", "--no-edit", "feature/auth")
    assert "Use PKCE." in code.fine("show", "pkce") and "merged_from: feature/auth" in code.fine("show", "pkce")
    git(code, "branch", "-q", "-D", "feature/auth", "spike/cache")
    (gone,) = [one for one in json.loads(code("doctor", "--json").out)["problems"] if one["code"] == "branch-gone"]
    assert gone["path"] == "memory/project/@shop/spike~cache"
    assert gone["remedy"] == (
        "`mdmem branch merge spike/cache` brings them to main; `mdmem branch delete spike/cache` archives them."
    )


def test_a_branch_is_archived_and_renamed(code: Shell, vault: Path) -> None:
    assert code.fine("branch", "rename", "feature/auth", "fix") == "renamed feature/auth → fix: 2 notes\n"
    assert code.fine("branch", "delete", "fix", "--reason", "a spike") == "archived 2 notes of fix\n"
    assert (vault / "archive/memory/project/@shop/fix/pkce.md").is_file()
    gone = code("branch", "show", "feature/aut")
    assert gone.code == 3 and gone.sentence == "There are no notes about the branch 'feature/aut'."
