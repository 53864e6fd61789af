"""A change that comes with log entries of others: a merge of another copy of the vault.

The order is: everything as durable temporary files → the log files in their places → the ledger entry, behind what has
just arrived → the other files in theirs. Until all is staged nothing has begun, and a merge that was killed leaves no
trace; from then on it is carried to its end by whoever writes next, as `merge.json` in the state folder says.

The log files come first, because a writer of this machine may have gone on in the other copy: its chain continues from
the entries that arrive.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from markdown_memory.core.ledger import FileChange
from markdown_memory.core.log_layout import file_at
from markdown_memory.storage import changes
from markdown_memory.storage.changes import Step
from markdown_memory.storage.places import read_private, write_private
from markdown_memory.storage.transactions import Transactions, Word

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.storage.log_file import LogStore

Plan = Sequence[FileChange]


class Bringing:
    """The merges of one copy of a vault; the vault's lock must be held. `marker` is the path of merge.json."""

    def __init__(self, root: str, logs: "LogStore", marker: str, transactions: Transactions, step: Step) -> None:
        self._root = root
        self._logs = logs
        self._marker = marker
        self._transactions = transactions
        self._step = step

    def carry_out(
        self, logs: Plan, plan: Plan, contents: Mapping[str, bytes], token: str, word: Word
    ) -> "Entry | None":
        """Bring the logs and the files in; the ledger entry, None when only logs came."""
        word = word._replace(facts={**word.facts, "token": token})
        self._mark("begun", token, logs, plan, word)
        self._step("begun")
        changes.stage(self._root, [*logs, *plan], contents, token, self._step)
        self._mark("staged", token, logs, plan, word)
        self._step("staged")
        return self._go_on(token, logs, plan, word)

    def recover(self) -> None:
        """Carry on with a merge that was cut off, or forget one that had not begun."""
        text = read_private(self._marker)
        if not text.strip():
            return
        try:
            phase, token, logs, plan, (writer, *said) = json.loads(text)
            logs, plan = ([FileChange(*row) for row in rows] for rows in (logs, plan))
            signer = next(one for one in self._logs.chest.writers() if one.id == writer)
        except (ValueError, TypeError, StopIteration):
            phase, logs, plan = "begun", [], []
        if phase == "begun":
            changes.drop(self._root, [*logs, *plan])
            write_private(self._marker, "")
        else:
            self._go_on(token, logs, plan, Word(signer, *said))

    def _go_on(self, token: str, logs: Plan, plan: Plan, word: Word) -> "Entry | None":
        for one in logs:
            file = file_at(one.path)
            with self._logs.lock(file.writer) if file else nullcontext():
                changes.finish(self._root, [one])
            self._step(f"joined {one.path}")
        entry = None
        if plan:
            entry = self._transactions.entry_with(token, plan) or self._transactions.enter(plan, word)
            self._step("entered")
            self._transactions.publish(plan, entry)
        write_private(self._marker, "")
        self._step("ended")
        return entry

    def _mark(self, phase: str, token: str, logs: Plan, plan: Plan, word: Word) -> None:
        said = [word.writer.id, word.kind, word.text, dict(word.facts), word.log]
        write_private(
            self._marker, json.dumps([phase, token, [[*one] for one in logs], [[*one] for one in plan], said])
        )
