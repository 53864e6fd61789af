"""Where the links of a note lead, and which notes link to it.

Both sides are what the principal may see; a link to anything else leads nowhere for it. The links of each file are read
once and again when the file changes, so that asking twice is cheap for who keeps this object.
"""

from typing import NamedTuple

from markdown_memory.core.markdown import links
from markdown_memory.core.note import Header
from markdown_memory.rules.links import Targets
from markdown_memory.workspace import Workspace

LINKING = ("accepted", "proposal", "identity", "skill", "agent-note", "state", "checkpoint", "page")


class Linked(NamedTuple):
    """A note, the notes that it links to, those that link to it, and targets that lead nowhere."""

    note: Header
    to: tuple[Header, ...]
    by: tuple[Header, ...]
    nowhere: tuple[str, ...]


class Links:
    """The links of one open vault."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._read: dict[str, tuple[str, tuple[str, ...]]] = {}
        """The targets of each file, and the SHA-256 that the file had."""

    def of(self, name: str) -> Linked:
        """The links of the note that `name` means."""
        space = self._workspace
        with space.standing_still():
            note = space.resolve(name)
            headers = {header.path: header for header in space.headers()}
            targets = Targets(headers)
            found = {target: targets.find(target, note.path) for target in self._targets(note)}
            to = dict.fromkeys(path for path in found.values() if path and path != note.path)
            by = [one for one in headers.values() if one.status in LINKING and self._leads(one, note, targets)]
        return Linked(
            note,
            tuple(headers[path] for path in to),
            tuple(sorted(by, key=lambda one: (-one.importance, one.path))),
            tuple(target for target, path in found.items() if not path),
        )

    def _leads(self, header: Header, note: Header, targets: Targets) -> bool:
        if header.path == note.path:
            return False
        return any(targets.find(target, header.path) == note.path for target in self._targets(header))

    def _targets(self, header: Header) -> tuple[str, ...]:
        known = self._read.get(header.path)
        if known is None or known[0] != header.sha256:
            stored = self._workspace.read_quietly(header.path)
            text = stored.text if stored else ""
            found = links(text) if "[[" in text or "](" in text else ()
            known = header.sha256, tuple(dict.fromkeys(link.target for link in found if link.target))
            self._read[header.path] = known
        return known[1]
