"""Searching cold: one process that opens the vault, asks, and prints what it found.

The first peer is a script that only imports Whoosh, opens the same index and runs the same query; it checks no file,
reads no note and prints no snippet. The others are neighbours' command lines over the same files.
"""

import json
import os
import statistics
import sys
from collections.abc import Iterator

from tests.benchmarks.harness import Command, Result, Skipped, in_turn, seconds
from tests.benchmarks.vaults import Vault
from tests.benchmarks.workshop import Workshop

SIZES = (1_000, 10_000)
GOAL = 1.3
BARE_WHOOSH = """
import sys
from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex
from whoosh.query import Or, Term
from whoosh.scoring import BM25F

folder, *terms = sys.argv[1:]
index = FileIndex(FileStorage(folder), indexname="notes")
with index.searcher(weighting=BM25F()) as searcher:
    print(len(searcher.search(Or([Term("text", term) for term in terms]), limit=20)))
"""


def search(shop: Workshop) -> Iterator[Result]:
    """Cold `search` with 1,000 and 10,000 notes: at most 1.3 times bare Whoosh, and ahead of the neighbours."""
    for notes in SIZES:
        vault = shop.vault(notes)
        yield from _beside_bare_whoosh(shop, vault, notes)
        yield from _beside_peers(shop, vault, notes)
    shop.say_if_alone()


def _beside_bare_whoosh(shop: Workshop, vault: Vault, notes: int) -> Iterator[Result]:
    folder = whoosh_folder(vault)
    times: list[list[float]] = []
    for query in vault.queries:
        bare = Command([sys.executable, "-c", BARE_WHOOSH, folder, *terms(query.words)], vault.environment, shop.folder)
        ours = shop.mdmem(notes, "search", *query.words.split())
        times.append(in_turn([ours, bare], shop.rounds(7), warm=1))
    ours_median, bare_median = (statistics.median(one) for one in zip(*times, strict=True))
    yield Result("search", f"search, {notes} notes", ours_median, "bare whoosh", bare_median, GOAL)


def _beside_peers(shop: Workshop, vault: Vault, notes: int) -> Iterator[Result]:
    for peer in shop.peers:
        state = shop.peer_state(peer, notes)
        seconds(peer.build(vault.root, state))
        times = []
        for query in vault.queries:
            ours = shop.mdmem(notes, "search", *query.words.split())
            times.append(in_turn([ours, peer.ask(vault.root, state, query.words)], shop.rounds(5), warm=1))
        ours_median, theirs = (statistics.median(one) for one in zip(*times, strict=True))
        yield Result("search", f"search, {notes} notes", ours_median, peer.name, theirs, 1.0)


def terms(words: str) -> list[str]:
    """What the analyzer makes of the words of a query."""
    from markdown_memory.search import analyzer

    return list(dict.fromkeys(analyzer.query_terms(words)))


def whoosh_folder(vault: Vault) -> str:
    """The folder in which Whoosh's own files of the shared index lie."""
    for folder, _, files in os.walk(os.path.join(vault.home, "cache")):
        if "state.json" in files and folder.endswith("fulltext-shared"):
            with open(os.path.join(folder, "state.json"), encoding="utf-8") as file:
                return os.path.join(folder, json.load(file)["folder"])
    raise Skipped(f"no full-text index below {vault.home}")
