"""LoCoMo's conversations as turns and questions, and what a search under test is."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

CATEGORIES = {1: "several turns", 2: "temporal", 3: "inference", 4: "single fact"}
CUTS = (5, 10, 20)
DEPTH = 20


class Turn(NamedTuple):
    """One thing said: its id, who said it when in which session, and the text of its note."""

    id: str
    speaker: str
    session: int
    text: str


class Question(NamedTuple):
    """A question, the ids of the turns that answer it, and its category."""

    text: str
    gold: frozenset[str]
    category: int


class Conversation(NamedTuple):
    """Turns in order, the questions that can be scored, and how many cannot."""

    name: str
    turns: list[Turn]
    questions: list[Question]
    skipped: int


Ranker = Callable[[str], Sequence[str]]
"""From a question to turn ids, best first."""


class Design(NamedTuple):
    """A way to search: given a conversation, it yields a ranker. `speed` is its own share of the report."""

    name: str
    open: Callable[[Conversation], Any]


def read(path: Path) -> list[Conversation]:
    """The conversations of a data file."""
    return [_conversation(one) for one in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(data: dict[str, Any]) -> Conversation:
    turns = list(_turns(data["conversation"]))
    known = {turn.id for turn in turns}
    questions, skipped = [], 0
    for asked in data["qa"]:
        if asked["category"] in CATEGORIES:
            gold = frozenset(asked.get("evidence", ()))
            if gold and gold <= known:
                questions.append(Question(asked["question"], gold, asked["category"]))
            else:
                skipped += 1
    return Conversation(data["sample_id"], turns, questions, skipped)


def _turns(conversation: dict[str, Any]) -> Iterator[Turn]:
    for session in range(1, 1000):
        date = conversation.get(f"session_{session}_date_time", "")
        for turn in conversation.get(f"session_{session}", ()):
            caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']} ({date}): {turn['text']}{caption}"
            yield Turn(turn["dia_id"], turn["speaker"], session, text)
