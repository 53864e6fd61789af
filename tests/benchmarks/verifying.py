"""Checking a whole log, against the least that it can cost: checking its signatures in a bare loop."""

import os
import time
from collections.abc import Iterator

from markdown_memory.core.entry import Entry, signed
from markdown_memory.storage.keys import verify as check
from markdown_memory.storage.log_file import LogStore
from markdown_memory.storage.places import default_places
from tests.benchmarks.harness import Result, calls_in_turn
from tests.benchmarks.workshop import Workshop
from tests.scribe import VAULT, Scribe

ENTRIES = 100_000
GOAL = 1.5
AGENTS = ("ana", "lyra", "ella", "noor")
MONTHS = ("2026-08", "2026-09", "2026-10", "2026-11")


def verify(shop: Workshop) -> Iterator[Result]:
    """A thorough check of 100,000 entries of four writers: at most 1.5 times their signatures in a bare loop."""
    folder = os.path.join(shop.folder, "long-log")
    scribes = [Scribe(agent, seed + 1) for seed, agent in enumerate(AGENTS)]
    entries = _log_of(scribes, os.path.join(folder, "vault"))
    publics = {scribe.id: scribe.public for scribe in scribes}
    messages = [(publics[entry.writer], entry.sig, signed(entry)) for entry in entries]
    logs = LogStore(os.path.join(folder, "vault"), VAULT, default_places(os.path.join(folder, "home")), time.time)

    def thorough() -> None:
        reading = logs.read("live-context", thorough=True)
        assert len(reading.entries) == len(entries) and not reading.problems

    def loop() -> None:
        assert all(check(*message) for message in messages)

    ours, bare = calls_in_turn([thorough, loop], shop.rounds(3))
    yield Result("verify", f"{len(entries):,} entries, thorough", ours, "their signatures", bare, GOAL)
    (light,) = calls_in_turn([lambda: logs.read("live-context")], shop.rounds(3))
    yield Result("verify", "the same, as read by a session", light, "their signatures", bare)


def _log_of(scribes: list[Scribe], root: str) -> list[Entry]:
    """A log on the disk; every fifth entry has seen the others' newest."""
    for number, scribe in enumerate(scribes):
        scribe.introduce("root" if number == 0 else "introduce", "person" if number == 0 else "agent")
        _write(root, scribe, "keys", MONTHS[-1], scribe.chains["keys"])
    each = ENTRIES // len(scribes) // len(MONTHS)
    for month in MONTHS:
        for number in range(each):
            for scribe in scribes:
                others = [other.chains["live-context"][-1] for other in scribes if other.chains.get("live-context")]
                seen = [entry.head for entry in others if entry.writer != scribe.id] if number % 5 == 0 else []
                seconds = 86_400 * 27 * number // each
                clock = f"{seconds % 86400 // 3600:02}:{seconds % 3600 // 60:02}:{seconds % 60:02}"
                text = f"Shipped the refresh fix and watched the queue for ten minutes (PR {number})"
                scribe.write(text, time=f"{month}-{1 + seconds // 86400:02}T{clock}", seen=seen)
        for scribe in scribes:
            _write(root, scribe, "live-context", month, scribe.chains["live-context"][-each:])
    return [entry for scribe in scribes for entry in scribe.chains["live-context"]]


def _write(root: str, scribe: Scribe, log: str, month: str, entries: list[Entry]) -> None:
    file, data = scribe.file(entries, month, log)
    path = os.path.join(root, file.path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as target:
        target.write(data)
