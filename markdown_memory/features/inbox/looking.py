"""Whether the files in the inbox say anything new; asked at the start of every session, so it has to be cheap.

This host remembers the proposals that it has seen, with their text, in `proposals.json` of the state folder: so a
deleted proposal is noticed, and nothing that was in it is lost.
"""

import json
from zlib import crc32

from markdown_memory.core.note import Header
from markdown_memory.rules.file_decisions import Known
from markdown_memory.workspace import Workspace

MEMORY = "proposals.json"
DAY = 86_400.0


def something_new(space: Workspace) -> bool:
    """Whether the files say anything that this host has not dealt with."""
    text = space.read_state(MEMORY)
    return space.kept(
        "inbox says something",
        f"{int(space.clock() // DAY)} {len(text)} {crc32(text.encode('utf-8', 'surrogatepass'))} {list(space.access)}",
        lambda: _says_something(space),
    )


def _says_something(space: Workspace) -> bool:
    before, _ = known_to(space)
    known = {path: (proposal.sha256, 0.0) for path, proposal in before.items() if not proposal.gone_since}
    gone = len(before) - len(known)
    headers = everybodys(space)
    present = [header for header in headers if header.status == "proposal"]
    if gone or {header.path: (header.sha256, 0.0) for header in present} != known:
        return True
    if any(header.accept != header.reject for header in present):
        return True
    if any(header.status == "accepted" and (header.kind or header.target) for header in headers):
        return True
    return _waits_too_long(space, before)


def _waits_too_long(space: Workspace, known: dict[str, Known]) -> bool:
    since = space.clock() - space.settings.fold_after_days * DAY
    if not space.settings.fold_after_days or not any(0 < one.seen < since for one in known.values()):
        return False
    from markdown_memory.features.inbox import folding

    return folding.due(space, known)


def everybodys(space: Workspace) -> list[Header]:
    """All proposals and notes but the private ones of others: any session carries out what a person ticked."""
    return [header for header in space.all_headers() if space.access.may_know(header.path)]


def known_to(space: Workspace) -> tuple[dict[str, Known], dict[str, Known]]:
    """The proposals that this host has seen: those that this principal may know of, and the others."""
    try:
        kept = {path: Known(*proposal) for path, proposal in json.loads(space.read_state(MEMORY) or "{}").items()}
    except (ValueError, TypeError, AttributeError):
        return {}, {}
    mine = {path: proposal for path, proposal in kept.items() if space.access.may_know(path)}
    return mine, {path: proposal for path, proposal in kept.items() if path not in mine}
