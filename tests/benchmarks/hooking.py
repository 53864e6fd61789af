"""Hooks as whole processes, as a client starts them: at a session's start, and with every prompt.

Each call is a session of its own, so that nothing counts as shown before. The shell that hands in the event is in our
figures, and in those of neither peer.
"""

import json
import shlex
import statistics
import sys
from collections.abc import Iterator

from tests.benchmarks.harness import Command, Result, in_turn
from tests.benchmarks.searching import BARE_WHOOSH, GOAL, terms, whoosh_folder
from tests.benchmarks.vaults import Vault
from tests.benchmarks.workshop import Workshop

SMALL, NOTES = 1_000, 10_000
START_GOAL = 5.0


def hooks(shop: Workshop) -> Iterator[Result]:
    """Session start at most 5 times `python -c pass`; a prompt, at 10,000 notes, at most 1.3 times bare Whoosh."""
    for notes in (SMALL, NOTES):
        vault = shop.vault(notes)
        begins = _hook(shop, vault, notes, "session-start", {"hook_event_name": "SessionStart", "source": "startup"})
        nothing, ours = in_turn([shop.nothing(vault.environment), begins], shop.rounds(20))
        yield Result("hooks", f"session start, {notes:,} notes", ours, "python -c pass", nothing, START_GOAL)
    folder, times = whoosh_folder(vault), []
    for query in vault.queries:
        asks = _hook(shop, vault, NOTES, "prompt", {"hook_event_name": "UserPromptSubmit", "prompt": query.words})
        bare = Command([sys.executable, "-c", BARE_WHOOSH, folder, *terms(query.words)], vault.environment, shop.folder)
        times.append(in_turn([asks, bare], shop.rounds(7), warm=1))
    ours, bare_median = (statistics.median(one) for one in zip(*times, strict=True))
    yield Result("hooks", f"prompt, {NOTES:,} notes", ours, "bare whoosh", bare_median, GOAL)


def _hook(shop: Workshop, vault: Vault, notes: int, event: str, given: dict[str, str]) -> Command:
    """The hook as Claude Code calls it; the shell's number tells the sessions apart."""
    call = shop.mdmem(notes, "hook", "claude-code", event)
    told = json.dumps({"session_id": "s-%s", "cwd": vault.root, **given}).replace("'", "")
    words = ["sh", "-c", f"printf '{told}' $$ | {shlex.join(call.words)}"]
    return Command(words, {**call.environment, "MDMEM_AGENT": "lyra"}, call.cwd)
