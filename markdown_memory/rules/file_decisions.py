"""What a person decided by touching files: ticked boxes, proposals moved into memory/, proposals deleted.

A deleted proposal is a rejection only when nothing else explains that it is gone and it has been gone for ten minutes;
more than three at once are asked about, and during a git operation nothing is concluded. A sync tool that has not
brought a file yet is no decision. Both boxes ticked decide nothing. A tick counts at once when nothing but the boxes is
other than when the file was last seen; where the text was changed, too, its writer may not be done.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_memory.core.note import Header

PATIENCE = 600.0
AT_ONCE = 3
QUIET = 10.0
"""Seconds that a proposal whose text was changed must have been left alone before its tick counts."""


class Known(NamedTuple):
    """A proposal as this host last saw it; `gone_since` is 0 while it is there."""

    sha256: str
    name: str
    created: str
    text: str
    gone_since: float = 0.0
    seen: float = 0.0
    """When this host first saw it."""
    held: float = 0.0
    """When it was last found ticked in the middle of an edit."""


class FileDecisions(NamedTuple):
    """What to carry out, and what to remember until the next look."""

    accept: tuple["Header", ...]
    reject: tuple["Header", ...]
    moved: tuple[tuple["Header", str], ...]
    """Notes in memory/ that still have a proposal's keys, with the inbox path that they came from ("" = unknown)."""
    deleted: tuple[str, ...]
    undecided: tuple["Header", ...]
    """Both boxes are ticked."""
    waiting: Mapping[str, float]
    """Proposals that are gone without an explanation, and since when."""
    ask: bool
    """So many are gone that a person should say whether that was meant."""

    @property
    def nothing(self) -> bool:
        return not (self.accept or self.reject or self.moved or self.deleted)


def decide(
    known: Mapping[str, Known],
    headers: Sequence["Header"],
    now: float,
    *,
    busy: bool,
    confirmed: bool = False,
    editing: Collection[str] = (),
) -> FileDecisions:
    """Read the decisions off the files; `busy` = a git operation is under way in the vault.

    What somebody is `editing` decides nothing yet.
    """
    present = [header for header in headers if header.status == "proposal" and header.path not in editing]
    moved = _moved(known, headers)
    missing = _missing(known, headers, {path for _, path in moved})
    since = {path: known[path].gone_since or now for path in missing}
    ripe = [path for path in missing if now - since[path] >= PATIENCE] if not busy else []
    ask = len(ripe) > AT_ONCE and not confirmed
    deleted = () if ask else tuple(sorted(missing if confirmed and not busy else ripe))
    return FileDecisions(
        accept=tuple(header for header in present if header.accept and not header.reject),
        reject=tuple(header for header in present if header.reject and not header.accept),
        moved=moved,
        deleted=deleted,
        undecided=tuple(header for header in present if header.accept and header.reject),
        waiting={path: when for path, when in since.items() if path not in deleted},
        ask=ask,
    )


def _moved(known: Mapping[str, Known], headers: Iterable["Header"]) -> tuple[tuple["Header", str], ...]:
    left_over = [header for header in headers if header.status == "accepted" and (header.kind or header.target)]
    return tuple((header, _origin(header, known, headers)) for header in left_over)


def _origin(header: "Header", known: Mapping[str, Known], headers: Iterable["Header"]) -> str:
    there = {one.path for one in headers}
    for path, proposal in sorted(known.items()):
        if path not in there and (proposal.sha256 == header.sha256 or proposal.name == header.name):
            return path
    return ""


def _missing(known: Mapping[str, Known], headers: Iterable["Header"], moved: set[str]) -> list[str]:
    there = {header.path for header in headers}
    hashes = {header.sha256 for header in headers}
    taken = {(header.name, header.created) for header in headers if header.status == "accepted"}
    return [
        path
        for path, proposal in sorted(known.items())
        if path not in there and path not in moved and proposal.sha256 not in hashes and proposal[1:3] not in taken
    ]
