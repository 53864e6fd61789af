"""Neighbours that are measured beside us where they can be installed: qmd (Node) and agentcairn (DuckDB).

Both are used as their documentation says, with keyword search only: their models come from a hub and are not loaded.
Nothing is installed unless a folder for it is named (`--peers FOLDER`); what is there already is used as it is.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.harness import Command

QMD = "2.8.3"
NODE = "22"
AGENTCAIRN = "0.26.2"
DUCKDB = "1.5.5"


class Peer(NamedTuple):
    """A neighbour: its name, and the commands that index a folder, ask it and serve it to an MCP client, for a state
    folder of its own; `write` is its tool for a note of that name, if it has one, and `search` its tool for words."""

    name: str
    build: Callable[[str, str], Command]
    ask: Callable[[str, str, str], Command]
    serve: Callable[[str, str], Command]
    search: Callable[[str], tuple[str, dict[str, object]]]
    write: Callable[[str], tuple[str, dict[str, object]]] | None = None
    prepare: Callable[[str], None] = lambda state: None


def installed(folder: str) -> tuple[Peer, ...]:
    """The peers below `folder`, installed there if they are not yet; what cannot be installed is named and left out."""
    found = []
    for name, install, make in (("qmd", _install_qmd, _qmd), ("agentcairn", _install_agentcairn, _agentcairn)):
        home = Path(folder, name)
        try:
            if not home.is_dir():
                print(f"… installing {name}", file=sys.stderr, flush=True)
                install(home)
            found.append(make(home))
        except (OSError, subprocess.SubprocessError) as error:
            shutil.rmtree(home, ignore_errors=True)
            print(f"… {name} is left out, it cannot be installed here: {error}", file=sys.stderr, flush=True)
    return tuple(found)


def _run(*words: str, cwd: Path) -> None:
    subprocess.run(words, cwd=cwd, check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=900)


def _install_qmd(home: Path) -> None:
    home.mkdir(parents=True)
    (home / "package.json").write_text('{"private": true}\n')
    system = {"linux": "linux", "darwin": "darwin"}.get(sys.platform, "win")
    machine = "arm64" if os.uname().machine in ("aarch64", "arm64") else "x64"
    _run("npm", "install", "--ignore-scripts", f"@tobilu/qmd@{QMD}", f"node-{system}-{machine}@{NODE}", cwd=home)


def _qmd(home: Path) -> Peer:
    node = next(home.glob("node_modules/node-*-*/bin"))
    program = str(home / "node_modules" / ".bin" / "qmd")

    def environment(state: str) -> Mapping[str, str]:
        return {"HOME": state, "PATH": f"{node}:{os.environ['PATH']}", "NO_COLOR": "1"}

    def build(vault: str, state: str) -> Command:
        return Command(
            [program, "collection", "add", vault, "--name", "vault", "--mask", "**/*.md"], environment(state)
        )

    def ask(vault: str, state: str, words: str) -> Command:
        return Command([program, "search", words, "-n", "20"], environment(state))

    def serve(vault: str, state: str) -> Command:
        return Command([program, "mcp"], environment(state))

    def search(words: str) -> tuple[str, dict[str, object]]:
        return "query", {"searches": [{"type": "lex", "query": words}], "limit": 20, "rerank": False}

    return Peer("qmd", build, ask, serve, search)


def _install_agentcairn(home: Path) -> None:
    _run(sys.executable, "-m", "venv", str(home), cwd=Path.cwd())
    pins = [f"agentcairn=={AGENTCAIRN}", f"duckdb=={DUCKDB}", f"duckdb-extension-fts=={DUCKDB}"]
    _run(str(home / "bin" / "pip"), "install", "-q", *pins, cwd=home)


def _agentcairn(home: Path) -> Peer:
    program = str(home / "bin" / "cairn")
    extension = next(home.glob(f"lib/*/site-packages/duckdb_extension_fts/extensions/v{DUCKDB}/*"))

    def database(state: str) -> str:
        return os.path.join(state, "index.duckdb")

    def prepare(state: str) -> None:  # DuckDB would fetch its full-text extension from the network
        system = "osx" if sys.platform == "darwin" else "linux"
        machine = "arm64" if os.uname().machine in ("aarch64", "arm64") else "amd64"
        target = Path(state, ".duckdb", "extensions", f"v{DUCKDB}", f"{system}_{machine}")
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(extension, target)

    def build(vault: str, state: str) -> Command:
        return Command([program, "reindex", vault, "--index", database(state), "--embedder", "fake"], {"HOME": state})

    def ask(vault: str, state: str, words: str) -> Command:
        options = ["--index", database(state), "--embedder", "none", "--no-rerank", "--k", "20"]
        return Command([program, "recall", words, *options], {"HOME": state})

    def serve(vault: str, state: str) -> Command:
        options = ["--vault", vault, "--index", database(state), "--embedder", "fake"]
        return Command([program, "serve", *options], {"HOME": state})

    def search(words: str) -> tuple[str, dict[str, object]]:
        return "search", {"query": words, "k": 20, "rerank": False}

    def write(name: str) -> tuple[str, dict[str, object]]:
        return "remember", {"title": name, "text": f"Measured {name}: the queue is quiet."}

    return Peer("agentcairn", build, ask, serve, search, write, prepare)
