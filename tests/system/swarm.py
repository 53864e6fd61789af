"""Machines that share a vault through one bare repository and do whatever people and agents do, in random order.

Every fact is a word of its own. What was acknowledged must be found in every clone in the end: in a note, in review, in
the archive or in a log; what was redacted must be found in none.
"""

import os
import random
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from markdown_memory import upkeep
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places, default_places
from tests.conftest import tree

BEGIN = 1796004784.0  # 30 November 2026
DERIVED = "nexus/live-context.md"
BRANCHES = ("main", "feature/auth", "fix")
DAY = 86_400.0


class Host:
    """A machine: a home, a clone, and a clock that may be wrong."""

    def __init__(self, base: Path, wrong_by: float = 0.0) -> None:
        base.mkdir(parents=True)
        self.name = base.name
        self.root = base / "vault"
        self.wrong_by = wrong_by
        self.now = BEGIN
        self.offline = 0
        self._home = str(base / "home")

    @property
    def places(self) -> Places:
        return default_places(self._home)

    def clock(self) -> float:
        return self.now + self.wrong_by

    def open(self, agent: str = "") -> Memory:
        return Memory.open(str(self.root), agent=agent, places=self.places, clock=self.clock, cwd=str(self.root))

    def sync(self) -> None:
        with self.open() as memory:
            memory.sync()

    def files(self) -> dict[str, bytes]:
        return {path: data for path, data in tree(self.root).items() if path != DERIVED}

    def killed(self, act: Callable[[Memory], object], step: int, agent: str = "") -> bool:
        """Do something in a process that dies at a step as `kill -9` would; whether it came to its end before."""
        child = os.fork()
        if child == 0:
            code = 1
            try:
                with self.open(agent) as memory:
                    memory.workspace.step = _dying_at(step)
                    act(memory)
                code = 0
            finally:
                os._exit(code)
        return os.waitpid(child, 0)[1] == 0


