"""From a transcript to proposals: what is new in it, the strongest first, put before a person."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.errors import FormatError
from markdown_memory.features.transcripts import Fresh, Reading, Transcript, source
from markdown_memory.rules import proposals
from markdown_memory.rules.extraction import FAILURES, RULES, Extract, Found, extract, failure_rule

if TYPE_CHECKING:
    from markdown_memory.memory.vault import Memory

MOST = 5
"""Facts that one session may propose; a queue that is too long is not read."""
AT_A_TIME = 8_000_000
"""Bytes that a hook reads: it has a second, and goes on where it stopped."""
_LINE = 200
_FEWEST_WORDS = 4
_ORDER = ("correction", "decision", "failure-pattern", "preference")


class FromTranscript(NamedTuple):
    """One fact of a transcript: by which rule it was found, and what became of it."""

    kind: str
    text: str
    trust: str
    source: str
    rule: str
    state: str
    """waiting, accepted or rejected as of a proposal; `new` when nothing was written."""
    path: str = ""
    note: str = ""


class Retained(NamedTuple):
    """What a transcript gave."""

    facts: tuple[FromTranscript, ...]
    turns: int
    broken: int
    left_out: int
    """Facts beyond the limit; their turns are not done with, and a higher limit brings them."""
    before: int = 0
    """Turns of which everything had been proposed before."""


def retain_transcript(
    memory: "Memory",
    path: str,
    *,
    dry_run: bool = False,
    limit: int = MOST,
    namespace: str | None = None,
    by_hook: bool = False,
    rules: Extract = extract,
) -> Retained:
    """Propose what a transcript of Claude Code or Codex holds and has not been proposed before.

    FormatError when nobody says anything in it, unless a hook asks: a session may just have begun.
    """
    transcript = Transcript(memory.workspace, path)
    reading = transcript.look(rules=rules, going_on=by_hook, most=AT_A_TIME if by_hook else 0)
    if not (reading.turns or by_hook):
        raise FormatError(f"{path} holds no turn of a session; give a transcript of Claude Code or Codex (JSON lines).")
    known = _known(memory)
    found = [one for fresh in reading.fresh for one in fresh.found]
    new = sorted((one for one in found if _key(one.text) not in known), key=_rank)
    room = max(0, limit - transcript.proposed)
    taken = sorted(new[:room], key=lambda one: one.line)
    facts = [_said_before(transcript, one, known) for one in found if _key(one.text) in known]
    if dry_run:
        facts += [_fact(transcript, one, "new") for one in taken]
    else:
        facts += [_retain(memory, transcript, one, namespace) for one in taken]
        waiting = sum(one.state == "waiting" and not one.note for one in facts)
        transcript.remember(reading, _done(reading, new[room:]), waiting)
    before = reading.turns - len(reading.fresh)
    return Retained(tuple(facts), reading.turns, reading.broken, len(new) - len(taken), before)


class RuleTold(NamedTuple):
    """A rule as a person is told of it; `who` is user, agent or both."""

    name: str
    kind: str
    who: str
    example: str


def rules_told() -> list[RuleTold]:
    """Every rule by which facts are found."""
    told = [RuleTold(rule.name, rule.kind, rule.who, rule.example) for rule in RULES]
    return told + [RuleTold(failure_rule(one), "failure-pattern", "both", one.example) for one in FAILURES]


def _retain(memory: "Memory", transcript: Transcript, found: Found, namespace: str | None) -> FromTranscript:
    proposal = memory.retain(
        found.text,
        kind=found.kind,
        source=source(transcript.path, found.line, os.path.expanduser("~")),
        description=_description(found.text),
        trust=found.trust,
        namespace=namespace,
    )
    return _fact(transcript, found, proposal.state, proposal.path, proposal.note)


def _fact(transcript: Transcript, found: Found, state: str, path: str = "", note: str = "") -> FromTranscript:
    where = source(transcript.path, found.line, os.path.expanduser("~"))
    return FromTranscript(found.kind, found.text, found.trust, where, found.rule, state, path, note)


def _said_before(transcript: Transcript, found: Found, known: dict[str, str]) -> FromTranscript:
    path = known[_key(found.text)]
    state = "accepted" if path.startswith("memory/") else "waiting"
    return _fact(transcript, found, state, path, f"{path} says the same; nothing was added.")


def _known(memory: "Memory") -> dict[str, str]:
    """What notes and proposals say in one line, and where."""
    headers = memory.workspace.headers()
    return {_key(one.description): one.path for one in headers if one.status in ("accepted", "proposal")}


def _key(text: str) -> str:
    """A line without case and punctuation."""
    return " ".join("".join(char if char.isalnum() else " " for char in _description(text).casefold()).split())


def _description(text: str) -> str:
    from markdown_memory.rules.budget import shorten

    first = proposals.describe(text)
    whole = " ".join(text.split("\n\n", maxsplit=1)[0].split())
    return shorten(first if len(first.split()) >= _FEWEST_WORDS else whole, _LINE)


def _rank(found: Found) -> tuple[bool, int, int]:
    """What a person said counts more than what an agent did."""
    return found.trust != "user", _ORDER.index(found.kind) if found.kind in _ORDER else len(_ORDER), found.line


def _done(reading: Reading, left: Sequence[Found]) -> list[str]:
    """The turns of which nothing was left out."""

    def is_done(fresh: Fresh) -> bool:
        return not any(one in left for one in fresh.found)

    return [fresh.turn for fresh in reading.fresh if is_done(fresh)]
