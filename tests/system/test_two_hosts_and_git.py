"""Two machines that share a vault through git: offline appends, merges, converted line ends, forges without drivers."""

import shutil
import subprocess
from pathlib import Path

import pytest

from markdown_memory.core.entry import Entry
from markdown_memory.storage.log_file import LogStore
from markdown_memory.storage.log_values import Reading
from markdown_memory.storage.places import default_places
from tests.conftest import Clock

VAULT = "vault-of-tests"
LIVE = "live-context"


class Host:
    """A machine with a home folder and a clone of the vault."""

    def __init__(self, base: Path, clock: Clock) -> None:
        self.base = base
        self.clock = clock
        base.mkdir(exist_ok=True)

    @property
    def root(self) -> Path:
        return self.base / "vault"

    def git(self, *words: str) -> str:
        identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"]
        done = subprocess.run(["git", *identity, *words], cwd=self.root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def logs(self) -> LogStore:
        places = default_places(str(self.base / "home"))
        return LogStore(str(self.root), VAULT, places, self.clock, machine=self.base.name)

    def say(self, agent: str, text: str, log: str = LIVE) -> Entry:
        self.clock.move(60)
        logs = self.logs()
        return logs.append(logs.writer(agent), log, channel="test", kind="note", text=text)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "memory")

    def sync(self) -> None:
        self.commit()
        self.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
        self.git("push", "-q", "origin", "HEAD:main")

    def read(self, log: str = LIVE) -> Reading:
        return self.logs().read(log, thorough=True)


@pytest.fixture
def hosts(tmp_path: Path, clock: Clock) -> tuple[Host, Host]:
    """A vault that the first host has made, and a clone of it on the second."""
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    first, second = Host(tmp_path / "first", clock), Host(tmp_path / "second", clock)
    first.root.mkdir()
    first.git("init", "-q")
    (first.root / ".gitattributes").write_text("nexus/log/** -text\n")
    logs = first.logs()
    person, lyra = logs.root_person("ana"), logs.writer("lyra")
    logs.introduce(lyra)
    logs.confirm(person, lyra)
    first.commit()
    subprocess.run(["git", "clone", "-q", "--bare", str(first.root), str(tmp_path / "forge.git")], check=True)
    first.git("remote", "add", "origin", str(tmp_path / "forge.git"))
    subprocess.run(["git", "clone", "-q", str(tmp_path / "forge.git"), str(second.root)], check=True)
    second.logs().chest.pin(person.fingerprint)
    return first, second


def test_one_agent_on_two_hosts_writes_offline_and_nothing_collides(hosts: tuple[Host, Host]) -> None:
    first, second = hosts
    one, other = first.say("lyra", "on the first"), second.say("lyra", "on the second")
    assert one.writer != other.writer
    first.say("lyra", "again on the first")
    first.sync()
    second.sync()
    first.sync()
    for host in hosts:
        reading = host.read()
        assert reading.problems == () and [entry.text for entry in reading.entries] == [
            "on the first", "on the second", "again on the first",
        ]  # fmt: skip
        standings = host.logs().standings().writers
        assert (standings[one.writer].state, standings[other.writer].state) == ("confirmed", "unconfirmed")
    confirming = first.logs()
    confirming.confirm(confirming.writer("ana", "person"), second.logs().writer("lyra"))
    first.sync()
    second.sync()
    assert second.logs().standings().writers[other.writer].state == "confirmed"


def test_knowledge_travels_with_the_files(hosts: tuple[Host, Host]) -> None:
    first, second = hosts
    one = first.say("lyra", "question")
    first.sync()
    second.sync()
    answer = second.say("ella", "answer")
    assert one.head in answer.seen
    second.sync()
    first.sync()
    assert answer.head in first.say("lyra", "thanks").seen


def test_what_another_host_has_seen_is_missed_after_a_reset(hosts: tuple[Host, Host]) -> None:
    first, second = hosts
    first.say("lyra", "one")
    first.sync()
    first.say("lyra", "two")
    first.sync()
    second.sync()
    assert second.read().problems == ()
    second.git("reset", "-q", "--hard", "HEAD~1")
    assert [problem.code for problem in second.read().problems] == ["log-cut"]
    second.git("pull", "-q", "origin", "main")
    assert second.read().problems == ()


def test_a_stashed_or_reset_vault_is_not_continued_by_the_same_writer(hosts: tuple[Host, Host]) -> None:
    first, _ = hosts
    one = first.say("lyra", "one")
    first.commit()
    two = first.say("lyra", "two")
    first.git("stash", "-q", "-u")
    other = first.say("lyra", "while it was stashed")
    assert other.writer != one.writer == two.writer
    first.commit()
    first.git("stash", "pop", "-q")
    reading = first.read()
    assert reading.problems == () and {entry.text for entry in reading.entries} == {
        "one",
        "two",
        "while it was stashed",
    }


def test_a_checkout_that_converts_line_ends_is_named_and_read(hosts: tuple[Host, Host]) -> None:
    first, second = hosts
    first.say("lyra", "one")
    (first.root / ".gitattributes").write_text("")
    first.sync()
    second.git("config", "core.autocrlf", "true")
    second.sync()
    shutil.rmtree(second.root / "nexus")
    second.git("checkout", "-q", "--", "nexus")
    reading = second.read()
    assert {problem.code for problem in reading.problems} == {"log-line-endings"} and len(reading.entries) == 1


def test_a_union_merge_of_two_that_wrote_as_one_names_the_fork(hosts: tuple[Host, Host]) -> None:
    first, second = hosts
    first.say("lyra", "before")
    first.sync()
    second.sync()
    shutil.copytree(first.base / "home", second.base / "home", dirs_exist_ok=True)
    logs = LogStore(str(second.root), VAULT, default_places(str(second.base / "home")), second.clock, machine="first")
    (second.root / ".gitattributes").write_text("nexus/log/**/*.md merge=union -text\n")
    second.commit()
    second.git("push", "-q", "origin", "HEAD:main")
    first.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    mine = first.say("lyra", "from the first")
    theirs = logs.append(logs.writer("lyra"), LIVE, channel="test", kind="note", text="from its clone")
    assert mine.id == theirs.id
    first.sync()
    second.sync()
    first.sync()
    for host in hosts:
        reading = host.read()
        assert {problem.code for problem in reading.problems} == {"log-equivocation"}
        assert {entry.text for entry in reading.entries} == {"before", "from the first", "from its clone"}
    assert first.say("lyra", "on it goes").writer != mine.writer
