"""A synchronisation that is killed with SIGKILL at any of its steps is picked up by the next one."""

import os
import shutil
from pathlib import Path

import pytest

from markdown_memory.memory import Memory
from tests.system.swarm import lost, make_hosts

ENOUGH = 40


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("git") or not hasattr(os, "fork"), reason="git and fork are needed")
def test_the_next_run_goes_on_from_wherever_it_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    first, second = make_hosts(tmp_path, 2)
    facts = set()
    for step in range(1, ENOUGH):
        for host in (first, second):
            host.now += 60
            facts |= {f"both{step}of{host.name}", f"own{step}of{host.name}"}
            with host.open() as memory:
                memory.store(f"both-{step}", f"both{step}of{host.name}")
                memory.store(f"own-{step}-{host.name}", f"own{step}of{host.name}")
        first.sync()
        finished = second.killed(Memory.sync, step)
        second.sync()
        first.sync()
        assert first.files() == second.files() and lost(facts, first.files()) == []
        if finished:
            break
    else:
        pytest.fail("it never came to its end")
    assert step > 5
    for host in (first, second):
        with host.open() as memory:
            assert memory.verify().problems == ()
            assert {one.name for one in memory.inbox.list()} == {f"both-{number}" for number in range(1, step + 1)}
