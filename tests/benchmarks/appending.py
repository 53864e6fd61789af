"""Appending to the signed log, against the least that a durable append can cost: write and fsync."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places
from tests.benchmarks.harness import PATIENCE, Result, calls_in_turn, clean_environment
from tests.benchmarks.vaults import Vault
from tests.benchmarks.workshop import Workshop

NOTES = 1_000
GOAL = 3.0
_APPENDER = """
import os, sys, time
from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places
root, home, count, way, at = sys.argv[1:]
memory = Memory.open(root, agent=("lyra", "ella")[int(at) % 2], cwd=root, places=default_places(home))
def signed():
    memory.log.append("Watched the queue for ten minutes, all quiet", kind="fix")
bare = os.open(os.path.join(home, f"bare-{at}.txt"), os.O_CREAT | os.O_APPEND | os.O_WRONLY)
def plain():
    os.write(bare, b"x" * 577 + b"\\n")
    os.fsync(bare)
append = signed if way == "signed" else plain
append()
print("ready", flush=True)
sys.stdin.readline()
start = time.monotonic()
for _ in range(int(count)):
    append()
print(start, time.monotonic(), flush=True)
memory.close()
"""
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
    for processes in (1, 4):
        took, bare_took = (_each(vault, processes, shop.rounds(100), way) for way in ("signed", "bare"))
        what = f"{processes} process{'es' * (processes > 1)} appending, per entry"
        note = f"{1 / took:,.0f} entries/s, bare {1 / bare_took:,.0f}"
        yield Result("append", what, took, "write and fsync in as many processes", bare_took, note=note)


def _each(vault: Vault, processes: int, count: int, way: str) -> float:
    """Seconds per entry while so many processes append `count` entries each, from the first start to the last end."""
    words = [sys.executable, "-c", _APPENDER, vault.root, vault.home, str(count), way]
    environment = clean_environment({"PYTHONPATH": os.pathsep.join(sys.path)})
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    running = [subprocess.Popen([*words, str(at)], env=environment, **pipes) for at in range(processes)]  # type: ignore[call-overload]
    for one in running:
        assert one.stdout.readline() == "ready\n"
    for one in running:
        one.stdin.write("go\n")
        one.stdin.flush()
    spans = [tuple(map(float, one.communicate(timeout=PATIENCE)[0].split())) for one in running]
    return float(max(end for _, end in spans) - min(start for start, _ in spans)) / (processes * count)


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
