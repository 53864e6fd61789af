"""The plugin for Claude Code: what it holds is what `mdmem install` would write, and the client's own check passes."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import frontmatter
import pytest

from markdown_memory.frontends.wiring.clients import HOOKS, SERVER
from tests.house.source import ROOT

PLUGIN = ROOT / "templates" / "claude-code-plugin"


def read(name: str) -> Any:
    return json.loads((PLUGIN / name).read_text("utf-8"))


def test_its_hooks_are_those_that_install_writes() -> None:
    found = [
        (event, group.get("matcher", ""), *handler["command"].split()[3:], handler["timeout"])
        for event, groups in read("hooks/hooks.json")["hooks"].items()
        for group in groups
        for handler in group["hooks"]
    ]
    assert tuple(found) == HOOKS["claude-code"]


def test_its_server_says_as_whom_it_serves() -> None:
    server = read(".mcp.json")["mcpServers"][SERVER]
    assert server["args"][:2] == ["serve", "--agent"] and server["command"] == "mdmem"


def test_its_skill_keeps_the_rules_for_skills() -> None:
    skill = frontmatter.load(str(PLUGIN / "skills/memory/SKILL.md"))
    assert skill["name"] == "memory" and 1 <= len(str(skill["description"])) <= 1024
    assert len(skill.content.splitlines()) < 500


@pytest.mark.skipif(shutil.which("claude") is None, reason="Claude Code is not installed")
def test_the_client_finds_nothing_wrong_with_it(tmp_path: Path) -> None:
    done = subprocess.run(
        ["claude", "plugin", "validate", str(PLUGIN)],
        env=os.environ | {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
