"""The shapes of what the tools return. Text is cut to a budget, and a cut says how to go on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import BaseModel

if TYPE_CHECKING:
    from markdown_memory.memory import Answer, Hit, LogLine

BUDGET = 12_000
"""Characters of text in one answer, about 3,000 tokens."""


class HitAnswer(BaseModel):
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
    note: str = ""


class HitsAnswer(BaseModel):
    hits: list[HitAnswer]
    considered: int
    next_offset: int = 0
    notices: list[str] = []


class NoteAnswer(BaseModel):
    name: str
    path: str
    hash: str
    status: str
    text: str
    next_offset: int = 0


class DoneAnswer(BaseModel):
    path: str
    status: str
    note: str = ""


class EntryAnswer(BaseModel):
    id: str
    time: str
    note: str = ""


class LogAnswer(BaseModel):
    entries: list[str]
    left: int


def hits_answer(answer: "Answer", offset: int, limit: int) -> HitsAnswer:
    """One page of hits; `next_offset` 0 means that there are no more."""
    page = answer.hits[offset : offset + limit]
    shown: list[HitAnswer] = []
    room = BUDGET
    for hit in page:
        one = _hit(hit)
        room -= sum(len(str(value)) for _, value in one) + 100
        if shown and room < 0:
            break
        shown.append(one)
    more = offset + len(shown) < len(answer.hits) or (answer.truncated and bool(shown))
    return HitsAnswer(
        hits=shown,
        considered=answer.considered,
        next_offset=offset + len(shown) if more else 0,
        notices=[*answer.degraded, *answer.hints],
    )


def note_answer(name: str, path: str, sha256: str, status: str, text: str, offset: int) -> NoteAnswer:
    """A note, or the piece of it that begins at `offset`; `next_offset` 0 means that this is the end."""
    end = offset + BUDGET
    return NoteAnswer(
        name=name,
        path=path,
        hash=sha256,
        status=status,
        text=text[offset:end],
        next_offset=end if end < len(text) else 0,
    )


def log_answer(lines: "list[LogLine]", briefs: list[str]) -> tuple[LogAnswer, "list[LogLine]"]:
    """The oldest lines that fit, how many are left, and the lines that were given out."""
    room, given = BUDGET, 0
    for brief in briefs:
        room -= len(brief) + 8
        if given and room < 0:
            break
        given += 1
    return LogAnswer(entries=briefs[:given], left=len(briefs) - given), lines[:given]


def _hit(hit: "Hit") -> HitAnswer:
    return HitAnswer(
        name=hit.name,
        path=hit.path,
        type=hit.type,
        score=round(hit.score, 3),
        snippet=hit.snippet,
        line=hit.line,
        branch=hit.branch,
        by=hit.agent,
        source=hit.source,
        trust=hit.trust,
        status=hit.status,
        note="; ".join(_remarks(hit)),
    )


def _remarks(hit: "Hit") -> Iterator[str]:
    """What a reader should know before it believes the hit, and what belongs to it."""
    if hit.superseded_by:
        yield f"superseded by {hit.superseded_by}"
    if hit.expired:
        yield f"was valid until {hit.valid_until}"
    if hit.early:
        yield f"valid from {hit.valid_from}"
    if hit.status == "proposal":
        yield "not reviewed yet"
    elif hit.attestation not in ("", "reviewed"):
        yield " by ".join(
            filter(None, (hit.attestation.replace("by-hand", "edited by hand since signed"), hit.attested_by))
        )
    if hit.same_as or hit.similar:
        yield f"same: {', '.join((*hit.same_as, *hit.similar))}"
    if hit.near:
        yield f"near: {', '.join(f'{path} ({how})' for path, how in hit.near)}"
