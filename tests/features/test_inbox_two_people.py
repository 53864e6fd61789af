"""Two people on two hosts decide about the same proposals, and their vaults meet through git."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory import upkeep
from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places
from tests.conftest import Clock, Note, Open

Decide = Callable[[Memory], object]


class Host:
    """A clone of the vault, and a home of its own."""

    def __init__(self, folder: Path, clock: Clock, origin: Path | None) -> None:
        self.folder, self.clock, self.root = folder, clock, folder / "vault"
        self.places = default_places(str(folder / "home"))
        folder.mkdir()
        if origin is None:
            Memory.init(str(self.root), agents=["lyra"], person="ana", places=self.places, clock=clock).close()
            self.git("init", "-q", "-b", "main")
        else:
            subprocess.run(["git", "clone", "-q", str(origin), str(self.root)], check=True)
            upkeep.trust(str(self.root), places=self.places, clock=clock, person_present=True)

    def git(self, *words: str) -> None:
        identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
        done = subprocess.run(["git", *identity, *words], cwd=self.root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def do(self, act: Decide, agent: str = "") -> None:
        self.clock.move(60)
        memory = Memory.open(str(self.root), agent=agent, places=self.places, clock=self.clock, cwd=str(self.root))
        act(memory)
        memory.close()
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "memory")

    def pull(self, other: "Host") -> None:
        self.git("pull", "-q", "--no-rebase", "--no-edit", str(other.root), "main")


@pytest.fixture
def hosts(tmp_path: Path, clock: Clock) -> tuple[Host, Host]:
    """The host of ana with a proposal of lyra, and a second one that has it too."""
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    first = Host(tmp_path / "first", clock, None)
    first.do(lambda memory: memory.retain("Mobile clients must use PKCE.", name="pkce"), agent="lyra")
    return first, Host(tmp_path / "second", clock, first.root)


def meet(first: Host, second: Host) -> None:
    first.pull(second)
    second.pull(first)


def test_the_same_decision_on_two_hosts_is_one(hosts: tuple[Host, Host]) -> None:
    first, second = hosts
    for host in hosts:
        host.do(lambda memory: memory.inbox.accept("pkce"))
    meet(first, second)
    for host in hosts:
        host.do(lambda memory: memory.inbox.carry_out())
        assert (host.root / "memory/project/main/pkce.md").exists()
        assert not (host.root / "inbox/lyra/pkce.md").exists()


@pytest.mark.parametrize("by_tick", [False, True])
def test_opposite_decisions_bring_the_proposal_back_with_who_decided_what(
    hosts: tuple[Host, Host], by_tick: bool
) -> None:
    first, second = hosts
    proposal = first.root / "inbox/lyra/pkce.md"
    if by_tick:
        proposal.write_text(proposal.read_text().replace("accept: false", "accept: true"))
        first.do(lambda memory: memory.inbox.carry_out())
    else:
        first.do(lambda memory: memory.inbox.accept("pkce"))
    second.do(lambda memory: memory.inbox.reject("pkce", "only on staging"))
    meet(first, second)
    said: list[str] = []
    first.do(lambda memory: said.extend(one.note for one in memory.inbox.carry_out().decisions))
    second.do(lambda memory: memory.inbox.carry_out())
    assert len(said) == 1 and "rejected it, because: only on staging. It waits again." in said[0]
    text = proposal.read_text()
    assert "rejected it on 2026-11-30, because: only on staging" in text and "accept: false" in text
    assert text == (second.root / "inbox/lyra/pkce.md").read_text()
    assert (first.root / "memory/project/main/pkce.md").exists()
    first.do(lambda memory: said.extend(one.note for one in memory.inbox.carry_out().decisions))
    assert len(said) == 1


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_the_second_decision_settles_it_everywhere_and_can_be_undone(hosts: tuple[Host, Host], verb: str) -> None:
    first, second = hosts
    first.do(lambda memory: memory.inbox.accept("pkce"))
    second.do(lambda memory: memory.inbox.reject("pkce", "no"))
    first.pull(second)
    first.do(lambda memory: memory.inbox.carry_out())
    first.do(lambda memory: getattr(memory.inbox, verb)("pkce"))
    second.pull(first)
    for host in hosts:
        host.do(lambda memory: memory.inbox.carry_out())
        assert (host.root / "memory/project/main/pkce.md").exists() == (verb == "accept")
        assert not (host.root / "inbox/lyra/pkce.md").exists()
    first.do(lambda memory: memory.inbox.undo())
    assert (first.root / "memory/project/main/pkce.md").exists()
    assert (first.root / "inbox/lyra/pkce.md").exists()


def test_a_note_that_was_put_into_better_words_since_survives_the_rejection(hosts: tuple[Host, Host]) -> None:
    first, second = hosts
    first.do(lambda memory: memory.inbox.accept("pkce"))
    second.do(lambda memory: memory.inbox.reject("pkce", "no"))
    first.pull(second)
    first.do(lambda memory: memory.inbox.carry_out())
    first.do(lambda memory: memory.edit("memory/project/main/pkce.md", body="Better words."))
    first.do(lambda memory: memory.inbox.reject("pkce"))
    assert "Better words." in (first.root / "memory/project/main/pkce.md").read_text()


def test_one_person_who_rejects_undoes_and_accepts_is_of_one_mind(
    lyra: Memory, memory: Memory, open_as: Open, note: Note
) -> None:
    lyra.retain("Mobile clients must use PKCE.", name="pkce")
    memory.inbox.reject("pkce")
    memory.inbox.undo()
    memory.inbox.accept("pkce")
    assert memory.inbox.carry_out().decisions == () and memory.inbox.list() == []
