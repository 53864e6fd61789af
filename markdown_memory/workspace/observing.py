"""Edits by hand, noted in passing: who next writes on this host says with what content it found such files.

Looking is what finds an edit by hand, and looking writes nothing. So that its place in the history is known all the
same, an `observed` entry goes before the next change of the host: path and hash, and no author. It vouches for nothing:
`mdmem verify` still says *edited by hand*, and nothing that a trusted key signed becomes older for it.

Only what the catalog has seen change since the last write is compared with the ledger, so a write that follows another
one reads nothing more.
"""

import os
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from markdown_memory.core import layout
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.storage import files

if TYPE_CHECKING:
    from markdown_memory.core.ledger import FileChange
    from markdown_memory.core.note import Header
    from markdown_memory.rules.attestation import Verdict
    from markdown_memory.workspace.view import View

STATES = ("unknown", "by-hand")


def by_hand(view: "View", but: Collection[str]) -> "dict[str, list[FileChange]]":
    """By log: the files that were edited by hand since this principal last wrote, without those in `but`."""
    before = view.catalog.meta(_place(view))
    if before == str(view.catalog.generation):
        return {}
    changed, _, _ = view.catalog.changed_since(int(before) if before.lstrip("-").isdigit() else -1)
    wanted = [one for one in changed if one.path not in but and _is_signed(view, one)]
    return _found(view, wanted) if wanted else {}


def all_noted(view: "View") -> None:
    """Everything that the catalog knows by now is signed or observed."""
    view.catalog.set_meta(_place(view), str(view.catalog.generation))


def _place(view: "View") -> str:
    return f"observed by {view.author}"


def _is_signed(view: "View", header: "Header") -> bool:
    """Whether it is a file that the ledger should know, and this principal may."""
    area = layout.place_of(header.path).area
    return area in layout.SIGNED_AREAS and view.access.may_know(header.path)


def _found(view: "View", headers: "Iterable[Header]") -> "dict[str, list[FileChange]]":
    from markdown_memory.core.ledger import FileChange
    from markdown_memory.core.log_names import ledger_of
    from markdown_memory.rules.attestation import Ledger, Present
    from markdown_memory.storage.ledger_reading import changes_of

    by_log: dict[str, dict[str, Present]] = {}
    for one in headers:
        log = ledger_of(layout.private_owner(one.path))
        by_log.setdefault(log, {})[one.path] = Present(one.sha256, *_line_ends(view, one.path))
    own = [writer.id for writer in view.logs.chest.writers() if view.logs.chest.here(writer)]
    found = {}
    for log, present in by_log.items():
        reading = view.logs.read(log)
        book = Ledger(
            reading.entries, {one.id: changes_of(view.root, one) for one in reading.entries}, reading.standings, own
        )
        hand = [one for one in book.verdicts(present) if one.path in present and _by_hand(view, one)]
        if hand:
            found[log] = [FileChange(one.path, *[present[one.path].sha256] * 2) for one in hand]
    return found


def _by_hand(view: "View", verdict: "Verdict") -> bool:
    """Whether somebody wrote these bytes there; what was only moved from elsewhere says so itself."""
    copied = verdict.state == "moved" and os.path.lexists(os.path.join(view.root, verdict.other))
    return copied or verdict.state in STATES


def _line_ends(view: "View", path: str) -> tuple[str, ...]:
    """SHA-256 of the text with LF and with CRLF line ends."""
    try:
        lf = files.read(view.root, path).replace(b"\r\n", b"\n")
    except MarkdownMemoryError:
        return ()
    return files.digest(lf), files.digest(lf.replace(b"\n", b"\r\n"))
