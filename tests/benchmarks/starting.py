"""Starting: the verbs of every turn, as whole processes, against a Python that does nothing."""

from collections.abc import Iterator

from tests.benchmarks.harness import Result, in_turn
from tests.benchmarks.workshop import Workshop

NOTES = 1_000
GOAL = 5.0


def start(shop: Workshop) -> Iterator[Result]:
    """`context` and `show` with 1,000 notes: at most 5 times `python -c pass`."""
    vault = shop.vault(NOTES)
    name, query = vault.names[NOTES // 2], vault.queries[0].words
    commands = {
        "context, 1k notes": shop.mdmem(NOTES, "context"),
        "context as an agent": shop.mdmem(NOTES, "context", MDMEM_AGENT="lyra"),
        "show, 1k notes": shop.mdmem(NOTES, "show", name),
    }
    beside = {"context --query, which searches": shop.mdmem(NOTES, "context", "--query", query)}
    nothing, *ours = in_turn([shop.nothing(vault.environment), *commands.values(), *beside.values()], shop.rounds(30))
    for what, seconds in zip([*commands, *beside], ours, strict=True):
        yield Result("start", what, seconds, "python -c pass", nothing, GOAL if what in commands else 0)
