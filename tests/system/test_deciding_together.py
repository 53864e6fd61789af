"""One process carries out ticks, another decides in a queue, an editor goes on writing: nothing is lost or doubled."""

import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places
from tests.system.test_together import start

PROPOSALS, WRITES, PATIENCE = 10, 60, 0.5


def save(path: Path, text: str) -> None:
    """As editors save: another file in the place of the first."""
    beside = path.with_name(f".{path.name}.swp")
    beside.write_text(text)
    os.replace(beside, path)


def everything(vault: Path) -> str:
    folders = (vault / "memory", vault / "archive", vault / "inbox")
    return "\n".join(path.read_text() for folder in folders for path in folder.rglob("*.md"))


def ledger_size(vault: Path) -> int:
    return sum(path.stat().st_size for path in (vault / "nexus/log/ledger").rglob("*.md"))


def wait_for_a_decision(vault: Path, running: "list[subprocess.Popen[bytes]]") -> None:
    """Until somebody has written to the ledger, or for as long as a person pauses."""
    before, deadline = ledger_size(vault), time.monotonic() + PATIENCE
    while ledger_size(vault) == before and time.monotonic() < deadline:
        assert all(process.poll() is None for process in running)


def test_watcher_queue_and_editor_at_once_lose_nothing_and_decide_nothing_twice(
    lyra: Memory, memory: Memory, vault: Path, places: Places, tmp_path: Path
) -> None:
    made = [vault / lyra.store(f"p{number}", f"Begun {number}.").path for number in range(PROPOSALS)]
    stop, written = tmp_path / "stop", []
    running = [start(vault, places, "", action, str(stop)) for action in ("carry", "decide", "carry")]
    for number in range(WRITES):
        path = made[number % PROPOSALS]
        with suppress(FileNotFoundError):  # it has been decided
            text = path.read_text()
            marker = f"<{path.stem} in write {number}>"
            ticked = text.replace("accept: false", "accept: true") if number % 3 == 2 else text
            save(path, f"{ticked.rstrip()}\n{marker}\n")
            written.append(marker)
            wait_for_a_decision(vault, running)
    stop.touch()
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    memory.inbox.carry_out()
    kept = everything(vault)
    assert written and [marker for marker in written if marker not in kept] == []
    assert all(f"Begun {number}." in kept for number in range(PROPOSALS))
    decided = [
        (entry.values()["proposal"], entry.values()["sha256"])
        for entry in memory.workspace.ledger()
        if entry.kind in ("accept", "reject") and "sha256" in entry.values()
    ]
    assert len(decided) >= PROPOSALS
    assert len(set(decided)) == len(decided)
    assert memory.verify().sound
