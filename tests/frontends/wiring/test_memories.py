"""What clients keep in memory files of their own comes before a person, each thing once; their files stay."""

import json
from pathlib import Path

import pytest

from tests.conftest import tree
from tests.frontends.conftest import Shell

CLAUDE = """\
---
name: prefers-tabs
description: Ana indents with tabs
metadata:
  type: user
---

Ana indents with tabs. <!-- origin: 7 -->
"""
OLDER = "---\nname: deploys\ntype: reference\n---\nDeploys go through pier-1.\n"
BUILD = "## Build\n\nThe build needs Node 22.\n\n```\n## no heading\n```\n"
HEADED = f"# Memory\n\n{BUILD}\n## Tests\n\n<!-- x -->\nThey run in UTC.\n"
HERMES = "The user lives in Lisbon.\n§\nThe user drinks green tea.\n"


def claude(shell: Shell) -> Path:
    """Claude Code's folder for the project that the shell is in."""
    project = "".join(char if char.isalnum() else "-" for char in str(shell.cwd))
    folder = shell.home / ".claude/projects" / project / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- [tabs](prefers-tabs.md) — tabs\n")
    (folder / "prefers-tabs.md").write_text(CLAUDE)
    (folder / "deploys.md").write_text(OLDER)
    return folder


def waiting(shell: Shell) -> dict[str, dict[str, str]]:
    found = json.loads(shell.fine("review", "list", "--json"))["proposals"]
    return {one["name"]: one for one in found}


def test_the_notes_of_claude_code_wait_with_their_source(shell: Shell, vault: Path) -> None:
    folder = claude(shell)
    before = tree(folder)
    done = shell("retain", "--from-client", "claude-code")
    assert done.code == 0 and "2 memories brought, 0 known already" in done.err
    found = waiting(shell)
    assert sorted(found) == ["deploys", "prefers-tabs"]
    tabs = found["prefers-tabs"]
    assert (tabs["type"], tabs["description"], tabs["text"]) == (
        "user",
        "Ana indents with tabs",
        "Ana indents with tabs.",
    )
    assert tabs["source"] == str(folder / "prefers-tabs.md") and (tabs["trust"], tabs["agent"]) == (
        "agent",
        "claude-code",
    )
    assert found["deploys"]["type"] == "reference"
    assert tree(folder) == before


def test_each_comes_once_and_again_when_it_changed(shell: Shell, vault: Path) -> None:
    folder = claude(shell)
    shell.fine("retain", "--from-client", "claude-code")
    assert "0 memories brought, 2 known already" in shell("retain", "--from-client", "claude-code").err
    assert shell.terminal("review", "reject", "deploys", "--reason", "no").code == 0
    assert "0 memories brought" in shell("retain", "--from-client", "claude-code").err
    (folder / "prefers-tabs.md").write_text(CLAUDE.replace("tabs.", "two blanks."))
    assert "1 memory brought" in shell("retain", "--from-client", "claude-code").err
    found = waiting(shell)
    assert list(found) == ["prefers-tabs"] and "two blanks" in found["prefers-tabs"]["text"]


@pytest.mark.parametrize(
    ("client", "files", "expected"),
    [
        ("codex", {".codex/memories/MEMORY.md": HEADED}, {"build": "no heading", "tests": "They run in UTC."}),
        ("openclaw", {".openclaw/workspace/MEMORY.md": HEADED}, {"build": "Node 22", "tests": "They run in UTC."}),
        (
            "hermes",
            {".hermes/memories/USER.md": HERMES, ".hermes/memories/MEMORY.md": "CI is slow.\n"},
            {"the-user-lives-in-lisbon": "Lisbon", "the-user-drinks-green-tea": "tea", "ci-is-slow": "slow"},
        ),
    ],
)
def test_other_clients_are_read_as_they_write(
    shell: Shell, vault: Path, client: str, files: dict[str, str], expected: dict[str, str]
) -> None:
    for name, text in files.items():
        (shell.home / name).parent.mkdir(parents=True, exist_ok=True)
        (shell.home / name).write_text(text)
    shell.fine("retain", "--from-client", client, "--agent", "lyra")
    found = waiting(shell)
    assert sorted(found) == sorted(expected)
    assert all(words in found[name]["text"] and "<!--" not in found[name]["text"] for name, words in expected.items())
    assert {one["agent"] for one in found.values()} == {"lyra"}


def test_a_client_without_memory_and_one_that_is_not_known_are_named(shell: Shell, vault: Path) -> None:
    assert "claude-code keeps no memory" in shell("retain", "--from-client", "claude-code").sentence
    assert "Did you mean 'codex'" in shell("retain", "--from-client", "codec").sentence


def test_no_vault_is_made_in_a_workspace_of_openclaw(shell: Shell) -> None:
    workspace = shell.home / ".openclaw/workspace"
    workspace.mkdir(parents=True)
    for name in ("SOUL.md", "IDENTITY.md", "AGENTS.md"):
        (workspace / name).write_text("x\n")
    for folder in (workspace, workspace / "memory/vault"):
        done = shell("init", str(folder))
        assert done.code == 2 and "workspace of OpenClaw" in done.sentence
    assert sorted(tree(workspace)) == ["AGENTS.md", "IDENTITY.md", "SOUL.md"]
