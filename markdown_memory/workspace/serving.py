"""What agents are served where `integrity = "strict"`: files as a trusted key has signed them, and no others.

A file counts as it is now when its newest trusted ledger entry names its hash (or that of its text with other line
ends). Trusted are entries of confirmed writers, persons among them, and of the agent's own writers on this machine.
Neither an observation counts nor what was decided by touching files (`via=file`), whoever has signed that. A checkpoint
is no matter of the ledger: its agent's own one counts when this machine remembers having written it so.

A person is served everything, and may see more than agents do: that is how a file gets approved. What the ledger says
is kept in the catalog until somebody signs something, and which files are withheld until a file changes; so a session's
start reads two small texts.
"""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from markdown_memory.core import layout
from markdown_memory.core.note import Header
from markdown_memory.errors import AccessError, MarkdownMemoryError, UserError
from markdown_memory.storage import files
from markdown_memory.storage.kept import kept

if TYPE_CHECKING:
    from markdown_memory.workspace.view import View

STRICT = "strict"
OWN = "own-checkpoints.json"
FREE = ("derived", "log", "settings", "template")
"""Areas that nobody is served as they lie there."""
Hashes = dict[str, list[str]]


class Serving:
    """The strict mode of one view."""

    def __init__(self, view: "View") -> None:
        self._view = view
        self._trusted_at: tuple[str, Hashes] = ("", {})

    @property
    def strict(self) -> bool:
        """Whether this principal is served only what a trusted key has signed."""
        access = self._view.access
        is_a_person = not access.agent and (access.attended or not access.on)
        return self._view.settings.integrity == STRICT and not is_a_person

    def visible(self, headers: Iterable[Header]) -> list[Header]:
        """Those that are not withheld."""
        hidden = self.hidden()
        return [header for header in headers if header.path not in hidden]

    def hidden(self) -> dict[str, str]:
        """SHA-256 by path of the files that are withheld from this principal as they are now; shared and own ones."""
        if not self.strict:
            return {}
        view, stamp = self._view, self._stamp()
        place = f"withheld {view.principal}"
        return kept(view.catalog, place, f"{view.catalog.generation} {stamp}", lambda: self._find_hidden(stamp))

    def check(self, path: str, data: bytes) -> None:
        """AccessError when these bytes may not be served as that file."""
        if self.strict and not self._counts(path, files.digest(data), self._stamp(), data):
            raise AccessError(refusal(path))

    def refuse(self, name: str, statuses: Sequence[str]) -> None:
        """AccessError when the name means a file that is withheld."""
        from markdown_memory.rules.resolve import meaning

        hidden = self.hidden()
        if hidden:
            withheld = [one for one in self._view.all_headers() if one.path in hidden and self._view.may_see(one)]
            try:
                found = meaning(name, withheld, self._view.scopes, statuses)
            except UserError:
                return
            raise AccessError(refusal(found.path))

    def sentence(self, entries: int = 0) -> str:
        """What is withheld and what a person can do about it, in one line; "" when nothing is."""
        number = len(self.hidden())
        parts = [f"{number} {'file' if number == 1 else 'files'}"] if number else []
        parts += [f"{entries} log {'entry' if entries == 1 else 'entries'}"] if entries else []
        if not parts:
            return ""
        remedy = "`mdmem approve`" if number else "`mdmem keys confirm`"
        return f"Withheld, since no trusted key signed it so: {' and '.join(parts)}; a person's {remedy} helps."

    def remember_own(self, path: str, data: bytes) -> None:
        """This agent has just written its checkpoint so."""
        if self.strict:
            self._view.write_state(OWN, json.dumps({**self._own(), path: files.digest(data)}))

    def _find_hidden(self, stamp: str) -> dict[str, str]:
        view = self._view
        headers = [header for header in view.catalog.headers() if view.may_see(header)]
        return {one.path: one.sha256 for one in headers if not self._counts(one.path, one.sha256, stamp)}

    def _counts(self, path: str, sha256: str, stamp: str, data: bytes | None = None) -> bool:
        area = layout.place_of(path).area
        if area in FREE:
            return True
        trusted = self._trusted(stamp).get(path, [])
        if sha256 in trusted or (area == "checkpoint" and self._own().get(path) == sha256):
            return True
        return bool(trusted) and any(one in trusted for one in self._with_other_line_ends(path, data))

    def _with_other_line_ends(self, path: str, data: bytes | None) -> list[str]:
        try:
            text = files.read(self._view.root, path) if data is None else data
        except MarkdownMemoryError:
            return []
        lf = text.replace(b"\r\n", b"\n")
        return [files.digest(lf), files.digest(lf.replace(b"\n", b"\r\n"))]

    def _trusted(self, stamp: str) -> Hashes:
        if self._trusted_at[0] != stamp:
            view = self._view
            self._trusted_at = stamp, kept(view.catalog, f"trusted {view.principal}", stamp, self._read)
        return self._trusted_at[1]

    def _read(self) -> Hashes:
        from markdown_memory.storage.ledger_reading import trusted_hashes

        view = self._view
        chest = view.logs.chest
        own = {one.fingerprint for one in chest.writers() if one.agent == view.principal and chest.here(one)}
        found: Hashes = {}
        for log in view.ledgers():
            found |= trusted_hashes(view.root, view.logs.read(log), own)
        return found

    def _stamp(self) -> str:
        return self._view.approval_stamp()

    def _own(self) -> dict[str, str]:
        try:
            found = json.loads(self._view.read_state(OWN) or "{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


def refusal(path: str) -> str:
    """The sentence for a file that is withheld."""
    return (
        f"{path} is withheld: integrity is strict here, and no trusted key has signed the file as it is. "
        f"A person who has looked at it says `mdmem approve`."
    )
