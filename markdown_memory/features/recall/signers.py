"""Who has signed the newest state of each file, kept until somebody signs again."""

from typing import TYPE_CHECKING

from markdown_memory.rules.signed import Signed, attestation
from markdown_memory.storage import files
from markdown_memory.storage.kept import kept

if TYPE_CHECKING:
    from markdown_memory.core.note import StoredNote
    from markdown_memory.workspace import Workspace

Row = tuple[str, str, str]


class Signers:
    """The ledgers' word on files that this principal may see."""

    def __init__(self, space: "Workspace") -> None:
        self._space = space
        self._stamp = ""
        self._newest: dict[str, Row] = {}

    def attestation(self, stored: "StoredNote") -> tuple[str, str]:
        """The state of a file that was just read, and who signed it."""
        stamp = self._space.approval_stamp()
        if stamp != self._stamp:
            place = f"signers {self._space.principal}"
            self._stamp, self._newest = stamp, kept(self._space.catalog, place, stamp, self._read)
        newest = self._newest.get(stored.path)
        lf = stored.data.replace(b"\r\n", b"\n")
        other_ends = (files.digest(one) for one in (lf, lf.replace(b"\n", b"\r\n")))
        return attestation(Signed(*newest) if newest else None, frozenset((stored.header.sha256, *other_ends)))

    def _read(self) -> dict[str, Row]:
        from markdown_memory.storage.ledger_reading import newest_signed

        space = self._space
        found: dict[str, Row] = {}
        for log in space.ledgers():
            found |= newest_signed(space.root, space.logs.read(log))
        return found
