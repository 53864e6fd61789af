"""The desk at which snapshots are made, opened, compared and merged."""

import os
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from markdown_memory.core import times
from markdown_memory.errors import AccessError, ConflictError, IntegrityError, UserError
from markdown_memory.features.snapshots import comparing, copies, guarding, making
from markdown_memory.features.snapshots.comparing import Comparison, Merging
from markdown_memory.features.snapshots.copies import Copy, Progress
from markdown_memory.features.snapshots.values import MergeReport, OpenedCopy, Snapshot
from markdown_memory.rules import redactions
from markdown_memory.rules.merge_settling import STRATEGIES
from markdown_memory.storage.ledger_reading import changes_of
from markdown_memory.storage.lineage import MERGED, Lineage
from markdown_memory.workspace import Edit, Workspace

if TYPE_CHECKING:
    from markdown_memory.storage.bundle_signature import Maker
    from markdown_memory.storage.log_union import Union


class Snapshots:
    """Snapshots of one open vault. Merging writes accepted notes, so only a person may."""

    def __init__(self, workspace: Workspace, person_present: bool) -> None:
        self._workspace = workspace
        self._person_present = person_present

    def make(self, path: str, *, namespaces: Sequence[str] = (), progress: Progress | None = None) -> Snapshot:
        """Write the vault, or some namespaces of it, into one file, and a signature beside it."""
        return making.make(self._workspace, path, tuple(namespaces), progress)

    def open(self, path: str, folder: str, *, progress: Progress | None = None) -> OpenedCopy:
        """Unpack a snapshot as a copy of the vault; nobody trusts it until `mdmem trust`."""
        return making.unpack(self._workspace.places, path, folder, progress)

    def diff(
        self,
        source: str,
        *,
        strategy: str = "merge",
        namespaces: Sequence[str] = (),
        key: str = "",
        progress: Progress | None = None,
    ) -> MergeReport:
        """What a merge of that snapshot or folder would do; nothing is written."""
        space = self._workspace
        _check_strategy(strategy)
        with copies.source(space, source, progress) as theirs, space.standing_still():
            found, union, base = self._compared(theirs, strategy, tuple(namespaces), progress)
            notices = [found.refusal] if found.refusal else []
            notices += [] if self._known(theirs.maker, key, union) else [_unknown_key(theirs)]
            return _report(theirs, strategy, base, found, union, notices)

    def merge(
        self,
        source: str,
        *,
        strategy: str = "merge",
        namespaces: Sequence[str] = (),
        key: str = "",
        allow_removals: bool = False,
        progress: Progress | None = None,
    ) -> MergeReport:
        """Bring a snapshot, or another copy's folder, into this vault: all of it, or nothing.

        `key` is the fingerprint of a maker's key that nobody has confirmed in this vault. ConflictError when more than
        a third of the notes (at least 10) would go and `allow_removals` does not say that this is meant.
        """
        space = self._workspace
        _check_strategy(strategy)
        if not self._person_present:
            raise AccessError("Only a person merges a snapshot: run `mdmem snapshot merge` yourself, in a terminal.")
        with copies.source(space, source, progress) as theirs, space.writing():
            found, union, base = self._compared(theirs, strategy, tuple(namespaces), progress)
            if not self._known(theirs.maker, key, union):
                raise IntegrityError(f"{_unknown_key(theirs)} Nothing was changed.")
            if found.refusal and not allow_removals:
                raise ConflictError(f"{found.refusal} Nothing was changed.")
            entry = self._carry_out(theirs, strategy, found, union)
            self._remember(theirs, source, found.redacted)
            return _report(theirs, strategy, base, found, union, [])._replace(entry=entry)

    def _compared(
        self, theirs: Copy, strategy: str, namespaces: tuple[str, ...], progress: Progress | None
    ) -> "tuple[Comparison, Union, str]":
        space = self._workspace
        scopes = copies.scopes_of(space, namespaces or theirs.namespaces)
        if namespaces and theirs.namespaces:
            scopes &= copies.scopes_of(space, theirs.namespaces)
        ours = copies.here(space, progress)
        union = self._logs(theirs)
        name, base, text = self._base(theirs)
        whole = base
        here, there, base = (
            comparing.merged_files(files, scopes, theirs.left_out) for files in (ours.files, theirs.files, base)
        )
        changes = {entry.id: changes_of(space.root, entry, union.changed) for entry in union.ledger}
        has = (union.ours, union.theirs)
        past = comparing.past(here, there, union.ledger, changes, has)._replace(
            redacted=redactions.find(union.ledger, changes, lambda one: union.standings.trusts(one, "person"), has)
        )
        how = Merging(ours, theirs, base, text, past, strategy, scopes, space.person)
        found = guarding.guarded(comparing.compare(how, progress), ours)
        if not scopes:
            found = guarding.with_text_around_the_index(found, ours, theirs, whole, text, strategy)
        found = found._replace(refusal=guarding.refusal(found, ours, theirs.name))
        return found, union, name or ("ledger" if union.theirs else "")

    def _logs(self, theirs: Copy) -> "Union":
        from markdown_memory.storage.log_union import union

        space = self._workspace
        listed = {path: sha for path, sha in theirs.files.items() if copies.is_log(path)}
        return union(
            space.root, space.vault_id, listed, copies.reader(space.root), theirs.read, space.logs.chest.pinned,
            lambda ahead: times.utc(space.clock() + ahead), space.state_folder,
        )  # fmt: skip

    def _base(self, theirs: Copy) -> tuple[str, dict[str, str], comparing.Text]:
        """The newest state that both copies come from, and where its texts are found."""
        space = self._workspace
        known = Lineage(space.places, space.vault_id, space.root)

        def text(sha256: str) -> bytes | None:
            return known.text(sha256) or theirs.base(sha256)

        ours = set(known.trees())
        if theirs.tree in ours:
            return theirs.tree, dict(theirs.files), text
        for tree in reversed(theirs.ancestors):
            files = theirs.base_files.get(tree) or known.files(tree) if tree in ours else None
            if files is not None:
                return tree, dict(files), text
        return "", {}, text

    def _known(self, maker: "Maker | None", key: str, union: "Union") -> bool:
        """Whether the maker's key is one that this vault's keys confirm, or the person has named."""
        if maker is None:
            return True
        known = union.standings.writers.get(maker.writer)
        if known is not None and known.fingerprint == maker.fingerprint:
            if known.state in ("revoked", "retired"):
                return False
            if known.trusted:
                return True
        return key == maker.fingerprint

    def _carry_out(self, theirs: Copy, strategy: str, found: Comparison, union: "Union") -> str:
        space = self._workspace
        logs = [Edit(path, space.hash_of(path), data) for path, data in sorted(union.changed.items())]
        if not found.edits and not logs:
            return ""
        maker = theirs.maker.writer if theirs.maker else theirs.name
        numbers = ", ".join(f"{number} {what}" for what, number in found.counts.items() if number)
        data = {"tree": theirs.tree, "strategy": strategy}
        entry = space.bring(found.edits, logs, kind="merge", text=f"from {maker}: {numbers}", data=data)
        return entry.id if entry else ""

    def _remember(self, theirs: Copy, source: str, redacted: Collection[str]) -> None:
        """Keep what was merged as the base of the next merge, without what was redacted on either side."""
        space = self._workspace
        known = Lineage(space.places, space.vault_id, space.root)
        if os.path.isdir(source):
            making.keep_folder(space, theirs, known)
        else:
            known.keep(source, theirs.tree)
        known.note(theirs.tree, MERGED)
        blanked = space.logs.blank_redacted()
        space.earlier.purge(redacted)
        if redacted or blanked:
            known.purge(redacted, bool(blanked))


def _check_strategy(strategy: str) -> None:
    if strategy not in STRATEGIES:
        raise UserError(f"There is no strategy {strategy!r}; the strategies are {', '.join(STRATEGIES)}.")


def _unknown_key(theirs: Copy) -> str:
    maker = theirs.maker
    who, fingerprint = (maker.writer, maker.fingerprint) if maker else ("", "")
    return (
        f"{theirs.name} is signed by {who} with a key that nobody of this vault has confirmed ({fingerprint}); "
        f"if you know whose it is, name it: --key {fingerprint}."
    )


def _report(
    theirs: Copy, strategy: str, base: str, found: Comparison, union: "Union", notices: list[str]
) -> MergeReport:
    counts = {**found.counts, "log_entries": union.arrived}
    notices = [*notices, *found.notices, *(problem.message for problem in union.forks)]
    maker = theirs.maker.writer if theirs.maker else ""
    return MergeReport(theirs.name, strategy, maker, base, found.changes, counts, "", tuple(notices))
