"""In a folder whose vault nobody has trusted: another one is read, that is said, and nothing is written to it."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import tree
from tests.frontends.conftest import Shell

NOTES = "memory/project/main"


@pytest.fixture
def in_a_clone(shell: Shell) -> tuple[Path, Path]:
    """The default vault, and a clone of it that nobody has trusted, in which one works."""
    shell.fine("init", "notes")
    vault, clone = shell.cwd / "notes", shell.cwd / "clone"
    shutil.copytree(vault, clone)
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(clone)], check=True)
    shell.cwd = clone
    return vault, clone


def test_in_a_clone_that_is_not_trusted_it_is_said_which_vault_is_read(
    shell: Shell, in_a_clone: tuple[Path, Path]
) -> None:
    vault, clone = in_a_clone
    done = shell("list")
    assert f"`mdmem trust {clone}` does.\nUsed instead: {vault}, the default of your config.\n" in done.err
    assert done.code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("store", "tea", "Tea at four."),
        ("retain", "Tea is at four.", "--agent", "lyra"),
        ("log", "append", "Had tea", "--agent", "lyra"),
        ("decide", "tea", "--because", "it is four"),
        ("checkpoint", "Having tea", "--agent", "lyra"),
        ("project", "edit", "--body", "Tea."),
        ("doctor", "--fix"),
    ],
)
def test_and_nothing_is_written_where_nobody_expects_it(
    shell: Shell, in_a_clone: tuple[Path, Path], words: tuple[str, ...]
) -> None:
    vault, clone = in_a_clone
    before = tree(vault), tree(clone)
    done = shell(*words)
    assert done.code == 7 and done.err.endswith(
        f"Nothing was written: {vault} was found instead; if that one is meant, say --vault {vault}.\n"
    )
    assert (tree(vault), tree(clone)) == before
    assert shell("store", "tea", "Tea at four.", "--vault", str(vault)).code == 0
    assert (vault / NOTES / "tea.md").exists(), "the branch of a vault is no branch of code"


def test_a_vault_that_the_environment_names_and_that_is_not_there_is_no_reason_to_write_elsewhere(
    shell: Shell, vault: Path
) -> None:
    done = shell("store", "tea", "Tea at four.", MDMEM_VAULT="/nowhere/at/all")
    assert done.code == 7 and "/nowhere/at/all" in done.err and not (vault / NOTES / "tea.md").exists()


def test_a_hook_there_writes_nothing_and_leaves_one_line_in_its_log(
    shell: Shell, in_a_clone: tuple[Path, Path]
) -> None:
    vault, clone = in_a_clone
    before = tree(vault), tree(clone)
    for name, verb in (("UserPromptSubmit", "prompt"), ("Stop", "stop")):
        event = {"session_id": "s1", "cwd": str(clone), "hook_event_name": name, "prompt": "Bake a cake"}
        done = shell("hook", "claude-code", verb, "--agent", "lyra", input=json.dumps(event))
        assert (done.code, done.err) == (0, "")
    (line,) = (shell.home / "mdmem" / "state" / "hooks.log").read_text().splitlines()
    assert "claude-code stop: AccessError: " in line and f"`mdmem trust {clone}`" in line and "say --vault" in line
    assert (tree(vault), tree(clone)) == before
