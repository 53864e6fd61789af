"""Proposals put off for some days. Remembered by this host only: putting off is no decision.

A snoozed proposal is shown again when its time has come, or when its text is another one.
"""

import json

from markdown_memory.core.note import Header
from markdown_memory.workspace import Workspace

MEMORY = "snoozed.json"
DAY = 86400.0
LONGEST = 365


def snooze(space: Workspace, header: Header, days: float) -> float:
    """Put a proposal off until the moment that is returned; 0 days take that back."""
    known = {path: one for path, one in _known(space).items() if one[0] > space.clock() and path != header.path}
    until = space.clock() + days * DAY if days else 0.0
    if until:
        known[header.path] = (until, header.sha256)
    space.write_state(MEMORY, json.dumps({path: list(one) for path, one in sorted(known.items())}))
    return until


def snoozed(space: Workspace) -> dict[tuple[str, str], float]:
    """Until when which proposals, as (path, SHA-256), are put off."""
    return {(path, sha256): until for path, (until, sha256) in _known(space).items() if until > space.clock()}


def _known(space: Workspace) -> dict[str, tuple[float, str]]:
    try:
        return {str(path): (float(one[0]), str(one[1])) for path, one in json.loads(space.read_state(MEMORY)).items()}
    except (ValueError, TypeError, AttributeError, LookupError):
        return {}
