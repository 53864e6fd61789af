"""Bringing what others have committed into the files here, and what both have changed into one text.

The order makes a killed run harmless: logs first, then files that are new or changed, then files that go; conflicts
last, through the ledger. Whatever of it is done is committed by the next run as a change made here, and the same change
on both sides is no conflict. Before a file is replaced it must still be as it was committed.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.ledger import parse_ledger
from markdown_memory.core.log_layout import file_at
from markdown_memory.core.names import check_agent
from markdown_memory.core.note import read_header
from markdown_memory.errors import ConflictError, FormatError, UserError
from markdown_memory.features.sync.values import Conflict
from markdown_memory.rules import merge_plan, redactions, text_merge
from markdown_memory.rules.log_union import union
from markdown_memory.rules.merge_plan import CONFLICT, MERGE, REMOVE, RENAME, SKIP, TAKE, UPDATE, Action, Side
from markdown_memory.rules.merge_settling import MERGED, Settled, settle
from markdown_memory.storage import files
from markdown_memory.storage.git_sync import Depot
from markdown_memory.storage.ledger_reading import changes_of
from markdown_memory.storage.lineage import Lineage
from markdown_memory.storage.vaults import read_settings
from markdown_memory.workspace import Edit, Workspace

RECENT = 2  # months of the ledger that are asked where a file went
LEDGER = "ledger"
LOGS = f"{layout.LOG_FOLDER}/"
Listing = Mapping[str, str]


class Arrived(NamedTuple):
    """How many files changed because others changed them, how many were merged, and what takes a person."""

    received: int
    merged: int
    conflicts: tuple[Conflict, ...]


class Arriving:
    """One merge: the listings (path → blob) of the common base, of what is committed here, and of what comes in."""

    def __init__(self, space: Workspace, depot: Depot, base: str, ours: str, theirs: str) -> None:
        self._space = space
        self._depot = depot
        self._base, self._ours, self._theirs = (depot.files(commit) for commit in (base, ours, theirs))
        self._received = 0
        self._redacted: frozenset[str] = frozenset()

    def carry_out(self) -> Arrived:
        """Change the files; ConflictError when somebody changed one of them meanwhile: then begin anew."""
        space = self._space
        with space.writing():
            self._logs()
            actions = self._without_redacted(self._plan())
            self._say_what_is_gone(actions)
            self._direct(actions)
        with space.writing():
            space.settings = read_settings(space.root, space.catalog).settings
            merged, conflicts = self._settle(actions)
            self._index()
        space.earlier.purge(self._redacted)
        return Arrived(self._received, merged, tuple(conflicts))

    def _plan(self) -> tuple[Action, ...]:
        base, ours, theirs = (
            {path: blob for path, blob in one.items() if not path.startswith(LOGS) and path != layout.MEMORY_INDEX}
            for one in (self._base, self._ours, self._theirs)
        )
        moved = self._moved()
        plan = merge_plan.plan(base, Side(ours, moved), Side(theirs, moved))
        return tuple(map(self._beside_what_is_here, plan))

    def _beside_what_is_here(self, one: Action) -> Action:
        """No file takes the place of another one of ours, not even of one that is about to leave it: a run that is
        killed in between would have nowhere to find that again."""
        comes = one.verb in (TAKE, UPDATE, RENAME, MERGE) and (one.verb == TAKE or one.moves)
        here = self._ours.get(one.path, one.theirs)
        return one._replace(path=merge_plan.beside(one.path, one.theirs)) if comes and here != one.theirs else one

    def _without_redacted(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        """The plan in which no text that a person made vanish comes in, or stays under another name."""
        coming = [one for one in actions if one.verb in (TAKE, UPDATE, MERGE, CONFLICT, REMOVE)]
        space = self._space
        entries = space.logs.read(LEDGER).entries if coming else ()
        changes = {entry.id: changes_of(space.root, entry) for entry in entries}
        standings = space.logs.standings()
        self._redacted = redactions.find(entries, changes, lambda one: standings.trusts(one, "person")).hashes
        if not self._redacted:
            return actions
        Lineage(space.places, space.vault_id, space.root).purge(self._redacted, logs=True)
        data = self._depot.blobs(one.theirs for one in coming if one.theirs)
        out = {one.theirs for one in coming if one.theirs and files.digest(data[one.theirs]) in self._redacted}
        here = {one.path for one in space.all_headers() if one.sha256 in self._redacted}
        return tuple(self._replanned(one, one.theirs in out, one.ours_path in here) for one in actions)

    @staticmethod
    def _replanned(one: Action, out: bool, here: bool) -> Action:
        if here and one.ours and one.verb != UPDATE:
            return one._replace(verb=REMOVE, path=one.ours_path)
        return one._replace(verb=SKIP, path=one.ours_path) if out else one

    def _moved(self) -> dict[str, str]:
        """Where the newest entries of both sides' ledgers say that files went."""
        found = {}
        for entry in self._space.logs.read(LEDGER, RECENT).entries:
            with suppress(FormatError):
                found.update({one.move_from: one.path for one in parse_ledger(entry.values()) if one.move_from})
        return found

    # logs

    def _logs(self) -> None:
        """Every line of both sides; a file of ours may have grown since it was committed."""
        space = self._space
        news = [path for path, blob in self._theirs.items() if path.startswith(LOGS) and self._ours.get(path) != blob]
        data = self._depot.blobs(self._theirs[path] for path in news)
        for path in news:
            file = file_at(path)
            with space.logs.lock(file.writer if file else "manifest"):
                here = _present(space, path)
                if here is None or file is not None:
                    self._put(path, union(here or b"", data[self._theirs[path]]), here)
        space.logs.blank_redacted()

    def _say_what_is_gone(self, actions: Sequence[Action]) -> None:
        """Of a path that one side made, by renaming say, and where the other's change leaves no file: its maker's
        ledger says that it is there, so that it would be missed."""
        stays = {one.path for one in actions if one.verb in (TAKE, UPDATE, RENAME, MERGE)}
        stays |= {one.ours_path for one in actions if one.verb == SKIP and one.ours}
        made = {
            path for one in actions for path in (one.ours_path * bool(one.ours), one.theirs_path * bool(one.theirs))
        }
        gone = sorted(path for path in made - stays - self._base.keys() if path)
        if gone:
            self._space.attest([], kind="sync", text=f"gone elsewhere: {', '.join(gone)}", gone=gone)

    # what one side alone has changed

    def _direct(self, actions: Sequence[Action]) -> None:
        """Follow the other side where we changed nothing, with its own bytes: its ledger vouches for them."""
        followed = [
            one for one in actions if one.verb in (TAKE, UPDATE) or (one.verb == RENAME and one.theirs == one.ours)
        ]
        gone = [one for one in actions if one.verb == REMOVE]
        data = self._depot.blobs([*(one.theirs for one in followed), *(one.ours for one in (*followed, *gone))])
        for one in followed:
            before = None if one.verb == TAKE or one.moves else data[one.ours]
            self._replace(one.path, before, data[one.theirs])
        for one in (*followed, *gone):
            if one.verb == REMOVE or (one.ours and one.moves):
                self._check(one.ours_path, data[one.ours])
                files.remove(self._space.root, one.ours_path)
                self._received += 1
                self._space.step(f"went {one.ours_path}")

    def _replace(self, path: str, before: bytes | None, data: bytes) -> None:
        now = _present(self._space, path)
        if now == data:
            return
        self._check(path, before, now)
        self._put(path, data, now)

    def _put(self, path: str, data: bytes, now: bytes | None) -> None:
        if data != now:
            files.write_durable(self._space.root, path, data)
            self._received += 1
            self._space.step(f"arrived {path}")

    def _check(self, path: str, committed: bytes | None, now: bytes | None = None) -> None:
        """The file must be as it was committed, but for line ends that git was told to convert."""
        now = _present(self._space, path) if now is None else now
        if now is None or committed is None:
            if now is None:
                return
            raise ConflictError(
                f"{path} comes from others and lies here too, left out of git; move it away, then sync."
            )
        if now.replace(b"\r\n", b"\n") != committed.replace(b"\r\n", b"\n"):
            raise ConflictError(
                f"{path} was changed while it was synchronised; nothing was lost, run `mdmem sync` again."
            )

    # what both sides have changed

    def _settle(self, actions: Sequence[Action]) -> tuple[int, list[Conflict]]:
        both = [
            one for one in actions if one.verb in (MERGE, CONFLICT) or (one.verb == RENAME and one.theirs != one.ours)
        ]
        data = self._depot.blobs(blob for one in both for blob in (one.base, one.ours, one.theirs))
        edits: list[Edit] = []
        conflicts: list[Conflict] = []
        for one in both:
            base, ours, theirs = (data.get(blob) for blob in (one.base, one.ours, one.theirs))
            settled = self._settled(one, base, ours, theirs)
            kept = [self._kept(extra.path, extra.data) for extra in settled.kept]
            edits += [*self._edits(one, ours, settled.data), *(edit for edit in kept if edit.old is None)]
            sentence = " ".join(settled.conflicts)
            conflicts += [Conflict(one.path, edit.path, sentence) for edit in kept]
        if edits:
            names = ", ".join(sorted({one.path for one in both}))
            self._space.change(edits, kind="sync", text=f"put together what was changed in two places: {names}")
        return len(both) - len({one.path for one in conflicts}), conflicts

    def _settled(self, one: Action, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> Settled:
        if one.verb == RENAME:
            return Settled(ours, MERGED)
        if base is not None and None in (ours, theirs) and files.digest(base) in self._redacted:
            changed = redactions.rest(base, ours or theirs or b"")
            if not changed.strip():
                return Settled(None, MERGED)
            ours, theirs = (None if text is None else changed for text in (ours, theirs))
        if theirs is None:  # removed there, changed here: the removal stands, and the change waits for a person
            turned = one._replace(
                ours=one.theirs, theirs=one.ours, ours_path=one.theirs_path, theirs_path=one.ours_path
            )
            return settle(turned, base, None, ours, "ask", inbox=self._inbox(one.path, ours))
        return settle(one, base, ours, theirs, "ask", inbox=self._inbox(one.path, theirs))

    def _edits(self, one: Action, ours: bytes | None, new: bytes | None) -> Iterator[Edit]:
        old = files.digest(ours) if ours is not None else None
        if one.moves and ours is not None:
            if new is not None:
                yield Edit(one.path, self._space.hash_of(one.path), new, move_from=one.ours_path)
            yield Edit(one.ours_path, old, None)
        elif new is not None or old is not None:
            yield Edit(one.path, old, new)

    def _kept(self, path: str, data: bytes) -> Edit:
        """Where the other text is kept; `old` says that it is there already."""
        there = _present(self._space, path)
        if there == data:
            return Edit(path, files.digest(data), data)
        return Edit(path if there is None else self._space.free_file(path), None, data)

    def _inbox(self, path: str, data: bytes | None) -> str:
        """Whose bank a text waits in: its agent's, else the person's."""
        try:
            return check_agent(read_header(path, data or b"").agent)
        except UserError:
            return self._space.person

    # the memory index

    def _index(self) -> None:
        """MEMORY.md: what people wrote around the block is merged, the block is made anew from the notes."""
        space, path = self._space, layout.MEMORY_INDEX
        ids = [one.get(path, "") for one in (self._base, self._ours, self._theirs)]
        if ids[2] and ids[2] not in ids[:2]:
            data = self._depot.blobs(ids)
            base, ours, theirs = (data.get(one, b"").decode("utf-8", "surrogateescape") for one in ids)
            now = _present(space, path)
            text = text_merge.merge(base, ours, theirs).text("both").encode("utf-8", "surrogateescape")
            self._check(path, data.get(ids[1]), now)
            if text != now:
                files.write_durable(space.root, path, text)
        for edit in space.index_drift():
            files.write_durable(space.root, edit.path, edit.new or b"")


def _present(space: Workspace, path: str) -> bytes | None:
    """A file's bytes, None when there is none."""
    if not files.exists(space.root, path):
        return None
    return files.read(space.root, path, None)
