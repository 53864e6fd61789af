"""What happened in the example's month, as a list of steps in order of time. Pure: decides nothing on disk.

The hand-written notes are the source. A note by an agent was first a proposal, and a person accepted it on the next
morning; a person's note was stored at once. `updated` and `superseded_by` came later than the rest of a note, so that
an earlier version is the note without them. What was there before the vault began is there at the start.
"""

import datetime
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from markdown_memory.core import frontmatter, layout
from markdown_memory.core.scope import folder_of

START = "2026-11-02T08:00:00"
PERSON = "mara"
MORNING = datetime.time(7, 15)
KINDS = {"user": "preference", "feedback": "preference", "reference": "failure-pattern", "project": "fact"}
NOTES = ("memory", "state")
"""Areas whose notes were written in the course of the month; the rest was there from the start."""

Moment = str


class Said(NamedTuple):
    """An entry of the live context, or a decision, which stands there as well."""

    time: Moment
    who: str
    log: str
    channel: str
    kind: str
    text: str
    ack: tuple[Moment, ...] = ()


class Changed(NamedTuple):
    """A change of files: path → new bytes, or None for a file that goes."""

    time: Moment
    who: str
    kind: str
    text: str
    files: Mapping[str, bytes | None]
    via: str = "cli"
    data: Mapping[str, object] = {}


class Stopped(NamedTuple):
    """An agent's checkpoint; the file's name needs the writer's id."""

    time: Moment
    who: str
    project: str
    branch: str
    parts: Mapping[str, Any]


Step = Said | Changed | Stopped


def steps(authored: Mapping[str, bytes], month: Mapping[str, Any]) -> tuple[dict[str, bytes], list[Step]]:
    """The files that are there when the vault begins, and what happened then."""
    accepted = {path: morning(front(data)["created"]) for path, data in authored.items() if path.startswith("memory/")}
    start: dict[str, bytes] = {}
    later: list[Step] = [*_said(month), *_checkpoints(month)]
    for path, data in authored.items():
        first, more = _history(path, data, month, accepted)
        start |= first
        later += more
    return start, sorted(later, key=lambda step: step.time)


def front(data: bytes) -> dict[str, Any]:
    """A note's properties."""
    return frontmatter.read(data)[0]


def morning(time: Moment) -> Moment:
    """When Mara next reviews: a quarter past seven UTC, at a second that depends on the moment."""
    moment = datetime.datetime.fromisoformat(time)
    day = moment.date() + datetime.timedelta(days=moment.time() >= MORNING)
    seconds = int(sha256(time.encode()).hexdigest(), 16) % 1500
    return (datetime.datetime.combine(day, MORNING) + datetime.timedelta(seconds=seconds)).isoformat()


def moment(month: Mapping[str, Any], short: str) -> Moment:
    """`23 16:38:52` → `2026-11-23T16:38:52`."""
    return f"{month['month']}-{short.replace(' ', 'T')}"


def _said(month: Mapping[str, Any]) -> Iterator[Step]:
    for log, lines in (("live-context", month["logs"]["live"]), ("decisions", month["logs"]["decisions"])):
        for short, who, channel, kind, text, *ack in lines:
            seen = tuple(moment(month, one) for one in ack)
            yield Said(moment(month, short), who, log, channel, kind, text, seen)


def _checkpoints(month: Mapping[str, Any]) -> Iterator[Step]:
    for one in month["checkpoint"]:
        parts = {key: one[key] for key in ("goal", "done", "next", "questions", "files") if key in one}
        yield Stopped(moment(month, one["time"]), one["agent"], one["project"], one["branch"], parts)


def _history(
    path: str, data: bytes, month: Mapping[str, Any], accepted: Mapping[str, Moment]
) -> tuple[dict[str, bytes], list[Step]]:
    if path in month["archived"]:
        short, reason = month["archived"][path]
        return _archived(path, data, moment(month, short), reason)
    area = layout.place_of(path).area
    if area == "inbox":
        return {}, [_retained(path, data)]
    if area in NOTES:
        return _kept(path, data, accepted)
    return {path: data}, []


def _kept(path: str, data: bytes, accepted: Mapping[str, Moment]) -> tuple[dict[str, bytes], list[Step]]:
    """A note that is still in its place: how it came there, and what was changed in it since."""
    known = front(data)
    created, author = known.get("created", START), known.get("agent", PERSON)
    updated, successor = known.get("updated"), known.get("superseded_by")
    first = frontmatter.set_keys(data, {}, remove=[key for key in ("updated", "superseded_by") if key in known])
    steps: list[Step] = []
    if successor:
        target = str(successor).strip("[]")
        time = next(when for one, when in accepted.items() if one.endswith(f"/{target}.md"))
        steps.append(Changed(time, PERSON, "edit", f"{known['name']}: superseded_by {target}", {path: data}))
    elif updated:
        by_review = path.startswith("memory/") and author != PERSON
        time, who = (morning(updated), PERSON) if by_review else (updated, author)
        steps.append(Changed(time, who, "edit", f"{known['name']}: body", {path: data}))
    if created <= START:
        return {path: first}, steps
    return {}, [*_arrived(path, first, created, author), *steps]


def _arrived(path: str, data: bytes, created: Moment, author: str) -> list[Step]:
    known = front(data)
    if author == PERSON or known.get("category") == "daily":
        return [Changed(created, author, "store", f"{known['name']} ({path})", {path: data})]
    proposal = f"{layout.inbox_folder(author)}/{path.rpartition('/')[2]}"
    asked = Changed(created, author, "retain", known["description"], {proposal: _as_proposal(path, data)})
    facts = {"name": known["name"], "proposal": proposal, "note": path}
    files = {path: data, proposal: None}
    return [asked, Changed(morning(created), PERSON, "accept", f"{known['name']} ({path})", files, data=facts)]


def _as_proposal(path: str, data: bytes) -> bytes:
    """The bytes in which an accepted note had been proposed."""
    place, tags = layout.place_of(path), front(data).get("tags", [])
    kind = next((tag for tag in ("decision", "failure-pattern") if tag in tags), KINDS[place.type])
    question: dict[str, object] = {"kind": kind, "accept": False, "reject": False}
    if place.scope is not None:
        question["scope"] = folder_of(place.scope)
    return frontmatter.set_keys(data, question, remove=["type"])


def _retained(path: str, data: bytes) -> Step:
    known = front(data)
    return Changed(known["created"], known["agent"], "retain", known["description"], {path: data})


def _archived(path: str, data: bytes, time: Moment, reason: str) -> tuple[dict[str, bytes], list[Step]]:
    """A note that was forgotten, or a proposal that was rejected."""
    known, before = front(data), path.removeprefix("archive/")
    first = frontmatter.set_keys(data, {}, remove=["superseded_by"] if "superseded_by" in known else [])
    files = {path: data, before: None}
    facts: dict[str, object] = {"name": known["name"], "reason": reason}
    text = f"{known['name']}: {reason}"
    if before.startswith("inbox/"):
        undo = [[before, "", path], [path, sha256(data).hexdigest(), ""]]
        facts |= {"proposal": before, "note": path, "undo": undo}
        gone = Changed(time, PERSON, "reject", text, files, data=facts)
        return {}, [_retained(before, first), gone]
    gone = Changed(time, PERSON, "forget", text, files, data=facts)
    if known["created"] <= START:
        return {before: first}, [gone]
    return {}, [*_arrived(before, first, known["created"], known.get("agent", PERSON)), gone]
