"""Indexing: the first search in a vault that this machine has never seen, and the one after an edit."""

import os
from collections.abc import Iterator

from tests.benchmarks.harness import Result, in_turn, seconds
from tests.benchmarks.workshop import Workshop

SIZES = (1_000, 10_000)
EDITED_VAULT = 10_000


def index(shop: Workshop) -> Iterator[Result]:
    """First index of 1,000 and 10,000 notes, catalog and checks included, beside the neighbours' own."""
    for notes in SIZES:
        vault = shop.vault(notes)
        shop.forget_index(notes)
        ours = seconds(shop.mdmem(notes, "search", "anything"))
        yield Result("index", f"first index, {notes} notes", ours)
        for peer in shop.peers:
            theirs = seconds(peer.build(vault.root, shop.peer_state(peer, notes)))
            yield Result("index", f"first index, {notes} notes", ours, peer.name, theirs)
    shop.say_if_alone()


def refresh(shop: Workshop) -> Iterator[Result]:
    """A search right after one note was edited by hand, against the same search without an edit, with 10,000 notes."""
    vault = shop.vault(EDITED_VAULT)
    search = shop.mdmem(EDITED_VAULT, "search", *vault.queries[0].words.split())
    note = _path_of(vault.root, vault.names[0])
    times: list[tuple[float, float]] = []
    for number in range(shop.rounds(9)):
        quiet = seconds(search)
        with open(note, "a", encoding="utf-8") as file:
            file.write(f"Edited by hand {number}.\n")
        times.append((seconds(search), quiet))
    edited, quiet = (sorted(one)[len(times) // 2] for one in zip(*times, strict=True))
    yield Result("refresh", "search after one edit, 10k notes", edited, "the same without an edit", quiet)


def scan(shop: Workshop) -> Iterator[Result]:
    """What looking at every file costs: `list` of one note with 10,000 notes, against 1,000."""
    for notes in SIZES:
        shop.vault(notes)
    many, few = in_turn([shop.mdmem(notes, "list", "--tag", "none") for notes in reversed(SIZES)], shop.rounds(9))
    yield Result("scan", "list, 10k notes", many, "list, 1k notes", few)


def _path_of(root: str, name: str) -> str:
    for folder, _, files in os.walk(os.path.join(root, "memory")):
        if f"{name}.md" in files:
            return os.path.join(folder, f"{name}.md")
    raise FileNotFoundError(name)
