"""A shell in which tests type `mdmem …`: real processes, an own home folder, and a terminal when one is wanted."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from markdown_memory import upkeep
from markdown_memory.memory import default_places

PROGRAM = (sys.executable, "-m", "markdown_memory")
REPOSITORY = Path(__file__).parents[2]
PATIENCE = 60  # seconds until a process that hangs is ended


class Done(NamedTuple):
    """A process that has ended."""

    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """The one complaint on standard error; fails when there is more, or a traceback."""
        assert "Traceback" not in self.err, self.err
        first, *more = self.err.rstrip("\n").split("\n")
        assert first.startswith("mdmem: "), self.err
        assert all(line.startswith("  ") for line in more), self.err
        return self.err.removeprefix("mdmem: ").rstrip("\n")


class Shell:
    """Types commands with a home, a working folder and an environment of its own."""

    def __init__(self, home: Path, cwd: Path) -> None:
        self.home = home
        self.cwd = cwd
        self.env = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(REPOSITORY),
            "HOME": str(home),
            "MDMEM_HOME": str(home / "mdmem"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "TERM": "xterm",
            "LANG": "C.UTF-8",
        }

    def start(self, *words: str, **env: str) -> "subprocess.Popen[bytes]":
        """Start a command and return its process."""
        return subprocess.Popen(
            [*PROGRAM, *words],
            cwd=self.cwd,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __call__(self, *words: str, input: str | bytes = "", **env: str) -> Done:
        """Run a command without a terminal."""
        done = subprocess.run(
            [*PROGRAM, *words],
            cwd=self.cwd,
            env=self.env | env,
            input=input if isinstance(input, bytes) else input.encode(),
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        return Done(done.returncode, _text(done.stdout), _text(done.stderr))

    def fine(self, *words: str, input: str | bytes = "", **env: str) -> str:
        """Run a command that must succeed; its output."""
        done = self(*words, input=input, **env)
        assert done.code == 0, done.err
        return done.out

    def terminal(self, *words: str, keys: str = "", columns: int = 80, env: Mapping[str, str] | None = None) -> Done:
        """Run a command in a terminal where a person types `keys`; both streams arrive as `out`."""
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [*PROGRAM, *words],
            cwd=self.cwd,
            env=self.env | {"COLUMNS": str(columns)} | dict(env or {}),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        os.write(master, keys.encode())
        seen = _drain(master, process)
        os.close(master)
        return Done(process.wait(PATIENCE), seen, "")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _drain(master: int, process: "subprocess.Popen[bytes]") -> str:
    seen, deadline = b"", time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        ready, _, _ = select.select([master], [], [], 0.05)
        try:
            data = os.read(master, 65_536) if ready else b""
        except OSError:  # Linux reports the end of a pseudo terminal so
            break
        seen += data
        if not data and process.poll() is not None:
            break
    else:
        process.kill()
    return _text(seen).replace("\r\n", "\n")


COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def plain(text: str) -> str:
    """Terminal output without its colours."""
    return COLOURS.sub("", text)


def make_shell(folder: Path) -> Shell:
    """A shell with an empty home and an empty working folder below `folder`."""
    home, cwd = folder / "home", folder / "work"
    home.mkdir()
    cwd.mkdir()
    return Shell(home, cwd)


def make_vault(shell: Shell, folder: Path) -> Path:
    """A new vault with two agents, which the shell uses."""
    places = default_places(str(shell.home / "mdmem"))
    upkeep.make(str(folder), places=places, clock=time.time, agents=("lyra", "ella"), person="Mara")
    shell.env["MDMEM_VAULT"] = str(folder)
    return folder


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell in an empty folder, with an empty home."""
    return make_shell(tmp_path)


@pytest.fixture
def vault(shell: Shell, tmp_path: Path) -> Path:
    """A new vault with two agents, which the shell uses."""
    return make_vault(shell, tmp_path / "vault")
