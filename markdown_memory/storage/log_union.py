"""The signed logs of two copies as one, read and checked before a byte of the vault is changed.

The joined files are laid out in a folder of their own and read there as any vault's logs are, with the keys that this
account has pinned. So what comes in is held against the same rules as what is here.

    union(space facts, …) -> Union(changed, readings, problems)
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core.entry import block_of
from markdown_memory.core.layout import LOG_FOLDER
from markdown_memory.core.log_layout import file_at
from markdown_memory.core.log_names import SHORTS
from markdown_memory.errors import IntegrityError
from markdown_memory.rules.log_joining import join
from markdown_memory.storage import files
from markdown_memory.storage.log_files import Memory
from markdown_memory.storage.log_reading import Reader

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.core.problem import Problem
    from markdown_memory.rules.standing import Standings

Read = Callable[[str], bytes]
FORKED = "log-equivocation"
"""What is reported and does not stop a merge: both entries are kept, and the reader hears the writer no further."""


class Union(NamedTuple):
    """`changed` are log files of ours with their new bytes; `ledger` is the joined ledger in reading order.

    `ours` and `theirs` are the ids of the ledger's entries that each side has; `arrived` is how many entries are new
    here, in all logs.
    """

    changed: Mapping[str, bytes]
    ledger: "tuple[Entry, ...]"
    ours: frozenset[str]
    theirs: frozenset[str]
    standings: "Standings"
    arrived: int = 0
    forks: "tuple[Problem, ...]" = ()


def union(
    root: str, vault: str, listing: Mapping[str, str], ours: Read, theirs: Read, pinned: Callable[[], tuple[str, ...]],
    now: Callable[[float], str], copy_folder: str,
) -> Union:  # fmt: skip
    """Join the logs that `listing` names (theirs) with those at `root`; IntegrityError for what does not hold."""
    changed: dict[str, bytes] = {}
    known: set[str] = set()
    arrived = 0
    for path in sorted(listing):
        file = file_at(path)
        data = theirs(path)
        if file is None:
            if _is_manifest(path, listing[path]) and not files.exists(root, path):
                changed[path] = data
            continue
        if file.log == "ledger" and not file.unsigned:
            known |= _ids(data)
        here = ours(path) if files.exists(root, path) else None
        if here != data and (joined := join(file, here, data)) != here:
            changed[path] = joined
            arrived += len(_ids(joined)) - len(_ids(here or b""))
    with _laid_out(root, changed) as folder:
        before = Reader(root, vault, Memory(copy_folder, f"{folder}/none"), pinned, now)
        _remember(copy_folder, f"{folder}/state")
        after = Reader(folder, vault, Memory(f"{folder}/state", f"{folder}/none"), pinned, now)
        forks = tuple(_compared(before, after)) if changed else ()
        reading = (after if changed else before).read("ledger")
        ids = {entry.id for entry in (before.read("ledger") if changed else reading).entries}
        return Union(changed, reading.entries, frozenset(ids), frozenset(known), reading.standings, arrived, forks)


def _remember(copy_folder: str, folder: str) -> None:
    """What was found valid here need not be checked once more."""
    from shutil import copytree

    if os.path.isdir(copy_folder):
        copytree(copy_folder, folder, ignore=lambda at, names: [one for one in names if one != "valid-logs.json"])


def _compared(before: Reader, after: Reader) -> "Iterator[Problem]":
    for log in SHORTS:
        old = {(one.code, one.path) for one in before.read(log).problems}
        for problem in after.read(log).problems:
            if problem.code == FORKED:
                yield problem
            elif (problem.code, problem.path) not in old:
                raise IntegrityError(f"Its logs do not hold: {problem.where}: {problem.message} Nothing was changed.")


@contextmanager
def _laid_out(root: str, changed: Mapping[str, bytes]) -> Iterator[str]:
    """A folder with the joined log files, and links to those that stay as they are."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="mdmem-logs-") as folder:
        if changed:
            for at, _, names in os.walk(os.path.join(root, LOG_FOLDER)):
                below = os.path.join(folder, os.path.relpath(at, root))
                os.makedirs(below, exist_ok=True)
                for name in names:
                    path = os.path.relpath(os.path.join(at, name), root).replace(os.sep, "/")
                    if path not in changed and name.endswith(".md"):
                        _copied(os.path.join(at, name), os.path.join(below, name))
            for path, data in changed.items():
                at = os.path.join(folder, path)
                os.makedirs(os.path.dirname(at), exist_ok=True)
                with open(at, "wb") as file:
                    file.write(data)
        yield folder


def _copied(source: str, target: str) -> None:
    from shutil import copyfile

    try:
        os.link(source, target)
    except OSError:
        copyfile(source, target)


def _is_manifest(path: str, sha256: str) -> bool:
    """Whether this is the list of files of a ledger entry, under the name that its digest gives."""
    folder, _, name = path.rpartition("/")
    fits = name.startswith("manifest-") and name.endswith(f"-{sha256[:12]}.md")
    return fits and folder.startswith(f"{LOG_FOLDER}/ledger/")


def _ids(data: bytes) -> set[str]:
    found = set()
    for line in data.decode("utf-8", "replace").split("\n"):
        block = block_of(line.rstrip("\r"))
        if block:
            found.add(f"{block[1]}-{block[2]}")
    return found
