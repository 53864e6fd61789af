"""What a search answers: hits with their provenance, and how far the answer can be trusted."""

from collections.abc import Sequence
from typing import NamedTuple


class Hit(NamedTuple):
    """One note of an answer. `score` orders one answer's hits; `relevance` (0..1) compares between answers."""

    name: str
    path: str
    score: float
    relevance: float
    description: str
    type: str
    status: str
    project: str
    branch: str
    agent: str
    source: str
    trust: str
    tags: tuple[str, ...]
    updated: str
    superseded_by: str
    valid_from: str
    valid_until: str
    expired: bool
    early: bool
    """Whether it is not valid yet."""
    snippet: str
    line: int
    marks: tuple[tuple[int, int], ...]
    parts: dict[str, float]
    same_as: tuple[str, ...]
    """Paths of notes with the same text, folded into this hit."""
    similar: tuple[str, ...] = ()
    """Paths of notes with nearly the same text, folded into this hit."""
    near: tuple[tuple[str, str], ...] = ()
    """(path, how) of what stands beside it, when asked for: "before", "after", "links here", "linked"."""
    attestation: str = ""
    """When asked for: "reviewed" (a person signed these bytes), "unreviewed" (an agent did), "unconfirmed" (a writer
    that nobody has confirmed), "by-hand" (edited since it was signed), "unsigned"."""
    attested_by: str = ""
    vault: str = ""
    """The vault's name, where several were asked at once."""

    def told(self) -> str:
        """As one line for an agent: its link, and what it says without Markdown's marks before it."""
        said = " ".join((self.snippet or self.description).split()).lstrip("#>*-+| ")
        return f"[[{self.name}]] — {said}" if said else f"[[{self.name}]]"


class Answer(NamedTuple):
    """The hits and how they came about.

    `considered` notes passed the filters and `matched` held some word. `truncated`: there were more than
    `limit`. `degraded` has one sentence for everything that did not work as it should; `index_age` is in
    seconds, 0 when the index was brought up to date for this search.
    """

    hits: tuple[Hit, ...]
    considered: int = 0
    matched: int = 0
    truncated: bool = False
    degraded: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    index_age: float = 0.0
    mode: str = "text"


def together(answers: Sequence[tuple[str, Answer]], limit: int) -> Answer:
    """The answers of several vaults, each with its name, as one.

    Each vault's hits keep their order; between vaults, what covers more of the question comes first.
    """
    if len(answers) == 1:
        return answers[0][1]
    queues = [[hit._replace(vault=name) for hit in answer.hits] for name, answer in answers]
    hits: list[Hit] = []
    while any(queues) and len(hits) < limit:
        best = max((queue for queue in queues if queue), key=lambda queue: queue[0].relevance)
        hits.append(best.pop(0))
    found = [answer for _, answer in answers]
    return Answer(
        tuple(hits),
        considered=sum(one.considered for one in found),
        matched=sum(one.matched for one in found),
        truncated=any(one.truncated for one in found) or any(queues),
        degraded=tuple(f"{name}: {said}" for name, one in answers for said in one.degraded),
        hints=tuple(dict.fromkeys(said for one in found for said in one.hints)),
        index_age=max((one.index_age for one in found), default=0.0),
        mode=found[0].mode if found else "text",
    )
