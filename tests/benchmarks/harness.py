"""Measuring: whole processes in turn, medians, and ratios within one run.

What is compared runs A B A B …, so that whatever else the machine does falls on both. A ratio of medians says how many
times as long the first takes; where a goal stands, the report says whether it was met. Figures of another run, another
machine or another person are shown beside as such and never divided by.
"""

import compileall
import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import markdown_memory

PACKAGE = Path(markdown_memory.__file__).parent
PATIENCE = 600  # seconds for one process


class Command(NamedTuple):
    """A process that is timed: its words, its variables, and its folder."""

    words: Sequence[str]
    environment: Mapping[str, str] = {}
    cwd: str | None = None


class Result(NamedTuple):
    """A figure of ours, one of a peer in the same run, and the ratio that is wanted. Seconds unless said."""

    benchmark: str
    what: str
    figure: float
    peer: str = ""
    peer_figure: float = 0.0
    goal: float = 0.0
    note: str = ""
    unit: str = "s"

    @property
    def ratio(self) -> float:
        """How many times as long as the peer; 0 without one."""
        return self.figure / self.peer_figure if self.peer_figure else 0.0

    @property
    def verdict(self) -> str:
        """Whether the goal was met; empty where there is none."""
        return "" if not self.goal else "met" if self.ratio <= self.goal else "MISSED"

    def as_json(self) -> dict[str, object]:
        """The figure as a JSON object."""
        return {**self._asdict(), "ratio": round(self.ratio, 3), "verdict": self.verdict}


class Skipped(Exception):
    """A benchmark that cannot be run here, and why."""


class Failed(Exception):
    """A process that was to be timed did not do its work."""


def program() -> list[str]:
    """The words that start `mdmem` as a user does: by the script that the installer made, where there is one."""
    script = Path(sys.executable).with_name("mdmem")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "markdown_memory"]


def compile_package() -> None:
    """Byte-compile what is measured, as an installer does; else each start would compile it again."""
    compileall.compile_dir(PACKAGE, quiet=2)


def clean_environment(more: Mapping[str, str]) -> dict[str, str]:
    """Variables for a timed process: none but the path, the processor's and those given."""
    kept = ("PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "SYSTEMROOT")
    return {key: os.environ[key] for key in kept if key in os.environ} | dict(more)


def seconds(command: Command) -> float:
    """How long one process takes, from before its start until it has ended."""
    environment = clean_environment(command.environment)
    started = time.perf_counter()
    done = subprocess.run(
        command.words,
        env=environment,
        cwd=command.cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    elapsed = time.perf_counter() - started
    if done.returncode:
        raise Failed(
            f"{' '.join(command.words)}: exit {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}"
        )
    return elapsed


def in_turn(commands: Sequence[Command], rounds: int, warm: int = 2) -> list[float]:
    """Medians of processes that are run in turn, after rounds that only warm the disk cache."""
    times: list[list[float]] = [[] for _ in commands]
    for number in range(warm + rounds):
        for at, command in enumerate(commands):
            took = seconds(command)
            if number >= warm:
                times[at].append(took)
    return [statistics.median(one) for one in times]


def calls_in_turn(calls: Sequence[Callable[[], object]], rounds: int, warm: int = 3) -> list[float]:
    """Medians of calls within this process, run in turn with the garbage collector out of the way."""
    times: list[list[float]] = [[] for _ in calls]
    with _no_collection():
        for number in range(warm + rounds):
            for at, call in enumerate(calls):
                started = time.perf_counter()
                call()
                if number >= warm:
                    times[at].append(time.perf_counter() - started)
    return [statistics.median(one) for one in times]


@contextmanager
def _no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def human(value: float, unit: str = "s") -> str:
    """A figure with three digits that mean something."""
    if unit != "s":
        return f"{value:.3g} {unit}".rstrip()
    return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"
