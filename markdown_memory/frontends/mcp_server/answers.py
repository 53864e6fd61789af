"""The shapes of what the tools return. Text is cut to a budget, and a cut says how to go on."""

from typing import TYPE_CHECKING, NotRequired, TypedDict

if TYPE_CHECKING:
    from markdown_memory.memory import Answer, Hit, LogLine

BUDGET = 12_000
"""Characters of text in one answer, about 3,000 tokens."""


class HitAnswer(TypedDict):
    name: str
    path: str
    type: str
    score: float
    snippet: str
    line: int
    branch: str
    by: str
    source: str
    trust: str
    status: str
    note: NotRequired[str]


class HitsAnswer(TypedDict):
    hits: list[HitAnswer]
    considered: int
    next_offset: NotRequired[int]
    notices: NotRequired[list[str]]


class NoteAnswer(TypedDict):
    name: str
    path: str
    hash: str
    status: str
    text: str
    next_offset: NotRequired[int]


class DoneAnswer(TypedDict):
    path: str
    status: str
    note: NotRequired[str]


class EntryAnswer(TypedDict):
    id: str
    time: str


class LogAnswer(TypedDict):
    entries: list[str]
    left: int


def hits_answer(answer: "Answer", offset: int, limit: int) -> HitsAnswer:
    """One page of hits."""
    page = answer.hits[offset : offset + limit]
    shown: list[HitAnswer] = []
    room = BUDGET
    for hit in page:
        one = _hit(hit)
        room -= sum(len(str(value)) for value in one.values()) + 100
        if shown and room < 0:
            break
        shown.append(one)
    found: HitsAnswer = {"hits": shown, "considered": answer.considered}
    if offset + len(shown) < len(answer.hits) or (answer.truncated and len(shown) == len(page) and shown):
        found["next_offset"] = offset + len(shown)
    if notices := [*answer.degraded, *answer.hints]:
        found["notices"] = notices
    return found


def note_answer(name: str, path: str, sha256: str, status: str, text: str, offset: int) -> NoteAnswer:
    """A note, or the piece of it that begins at `offset`."""
    answer: NoteAnswer = {
        "name": name,
        "path": path,
        "hash": sha256,
        "status": status,
        "text": text[offset : offset + BUDGET],
    }
    if offset + BUDGET < len(text):
        answer["next_offset"] = offset + BUDGET
    return answer


def log_answer(lines: "list[LogLine]", briefs: list[str]) -> tuple[LogAnswer, "list[LogLine]"]:
    """The oldest lines that fit, how many are left, and the lines that were given out."""
    room, given = BUDGET, 0
    for brief in briefs:
        room -= len(brief) + 8
        if given and room < 0:
            break
        given += 1
    return {"entries": briefs[:given], "left": len(briefs) - given}, lines[:given]


def _hit(hit: "Hit") -> HitAnswer:
    one: HitAnswer = {
        "name": hit.name,
        "path": hit.path,
        "type": hit.type,
        "score": round(hit.score, 3),
        "snippet": hit.snippet,
        "line": hit.line,
        "branch": hit.branch,
        "by": hit.agent,
        "source": hit.source,
        "trust": hit.trust,
        "status": hit.status,
    }
    if said := _caution(hit):
        one["note"] = said
    return one


def _caution(hit: "Hit") -> str:
    if hit.superseded_by:
        return f"superseded by {hit.superseded_by}"
    if hit.expired:
        return f"was valid until {hit.valid_until}"
    return "not reviewed yet" if hit.status == "proposal" else ""
