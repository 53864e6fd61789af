"""The audit log: who did what on this host, signed and chained, outside the vault.

    <state>/audit/vaults/<vault id>-<path>/nexus/log/audit/<YYYY-MM>/audit-<writer>-<YYYY-MM>.md

It is a log of the format, named `audit`, with a `keys` log beside it, so that it can be checked by itself; who acts
signs. An entry names the tool, the key (a note's name, a query; never a text), the category, the principal and the
result. The result `would-be-denied` tells, while access control is off, what it would have refused.

    Audit(workspace).note(Operation(…)) / .read(tail) -> list[Operation] / .verify() -> tuple[Problem, ...]
"""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core.log_names import AUDIT, is_slug
from markdown_memory.errors import AccessError
from markdown_memory.storage.places import Places, vault_folder

if TYPE_CHECKING:
    from markdown_memory.core.problem import Problem
    from markdown_memory.storage.log_file import LogStore
    from markdown_memory.workspace import Workspace

DONE, DENIED, FAILED, WOULD_BE_DENIED = "done", "denied", "failed", "would-be-denied"
NOBODY = "unattended"
LONGEST = 200


class Operation(NamedTuple):
    """One operation. `why` is the sentence of a refusal or failure; `time` and `id` are "" until it is noted."""

    tool: str
    key: str = ""
    category: str = ""
    result: str = DONE
    why: str = ""
    principal: str = ""
    via: str = ""
    time: str = ""
    id: str = ""


class Audit:
    """The audit log of one copy of a vault on this host."""

    def __init__(self, space: "Workspace") -> None:
        self._space = space
        self._opened: LogStore | None = None

    def note(self, operation: Operation) -> None:
        """Sign an operation and put it at the end of the log."""
        space = self._space
        writer = self._logs.writer(space.author, "agent" if space.principal else "person")
        facts = operation._replace(key=_cut(operation.key), why=_cut(operation.why), principal=self._principal())
        data = {name: value for name, value in facts._asdict().items() if value and name not in ("via", "time", "id")}
        text = " ".join(f"{facts.tool} {facts.key}".split())
        channel = space.via if is_slug(space.via) else "api"
        self._logs.append(writer, AUDIT, channel=channel, kind=facts.result, text=text, data=data)

    def read(self, tail: int = 0) -> list[Operation]:
        """What was done, oldest first; the newest `tail` when that is above 0. A person's to read."""
        self._check_reader()
        entries = self._logs.read(AUDIT).entries
        return [
            Operation(
                **{name: str(entry.values().get(name, "")) for name in ("tool", "key", "category", "why", "principal")},
                result=entry.kind,
                via=entry.channel,
                time=entry.time,
                id=entry.id,
            )
            for entry in (entries[-tail:] if tail else entries)
        ]

    def verify(self) -> "tuple[int, tuple[Problem, ...]]":
        """How many entries hold, and what does not: every signature is checked, and what this host remembers."""
        self._check_reader()
        found = [self._logs.read(log, thorough=True) for log in ("keys", AUDIT)]
        return len(found[1].entries), tuple(problem for reading in found for problem in reading.problems)

    def _check_reader(self) -> None:
        if self._space.principal or (self._space.access.on and not self._space.access.attended):
            raise AccessError("Only a person reads the audit log: it tells what everybody asked for.")

    def _principal(self) -> str:
        space = self._space
        return space.author if space.principal or space.access.attended else NOBODY

    @property
    def _logs(self) -> "LogStore":
        """The writers are those of the vault; what is remembered of their chains is this log's own."""
        if self._opened is None:
            from markdown_memory.storage.log_file import LogStore

            space = self._space
            base = vault_folder(os.path.join(space.places.state, "audit"), space.vault_id, space.root)
            places = Places(space.places.config, os.path.join(base, "state"), space.places.cache)
            self._opened = LogStore(base, space.vault_id, places, space.clock)
        return self._opened


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def key_of(given: Sequence[object]) -> str:
    """What an operation is about: the first text that it was given, or where several were given, all of them."""
    first = given[0] if given else ""
    if isinstance(first, str):
        return first
    if isinstance(first, Mapping):
        return " ".join(str(first[key]) for key in ("command", "path", "old_path") if key in first)
    return " ".join(map(str, first)) if isinstance(first, list | tuple) else ""
