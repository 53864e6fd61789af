"""Eight processes append 2,000 entries each, four of them as the same writer, and one after another is killed.

Every acknowledged entry is there exactly once, and every chain verifies. The processes leave out fsync: a process that
is killed loses nothing that it has handed to the kernel, and what a power cut would do cannot be shown here.
"""

import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from markdown_memory.storage.log_file import LogStore
from markdown_memory.storage.places import default_places

EACH = 2000
AGENTS = ("lyra", "lyra", "lyra", "lyra", "ella", "mara", "noor", "otto")
VAULT = "vault-of-tests"
DEADLINE = 240.0
WITHOUT_FSYNC = (
    "import os, runpy; os.fsync = lambda handle: None; runpy.run_module('tests.system.appender', run_name='__main__')"
)


class Worker:
    """One of the eight; started anew with what is left whenever it was killed."""

    def __init__(self, base: Path, number: int) -> None:
        self.base = base
        self.agent = AGENTS[number]
        self.first = number * 100_000
        self.acknowledged: list[str] = []
        self.kills = 0
        self._out = base / f"acknowledged-{number}"
        self._out.touch()
        self.process = self.start()

    def start(self) -> "subprocess.Popen[bytes]":
        given = [
            str(self.base / "vault"),
            str(self.base / "home"),
            VAULT,
            self.agent,
            str(self.first),
            str(EACH - self.done),
        ]
        with self._out.open("ab") as out:
            return subprocess.Popen(
                [sys.executable, "-c", WITHOUT_FSYNC, *given], stdout=out, cwd=Path(__file__).parents[2]
            )

    @property
    def done(self) -> int:
        return self._out.read_bytes().count(b"\n")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.kills += 1
        self.first += 10_000  # texts of a new run differ from those that were on their way
        self.process = self.start()

    def lines(self) -> list[str]:
        return [line for line in self._out.read_text().split("\n")[:-1] if line]


@pytest.mark.slow
def test_no_acknowledged_entry_is_lost_or_doubled(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    logs = LogStore(str(tmp_path / "vault"), VAULT, default_places(str(tmp_path / "home")), time.time)
    person = logs.root_person("ana")
    for agent in dict.fromkeys(AGENTS):
        writer = logs.writer(agent)
        logs.introduce(writer)
        logs.confirm(person, writer)
    workers = [Worker(tmp_path, number) for number in range(len(AGENTS))]
    choose, stop = random.Random(1), time.monotonic() + DEADLINE
    while any(worker.process.poll() is None for worker in workers):
        assert time.monotonic() < stop, [worker.done for worker in workers]
        running = [worker for worker in workers if worker.process.poll() is None and worker.done < EACH - 50]
        if running and sum(worker.kills for worker in workers) < 40:
            choose.choice(running).kill()
        _wait_for_progress(workers, stop)
    assert [worker.process.returncode for worker in workers] == [0] * len(workers)
    acknowledged = [line.split(" ") for worker in workers for line in worker.lines()]
    reading = logs.read("live-context", thorough=True)
    assert reading.problems == () and reading.notices == ()
    texts = {entry.id: entry.text for entry in reading.entries}
    assert len(acknowledged) == EACH * len(AGENTS)
    assert all(texts[name] == text for name, text in acknowledged)
    assert max(Counter(texts.values()).values()) == 1
    assert len({entry.writer for entry in reading.entries}) == len(set(AGENTS)), "four processes were one writer"
    assert len(texts) <= len(acknowledged) + sum(worker.kills for worker in workers)


def _wait_for_progress(workers: list[Worker], stop: float) -> None:
    """Until some hundred entries more are acknowledged, or all is done."""
    goal = sum(worker.done for worker in workers) + 300
    while sum(worker.done for worker in workers) < goal and time.monotonic() < stop:
        if all(worker.process.poll() is not None for worker in workers):
            return
        os.sched_yield()
        time.sleep(0.05)