def _dying_at(step: int) -> Callable[[str], None]:
    left = step

    def stop(_: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return stop


def make_hosts(folder: Path, count: int, clocks: Sequence[float] = ()) -> list[Host]:
    """Machines with one vault; the first has made it, the others have cloned and trusted it."""
    bare = folder / "forge.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(bare)], check=True)
    hosts = [Host(folder / f"host{number}", clocks[number] if clocks else 0.0) for number in range(count)]
    first = hosts[0]
    Memory.init(
        str(first.root), agents=["lyra"], person="ana", places=first.places, clock=first.clock, git=True
    ).close()
    _git(first, "branch", "-M", "main")
    _git(first, "remote", "add", "origin", str(bare))
    first.sync()
    for host in hosts[1:]:
        subprocess.run(["git", "clone", "-q", str(bare), str(host.root)], check=True)
        upkeep.trust(str(host.root), places=host.places, clock=host.clock, person_present=True)
    return hosts


def _git(host: Host, *words: str) -> None:
    subprocess.run(["git", "-C", str(host.root), *words], check=True, capture_output=True)


class Life:
    """Random acts on all machines; the same seed gives the same acts."""

    def __init__(self, hosts: list[Host], seed: int) -> None:
        self.hosts = hosts
        self.random = random.Random(seed)
        self.facts: set[str] = set()
        self.redacted: set[str] = set()
        self.refused: list[str] = []
        self.done: dict[str, int] = {}
        self._entries: dict[str, str] = {}
        self._number = 0
        acts = {
            self.store: 14, self.edit: 8, self.edit_by_hand: 10, self.write_by_hand: 4, self.rename: 6, self.forget: 4,
            self.restore: 2, self.log: 14, self.retain: 8, self.review: 8, self.branch: 4, self.redact: 2,
            self.sync: 26, self.sync_killed: 4, self.store_killed: 3,
        }  # fmt: skip
        self._acts, self._weights = list(acts), list(acts.values())

    def live(self, acts: int) -> None:
        """Do so many things."""
        for _ in range(acts):
            host = self.random.choice(self.hosts)
            for each in self.hosts:
                each.now += self.random.uniform(0, 90)
            if self.random.random() < 0.02:
                host.offline = self.random.randint(20, 60)
            host.offline = max(0, host.offline - 1)
            act = self.random.choices(self._acts, self._weights)[0]
            try:
                act(host)
            except MarkdownMemoryError as refused:
                self.refused.append(f"{act.__name__} on {host.name}: {refused}")
            self.done[act.__name__] = self.done.get(act.__name__, 0) + 1

    def settle(self) -> None:
        """Everybody is online and synchronises until nothing is new."""
        for _ in range(2):
            for host in self.hosts:
                host.sync()
        for host in self.hosts:
            host.sync()

    # what people and agents do

    def store(self, host: Host) -> None:
        fact, name = self._fact(), self._name()
        namespace = f"project:{self.random.choice(BRANCHES)}"
        with host.open() as memory:
            memory.store(name, f"{fact} is so.\n", description=f"about {name}", namespace=namespace)
        self.facts.add(fact)

    def store_killed(self, host: Host) -> None:
        fact, name = self._fact(), self._name()
        step = self.random.randint(1, 8)
        if host.killed(lambda memory: memory.store(name, f"{fact} is so.\n", description="d"), step):
            self.facts.add(fact)

    def edit(self, host: Host) -> None:
        fact = self._fact()
        with host.open() as memory:
            note = memory.show(self._some(memory, "accepted"))
            memory.edit(note.path, body=self._with_line(note.body, fact))
        self.facts.add(fact)

    def edit_by_hand(self, host: Host) -> None:
        with host.open() as memory:
            path = host.root / self._some(memory, self.random.choice(("accepted", "proposal")))
        fact = self._fact()
        text = path.read_text()
        head, fence, body = text.rpartition("\n---\n")
        path.write_text(head + fence + self._with_line(body, fact))
        self.facts.add(fact)

    def write_by_hand(self, host: Host) -> None:
        fact = self._fact()
        path = host.root / "memory" / self.random.choice(("user", "project/main")) / f"{self._name()}.md"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{fact} by hand.\n")
            self.facts.add(fact)

    def rename(self, host: Host) -> None:
        with host.open() as memory:
            memory.rename(self._some(memory, "accepted"), self._name())

    def forget(self, host: Host) -> None:
        with host.open() as memory:
            memory.forget(self._some(memory, "accepted"))

    def restore(self, host: Host) -> None:
        with host.open() as memory:
            memory.restore(self._some(memory, "archived"))

    def log(self, host: Host) -> None:
        fact = self._fact()
        with host.open(self.random.choice(("lyra", ""))) as memory:
            entry = memory.log.append(f"{fact} was done")
        self.facts.add(fact)
        self._entries[entry.id] = fact

    def retain(self, host: Host) -> None:
        fact = self._fact()
        with host.open("lyra") as lyra:
            lyra.retain(
                f"{fact} must be known.", name=self._name(), namespace=f"project:{self.random.choice(BRANCHES)}"
            )
        self.facts.add(fact)

    def review(self, host: Host) -> None:
        with host.open() as memory:
            path = self._some(memory, "proposal")
            if self.random.random() < 0.7:
                memory.inbox.accept(path, replace=True)
            else:
                memory.inbox.reject(path, "no")

    def branch(self, host: Host) -> None:
        with host.open() as memory:
            act = self.random.choice(("merge", "merge", "delete", "rename"))
            if act == "merge":
                memory.branches.merge(self.random.choice(BRANCHES[1:]), strategy=self.random.choice(("merge", "ask")))
            elif act == "delete":
                memory.branches.delete(self.random.choice(BRANCHES[1:]))
            else:
                memory.branches.rename(self.random.choice(BRANCHES[1:]), f"renamed-{self._number}")

    def redact(self, _: Host) -> None:
        """The first machine's person roots the keys, so that everybody believes the redaction."""
        first = self.hosts[0]
        with first.open() as memory:
            known = {line.id for line in memory.log.read()} & set(self._entries)
            if not known:
                return
            name = self.random.choice(sorted(known))
            upkeep.redact(memory, [name])
        fact = self._entries.pop(name)
        self.facts.discard(fact)
        self.redacted.add(fact)

    def sync(self, host: Host) -> None:
        if not host.offline:
            host.sync()

    def sync_killed(self, host: Host) -> None:
        if not host.offline:
            host.killed(Memory.sync, self.random.randint(1, 12))

    # inside

    def _fact(self) -> str:
        self._number += 1
        return f"fact{self._number:05d}x"

    def _name(self) -> str:
        """One of few names, so that machines meet on the same notes."""
        return f"note-{self.random.randint(1, 60)}"

    def _some(self, memory: Memory, status: str) -> str:
        found = sorted(one.path for one in memory.list(status=(status,), all=True))
        if not found:
            raise MarkdownMemoryError(f"nothing is {status} here")
        return self.random.choice(found)

    def _with_line(self, text: str, fact: str) -> str:
        lines = text.split("\n")
        lines.insert(self.random.randint(0, len(lines) - 1), f"{fact} was added.")
        return "\n".join(lines)


def lost(facts: set[str], files: dict[str, bytes]) -> list[str]:
    """Facts that stand in no file."""
    everything = b"\n".join(files.values()).decode("utf-8", "replace")
    return sorted(fact for fact in facts if fact not in everything)
