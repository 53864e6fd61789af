"""Two people who decided opposite ways about the same proposal, each on a host of their own.

Their ledgers meet with a synchronisation: then an acceptance and a rejection of the same bytes stand side by side. The
proposal comes back into the inbox and says who decided what; the accepted note stays until somebody decides once more.
A `reopen` entry names both decisions, so that they are asked about once. What it writes follows from the ledger alone.
"""

from typing import TYPE_CHECKING, Any

from markdown_memory.core.note import Header
from markdown_memory.features.inbox import deciding
from markdown_memory.features.inbox.values import Decision
from markdown_memory.rules import proposals
from markdown_memory.storage.files import digest
from markdown_memory.workspace import Edit, Workspace

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry

TAKEN = ("accept", "merge", "supersede")
Made = tuple["Entry", dict[str, Any]]


def any_opposed(space: Workspace) -> bool:
    """Whether there are two such decisions; the ledger is read when somebody has written to it."""
    stamp = str(space.log_stamp("ledger"))
    return bool(space.kept("decided both ways", stamp, lambda: len(_pairs(space))))


def reopen(space: Workspace) -> list[Decision]:
    """Bring every proposal back about which two decisions stand that exclude each other."""
    done = [_reopened(space, taken, turned_down) for taken, turned_down in _pairs(space)]
    return [one for one in done if one is not None]


def twin(space: Workspace, header: Header) -> str:
    """The note that was accepted out of a proposal which is open again, as long as it is what it was; else ""."""
    for entry in reversed(space.ledger()):
        data = entry.values()
        if entry.kind == "reopen" and data.get("proposal") == header.path:
            path, sha256 = str(data.get("accepted", "")), str(data.get("accepted_sha256", ""))
            return path if sha256 and space.hash_of(path) == sha256 else ""
    return ""


def _pairs(space: Workspace) -> list[tuple[Made, Made]]:
    settled: set[str] = set()
    for entry in space.ledger():
        if entry.kind == "reopen":
            named = entry.values().get("opposed")
            settled.update(map(str, named if isinstance(named, list) else ()))
    by_proposal: dict[tuple[str, str], dict[str, Made]] = {}
    for entry, data in deciding.decisions(space):
        if entry.id not in settled and data.get("sha256") and (entry.kind in TAKEN or entry.kind == "reject"):
            both = by_proposal.setdefault((str(data["proposal"]), str(data["sha256"])), {})
            both.setdefault("reject" if entry.kind == "reject" else "accept", (entry, data))
    waiting = {header.path for header in space.all_headers() if header.status == "proposal"}
    found = [both for (path, _), both in sorted(by_proposal.items()) if len(both) == 2 and path not in waiting]
    return [(both["accept"], both["reject"]) for both in found]


def _reopened(space: Workspace, taken: Made, turned_down: Made) -> Decision | None:
    (accepted, data), (rejected, other) = taken, turned_down
    path, name = str(data["proposal"]), str(data["name"])
    kept = _copy(space, data) or _copy(space, other)
    if kept is None:
        return None  # the ledger arrived before the files
    why = f", because: {other['reason']}" if other.get("reason") else ""
    lines = [
        f"{accepted.agent} accepted it on {accepted.time[:10]}",
        f"{rejected.agent} rejected it on {rejected.time[:10]}{why}",
        "decide once more: accept keeps the note, reject takes it out again",
    ]
    new = proposals.with_aside(kept, lines)
    facts = {"name": name, "proposal": path, "opposed": sorted([accepted.id, rejected.id])}
    if accepted.kind == "accept":
        note = str(data["note"])
        facts |= {"accepted": note, "accepted_sha256": space.hash_of(note) or ""}
    space.change([Edit(path, None, new)], kind="reopen", text=f"{name}: decided both ways", data=facts, by_file=True)
    said = f"{accepted.agent} accepted it and {rejected.agent} rejected it{why}. It waits again."
    return Decision(name, "reopened", path, said)


def _copy(space: Workspace, data: dict[str, Any]) -> bytes | None:
    """The bytes that were decided about, out of archive/."""
    for path, sha256, *_ in data["undo"]:
        if sha256 == data["sha256"]:
            stored = space.read_quietly(path)
            if stored is not None and digest(stored.data) == sha256:
                return stored.data
    return None
