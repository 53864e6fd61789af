"""Which states of the vault a copy came from, and these states themselves, kept as base of later merges.

    <state>/vaults/<id and path>/snapshots.json      trees that this copy was opened from, has sent out, or has merged
    <state>/snapshots/<vault id>/<tree>.zip          the newest few of them, for all copies on this account
    <vault>/.mdmem/snapshot.json                     in a copy that was unpacked: the snapshot that it began as

A state whose file is gone is still known by its tree; then the ledger's hashes have to tell who is whose ancestor.
"""

import json
import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from markdown_memory.errors import FormatError, MarkdownMemoryError
from markdown_memory.rules.bundle_names import MANIFEST
from markdown_memory.storage import bundle, files
from markdown_memory.storage.bundle import Facts
from markdown_memory.storage.inside import failure
from markdown_memory.storage.places import Places, make_private, read_private, vault_folder, write_private

if TYPE_CHECKING:
    from zipfile import ZipFile

MADE, OPENED, MERGED = "made", "opened", "merged"
KEPT = 6
REMEMBERED = 50


class Lineage:
    """The past of one copy of a vault."""

    def __init__(self, places: Places, vault_id: str, root: str) -> None:
        self._root = root
        self._file = os.path.join(vault_folder(places.state, vault_id, root), "snapshots.json")
        self._folder = os.path.join(places.state, "snapshots", vault_id)
        self._facts: dict[str, Facts | None] = {}
        self._paths: dict[str, dict[str, str]] = {}
        self._zips: dict[str, ZipFile] = {}

    def trees(self, *how: str) -> tuple[str, ...]:
        """Trees that are ancestors of this copy, oldest first; those of some kinds, or all."""
        return tuple(tree for tree, kind in self._rows if not how or kind in how)

    def files(self, tree: str) -> Mapping[str, str] | None:
        """The listing of a tree, when it is kept."""
        facts = self._facts_of(tree)
        return facts.files if facts else None

    def text(self, sha256: str) -> bytes | None:
        """A text that some kept state holds."""
        for tree in reversed(self.trees()):
            path = self._by_hash(tree).get(sha256)
            if path is None:
                continue
            data = self._read(tree, path)
            if data is not None and files.digest(data) == sha256:
                return data
        return None

    def keep(self, source: str, tree: str) -> None:
        """Keep a copy of a snapshot's file, and no more than the newest few."""
        import shutil

        at = self._path(tree)
        make_private(self._folder)
        if os.path.exists(at):
            os.utime(at)
            return
        staged = f"{at}.{os.getpid()}.tmp"
        try:
            shutil.copyfile(source, staged)
            os.chmod(staged, 0o600)
            os.replace(staged, at)
        except OSError as error:
            raise failure(at, "was not written", error) from error
        finally:
            with suppress(FileNotFoundError):
                os.unlink(staged)
        self._prune()

    def purge(self, hashes: Collection[str], logs: bool) -> None:
        """Take redacted texts out of the kept states, and the logs, which no merge reads there."""
        with suppress(FileNotFoundError):
            for name in sorted(os.listdir(self._folder)):
                if name.endswith(".zip"):
                    bundle.purge(os.path.join(self._folder, name), frozenset(hashes), logs)
        self._zips.clear()
        self._paths.clear()

    def place_for(self, tree: str) -> str:
        """Where the file of a tree is kept."""
        make_private(self._folder)
        return self._path(tree)

    def note(self, tree: str, how: str) -> None:
        """This copy has that tree among its ancestors from now on."""
        rest = [(one, kind) for one, kind in self._rows if one != tree]
        write_private(self._file, json.dumps([*rest, (tree, how)][-REMEMBERED:]))
        self.__dict__.pop("_rows", None)

    @cached_property
    def _rows(self) -> list[tuple[str, str]]:
        try:
            rows = [(str(tree), str(how)) for tree, how in json.loads(read_private(self._file) or "[]")]
        except (ValueError, TypeError):
            rows = []
        began = self._began
        if began and began.tree not in [tree for tree, _ in rows]:
            rows.insert(0, (began.tree, OPENED))
        return rows

    @cached_property
    def _began(self) -> Facts | None:
        """The snapshot that this copy was unpacked from."""
        try:
            return bundle.decode(files.read(self._root, MANIFEST, None))
        except MarkdownMemoryError:
            return None

    def _facts_of(self, tree: str) -> Facts | None:
        if tree not in self._facts:
            data = bundle.manifest_of(self._path(tree)) or self._read(tree, MANIFEST)
            facts = None
            with suppress(FormatError):
                facts = bundle.decode(data) if data else None
            if facts is None and self._began is not None and self._began.tree == tree:
                facts = self._began
            self._facts[tree] = facts
        return self._facts[tree]

    def _by_hash(self, tree: str) -> dict[str, str]:
        if tree not in self._paths:
            facts = self._facts_of(tree)
            self._paths[tree] = {sha: path for path, sha in facts.files.items()} if facts else {}
        return self._paths[tree]

    def _read(self, tree: str, name: str) -> bytes | None:
        from zipfile import BadZipFile, ZipFile

        try:
            if tree not in self._zips:
                self._zips[tree] = ZipFile(self._path(tree))
            return self._zips[tree].read(name)
        except (OSError, BadZipFile, KeyError, ValueError):
            return None

    def _path(self, tree: str) -> str:
        return os.path.join(self._folder, f"{tree}.zip")

    def _prune(self) -> None:
        with suppress(OSError):
            kept = [os.path.join(self._folder, name) for name in os.listdir(self._folder) if name.endswith(".zip")]
            for path in sorted(kept, key=os.path.getmtime)[:-KEPT]:
                os.unlink(path)
