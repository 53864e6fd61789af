"""The real Claude Code and Codex, where they are installed, wired by `mdmem install`, against a model that refuses.

What counts is what the client sends: the context of our hooks.
"""

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.frontends.conftest import Shell

QUESTION = "Which PostgreSQL does the production database run?"
FACT = "The production database is PostgreSQL 16 on pier-1."


class Model:
    """Keeps what it is asked, and refuses."""

    def __init__(self) -> None:
        self.asked = b""
        keep = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                keep.asked += self.rfile.read(int(self.headers.get("content-length", 0)))
                self.send_response(400)
                self.end_headers()
                self.wfile.write(b'{"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}')

            do_GET = do_POST  # noqa: N815  (named by the standard library)

            def log_message(self, format: str, *args: object) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def model() -> Iterator[Model]:
    made = Model()
    threading.Thread(target=made.server.serve_forever, daemon=True).start()
    yield made
    made.server.shutdown()
    made.server.server_close()


def ask(shell: Shell, *words: str, **env: str) -> str:
    """Run a client in a repository of its own until it ends; what it printed."""
    subprocess.run(["git", "init", "-q"], cwd=shell.cwd, check=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(shell.home), "LANG": "C.UTF-8"} | env
    done = subprocess.run(
        words, cwd=shell.cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=90, check=False
    )
    return done.stdout.decode()


def wired(shell: Shell, client: str) -> None:
    shell.fine("store", "database", FACT)
    shell.fine("install", client, "--agent", "lyra", "--yes")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("claude") is None, reason="Claude Code is not installed")
def test_claude_code_gives_its_model_our_context_and_notes(shell: Shell, vault: Path, model: Model) -> None:
    wired(shell, "claude-code")
    ask(shell, "claude", "-p", QUESTION, ANTHROPIC_BASE_URL=model.address, ANTHROPIC_API_KEY="sk-ant-none")
    asked = model.asked.decode()
    assert "agent lyra" in asked and "PostgreSQL 16" in asked


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("claude") is None, reason="Claude Code is not installed")
def test_claude_code_reaches_our_server(shell: Shell, vault: Path) -> None:
    wired(shell, "claude-code")
    (line,) = [line for line in ask(shell, "claude", "mcp", "list").splitlines() if line.startswith("mdmem:")]
    assert "serve --agent lyra" in line and "Connected" in line


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("codex") is None, reason="Codex is not installed")
def test_codex_gives_its_model_our_context_and_notes(shell: Shell, vault: Path, model: Model) -> None:
    wired(shell, "codex")
    config = shell.home / ".codex/config.toml"
    provider = f'name = "none"\nbase_url = "{model.address}/v1"\nrequest_max_retries = 0\nstream_max_retries = 0\n'
    chosen = f'model = "none"\nmodel_provider = "none"\n\n{config.read_text()}\n[model_providers.none]\n{provider}'
    config.write_text(chosen)
    ask(shell, "codex", "exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check", QUESTION)
    asked = model.asked.decode()
    assert "agent lyra" in asked and "PostgreSQL 16" in asked
