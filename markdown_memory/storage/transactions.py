"""Changes that the ledger vouches for: durable temporary files, then the entry, then the files in their places.

`change.json` in the state folder names the change that is under way. It is written before the first temporary file and
emptied after the last rename; a torn one means that nothing had begun, or that all is done. So a change that was cut
off is found without reading the ledger, and hashes alone tell how far it came. What cannot be finished, because
somebody has written to one of its files since, is declared void by the writer that signed it, and what of it was done
is signed anew.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import ledger, times
from markdown_memory.core.layout import private_owner
from markdown_memory.core.ledger import FileChange
from markdown_memory.core.log_names import ledger_of
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.storage import changes, files
from markdown_memory.storage.changes import Step
from markdown_memory.storage.inside import failure
from markdown_memory.storage.places import overwrite_private, read_private

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.storage.keys import Writer
    from markdown_memory.storage.log_file import LogStore

LOG = "ledger"
LONGEST = 300
RECENT = 2  # months in which a change that was cut off can lie


class Word(NamedTuple):
    """Who says what about a change; `facts` must hold `via`."""

    writer: "Writer"
    kind: str
    text: str
    facts: Mapping[str, object]
    log: str = LOG


class Transactions:
    """The changes of one copy of a vault; the vault's lock must be held. `marker` is the path of change.json."""

    def __init__(self, root: str, logs: "LogStore", marker: str, step: Step) -> None:
        self._root = root
        self._logs = logs
        self._marker = marker
        self._step = step

    def carry_out(self, plan: Sequence[FileChange], contents: Mapping[str, bytes], token: str, word: Word) -> "Entry":
        """Do it all, or nothing; `contents` are the new bytes by path, `token` is in every temporary file's name."""
        self._mark(json.dumps([token, [list(one) for one in plan]]))
        self._step("begun")
        try:
            changes.stage(self._root, plan, contents, token, self._step)
            changes.check_unchanged(self._root, plan)
            entry = self.enter(plan, word._replace(facts={**word.facts, "token": token}))
        except BaseException:
            self.recover()
            raise
        self._step("entered")
        self.publish(plan, entry)
        self._mark("")
        self._step("ended")
        return entry

    def enter(self, plan: Sequence[FileChange], word: Word) -> "Entry":
        """The ledger entry; more files than fit on a line go into a manifest beside it."""
        if len(plan) <= ledger.INLINE:
            data = ledger.ledger_data(plan, **word.facts)
        else:
            rows = ledger.manifest(plan)
            sha256 = files.digest(rows)
            path = ledger.manifest_path(times.utc(self._logs.clock())[:7], word.writer.id, sha256, word.log)
            files.write_durable(self._root, path, rows)
            data = ledger.manifest_data(path, sha256, **word.facts)
        text = " ".join(word.text.split())[:LONGEST]
        channel = str(word.facts["via"])
        return self._logs.append(word.writer, word.log, channel=channel, kind=word.kind, text=text, data=data)

    def recover(self) -> None:
        """Finish the change that was cut off on this host, or say that it is void."""
        text = read_private(self._marker)
        if not text.strip():
            return
        try:
            token, rows = json.loads(text)
            plan = [FileChange(*row) for row in rows]
        except (ValueError, TypeError):
            plan, token = [], ""  # torn: nothing had begun
        entry = self.entry_with(token, plan) if token else None
        if entry is None:
            changes.drop(self._root, plan)
        elif unfinished := changes.finish(self._root, plan):
            self._void(entry, plan, unfinished)
        self._mark("")

    def publish(self, plan: Sequence[FileChange], entry: "Entry") -> None:
        """Put the staged files of an entry in their places; what cannot be put there any more is declared void."""
        try:
            changes.publish(self._root, plan, self._step)
        except MarkdownMemoryError:
            unfinished = changes.finish(self._root, plan)
            if unfinished:
                self._void(entry, plan, unfinished)
                self._mark("")
                raise

    def entry_with(self, token: str, plan: Sequence[FileChange]) -> "Entry | None":
        """The entry of the change with that token, which can only be among the newest."""
        log = ledger_of(private_owner(plan[0].path)) if plan else LOG
        entries = self._logs.read(log, months=RECENT).entries
        return next((entry for entry in reversed(entries) if entry.values().get("token") == token), None)

    def _mark(self, text: str) -> None:
        """Name the change that is under way, on the disk; that none is need not be there when the power goes."""
        try:
            overwrite_private(self._marker, text, durable=bool(text))
        except OSError as error:
            raise failure(self._marker, "cannot be written", error) from error

    def _void(self, entry: "Entry", plan: Sequence[FileChange], unfinished: Sequence[FileChange]) -> None:
        paths = sorted(one.path for one in unfinished)
        text = f"{entry.id} did not come to its end: {', '.join(paths)}"[:LONGEST]
        writer = next(one for one in self._logs.chest.writers() if one.id == entry.writer)
        facts = {"void": entry.id, "paths": paths}
        self._logs.append(writer, entry.log, channel=entry.channel, kind="void", text=text, data=facts)
        done = [one._replace(move_from="") if one.move_from in paths else one for one in plan if one not in unfinished]
        if done:
            said = f"What came to its end of {entry.id}"
            self.enter(done, Word(writer, entry.kind, said, {"via": entry.channel}, entry.log))
