"""Appending to the signed log, against the least that a durable append can cost: write and fsync."""

import os
import subprocess
from collections.abc import Callable, Iterator

from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places
from tests.benchmarks.harness import Result, calls_in_turn, clean_environment
from tests.benchmarks.workshop import Workshop

NOTES = 1_000
GOAL = 3.0
TEXT = "Shipped the refresh fix and watched the queue for ten minutes (PR 88)"


def append(shop: Workshop) -> Iterator[Result]:
    """One signed, chained, durable entry: at most 3 times a bare append of the same line with fsync."""
    vault = shop.vault(NOTES)
    memory = Memory.open(vault.root, agent="lyra", cwd=vault.root, places=default_places(vault.home))
    memory.log.append(TEXT, kind="fix")
    bare = os.open(os.path.join(vault.root, "nexus", "bare.txt"), os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    line = _newest_line(vault.root)

    def append_bare() -> None:
        os.write(bare, line)
        os.fsync(bare)

    try:
        ours, theirs = calls_in_turn([lambda: memory.log.append(TEXT, kind="fix"), append_bare], shop.rounds(200))
        commit = _committer(os.path.join(vault.home, "committed"), line)
        again, git = calls_in_turn([lambda: memory.log.append(TEXT, kind="fix"), commit], shop.rounds(10))
    finally:
        os.close(bare)
        memory.close()
    yield Result("append", f"log append, entry {len(line)} bytes", ours, "write and fsync", theirs, GOAL)
    yield Result("append", "the same", again, "write, git add and git commit", git)


def _committer(folder: str, line: bytes) -> Callable[[], None]:
    """Appends a line to a file of a git repository and commits it."""
    os.makedirs(folder)
    git = [
        "git",
        "-C",
        folder,
        "-c",
        "user.name=lyra",
        "-c",
        "user.email=lyra@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    subprocess.run([*git, "init", "-q"], check=True, env=clean_environment({}))

    def commit() -> None:
        with open(os.path.join(folder, "log.md"), "ab") as file:
            file.write(line)
        subprocess.run([*git, "add", "log.md"], check=True, env=clean_environment({}))
        subprocess.run([*git, "commit", "-q", "-m", TEXT], check=True, env=clean_environment({}))

    return commit


def _newest_line(root: str) -> bytes:
    logs = os.path.join(root, "nexus", "log", "live-context")
    files = [os.path.join(folder, name) for folder, _, names in os.walk(logs) for name in names]
    with open(max(files, key=os.path.getmtime), "rb") as file:
        return file.read().splitlines(keepends=True)[-1]
