"""The open vault as one principal sees it in one scope: who, where, and every way to read.

The standard library's slow modules, and every third-party one, are imported where they are needed: `context` and `show`
come through here and should take no longer than a few starts of Python.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from markdown_memory.core import layout
from markdown_memory.core.frontmatter import split
from markdown_memory.core.note import Header, StoredNote, read_header
from markdown_memory.core.scope import Scope, folder_of, scope_of
from markdown_memory.errors import MarkdownMemoryError, NotFound, UserError
from markdown_memory.rules.access import Access
from markdown_memory.rules.resolve import meaning
from markdown_memory.storage import files
from markdown_memory.storage.kept import kept
from markdown_memory.storage.ledger_reading import signed_by_a_person, stamp
from markdown_memory.storage.places import read_private, vault_folder, write_private
from markdown_memory.workspace.serving import Serving

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.core.settings import Parsed
    from markdown_memory.rules.scoping import Located
    from markdown_memory.storage.catalog import Catalog
    from markdown_memory.storage.earlier import Earlier
    from markdown_memory.storage.log_file import LogStore
    from markdown_memory.storage.places import Places
    from markdown_memory.storage.vaults import Found

T = TypeVar("T")
LEDGER = "ledger"
MOVED = {"scope", "into"}
GUIDING = ("memory/user/", "memory/feedback/")


class View:
    """What is open: the folder, who works in it, in which scope, and everything that belongs to the vault."""

    def __init__(
        self,
        found: "Found",
        *,
        places: "Places",
        parsed: "Parsed",
        catalog: "Catalog",
        clock: Callable[[], float],
        access: Access,
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
        self.access = access
        self.principal = access.agent
        self.scope = located.scope
        self.scopes = located.seen
        self.scope_line = located.line
        self.via = via
        self.step: Callable[[str], None] = _no_step
        """Called after every step of a change; tests stop the process there."""
        self._settings_stamp = self._stamp_of_settings()
        self.notices: list[str] = []
        """What the caller should be told beside the result of a write."""
        self.leniences: list[str] = []
        """What was allowed and would not have been with access control; for the audit log."""
        self._depth = 0
        self._still = False
        self._seen: list[Header] | None = None
        self._logs: LogStore | None = None
        self.serving = Serving(self)

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
        return self.access.may_see(header)

    def may_change(self, header: Header) -> bool:
        """Whether this principal may change, rename or forget a file without asking a person."""
        allowed = self.access.may_change(header)
        if allowed and not self.access._replace(on=True).may_change(header):
            self.leniences.append(f"{header.path} belongs to {header.agent or 'a person'}.")
        return allowed

    def settings_are_current(self) -> bool:
        """Whether Settings.md is still there, untouched since the vault was opened."""
        return self._settings_stamp is not None and self._settings_stamp == self._stamp_of_settings()

    def _stamp_of_settings(self) -> tuple[int, ...] | None:
        try:
            found = os.stat(os.path.join(self.root, layout.SETTINGS))
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

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

    def serve(self, path: str) -> StoredNote:
        """The file as this principal may be shown it; AccessError when it is withheld."""
        stored = self.read(path)
        self.serving.check(path, stored.data)
        return stored

    def serve_quietly(self, path: str) -> StoredNote | None:
        """The file, or None when it cannot be read or is withheld."""
        try:
            return self.serve(path)
        except MarkdownMemoryError:
            return None

    def read_quietly(self, path: str) -> StoredNote | None:
        """The file, or None when it cannot be read: one bad file never stops the rest."""
        try:
            return self.read(path)
        except MarkdownMemoryError:
            return None

    def body(self, path: str) -> str:
        """The text below the frontmatter, "" when it cannot be read or is withheld; loads no YAML."""
        try:
            data = files.read(self.root, path)
            self.serving.check(path, data)
            body = split(data).body
        except MarkdownMemoryError:
            return ""
        return body.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

    def look(self) -> None:
        """Bring what is known of the files up to now, unless they are looked at once for everything."""
        if not self._still:
            self.catalog.follow()

    def all_headers(self) -> list[Header]:
        """Every file that the catalog knows, as of now."""
        self.look()
        if not self._still:
            return self.catalog.headers()
        if self._seen is None:
            self._seen = self.catalog.headers()
        return self._seen

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Look at the files once for everything that is read inside, until something is written."""
        if self._still:
            yield
            return
        self.catalog.follow()
        self._still = True
        try:
            yield
        finally:
            self._move()

    def _move(self) -> None:
        self._still, self._seen = False, None

    def kept(self, place: str, depends: str, make: Callable[[], T]) -> T:
        """What `make` gives, as JSON can hold it; kept as long as no note changes, nor what it `depends` on."""
        self.look()
        return kept(self.catalog, place, f"{self.catalog.generation} {depends}", make)

    def headers(self) -> list[Header]:
        """Those that this principal may see: of private notes and of proposals, an agent sees its own."""
        return self.serving.visible(header for header in self.all_headers() if self.may_see(header))

    def resolve(self, name: str, statuses: Sequence[str] = ()) -> Header:
        """The header that a name means; of the given statuses, or else of current notes."""
        try:
            return meaning(name, self.named(name), self.scopes, statuses)
        except UserError as error:
            self.catalog.refresh()
            self._seen = None
            if isinstance(error, NotFound):
                self.serving.refuse(name, statuses)
                return meaning(name, self.headers(), self.scopes, statuses)
            return meaning(name, self.named(name), self.scopes, statuses)

    def named(self, name: str) -> list[Header]:
        """All that the name could mean, each as its file is now: a few are looked at much faster than every one."""
        if not self._still and not self.catalog.glance():
            self.catalog.refresh()
        found = self.catalog.by_name(name)
        if self.catalog.check([header.path for header in found]):
            self._seen = None
            found = self.catalog.by_name(name)
        return self.serving.visible(header for header in found if self.may_see(header))

    # state of this host

    @property
    def state_folder(self) -> str:
        """What this host remembers about this copy of the vault."""
        return vault_folder(self.places.state, self.vault_id, self.root)

    def read_state(self, name: str) -> str:
        """The text of one of this host's small files; "" when there is none."""
        return read_private(os.path.join(self.state_folder, name))

    @property
    def earlier(self) -> "Earlier":
        """What files said before they were changed here."""
        from markdown_memory.storage.earlier import Earlier

        return Earlier(self.places.state, self.vault_id)

    def write_state(self, name: str, text: str) -> None:
        """Replace one of this host's small files."""
        write_private(os.path.join(self.state_folder, name), text)

    # the ledger

    def ledger(self) -> "list[Entry]":
        """All valid entries of the ledger in reading order, with those about private notes that may be seen here."""
        entries = [entry for log in self.ledgers() for entry in self.logs.read(log).entries]
        return sorted(entries, key=lambda entry: entry.time)

    def private_owners(self) -> list[str]:
        """Whose private notes this principal may know of, as far as there are any."""
        try:
            found = sorted(os.listdir(os.path.join(self.root, layout.PRIVATE_FOLDER)))
        except OSError:
            return []
        return [owner for owner in found if self.access.may_know_of(owner)]

    def private_ledgers(self) -> list[str]:
        """The logs that vouch for their files."""
        from markdown_memory.core.log_names import is_log, ledger_of

        return [log for log in map(ledger_of, self.private_owners()) if is_log(log)]

    def ledgers(self) -> list[str]:
        """The logs that vouch for the files which this principal may know of."""
        return [LEDGER, *self.private_ledgers()]

    def approval_stamp(self) -> str:
        """The same as long as nobody has signed, confirmed or trusted anything."""
        roots = read_private(os.path.join(self.places.config, "keys", self.vault_id, "root"))
        return json.dumps([*(self.log_stamp(log) for log in self.ledgers()), self.log_stamp("keys"), roots])

    def approved(self) -> dict[str, str]:
        """Which global notes stand as a person signed them: SHA-256 by path."""

        def read() -> dict[str, str]:
            return signed_by_a_person(self.root, self.logs.read(LEDGER), GUIDING)

        return kept(self.catalog, "approved", self.approval_stamp(), read)

    def landing(self, scope: Scope, created: str) -> Scope:
        """Where what was proposed for a scope goes now: on to the branch that took it over, or to its new name."""

        def read() -> list[list[str]]:
            known = ("branch-merge", "branch-rename")
            facts = [(one.time, one.values()) for one in self.ledger() if one.kind in known]
            return [[time, str(data["scope"]), str(data["into"])] for time, data in facts if data.keys() >= MOVED]

        for time, source, into in kept(self.catalog, "landings", json.dumps(self.log_stamp(LEDGER)), read):
            if folder_of(scope) == source and created <= time:
                scope = scope_of(into)
        return scope

    def log_stamp(self, log: str) -> list[tuple[str, int, int]]:
        """The same as long as nobody has written to that log."""
        return stamp(self.root, log)


def _no_step(_: str) -> None:
    return None
