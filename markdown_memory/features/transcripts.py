"""Reading transcripts: what is new in one since the last time, and which of it should be proposed.

What was looked at is remembered in the state folder, one small file for each transcript: a hash for each turn, so that
none is proposed twice, and the place up to which a hook has read, so that it does not read a long session at each stop.
A few turns before that place are read again, since a cure needs the trouble that was told before it.
"""

import json
import os
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from markdown_memory.core import transcript
from markdown_memory.core.transcript import Turn
from markdown_memory.rules import secrets
from markdown_memory.rules.extraction import LOOK_BACK, Extract, Found, extract
from markdown_memory.storage.files import digest
from markdown_memory.storage.growing import Place, bytes_before, lines

if TYPE_CHECKING:
    from markdown_memory.workspace import Workspace

REMEMBERED = 20_000
"""Turns of one transcript of which a hash is kept."""
HASH = 16


class Fresh(NamedTuple):
    """A turn that had not been looked at, by its hash, and what it holds."""

    turn: str
    found: tuple[Found, ...]


class Reading(NamedTuple):
    """What is new in a transcript."""

    fresh: tuple[Fresh, ...]
    turns: int
    broken: int
    """Lines that are no JSON; a last line that is still being written is none of them."""
    up_to: Place
    again_from: Place
    """Where the turns begin that the next ones may refer to."""


class Transcript:
    """One transcript, and what this host remembers about it."""

    def __init__(self, space: "Workspace", path: str) -> None:
        self.path = os.path.abspath(path)
        self._space = space
        self._file = f"transcript-{digest(os.path.realpath(path).encode('utf-8', 'surrogatepass'))[:24]}.json"
        self._facts = self._read()

    @property
    def proposed(self) -> int:
        """How many facts of it have been proposed so far."""
        return int(self._facts.get("proposed", 0))

    def look(self, *, rules: Extract = extract, going_on: bool = False, most: int = 0) -> Reading:
        """What is new; `going_on` reads from where the last such reading ended, at most about `most` bytes."""
        start = self._left_off() if going_on else Place()
        seen = set(self._facts.get("seen", ()))
        fresh: list[Fresh] = []
        before: deque[Turn] = deque(maxlen=LOOK_BACK)
        places: deque[Place] = deque(maxlen=LOOK_BACK)
        turns = broken = 0
        up_to = start
        for line in lines(self.path, start, most):
            read = transcript.read_line(line.place.line, line.data)
            if line.ended:
                up_to = line.after
            broken += read.broken and line.ended
            if read.turn is None:
                continue
            turn, turns = read.turn, turns + 1
            key = digest(f"{turn.who}\n{turn.text}".encode("utf-8", "surrogatepass"))[:HASH]
            if key not in seen:
                seen.add(key)
                fresh.append(Fresh(key, tuple(map(_masked, rules(tuple(before), turn)))))
            before.append(turn)
            places.append(line.place)
        return Reading(tuple(fresh), turns, broken, up_to, places[0] if places else up_to)

    def remember(self, reading: Reading, done: Sequence[str], proposed: int) -> None:
        """Write down which turns are done with (by their hashes), and how many facts they gave."""
        facts = {
            "seen": [*self._facts.get("seen", ()), *done][-REMEMBERED:],
            "proposed": self.proposed + proposed,
            "again_from": list(reading.again_from),
            "up_to": reading.up_to.offset,
            "before": bytes_before(self.path, reading.up_to.offset).hex(),
        }
        if facts != self._facts:
            self._facts = facts
            self._space.write_state(self._file, json.dumps(facts))

    def _left_off(self) -> Place:
        """Where to go on; the beginning if the file is no longer the one that was read."""
        try:
            place = Place(*self._facts["again_from"])
            known, up_to = bytes.fromhex(self._facts["before"]), int(self._facts["up_to"])
        except (KeyError, TypeError, ValueError):
            return Place()
        return place if bytes_before(self.path, up_to) == known else Place()

    def _read(self) -> dict[str, Any]:
        try:
            facts = json.loads(self._space.read_state(self._file) or "{}")
        except ValueError:
            return {}
        return facts if isinstance(facts, dict) else {}


def source(path: str, line: int, home: str) -> str:
    """Where a quote stands: the file, below `~` where it lies there, and the line."""
    inside = home and path.startswith(home.rstrip(os.sep) + os.sep)
    return f"{'~' + path[len(home.rstrip(os.sep)) :] if inside else path}:{line}"


def _masked(found: Found) -> Found:
    return found._replace(text=secrets.masked(found.text))
