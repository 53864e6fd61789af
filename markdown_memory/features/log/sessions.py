"""What each session of an agent has read: a cursor in the state folder of this copy of the vault."""

import hashlib
import json
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from markdown_memory.core import times
from markdown_memory.features.log.lines import LogLine
from markdown_memory.rules import cursors
from markdown_memory.rules.cursors import Cursor
from markdown_memory.storage.log_news import Asked

if TYPE_CHECKING:
    from markdown_memory.workspace import Workspace

DAY = 86400.0


class Sessions:
    """The cursors of one agent (or person); the session "" is the agent itself."""

    def __init__(self, space: "Workspace") -> None:
        self._space = space

    def asked(self, session: str, own: Collection[str]) -> Asked:
        """What counts as news to the session. A new one starts as its agent, less the last day."""
        cursor = self._cursor(session)
        if cursor or not session:
            return Asked(cursor, own=own)
        agents = self._cursor("")
        return Asked(agents, times.utc(self._space.clock() - DAY) if agents else "9", own)

    def advance(self, session: str, asked: Asked, read: Iterable[LogLine], unread: Iterable[LogLine]) -> None:
        """These lines were read; `unread` are all that were news to the session."""
        read, left = list(read), [(line.writer, line.seq) for line in unread if line.seq]
        upto = dict(asked.cursor.upto)
        for writer, seq in left:
            upto[writer] = min(upto.get(writer, 0), seq - 1)
        done = [(line.writer, line.seq) for line in read if line.seq]
        lines = [line.digest for line in read if line.digest]
        self._keep(session, cursors.advance(asked.cursor._replace(upto=upto), done, left, lines))

    def _cursor(self, session: str) -> Cursor:
        try:
            return cursors.from_json(json.loads(self._space.read_state(self._file(session)) or "null"))
        except ValueError:
            return Cursor()

    def _keep(self, session: str, cursor: Cursor) -> None:
        self._space.write_state(self._file(session), json.dumps(cursors.to_json(cursor)))

    def _file(self, session: str) -> str:
        name = f"{self._space.author}\0{session}".encode("utf-8", "surrogatepass")
        return f"cursor-{hashlib.sha256(name).hexdigest()[:24]}.json"
