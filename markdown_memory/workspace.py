"""The open vault, and the one way to change a file.

A change is: lock → finish what an earlier change left undone → compare hashes → durable temporary files → ledger entry
→ rename into place → remove → refresh. These rules hold:

1. Whoever writes says which bytes it read (their SHA-256). When other bytes are there now, nothing is written.
2. The ledger entry names every file with its old and new hash and its temporary file, and it is on disk before the
   first file changes. So a change that was killed can be finished, or said to be void, by hashes alone.
3. What is added comes before what is removed. Nothing that had been in a note is ever without a copy.
4. MEMORY.md is part of the change that moved it.

Only this host finishes its changes: the ledger entry of another host's change may simply have arrived before its files.
The standard library's slow modules, and every third-party one, are imported where they are needed: `context` and `show`
come through here and should take no longer than a few starts of Python.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from markdown_memory.core import layout
from markdown_memory.core.frontmatter import split
from markdown_memory.core.names import file_name
from markdown_memory.core.note import Header, StoredNote, read_header
from markdown_memory.core.scope import Scope
from markdown_memory.errors import ConflictError, MarkdownMemoryError, NotFound
from markdown_memory.rules import access, scoping
from markdown_memory.rules.resolve import meaning
from markdown_memory.storage import files
from markdown_memory.storage.index_file import drift
from markdown_memory.storage.kept import kept
from markdown_memory.storage.ledger_reading import signed_by_a_person, stamp
from markdown_memory.storage.places import read_private, vault_folder, write_private

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.core.settings import Parsed
    from markdown_memory.rules.scoping import Located
    from markdown_memory.storage.catalog import Catalog
    from markdown_memory.storage.index_file import Drift
    from markdown_memory.storage.keys import Writer
    from markdown_memory.storage.log_file import LogStore
    from markdown_memory.storage.places import Places
    from markdown_memory.storage.transactions import Transactions
    from markdown_memory.storage.vaults import Found

T = TypeVar("T")
UNDER_WAY = "change.json"
LEDGER = "ledger"
BY_FILE = "files"
"""The agent that signs what a person decided by touching files."""
GUIDING = ("memory/user/", "memory/feedback/")


class Edit(NamedTuple):
    """One file of a change: the hash that was read (None = no such file) and the new bytes (None = remove)."""

    path: str
    old: str | None
    new: bytes | None
    move_from: str = ""


class Workspace:
    """What is open: the folder, who works in it, in which scope, and everything that belongs to the vault."""

    def __init__(
        self,
        found: "Found",
        *,
        places: "Places",
        parsed: "Parsed",
        catalog: "Catalog",
        clock: Callable[[], float],
        principal: str,
        located: "Located",
        via: str,
    ) -> None:
        self.found = found
        self.root = found.root
        self.vault_id = found.vault_id
        self.places = places
        self.settings = parsed.settings
        self.settings_problems = parsed.problems
        self.catalog = catalog
        self.clock = clock
        self.principal = principal
        self.scope = located.scope
        self.scopes = located.seen
        self.scope_line = located.line
        self.via = via
        self.step: Callable[[str], None] = _no_step
        """Called after every step of a change; tests stop the process there."""
        self._depth = 0
        self._still = False
        self._seen: list[Header] | None = None
        self._logs: LogStore | None = None

    @property
    def logs(self) -> "LogStore":
        """The signed logs of this copy; opened when first asked for."""
        if self._logs is None:
            from markdown_memory.storage.log_file import LogStore

            self._logs = LogStore(self.root, self.vault_id, self.places, self.clock)
        return self._logs

    # who and where

    @property
    def name(self) -> str:
        """The vault's name: its folder's."""
        return os.path.basename(self.root)

    @property
    def person(self) -> str:
        """The slug under which the person of this account signs."""
        return self.found.person

    @property
    def author(self) -> str:
        """The slug under which this principal writes."""
        return self.principal or self.person

    @property
    def everyday(self) -> tuple[str, ...]:
        """Statuses of what a principal works with: an agent's own proposals count, marked as unreviewed."""
        return ("accepted", "proposal") if self.principal else ("accepted",)

    @property
    def home(self) -> Scope:
        """The own project's default branch: where a note goes that names no scope."""
        return Scope("", self.settings.default_branch(""))

    def project_name(self, scope: Scope) -> str:
        """What people call a scope's project."""
        return scope.project or self.settings.own_project.name or self.name

    def may_see(self, header: Header) -> bool:
        """Whether a file is shared, or this principal's."""
        return access.may_see(header, self.principal)

    def may_change(self, header: Header) -> bool:
        """Whether this principal may change, rename or forget a file without asking a person."""
        return access.may_change(header, self.principal, self.settings.store)

    def git_is_busy(self) -> bool:
        """Whether a merge, rebase or other git operation is half done where the vault lies."""
        from markdown_memory.storage.git import operation

        return bool(operation(self.root))

    # reading

    def read(self, path: str) -> StoredNote:
        """A file with its header, straight from the disk; the catalog's header when it is of these bytes."""
        data = files.read(self.root, path)
        known = self.catalog.get(path)
        fits = known is not None and known.sha256 == files.digest(data)
        return StoredNote(known if known is not None and fits else read_header(path, data), data)

    def read_quietly(self, path: str) -> StoredNote | None:
        """The file, or None when it cannot be read: one bad file never stops the rest."""
        try:
            return self.read(path)
        except MarkdownMemoryError:
            return None

    def body(self, path: str) -> str:
        """The text below the frontmatter, "" when the file cannot be read; loads no YAML."""
        try:
            body = split(files.read(self.root, path)).body
        except MarkdownMemoryError:
            return ""
        return body.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

    def all_headers(self) -> list[Header]:
        """Every file that the catalog knows, as of now."""
        if not self._still:
            self.catalog.refresh()
            return self.catalog.headers()
        if self._seen is None:
            self._seen = self.catalog.headers()
        return self._seen

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Look at the files once for everything that is read inside, until something is written."""
        self.catalog.refresh()
        self._still = True
        try:
            yield
        finally:
            self._move()

    def _move(self) -> None:
        self._still, self._seen = False, None

    def kept(self, place: str, depends: str, make: Callable[[], T]) -> T:
        """What `make` gives, as JSON can hold it; kept as long as no note changes, nor what it `depends` on."""
        if not self._still:
            self.catalog.refresh()
        return kept(self.catalog, place, f"{self.catalog.generation} {depends}", make)

    def headers(self) -> list[Header]:
        """Those that this principal may see: of private notes and of proposals, an agent sees its own."""
        return [header for header in self.all_headers() if self.may_see(header)]

    def resolve(self, name: str, statuses: Sequence[str] = ()) -> Header:
        """The header that a name means; of the given statuses, or else of current notes."""
        try:
            return meaning(name, self._named(name), self.scopes, statuses)
        except NotFound:
            return meaning(name, self.headers(), self.scopes, statuses)

    def _named(self, name: str) -> list[Header]:
        """All that the name could mean: a few headers are read much faster than every one."""
        if self._still:
            return self.headers()
        self.catalog.refresh()
        return [header for header in self.catalog.by_name(name) if self.may_see(header)]

    # writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the vault's lock, with nothing left undone and the catalog as of now; may be nested."""
        if self._depth:
            yield
            return
        from markdown_memory.storage.locks import vault_lock

        with vault_lock(self.root):
            self._depth += 1
            self._move()
            try:
                self.recover()
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
        """
        from markdown_memory.storage import changes
        from markdown_memory.storage.transactions import Word

        with self.writing():
            together = [*edits, *self._index_edit(edits)]
            self._compare(together)
            token = os.urandom(6).hex()
            plan = [changes.plan(self.root, one.path, one.old or "", one.new, token, one.move_from) for one in together]
            contents = {one.path: one.new for one in together if one.new is not None}
            facts = {**(data or {}), "via": "file" if by_file else via or self.via}
            word = Word(self._signer(by_file), kind, text, facts)
            try:
                return self._transactions.carry_out(plan, contents, token, word)
            finally:
                self.catalog.touch([one.path for one in plan])
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
        """One ledger entry for files as they are, changing none of them (init, approve); `gone` are meant to be gone."""
        from markdown_memory.core.ledger import FileChange
        from markdown_memory.storage.transactions import Word

        with self.writing():
            hashes = [(path, self.hash_of(path) or "") for path in paths]
            plan = [FileChange(path, sha256, sha256) for path, sha256 in hashes if sha256]
            plan += [FileChange(path, "", "") for path in gone]
            return self._transactions.enter(plan, Word(self._signer(), kind, text, {**(data or {}), "via": self.via}))

    def recover(self) -> None:
        """Finish the change that was cut off on this host, or say that it is void."""
        if self.read_state(UNDER_WAY).strip():
            self._transactions.recover()

    @property
    def _transactions(self) -> "Transactions":
        from markdown_memory.storage.transactions import Transactions

        return Transactions(self.root, self.logs, os.path.join(self.state_folder, UNDER_WAY), self._stepped)

    def _stepped(self, what: str) -> None:
        self.step(what)

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

    # state of this host

    @property
    def state_folder(self) -> str:
        """What this host remembers about this copy of the vault."""
        return vault_folder(self.places.state, self.vault_id, self.root)

    def read_state(self, name: str) -> str:
        """The text of one of this host's small files; "" when there is none."""
        return read_private(os.path.join(self.state_folder, name))

    def write_state(self, name: str, text: str) -> None:
        """Replace one of this host's small files."""
        write_private(os.path.join(self.state_folder, name), text)

    # the ledger

    def ledger(self) -> "list[Entry]":
        """All valid entries of the ledger in reading order."""
        return list(self.logs.read(LEDGER).entries)

    def approval_stamp(self) -> str:
        """The same as long as nobody has signed, confirmed or trusted anything."""
        roots = read_private(os.path.join(self.places.config, "keys", self.vault_id, "root"))
        return json.dumps([self.log_stamp(LEDGER), self.log_stamp("keys"), roots])

    def approved(self) -> dict[str, str]:
        """Which global notes stand as a person signed them: SHA-256 by path."""

        def read() -> dict[str, str]:
            return signed_by_a_person(self.root, self.logs.read(LEDGER), GUIDING)

        return kept(self.catalog, "approved", self.approval_stamp(), read)

    def log_stamp(self, log: str) -> list[tuple[str, int, int]]:
        """The same as long as nobody has written to that log."""
        return stamp(self.root, log)

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

    # the memory index

    def _index_edit(self, edits: Sequence[Edit]) -> list[Edit]:
        """What a change makes of MEMORY.md; nothing when no line there moves, or when it cannot be read."""
        shown = [one for one in edits if layout.place_of(one.path).area == "memory"]
        if not shown or any(one.path == layout.MEMORY_INDEX for one in edits):
            return []
        headers = {header.path: header for header in self.catalog.headers()}
        for one in shown:
            headers.pop(one.path, None)
            if one.new is not None:
                headers[one.path] = read_header(one.path, one.new)
        return self._as_edits(drift(self.root, headers.values(), self.settings))

    def index_drift(self) -> list[Edit]:
        """What would bring MEMORY.md up to the notes; empty when it is."""
        return self._as_edits(drift(self.root, self.all_headers(), self.settings))

    def _as_edits(self, found: "Drift | None") -> list[Edit]:
        return [Edit(layout.MEMORY_INDEX, found.old, found.new)] if found else []


def _no_step(_: str) -> None:
    return None
