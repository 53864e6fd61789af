"""A process that is killed with SIGKILL between any two steps of a change leaves the vault sound."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from markdown_memory.core.ledger import parse_ledger
from markdown_memory.memory import Memory
from markdown_memory.storage.files import digest
from markdown_memory.storage.places import Places
from markdown_memory.workspace import Edit
from tests.conftest import Open, tree
from tests.system.worker import act

ENOUGH = 40


def run(vault: Path, places: Places, agent: str, step: int, action: str, *words: str) -> int:
    """Act in another process; its return code."""
    home = os.path.dirname(places.config)
    command = [sys.executable, "-m", "tests.system.worker", str(vault), home, agent, str(step), action, *words]
    return subprocess.run(command, check=False, timeout=60).returncode


def notes(vault: Path) -> dict[str, bytes]:
    return {path: data for path, data in tree(vault).items() if not path.startswith("nexus/")}


def leftovers(vault: Path) -> list[str]:
    return [str(path) for path in vault.rglob(".mdmem-*")]


def attested(memory: Memory) -> dict[str, str]:
    """What the ledger says that every file is; void changes count for nothing."""
    entries = memory.workspace.ledger()
    void = {entry.values().get("void") for entry in entries}
    found: dict[str, str] = {}
    for entry in entries:
        if entry.id not in void:
            found.update({change.path: change.new for change in parse_ledger(entry.values())})
    return {path: sha256 for path, sha256 in found.items() if sha256}


def prepare(memory: Memory, lyra: Memory) -> None:
    memory.store("alpha", "Alpha. See [[beta]].")
    memory.store("beta", "Beta. See [[alpha]].")
    lyra.retain("A fact that waits.")


@pytest.mark.parametrize(
    ("action", "words"),
    [("store", ["gamma"]), ("accept", ["a-fact-that-waits"]), ("rename", ["beta", "delta"]), ("undo", [])],
)
def test_a_change_that_is_killed_is_done_or_was_never_begun(
    open_as: Open, vault: Path, places: Places, action: str, words: list[str]
) -> None:
    outcomes = set()
    for step in range(1, ENOUGH):
        memory = open_as()
        if step == 1:
            prepare(memory, open_as("lyra"))
            if action == "undo":
                memory.inbox.accept("1")
        before = notes(vault)
        code = run(vault, places, "", step, action, *words)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        with memory.workspace.writing():
            after = notes(vault)
        assert not leftovers(vault)
        outcomes.add(after == before)
        if after != before:
            act_back(memory, action, words)
        assert notes(vault) == before
        for path, sha256 in attested(memory).items():
            assert digest((vault / path).read_bytes()) == sha256, path
        assert memory.verify().sound
    else:
        pytest.fail("the change never came to its end")
    assert outcomes == {True, False}


def act_back(memory: Memory, action: str, words: list[str]) -> None:
    """Undo a change that went through, so that the next try begins as the first."""
    if action == "store":
        path = memory.show(words[0]).path
        sha256 = memory.show(words[0]).header.sha256
        memory.workspace.change([Edit(path, sha256, None)], kind="test", text="away again")
    elif action == "accept":
        memory.inbox.undo()
    elif action == "undo":
        memory.inbox.accept("1")
    else:
        act(memory, "rename", words[::-1])


def test_a_change_whose_file_was_edited_meanwhile_is_void_and_the_edit_stays(
    memory: Memory, vault: Path, places: Places
) -> None:
    memory.store("alpha", "Alpha.")
    memory.store("beta", "[[alpha]]")
    path = vault / "memory/project/main/beta.md"
    before = len(memory.workspace.ledger())
    for step in range(1, ENOUGH):
        run(vault, places, "", step, "rename", "alpha", "gamma")
        if len(memory.workspace.ledger()) > before:
            break
    path.write_text("Edited by hand.\n")
    with memory.workspace.writing():
        pass
    assert path.read_text() == "Edited by hand.\n"
    assert (vault / "memory/project/main/alpha.md").exists()
    (entry,) = [entry for entry in memory.workspace.ledger() if entry.kind == "void"]
    assert "memory/project/main/beta.md" in entry.text
    assert memory.verify().sound
    assert not leftovers(vault)
