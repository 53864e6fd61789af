"""A merge that is killed with SIGKILL between any two of its steps has happened as a whole, or not at all."""

import os
import shutil
import signal
from pathlib import Path

import pytest

from markdown_memory.features.snapshots import making
from markdown_memory.features.vaults.trusting import trust
from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places, default_places
from tests.conftest import Clock, tree
from tests.system.test_killed import leftovers, run
from tests.system.worker import open_vault

ENOUGH = 80
RENDERED = "nexus/live-context.md"


def files(vault: Path) -> dict[str, bytes]:
    """Notes and logs of others: the person's own ledger differs from merge to merge by salt."""
    return {path: data for path, data in tree(vault).items() if path != RENDERED and "/ledger/" not in path}


def prepared(memory: Memory, clock: Clock, tmp_path: Path) -> tuple[str, str]:
    """What comes back from another machine: notes of every fate, and log entries; the key that signs it."""
    places = default_places(str(tmp_path / "home-elsewhere"))
    for name in ("changed", "old-name", "removed", "disputed"):
        memory.store(name, f"All about {name}.")
    out = memory.snapshots.make(str(tmp_path / "out.mdmem"))
    copy = tmp_path / "copy"
    making.unpack(places, out.path, str(copy), None)
    trust(str(copy), places=places, clock=clock)
    with Memory.open(str(copy), places=places, clock=clock, cwd=str(copy)) as there:
        there.store("new", "Learned there.")
        there.edit("changed", body="Changed there.")
        there.rename("old-name", "new-name")
        there.forget("removed")
        there.edit("disputed", body="Theirs.")
        there.log.append("worked elsewhere")
        back = there.snapshots.make(str(tmp_path / "back.mdmem")).path
        key = there.workspace.logs.writer(there.workspace.person, "person").fingerprint
    memory.edit("disputed", body="Ours.")
    memory.close()
    return back, key


@pytest.mark.slow
def test_a_merge_that_is_killed_is_done_or_was_never_begun(
    memory: Memory, vault: Path, places: Places, clock: Clock, tmp_path: Path
) -> None:
    back, key = prepared(memory, clock, tmp_path)
    home = Path(os.path.dirname(places.config))
    kept = [(folder, tmp_path / f"kept-{folder.name}") for folder in (vault, home)]
    for folder, at in kept:
        shutil.copytree(folder, at)
    before = files(vault)
    outcomes = []
    for step in range(1, ENOUGH):
        for folder, at in kept:
            shutil.rmtree(folder)
            shutil.copytree(at, folder)
        code = run(vault, places, "", step, "merge", back, key)
        with open_vault(str(vault), str(home)) as again:
            with again.workspace.writing():
                after = files(vault)
            assert again.verify().sound, again.verify().problems
            assert not leftovers(vault)
            outcomes.append(after)
            again.snapshots.merge(back, strategy="ask", key=key)
            whole = files(vault)
        if code == 0:
            break
        assert code == -signal.SIGKILL
    else:
        pytest.fail("the merge never came to its end")
    assert whole["memory/project/main/new-name.md"]
    assert {path for path in whole if path.startswith("inbox/ana/")}
    assert [after in (before, whole) for after in outcomes] == [True] * len(outcomes)
    assert outcomes[0] == before
    assert outcomes[-1] == whole
    assert "memory/project/main/removed.md" not in whole
