"""Sending a vault out and merging it back, against git committing and merging the same files."""

import os
import shutil
import statistics
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markdown_memory.memory import Memory
from markdown_memory.outside import open_snapshot
from markdown_memory.storage.places import default_places
from tests.benchmarks import vaults
from tests.benchmarks.harness import Command, Result, Skipped, seconds
from tests.benchmarks.workshop import Workshop

NOTES = 10_000
SHARE = 100  # one note of so many is changed on each side
GOAL = 3.0
_OURS = (
    "import sys; from markdown_memory.memory import Memory, default_places; root, home, verb, path = sys.argv[1:];"
    "memory = Memory.open(root, places=default_places(home), cwd=root);"
    "getattr(memory.snapshots, verb)(path); memory.close()"
)
_GIT = (
    "git",
    "-c",
    "user.name=ana",
    "-c",
    "user.email=ana@example.org",
    "-c",
    "gc.auto=0",
    "-c",
    "core.hooksPath=none",
)


class Copies(NamedTuple):
    """The vault at home and its copy elsewhere, both with changes; the same files in two git repositories."""

    home: str
    here: str
    there: str
    git_here: str
    git_there: str


def teleport(shop: Workshop) -> Iterator[Result]:
    """Snapshot, diff and merge with 1% changed on each side: at most 3 times git's add, commit, diff and merge."""
    if shutil.which("git") is None:
        raise Skipped("git is not installed")
    notes = shop.notes or NOTES
    copies = _prepared(os.path.join(shop.folder, f"teleport-{notes}"), notes)
    kept = f"{copies.here}-kept"
    rounds: list[tuple[Sequence[float], Sequence[float]]] = []
    for number in range(shop.rounds(3)):
        for folder in (copies.here, copies.home, copies.git_here, copies.git_there):
            _put_back(folder, kept)
        _warm(copies)
        rounds.append((_ours(copies, number), _theirs(copies)))
    for at, (what, words) in enumerate((("snapshot", "add, commit"), ("diff", "diff"), ("merge", "commit, merge"))):
        ours, theirs = (statistics.median(times[side][at] for times in rounds) for side in (0, 1))
        yield Result("teleport", f"{what}, {notes} notes", ours, f"git {words}", theirs)
    ours, theirs = (statistics.median(sum(times[side]) for times in rounds) for side in (0, 1))
    yield Result("teleport", f"all three, {notes} notes", ours, "git", theirs, GOAL)


def _prepared(folder: str, notes: int) -> Copies:
    vault = vaults.make(folder, notes)
    places = default_places(vault.home)
    out, there = os.path.join(folder, "out.mdmem"), os.path.join(folder, "there")
    with Memory.open(vault.root, places=places, cwd=vault.root) as memory:
        memory.snapshots.make(out)
    open_snapshot(places, out, there)
    _trust(there, vault.home)
    gits = [os.path.join(folder, name) for name in ("git-here", "git-there")]
    shutil.copytree(vault.root, gits[0])
    _git(gits[0], "init", "-q", "-b", "main")
    _git(gits[0], "add", "-A")
    _git(gits[0], "commit", "-q", "-m", "all")
    seconds(Command([*_GIT, "clone", "-q", gits[0], gits[1]], {"LANG": "C.UTF-8"}, folder))
    paths = sorted(path for path in _notes(vault.root))
    for at, roots in enumerate(((vault.root, gits[0]), (there, gits[1]))):
        for path in paths[at * SHARE // 2 :: SHARE]:
            for root in roots:
                with open(os.path.join(root, path), "a", encoding="utf-8") as file:
                    file.write("\nOne line more, of the other side.\n" if at else "\nOne line more.\n")
    copies = Copies(vault.home, vault.root, there, *gits)
    for one in (copies.here, copies.home, *gits):
        shutil.copytree(one, os.path.join(f"{copies.here}-kept", os.path.basename(one)), symlinks=True)
    return copies


def _warm(copies: Copies) -> None:
    """Both sides look at their files once: neither is to be measured on a vault that it has never seen."""
    for root in (copies.here, copies.there):
        with Memory.open(root, places=default_places(copies.home), cwd=root) as memory:
            memory.workspace.all_headers()
    for root in (copies.git_here, copies.git_there):
        _git(root, "status", "--short")


def _ours(copies: Copies, number: int) -> list[float]:
    back = os.path.join(os.path.dirname(copies.here), f"back-{number}.mdmem")
    steps = ((copies.there, "make"), (copies.here, "diff"), (copies.here, "merge"))
    environment = {"LANG": "C.UTF-8", "HOME": copies.home}
    return [
        seconds(Command([sys.executable, "-c", _OURS, root, copies.home, verb, back], environment, root))
        for root, verb in steps
    ]


def _theirs(copies: Copies) -> list[float]:
    commit = _git(copies.git_there, "add", "-A") + _git(copies.git_there, "commit", "-q", "-m", "theirs")
    fetch = _git(copies.git_here, "fetch", "-q", copies.git_there, "main")
    diff = _git(copies.git_here, "diff", "--stat", "HEAD...FETCH_HEAD")
    here = _git(copies.git_here, "add", "-A") + _git(copies.git_here, "commit", "-q", "-m", "ours")
    return [commit, fetch + diff, here + _git(copies.git_here, "merge", "-q", "-m", "merged", "FETCH_HEAD")]


def _git(folder: str, *words: str) -> float:
    environment = {"LANG": "C.UTF-8", "HOME": folder, "PATH": os.environ.get("PATH", "")}
    return seconds(Command([*_GIT, *words], environment, folder))


def _notes(root: str) -> Iterator[str]:
    for folder, _, names in os.walk(os.path.join(root, "memory")):
        yield from (os.path.relpath(os.path.join(folder, name), root) for name in names)


def _put_back(folder: str, kept: str) -> None:
    shutil.rmtree(folder)
    shutil.copytree(os.path.join(kept, os.path.basename(folder)), folder, symlinks=True)


def _trust(root: str, home: str) -> None:
    from markdown_memory.features.vaults.trusting import trust

    trust(root, places=default_places(home), clock=lambda: vaults.END)
