"""Entries as they arrive: between two looks at the logs' files only their names, sizes and times are compared.

What arrives late, with an old time and from a machine that was offline, is new all the same: a cursor over writers says
what was shown, not a moment. The cursor lives as long as the following; nothing counts as read by it.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from markdown_memory.core.layout import LIVE_CONTEXT
from markdown_memory.rules import cursors
from markdown_memory.rules.cursors import Cursor
from markdown_memory.storage.log_news import Asked

if TYPE_CHECKING:
    from markdown_memory.features.log.lines import LogLine
    from markdown_memory.workspace import Workspace

LOGS = ("live-context", "keys")


class Following:
    """What one follower has been shown; `look` gives everything that is news to a cursor."""

    def __init__(self, space: "Workspace", look: "Callable[[Asked], list[LogLine]]") -> None:
        self._space = space
        self._look = look
        self._stamp: object = None
        self._cursor = Cursor()
        self._by_hand: set[str] = set()

    def news(self) -> "list[LogLine]":
        """The lines that have come since the last call; of the first call, all that are there."""
        stamp = self._stamps()
        if stamp == self._stamp:
            return []
        self._stamp = stamp
        lines = [line for line in self._look(Asked(self._cursor)) if line.seq or line.digest not in self._by_hand]
        self._cursor = cursors.advance(self._cursor, [(line.writer, line.seq) for line in lines if line.seq], [])
        self._by_hand.update(line.digest for line in lines if line.digest)
        return lines

    def follow(self, wait: Callable[[], object], tail: int, wanted: "Callable[[LogLine], bool]") -> "Iterator[LogLine]":
        """The newest `tail` lines that are wanted, then every wanted one as it comes; `wait` lies between two looks."""
        lines = [line for line in self.news() if wanted(line)]
        yield from lines[len(lines) - min(tail, len(lines)) :]
        while True:
            wait()
            yield from filter(wanted, self.news())

    def _stamps(self) -> Iterable[object]:
        space = self._space
        try:
            stat = os.stat(os.path.join(space.root, LIVE_CONTEXT))
            view = (stat.st_size, stat.st_mtime_ns)
        except OSError:
            view = (0, 0)
        return [view, *(space.log_stamp(log) for log in LOGS)]
