"""Searching warm: one process that keeps its index open, as a server does; processor time of one query.

Queries are eight words drawn by Zipf's law from the words that mean something, some of them in many notes.
The peer is Whoosh's own search over the same files, in turn within the same run. Through the API a search
also looks at every file for changes, reads its hits and cuts their snippets; that is measured beside.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator

from markdown_memory.core.query import Query
from markdown_memory.memory import Memory
from markdown_memory.search.port import Filter
from markdown_memory.search.whoosh_index import WhooshIndex
from markdown_memory.search.whoosh_schema import stock_search
from markdown_memory.storage.places import default_places
from tests.benchmarks.harness import Result
from tests.benchmarks.searching import terms, whoosh_folder
from tests.benchmarks.vaults import Vault, Words
from tests.benchmarks.workshop import Workshop

SIZES = (10_000,)
WORDS = 8
QUERIES = 40


def warm(shop: Workshop) -> Iterator[Result]:
    """One warm query at 10,000 notes: processor time, median over many hard queries."""
    for notes in SIZES:
        yield from _at(shop.vault(notes), notes, hard_queries(shop.rounds(QUERIES)))


def _at(vault: Vault, notes: int, queries: list[str]) -> Iterator[Result]:
    folder = whoosh_folder(vault)
    index = WhooshIndex(folder.rpartition("/")[0])
    ours = medians(queries, lambda words: index.search(Query(tuple(words.split())), 20, Filter()))
    index.close()
    stock = medians(queries, lambda words: stock_search(folder, terms(words), 20))
    yield Result("warm", f"index alone, {notes} notes", ours, peer="Whoosh's search", peer_figure=stock, goal=0.5)
    yield Result("warm", f"through the API, {notes} notes", medians(queries, through_the_api(vault)))


def hard_queries(count: int) -> list[str]:
    """Words as frequent as those of the notes, the same for every run."""
    words = Words(random.Random(1))  # the same words as the vault's
    return [" ".join(words.telling(WORDS)) for _ in range(count)]


def medians(queries: list[str], ask: Callable[[str], object]) -> float:
    """Seconds of processor time of the median query; each is asked once, after another one has opened the index."""
    ask("anything")
    times = []
    for words in queries:
        began = time.process_time()
        ask(words)
        times.append(time.process_time() - began)
    return statistics.median(times)


def through_the_api(vault: Vault) -> Callable[[str], object]:
    """A search as programs call it."""
    memory = Memory.open(vault.root, places=default_places(vault.home))
    return memory.search
