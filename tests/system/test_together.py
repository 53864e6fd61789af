"""Several processes that work in one vault at the same time lose nothing."""

import os
import subprocess
import sys
from pathlib import Path

from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places


def start(vault: Path, places: Places, agent: str, action: str, *words: str) -> "subprocess.Popen[bytes]":
    home = os.path.dirname(places.config)
    return subprocess.Popen(
        [sys.executable, "-m", "tests.system.worker", str(vault), home, agent, "0", action, *words],
    )


def test_processes_that_store_at_once_all_find_their_notes_in_the_index(
    memory: Memory, vault: Path, places: Places
) -> None:
    names = [[f"note-{who}-{number}" for number in range(4)] for who in range(4)]
    running = [start(vault, places, "", "store", *some) for some in names]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0, 0]
    index = (vault / "MEMORY.md").read_text()
    for name in [name for some in names for name in some]:
        assert memory.show(name).body == f"All about {name}.\n"
        assert index.count(f"[{name}](") == 1
    assert len([entry for entry in memory.workspace.ledger() if entry.kind == "store"]) == 16


def test_agents_that_retain_the_same_words_at_once_propose_once_each(
    memory: Memory, vault: Path, places: Places
) -> None:
    running = [start(vault, places, agent, "retain", "one", "two", "three") for agent in ("lyra", "lyra", "ella")]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    assert sorted((one.agent, one.text) for one in memory.inbox.list()) == [
        (agent, f"The fact of {word}.") for agent in ("ella", "lyra") for word in ("one", "three", "two")
    ]


def test_accepting_at_once_decides_once(memory: Memory, lyra: Memory, vault: Path, places: Places) -> None:
    words = ["one", "two", "three"]
    refs = [lyra.retain(f"The fact of {word}.").name for word in words]
    running = [start(vault, places, "", "accept", *refs), start(vault, places, "", "accept", *refs[::-1])]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    assert memory.inbox.list() == []
    assert len(memory.list()) == 3
    assert len([entry for entry in memory.workspace.ledger() if entry.kind == "accept"]) == 3
