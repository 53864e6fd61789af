"""Approving by signature: a person says that files are right as they are, also those that were edited by hand.

    approve(workspace, verdicts, names, person_present) -> Approved(entry, paths)

Without names it is all that were edited by hand. One ledger entry covers them; of more than sixteen files it names a
list. What is gone is approved as removed. A file that was rolled back, or is missing, has to be named: signing all must
not bless what somebody else has done.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.errors import AccessError
from markdown_memory.workspace import Workspace

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.rules.attestation import Verdict

BY_HAND = ("unknown", "by-hand", "observed", "line-ends", "moved")


class Approved(NamedTuple):
    """The ledger entry (None: nothing needed approval), and the files that it covers."""

    entry: "Entry | None"
    paths: tuple[str, ...]


def approve(space: Workspace, verdicts: "Sequence[Verdict]", names: Sequence[str], person_present: bool) -> Approved:
    """Sign, as a person, the named files (notes by name, any file by path), or else all that were edited by hand."""
    if not person_present or space.principal:
        raise AccessError("Only a person approves: run `mdmem approve` yourself, in a terminal.")
    known = {one.path for one in verdicts}
    paths = [name if name in known else space.resolve(name).path for name in dict.fromkeys(names)]
    if not names:
        paths = [one.path for one in verdicts if one.state in BY_HAND]
    if not paths:
        return Approved(None, ())
    many = f"{len(paths)} files as they are" if len(paths) > 1 else paths[0]
    gone = [path for path in paths if space.hash_of(path) is None]
    entry = space.attest(paths, kind="approve", text=f"approved {many}", gone=gone)
    return Approved(entry, tuple(paths))
