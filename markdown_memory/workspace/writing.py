"""The one way to change a file of the open vault.

A change is: lock → finish what an earlier change left undone → compare hashes → durable temporary files → ledger entry
→ rename into place → remove → refresh. These rules hold:

1. Whoever writes says which bytes it read (their SHA-256). When other bytes are there now, nothing is written.
2. The ledger entry names every file with its old and new hash and its temporary file, and it is on disk before the
   first file changes. So a change that was killed can be finished, or said to be void, by hashes alone.
3. What is added comes before what is removed. Nothing that had been in a note is ever without a copy.
4. MEMORY.md is part of the change that moved it.

Only this host finishes its changes: the ledger entry of another host's change may simply have arrived before its files.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from markdown_memory.core import layout
from markdown_memory.core.names import file_name
from markdown_memory.core.note import StoredNote, read_header
from markdown_memory.core.scope import Scope
from markdown_memory.errors import ConflictError
from markdown_memory.rules import scoping
from markdown_memory.storage import files
from markdown_memory.storage.index_file import drift
from markdown_memory.workspace.edits import FOR_GOOD, Edit, by_ledger, by_owner, check_size, leaving, ledger_for
from markdown_memory.workspace.observing import all_noted, by_hand
from markdown_memory.workspace.view import View

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.storage.bringing import Bringing
    from markdown_memory.storage.index_file import Drift
    from markdown_memory.storage.keys import Writer
    from markdown_memory.storage.transactions import Transactions

UNDER_WAY = "change.json"
COMING_IN = "merge.json"
BY_FILE = "files"
"""The agent that signs what a person decided by touching files."""


class Workspace(View):
    """A view that can also be written through."""

    # writing

    @contextmanager
    def writing(self, *, quickly: bool = False) -> Iterator[None]:
        """Hold the vault's lock, with nothing left undone and the catalog as of now; may be nested.

        `quickly` is for what depends on its own files only, which are compared by their hashes anyway: when the last
        whole scan was a moment ago, a look at the folders will do, and nobody else waits for the scan.
        """
        if self._depth:
            yield
            return
        if quickly and self.catalog.is_due(patient=True):
            self.catalog.refresh()
        from markdown_memory.storage.locks import vault_lock

        with vault_lock(self.root):
            self._depth += 1
            self._move()
            try:
                self.recover()
                if not (quickly and self.catalog.glance()):
                    self.catalog.refresh()
                self._still = True
                yield
            finally:
                self._depth -= 1
                self._move()

    def change(
        self,
        edits: Sequence[Edit],
        *,
        kind: str,
        text: str,
        via: str = "",
        data: Mapping[str, object] | None = None,
        by_file: bool = False,
    ) -> "Entry":
        """Carry out one change of one or more files; see the rules at the top.

        `by_file` says that a person decided by touching files: that is recorded and never gets the person's signature.
        Files of a private folder are vouched for by its own ledger: what touches several is a change in each.
        """
        self.found.check_meant()
        parts = by_ledger(edits)
        if len(parts) > 1:
            with self.writing():
                done = [self.change(one, kind=kind, text=text, via=via, data=data, by_file=by_file) for one in parts]
            return done[0]
        from markdown_memory.storage import changes
        from markdown_memory.storage.transactions import Word

        check_size(edits)
        with self.writing(quickly=True):
            together = [*edits, *self._index_edit(edits)]
            self._compare(together)
            self.earlier.keep(self.root, {} if kind in FOR_GOOD else leaving(together))
            self._observe([one.path for one in together])
            token = os.urandom(6).hex()
            plan = [changes.plan(self.root, one.path, one.old or "", one.new, token, one.move_from) for one in together]
            contents = {one.path: one.new for one in together if one.new is not None}
            facts = {**(data or {}), "via": "file" if by_file else via or self.via}
            word = Word(self._signer(by_file), kind, text, facts, ledger_for(edits[0].path if edits else ""))
            try:
                entry = self._transactions.carry_out(plan, contents, token, word)
            finally:
                self.catalog.touch([one.path for one in plan])
                self._seen = None
            self._noted([one.path for one in together])
            return entry

    def bring(
        self, edits: Sequence[Edit], logs: Sequence[Edit], *, kind: str, text: str, data: Mapping[str, object]
    ) -> "Entry | None":
        """A change that comes with log files of another copy, which the ledger does not vouch for: all, or nothing.

        Of an edit of MEMORY.md the text around the block counts. What the other copy holds comes whatever its size is.
        """
        from markdown_memory.storage import changes
        from markdown_memory.storage.transactions import Word

        self.found.check_meant()
        with self.writing():
            around = next((one.new for one in edits if one.path == layout.MEMORY_INDEX), None)
            edits = [one for one in edits if one.path != layout.MEMORY_INDEX]
            together = [*edits, *self._index_edit(edits, around)]
            self._compare([*together, *logs])
            self.earlier.keep(self.root, {} if kind in FOR_GOOD else leaving(together))
            token = os.urandom(6).hex()
            arriving, plan = (
                [changes.plan(self.root, one.path, one.old or "", one.new, token, one.move_from) for one in each]
                for each in (logs, together)
            )
            contents = {one.path: one.new for one in (*logs, *together) if one.new is not None}
            word = Word(self._signer(), kind, text, {**data, "via": self.via})
            try:
                return self._bringing.carry_out(arriving, plan, contents, token, word)
            finally:
                self.catalog.touch([one.path for one in together])
                self._seen = None

    def attest(
        self,
        paths: Sequence[str],
        *,
        kind: str,
        text: str,
        data: Mapping[str, object] | None = None,
        gone: Sequence[str] = (),
    ) -> "Entry":
        """One ledger entry for files as they are, changing none (init, approve); `gone` are meant to be gone."""
        from markdown_memory.core.ledger import FileChange
        from markdown_memory.storage.transactions import Word

        self.found.check_meant()
        parts = by_owner([*paths, *gone])
        if len(parts) > 1:
            with self.writing():
                lost = frozenset(gone)
                done = [
                    self.attest(
                        [one for one in part if one not in lost],
                        kind=kind,
                        text=text,
                        data=data,
                        gone=[one for one in part if one in lost],
                    )
                    for part in parts
                ]
            return done[0]
        with self.writing():
            log = ledger_for(next(iter([*paths, *gone]), ""))
            hashes = [(path, self.hash_of(path) or "") for path in paths]
            plan = [FileChange(path, sha256, sha256) for path, sha256 in hashes if sha256]
            plan += [FileChange(path, "", "") for path in gone]
            facts = {**(data or {}), "via": self.via}
            self._observe([*paths, *gone])
            entry = self._transactions.enter(plan, Word(self._signer(), kind, text, facts, log))
            self._noted([*paths, *gone])
            return entry

    def recover(self) -> None:
        """Finish the change that was cut off on this host, or say that it is void."""
        if self.read_state(UNDER_WAY).strip():
            self._transactions.recover()
        if self.read_state(COMING_IN).strip():
            self._bringing.recover()

    @property
    def _transactions(self) -> "Transactions":
        from markdown_memory.storage.transactions import Transactions

        return Transactions(self.root, self.logs, os.path.join(self.state_folder, UNDER_WAY), self._stepped)

    def _stepped(self, what: str) -> None:
        self.step(what)

    def masked(self, text: str) -> str:
        """An agent's text with every secret in it masked; a person's as it is. What was masked is in `notices`."""
        if not self.principal or not text:
            return text
        from markdown_memory.rules.secrets import mask

        clean, kinds = mask(text)
        sentences = [f"What looks like {kind} was masked: secrets do not belong into the memory." for kind in kinds]
        self.notices += [sentence for sentence in sentences if sentence not in self.notices]
        return clean

    def _observe(self, but: Sequence[str]) -> None:
        """Put before a change what was edited by hand since the last one; a change speaks for its own files itself.

        A change of private notes alone leaves that to the next one: nobody else shall see that there was any.
        """
        from markdown_memory.storage.transactions import Word

        if but and all(map(layout.private_owner, but)):
            return
        for log, found in by_hand(self, but).items():
            many = f"{len(found)} files" if len(found) > 1 else found[0].path
            word = Word(self._signer(), "observed", f"edited by hand: {many}", {"via": self.via}, log)
            self._transactions.enter(found, word)

    def _noted(self, changed: Sequence[str]) -> None:
        if not (changed and all(map(layout.private_owner, changed))):
            all_noted(self)

    # what writing needs

    def check_hash(self, stored: StoredNote, if_hash: str | None) -> None:
        """ConflictError when these are not the bytes that the caller read."""
        if if_hash is not None and if_hash != stored.header.sha256:
            raise ConflictError(
                f"{stored.header.path} was changed since it was read (now {stored.header.sha256[:12]}…); read it again."
            )

    def hash_of(self, path: str) -> str | None:
        """SHA-256 of a file as it is now, None when there is none."""
        return files.digest_of(self.root, path)

    def free_path(self, folder: str, name: str, instead_of: str = "") -> str:
        """A path for a note of that name which no neighbour has, not even in other capitals or accents."""
        return self.free_file(f"{folder}/{file_name(name)}", instead_of)

    def free_file(self, path: str, instead_of: str = "") -> str:
        """The path, or the next one with a number when it is taken."""
        from markdown_memory.storage.free_names import free_file

        return free_file(self.root, path, instead_of)

    def scope_for(self, type: str, namespace: str | None) -> Scope | None:
        """Where a note of that type goes; None = everywhere."""
        found = scoping.scope_for(type, namespace, self.scope, self.scope_line)
        return found._replace(project="") if found and found.project == self.settings.own_project.name else found

    # steps of a change

    def _compare(self, edits: Sequence[Edit]) -> None:
        """Rule 1, for every file before the first one is touched."""
        for edit in edits:
            now = self.hash_of(edit.path)
            if now == edit.old:
                continue
            if edit.old is None:
                raise ConflictError(f"{edit.path} exists already, so nothing was written; change it with its hash.")
            what = "is gone" if now is None else "was changed"
            raise ConflictError(f"{edit.path} {what} since it was read, so nothing was written; read it again.")

    def _signer(self, by_file: bool = False) -> "Writer":
        if self.principal:
            return self.logs.writer(self.principal)
        person = self.logs.writer(self.person, "person")
        return self._clerk(person) if by_file else person

    def _clerk(self, person: "Writer") -> "Writer":
        """Who signs for a person that decided in an editor: a writer of this host, which the person's key confirms."""
        clerk = self.logs.writer(BY_FILE)
        standing = self.logs.standings().writers.get(clerk.id)
        if standing is None or standing.state == "unconfirmed":
            self.logs.introduce(clerk, self.via)
            self.logs.confirm(person, clerk, self.via)
        return clerk

    @property
    def _bringing(self) -> "Bringing":
        from markdown_memory.storage.bringing import Bringing

        marker = os.path.join(self.state_folder, COMING_IN)
        return Bringing(self.root, self.logs, marker, self._transactions, self._stepped)

    # the memory index

    def _index_edit(self, edits: Sequence[Edit], around: bytes | None = None) -> list[Edit]:
        """What a change makes of MEMORY.md; nothing when no line there moves, or when it cannot be read.

        `around` is a MEMORY.md whose text around the block is to stand there.
        """
        shown = [
            one for one in edits if layout.place_of(one.path).area == "memory" and not layout.private_owner(one.path)
        ]
        if (not shown and around is None) or any(one.path == layout.MEMORY_INDEX for one in edits):
            return []
        edited = {one.path: None if one.new is None else read_header(one.path, one.new) for one in shown}
        return self._as_edits(drift(self.root, self.catalog, self.settings, edited, around))

    def index_drift(self) -> list[Edit]:
        """What would bring MEMORY.md up to the notes; empty when it is."""
        self.look()
        return self._as_edits(drift(self.root, self.catalog, self.settings))

    def _as_edits(self, found: "Drift | None") -> list[Edit]:
        return [Edit(layout.MEMORY_INDEX, found.old, found.new)] if found else []
