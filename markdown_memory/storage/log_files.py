"""Which files of the signed logs there are, which lie there and do not belong, and what this machine remembers of them.

What was read and found valid is remembered by the SHA-256 of the bytes, in the state folder of this copy of the vault;
so nothing is checked twice. The newest head of every chain is remembered by the vault's id, for all copies on this
machine.
"""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from markdown_memory.core.entry import Head
from markdown_memory.core.log_layout import LogFile, file_at, log_folder
from markdown_memory.core.log_names import SHORTS
from markdown_memory.core.problem import Problem
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.storage import files
from markdown_memory.storage.places import read_private, write_private

LIMIT = 256_000_000  # bytes; no month of one writer is that long


class Listed(NamedTuple):
    """The files of a log by month and writer, and what else lies among them."""

    files: tuple[LogFile, ...]
    strays: tuple[str, ...]


def list_log(root: str, log: str, months: int | None = None, now: str = "9999-99") -> Listed:
    """All files of a log, or of its newest `months` months up to `now` (YYYY-MM) and whatever claims to be later.

    Later months do not count: an empty folder 9999-12 must not hide what was written today.
    """
    folder = log_folder(log)
    names = sorted(_names(os.path.join(root, folder)))
    if months is not None:
        past = [name for name in names if name <= now]
        names = past[-months:] + [name for name in names if name > now]
    found, strays = [], []
    for month in names:
        for name in sorted(_names(os.path.join(root, folder, month))):
            path = f"{folder}/{month}/{name}"
            file = file_at(path)
            if file and file.log == log:
                found.append(file)
            elif name.lower().endswith(".md") and not name.startswith((".", "manifest-")):
                strays.append(path)
    return Listed(tuple(found), tuple(strays))


def stray_problems(root: str) -> list[Problem]:
    """What lies in the folders of the logs and is none of their files: most often a sync tool's copy."""
    from markdown_memory.core.names import conflict_copy

    found = []
    for log in SHORTS:
        for path in list_log(root, log).strays:
            message = "This is no file of the signed logs; what it says counts for nothing."
            if conflict_copy(path):
                message = "A sync tool made this copy of a log file; what it says counts for nothing."
            remedy = "`mdmem doctor --fix` folds a copy in; or compare it with its original, and remove it."
            found.append(Problem("log-stray-file", path, 0, message, remedy))
    return found


def read_log_file(root: str, path: str) -> tuple[bytes, Problem | None]:
    """A file's bytes, or why they cannot be read."""
    try:
        return files.read(root, path, LIMIT), None
    except MarkdownMemoryError as error:
        return b"", Problem("log-unreadable", path, 0, str(error))


class Valid(NamedTuple):
    """A file that was found valid: SHA-256 and number of its bytes, the writer's key, and its last entry."""

    sha256: str
    key: str
    size: int = 0
    seq: int = 0
    hash: str = ""


class Memory:
    """What this machine remembers: valid files (of one copy of the vault) and newest heads (of all copies)."""

    def __init__(self, copy_folder: str, heads_folder: str) -> None:
        self._valid_file = os.path.join(copy_folder, "valid-logs.json")
        self._heads_file = os.path.join(heads_folder, "seen.json")
        self._heads_folder = heads_folder
        self._valid: dict[str, list[object]] | None = None
        self._changed = False

    def valid(self, path: str) -> Valid | None:
        """What was found valid of a file, if anything was."""
        found = self._known().get(path)
        if not isinstance(found, list) or list(map(type, found)) != [str, str, int, int, str]:
            return None
        return Valid(*found)  # type: ignore[arg-type]  # the line above has looked at every one

    def is_valid(self, path: str, digest: str, key: str) -> bool:
        """Whether these very bytes were found valid before, under that key."""
        found = self.valid(path)
        return found is not None and found[:2] == (digest, key)

    def note_valid(self, path: str, valid: Valid) -> None:
        """These bytes are valid; kept by `save`."""
        if self.valid(path) != valid:
            self._known()[path] = list(valid)
            self._changed = True

    def authority(self, stamp: object) -> object:
        """What was kept about who may sign, if it was worked out from the same files and pins."""
        found = self._known().get("authority")
        return found[1] if isinstance(found, list) and len(found) == 2 and found[0] == stamp else None

    def note_authority(self, stamp: object, value: object) -> None:
        """Who may sign, as worked out from these files and pins; kept by `save`."""
        self._known()["authority"] = [stamp, value]
        self._changed = True

    def save(self) -> None:
        """Keep what was noted. A machine that cannot keep it checks again next time."""
        if self._changed:
            self._changed = False
            _try_to_write(self._valid_file, self._known())

    def heads(self) -> dict[str, Head]:
        """The newest head that this machine has seen or written, by `<log>/<writer>`."""
        found = {name: _head(name, seq, hashed) for name, (seq, hashed) in self._seen().items()}
        for log in _names(self._heads_folder):
            for name in _names(os.path.join(self._heads_folder, log)):
                own = self._own(log, name)
                if own and own.seq > found.get(f"{log}/{own.writer}", own._replace(seq=0)).seq:
                    found[f"{log}/{own.writer}"] = own
        return found

    def note_heads(self, heads: Iterable[Head]) -> None:
        """Remember heads that are newer than those remembered."""
        known = self._seen()
        newer = [head for head in heads if head.seq > known.get(f"{head.log}/{head.writer}", (0, ""))[0]]
        if newer:
            _try_to_write(
                self._heads_file, {**known, **{f"{head.log}/{head.writer}": (head.seq, head.hash) for head in newer}}
            )

    def _own(self, log: str, name: str) -> Head | None:
        if not name.endswith(".json"):
            return None
        try:
            tip = json.loads(read_private(os.path.join(self._heads_folder, log, name)))
            return Head(log, name.removesuffix(".json"), int(tip["seq"]), str(tip["hash"]))
        except (ValueError, KeyError, TypeError):
            return None

    def _seen(self) -> dict[str, tuple[int, str]]:
        try:
            found = json.loads(read_private(self._heads_file) or "{}")
            return {str(name): (int(seq), str(hashed)) for name, (seq, hashed) in found.items() if name.count("/") == 1}
        except (ValueError, TypeError, AttributeError):
            return {}

    def _known(self) -> dict[str, list[object]]:
        if self._valid is None:
            try:
                found = json.loads(read_private(self._valid_file) or "{}")
            except ValueError:
                found = {}
            self._valid = found if isinstance(found, dict) else {}
        return self._valid


class Choices:
    """Which writer an agent uses in this copy of the vault, when it has several on this machine."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._kept: dict[str, object] | None = None

    def get(self, agent: str, role: str) -> str:
        """The writer's id, "" when it does not matter."""
        if self._kept is None:
            try:
                found = json.loads(read_private(self._path) or "{}")
            except ValueError:
                found = {}
            self._kept = found if isinstance(found, dict) else {}
        return str(self._kept.get(f"{role} {agent}", ""))

    def keep(self, agent: str, role: str, writer: str) -> None:
        """Use that one from now on."""
        if self.get(agent, role) != writer:
            self._kept = {**(self._kept or {}), f"{role} {agent}": writer}
            _try_to_write(self._path, self._kept)


def _try_to_write(path: str, value: Mapping[str, object]) -> None:
    with suppress(MarkdownMemoryError):
        write_private(path, json.dumps(value, separators=(",", ":")))


def _head(name: str, seq: int, hashed: str) -> Head:
    log, _, writer = name.partition("/")
    return Head(log, writer, seq, hashed)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
