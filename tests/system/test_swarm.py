"""Five clones of a vault live through random acts, kills, offline times and wrong clocks, and end alike.

MDMEM_SWARM_ACTS=2000 is the full length; MDMEM_SWARM_SEED another story.
"""

import os
import shutil
from pathlib import Path

import pytest

from tests.system.swarm import DAY, Life, lost, make_hosts

ACTS = int(os.environ.get("MDMEM_SWARM_ACTS", "250"))
SEED = int(os.environ.get("MDMEM_SWARM_SEED", "7"))
CLOCKS_ARE_WRONG = ("log-back-dated", "log-ahead")
CLOCKS = (0.0, 120.0, -3600.0, 9 * 3600.0, -40 * DAY)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("git") or not hasattr(os, "fork"), reason="git and fork are needed")
def test_five_machines_end_with_the_same_bytes_and_every_acknowledged_fact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    hosts = make_hosts(tmp_path, len(CLOCKS), CLOCKS)
    life = Life(hosts, SEED)
    life.live(ACTS)
    life.settle()
    first = hosts[0].files()
    for host in hosts:
        files = host.files()
        assert files.keys() == first.keys(), files.keys() ^ first.keys()
        assert {path for path in files if files[path] != first[path]} == set(), host.name
        assert lost(life.facts, files) == []
        assert [fact for fact in life.redacted if fact not in lost(life.redacted, files)] == []
        with host.open() as memory:
            problems = [one for one in memory.verify().problems if one.code not in CLOCKS_ARE_WRONG]
            assert problems == [], host.name
    refused = [one for one in life.refused if one.startswith("sync")]
    assert refused == []
    assert len(life.refused) < ACTS // 3, life.refused
