"""Machines that share a vault through one bare repository."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory import upkeep
from markdown_memory.features.sync import Synced
from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places, default_places
from tests.conftest import Clock, tree

DERIVED = "nexus/live-context.md"


class Machine:
    """A home folder and a clone of the vault."""

    def __init__(self, base: Path, clock: Clock) -> None:
        self.base = base
        self.clock = clock
        self.root = base / "vault"
        base.mkdir(exist_ok=True)

    @property
    def places(self) -> Places:
        return default_places(str(self.base / "home"))

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def open(self, agent: str = "") -> Memory:
        return Memory.open(str(self.root), agent=agent, places=self.places, clock=self.clock, cwd=str(self.root))

    def sync(self) -> Synced:
        self.clock.move(1)
        with self.open() as memory:
            return memory.sync()

    def store(self, name: str, body: str, agent: str = "") -> None:
        with self.open(agent) as memory:
            memory.store(name, body, description=f"about {name}")

    def read(self, name: str) -> str:
        with self.open() as memory:
            return memory.show(name).body.strip()

    def files(self) -> dict[str, bytes]:
        return {path: data for path, data in tree(self.root).items() if path != DERIVED}


Machines = Callable[[str], Machine]


@pytest.fixture(autouse=True)
def _own_git_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    config = tmp_path / ".gitconfig"
    config.write_text('[init]\ndefaultBranch = main\n[protocol "file"]\nallow = always\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("GIT_DIR", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def machine(tmp_path: Path, clock: Clock) -> Machines:
    """Makes machines by name; the first has made the vault, the others have cloned and trusted it."""
    made: dict[str, Machine] = {}
    bare = tmp_path / "forge.git"

    def make(name: str) -> Machine:
        one = Machine(tmp_path / name, clock)
        if not made:
            subprocess.run(["git", "init", "-q", "--bare", str(bare)], check=True, env=os.environ)
            Memory.init(str(one.root), agents=["lyra"], person="ana", places=one.places, clock=clock, git=True).close()
            one.git("remote", "add", "origin", str(bare))
            one.sync()
        else:
            subprocess.run(["git", "clone", "-q", str(bare), str(one.root)], check=True, env=os.environ)
            upkeep.trust(str(one.root), places=one.places, clock=clock, person_present=True)
        made[name] = one
        return one

    return make
