"""What this host remembers about one session of an agent: its first prompt, and which notes it has been shown.

It is a small file in the state folder, so that hooks, each a process of its own, show nothing twice. A session that the
client folded together has lost what it was shown, and starts anew.
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from markdown_memory.storage.files import digest

if TYPE_CHECKING:
    from markdown_memory.workspace import Workspace


class HasPath(Protocol):
    """What stands for a note."""

    @property
    def path(self) -> str: ...


Found = TypeVar("Found", bound=HasPath)

LONGEST = 2000
SHOWN = 500


class Session:
    """One session in one vault; a session without a name remembers nothing."""

    def __init__(self, space: "Workspace", name: str) -> None:
        self._space = space
        self._file = f"prompts-{digest(name.encode('utf-8', 'surrogatepass'))[:24]}.json"
        self._kept = bool(name)
        self._facts = self._read()

    @property
    def first_prompt(self) -> str:
        """What the session was started for; "" when that is not known."""
        return str(self._facts.get("first", ""))

    def hear(self, prompt: str) -> None:
        """Remember the first prompt."""
        if not self.first_prompt and prompt.strip():
            self._write({**self._facts, "first": prompt.strip()[:LONGEST]})

    def unseen(self, hits: Sequence[Found]) -> list[Found]:
        """The hits whose notes this session has not been shown; from now on they count as shown."""
        shown = [str(path) for path in self._facts.get("shown", ())]
        fresh = [hit for hit in hits if hit.path not in shown]
        if fresh:
            self._write({**self._facts, "shown": [*shown, *(hit.path for hit in fresh)][-SHOWN:]})
        return fresh

    def restart(self) -> None:
        """Forget what was shown; the first prompt stays."""
        self._write({"first": self.first_prompt})

    def _read(self) -> dict[str, Any]:
        try:
            facts = json.loads(self._space.read_state(self._file) or "{}") if self._kept else {}
        except ValueError:
            return {}
        return facts if isinstance(facts, dict) else {}

    def _write(self, facts: dict[str, Any]) -> None:
        self._facts = facts
        if self._kept:
            self._space.write_state(self._file, json.dumps(facts))
