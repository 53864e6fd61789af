"""One synchronisation: commit → fetch → merge → push, and again when somebody else was faster.

The vault's lock is held while files change, never while the network is waited for. A run that was killed leaves commits
and files that the next one goes on from; `sync.json` in the state folder says that one was cut off.
"""

import os
import random
import time
from contextlib import suppress

from markdown_memory.core.settings import parse
from markdown_memory.errors import ConflictError, StorageError, UserError
from markdown_memory.features.sync.arriving import Arrived, Arriving
from markdown_memory.features.sync.values import Conflict, Synced
from markdown_memory.rules import merge_guard
from markdown_memory.rules.sync_words import message
from markdown_memory.storage import git
from markdown_memory.storage.git_sync import Depot, Remote, excluded
from markdown_memory.storage.locks import file_lock
from markdown_memory.workspace import Workspace

TRIES = 12
EDITED_MEANWHILE = 3
_SHORTEST, _LONGEST = 0.05, 3.0  # seconds before another try
_RACES = ("fetch first", "non-fast-forward", "cannot lock ref", "failed to update ref", "failed to lock", "stale info")
UNDER_WAY = "sync.json"


class Sync:
    """Synchronises one open vault with the remote of its repository."""

    def __init__(self, space: Workspace, allow_removals: bool = False) -> None:
        self._space = space
        self._allow_removals = allow_removals
        self._committed = 0
        self._received = 0
        self._merged = 0
        self._conflicts: list[Conflict] = []

    def run(self) -> Synced:
        """Bring both sides together; UserError or StorageError with one sentence when that cannot begin or end."""
        space = self._space
        space.found.check_meant()
        depot = self._depot()
        with file_lock(os.path.join(space.state_folder, "sync.lock"), f"The vault {space.root}"):
            if space.read_state(UNDER_WAY).strip():
                depot.take_over()
            remote = self._checked(depot)
            space.write_state(UNDER_WAY, "{}")
            try:
                return self._together(depot, remote)
            finally:
                if depot.settle_index():
                    space.write_state(UNDER_WAY, "")

    # may it begin?

    def _depot(self) -> Depot:
        space = self._space
        here = git.repo(space.root)
        if here is None:
            raise UserError(
                f"{space.root} is no git repository, and `mdmem sync` works through git: "
                f"`mdmem init {space.root} --git` makes it one, and `git remote add origin ADDRESS` names a remote."
            )
        if here.worktree != space.root:
            raise UserError(
                f"The vault lies inside the repository {here.worktree}, which holds other things too, so `mdmem sync` "
                "leaves it alone: use git there as you are used to; what arrives is read like any edit."
            )
        if here.rebasing or here.branch is None:
            raise UserError("Git's head is detached or a rebase is half done, so there is no branch to synchronise; "
                            "finish it, or `git switch` to a branch.")  # fmt: skip
        return Depot(here, space.clock(), space.author)

    def _checked(self, depot: Depot) -> Remote:
        busy = depot.busy()
        if busy == "command":
            raise StorageError(
                "Another git command works in the vault; when none does, one was killed: remove .git/index.lock."
            )
        if busy:
            raise UserError(
                f"A {busy} is half done in the vault; finish it or take it back (`git {busy} --abort`), then sync."
            )
        if twice := depot.staged_and_changed():
            raise UserError(
                f"{twice} is staged and was changed again since; `git add` or `git restore --staged` it, then sync."
            )
        remote = depot.remote()
        if remote is None:
            raise UserError("The vault's repository has no remote; `git remote add origin ADDRESS` names one.")
        return remote

    # the work

    def _together(self, depot: Depot, remote: Remote) -> Synced:
        self._commit(depot)
        for attempt in range(1, TRIES + 1):
            theirs = depot.fetch(remote)
            self._space.step("fetched")
            head = self._merge(depot, theirs, f"{remote.name}/{remote.branch}") if theirs else depot.head()
            self._space.step("merged")
            refused = depot.push(remote, head) if head != theirs else ""
            self._space.step("pushed")
            if not refused:
                return self._told(remote, head, head != theirs, attempt)
            if not any(word in refused for word in _RACES):
                raise StorageError(f"{remote.name} did not take the commits: {_first(refused)} Nothing was lost.")
            time.sleep(min(_LONGEST, _SHORTEST * 2**attempt) * random.uniform(0.5, 1.0))
        raise StorageError(
            f"Others were faster {TRIES} times; everything is committed here, so run `mdmem sync` again."
        )

    def _commit(self, depot: Depot) -> str:
        """Commit what has changed here; the head."""
        with self._space.writing():
            head = depot.head()
            tree = depot.stage_all(head)
            if head and tree == depot.tree_of(head):
                return head
            self._refuse_mass_removal(depot, head, tree, "this machine's files lack")
            changes = depot.changes(head, tree)
            self._committed += len(changes)
            return depot.commit(tree, [head] if head else [], message(changes, self._space.author), head)

    def _merge(self, depot: Depot, theirs: str, name: str) -> str:
        """Bring a commit of others in; the commit that holds both."""
        for _ in range(EDITED_MEANWHILE):
            head = self._commit(depot)
            base = depot.merge_base(head, theirs)
            if base == theirs:
                return head
            self._check_same_vault(depot, theirs)
            self._refuse_mass_removal(depot, base, theirs, f"{name} lacks")
            with suppress(ConflictError):
                return self._merged_commit(depot, base, head, theirs, name)
        head = self._commit(depot)
        return self._merged_commit(depot, depot.merge_base(head, theirs), head, theirs, name)

    def _merged_commit(self, depot: Depot, base: str, head: str, theirs: str, name: str) -> str:
        arrived = Arriving(self._space, depot, base, head, theirs).carry_out()
        self._count(arrived)
        with self._space.writing():
            follows = any(excluded(one.path) for one in depot.changes(base, theirs))
            tree = depot.stage_all(theirs if follows else head)
            self._space.step("staged")
            if base == head and tree == depot.tree_of(theirs):
                return depot.advance(theirs, head)
            changes = depot.changes(head, tree)
            parents = [theirs] if base == head else [head, theirs]
            return depot.commit(tree, parents, message(changes, self._space.author, name), head)

    def _refuse_mass_removal(self, depot: Depot, before: str, after: str, who: str) -> None:
        """An emptied folder is more often a disk that was not there; what went into the archive is not gone."""
        if self._allow_removals or not before:
            return
        gone = [one.path for one in depot.changes(before, after) if one.letter == "D" and merge_guard.is_note(one.path)]
        if len(gone) < merge_guard.FEW:
            return
        held, left = depot.files(before), set(depot.files(after).values())
        gone = [path for path in gone if held.get(path) not in left]
        notes = sum(merge_guard.is_note(path) for path in held)
        if merge_guard.too_many(len(gone), notes):
            raise UserError(
                f"Nothing was synchronised: {who} {len(gone)} of {notes} notes, more than a third; if that is meant, "
                "say so with `mdmem sync --allow-removals`, else bring them back (`git restore`, a backup) first."
            )

    def _count(self, arrived: Arrived) -> None:
        self._received += arrived.received
        self._merged += arrived.merged
        self._conflicts += arrived.conflicts

    def _check_same_vault(self, depot: Depot, theirs: str) -> None:
        blob = depot.files(theirs).get("Settings.md", "")
        there = parse(depot.blobs([blob])[blob]).vault_id if blob else ""
        if there and there != self._space.vault_id:
            raise UserError("The remote holds another vault (its id differs), so nothing was merged; "
                            "`git remote set-url` names the right one.")  # fmt: skip

    def _told(self, remote: Remote, head: str, pushed: bool, tries: int) -> Synced:
        counts = (self._committed, self._received, self._merged)
        return Synced(remote.name, remote.branch, *counts, tuple(self._conflicts), pushed, tries, head)


def _first(said: str) -> str:
    """The line in which git gives its reason."""
    lines = [line.strip() for line in said.split("\n") if line.strip()]
    told = [line for line in lines if line.startswith(("!", "remote:", "fatal:", "error:"))] or lines
    return f"{told[0][:300].rstrip('.')}." if told else "It gave no reason."
