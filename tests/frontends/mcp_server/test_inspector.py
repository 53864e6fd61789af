"""The MCP Inspector's command line, from npm, against `mdmem serve`: it lists what there is and calls a tool.

It is used where MDMEM_INSPECTOR names the program, or `mcp-inspector` is on the path.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

from tests.frontends.conftest import Shell
from tests.frontends.mcp_server.test_more_tools import MORE
from tests.frontends.mcp_server.test_server import TOOLS

INSPECTOR = os.environ.get("MDMEM_INSPECTOR") or shutil.which("mcp-inspector") or ""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not INSPECTOR, reason="the MCP Inspector is not installed")]


def inspected(shell: Shell, *words: str, more: tuple[str, ...] = ()) -> Any:
    """What the Inspector prints for one method, as a value."""
    server = [sys.executable, "-m", "markdown_memory", "serve", "--agent", "lyra", *more]
    env = shell.env | {"PATH": f"{Path(INSPECTOR).parent}:{os.environ['PATH']}"}
    passed = [part for name in ("MDMEM_HOME", "MDMEM_VAULT", "PYTHONPATH") for part in ("-e", f"{name}={env[name]}")]
    done = subprocess.run(
        [INSPECTOR, "--cli", *passed, *server, *words],
        cwd=shell.cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
    return json.loads(done.stdout)


def test_its_listings_pass(shell: Shell, vault: Path) -> None:
    tools = inspected(shell, "--method", "tools/list")["tools"]
    assert [tool["name"] for tool in tools] == TOOLS
    prompts = inspected(shell, "--method", "prompts/list")["prompts"]
    assert [prompt["name"] for prompt in prompts] == ["start-session", "end-session", "review"]
    resources = inspected(shell, "--method", "resources/list")["resources"]
    assert {"memory://index", "memory://log"} <= {resource["uri"] for resource in resources}
    templates = inspected(shell, "--method", "resources/templates/list")["resourceTemplates"]
    assert {"memory://note/{+path}", "memory://identity/{agent}"} <= {one["uriTemplate"] for one in templates}


def test_it_calls_a_tool_and_reads_a_resource(shell: Shell, vault: Path) -> None:
    shell.fine("store", "tea", "Green tea.")
    called = inspected(shell, "--method", "tools/call", "--tool-name", "memory_get", "--tool-arg", "key=tea")
    assert "Green tea" in called["structuredContent"]["text"] and not called.get("isError")
    read = inspected(shell, "--method", "resources/read", "--uri", "memory://index")
    assert "[tea]" in read["contents"][0]["text"]
    listed = inspected(shell, "--method", "tools/list", more=("--tools", "all"))["tools"]
    assert [tool["name"] for tool in listed] == [*TOOLS, *MORE]
