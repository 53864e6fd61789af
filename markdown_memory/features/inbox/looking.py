"""Whether the files in the inbox say anything new; asked at the start of every session, so it has to be cheap.

This host remembers the proposals that it has seen, with their text, in `proposals.json` of the state folder: so a
deleted proposal is noticed, and nothing that was in it is lost.
"""

import json
from zlib import crc32

from markdown_memory.rules.file_decisions import Known
from markdown_memory.workspace import Workspace

MEMORY = "proposals.json"


def something_new(space: Workspace) -> bool:
    """Whether the files say anything that this host has not dealt with."""
    text = space.read_state(MEMORY)
    return space.kept(
        "inbox says something",
        f"{len(text)} {crc32(text.encode('utf-8', 'surrogatepass'))}",
        lambda: _says_something(space),
    )


def _says_something(space: Workspace) -> bool:
    known = {path: (proposal.sha256, 0.0) for path, proposal in known_to(space).items() if not proposal.gone_since}
    gone = len(known_to(space)) - len(known)
    headers = space.all_headers()
    present = [header for header in headers if header.status == "proposal"]
    if gone or {header.path: (header.sha256, 0.0) for header in present} != known:
        return True
    if any(header.accept != header.reject for header in present):
        return True
    return any(header.status == "accepted" and (header.kind or header.target) for header in headers)


def known_to(space: Workspace) -> dict[str, Known]:
    """The proposals that this host has seen."""
    try:
        return {path: Known(*proposal) for path, proposal in json.loads(space.read_state(MEMORY) or "{}").items()}
    except (ValueError, TypeError, AttributeError):
        return {}
