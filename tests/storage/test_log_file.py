"""Appending to the signed logs on a real disk: what is acknowledged is there, once, and in one chain."""

import os
import shutil
from pathlib import Path

import pytest

from markdown_memory.core.entry import Entry
from markdown_memory.errors import MarkdownMemoryError, StorageError, UserError
from markdown_memory.storage.keys import Writer
from markdown_memory.storage.log_file import LogStore
from markdown_memory.storage.places import Places, default_places
from tests.conftest import Clock

VAULT = "vault-of-tests"
LIVE = "live-context"


class Host:
    """One machine with its home folder, and copies of the vault on it."""

    def __init__(self, base: Path, clock: Clock, machine: str = "one") -> None:
        self.base = base
        self.clock = clock
        self.machine = machine
        base.mkdir(parents=True, exist_ok=True)

    @property
    def places(self) -> Places:
        return default_places(str(self.base / "home"))

    def open(self, copy: str = "vault") -> LogStore:
        (self.base / copy).mkdir(exist_ok=True)
        return LogStore(str(self.base / copy), VAULT, self.places, self.clock, self.machine)


@pytest.fixture
def host(tmp_path: Path, clock: Clock) -> Host:
    """A machine with a vault that ana roots and in which lyra is confirmed."""
    one = Host(tmp_path / "one", clock)
    logs = one.open()
    logs.confirm(logs.root_person("ana"), introduced(logs, "lyra"))
    return one


@pytest.fixture
def logs(host: Host) -> LogStore:
    return host.open()


def introduced(logs: LogStore, agent: str) -> Writer:
    writer = logs.writer(agent)
    logs.introduce(writer)
    return writer


def say(logs: LogStore, text: str = "hello", agent: str = "lyra", log: str = LIVE, **more: object) -> Entry:
    return logs.append(logs.writer(agent), log, channel="test", kind="note", text=text, **more)  # type: ignore[arg-type]


def file_of(logs: LogStore, entry: Entry) -> Path:
    return Path(logs.root, f"nexus/log/{entry.log}/{entry.time[:7]}/{entry.log}-{entry.writer}-{entry.time[:7]}.md")


def states(logs: LogStore) -> dict[str, str]:
    return {one.agent: one.state for one in logs.standings().writers.values()}


def codes(logs: LogStore, log: str = LIVE) -> list[str]:
    return [problem.code for problem in logs.read(log).problems]


def test_an_entry_lands_in_the_file_of_its_writer_log_and_month(logs: LogStore) -> None:
    entry = say(logs, "Shipped it", data={"refs": ["a"]})
    text = file_of(logs, entry).read_text(encoding="utf-8")
    assert text.startswith(
        f"# live-context · {entry.writer} · 2026-11\n\n- 2026-11-30T02:13:04Z · lyra · test · note · Shipped it <!--"
    )
    assert text.endswith(f"--> ^live-{entry.writer}-1\n") and text.count("\n") == 3
    assert logs.read(LIVE).entries == (entry,)


def test_entries_form_one_chain_over_months_and_processes(host: Host, clock: Clock) -> None:
    first = say(host.open())
    clock.move(86400)
    second = say(host.open())
    assert (second.seq, second.prev) == (2, first.head.hash) and file_of(host.open(), second) != file_of(
        host.open(), first
    )
    clock.move(-86400)
    third = say(host.open())
    assert third.time < second.time and file_of(host.open(), second).read_text(encoding="utf-8").count("\n- ") == 2
    assert [entry.seq for entry in host.open().read(LIVE).entries] == [1, 2, 3]
    assert codes(host.open()) == ["log-back-dated"], "the clock was set back by a day"


def test_a_new_writer_introduces_itself_and_is_unconfirmed_until_somebody_confirms_it(logs: LogStore) -> None:
    say(logs, agent="ella")
    assert states(logs) == {"ana": "root", "lyra": "confirmed", "ella": "unconfirmed"}
    logs.confirm(logs.writer("ana", "person"), logs.writer("ella"))
    assert states(logs)["ella"] == "confirmed"
    assert [entry.kind for entry in logs.read("keys").entries] == [
        "root",
        "introduce",
        "confirm",
        "introduce",
        "confirm",
    ]


def test_an_entry_names_what_its_writer_had_seen_once(logs: LogStore) -> None:
    entry = say(logs)
    answer = say(logs, agent="ella", ack=[entry.id])
    assert {str(head) for head in answer.seen} >= {str(entry.head)} and answer.ack == (entry.id,)
    assert not [head for head in say(logs, agent="ella").seen if head.log == LIVE]
    assert [head.seq for head in say(logs, agent="lyra").seen if head.log == LIVE] == [2]


def test_a_chain_also_vouches_for_its_writers_other_logs(logs: LogStore) -> None:
    ledger = say(logs, log="ledger")
    assert ledger.head in say(logs).seen


def test_what_does_not_verify_is_not_vouched_for(logs: LogStore) -> None:
    entry = say(logs)
    path = file_of(logs, entry)
    path.write_text(path.read_text(encoding="utf-8").replace("hello", "hallo"), encoding="utf-8")
    say(logs, agent="ella")
    path.write_text(path.read_text(encoding="utf-8").replace("sig=", "sig=A"), encoding="utf-8")
    assert not [head for head in say(logs, agent="mara").seen if head.log == LIVE and head.writer == entry.writer]


def test_half_a_line_is_cut_off_by_its_writer(logs: LogStore, host: Host) -> None:
    entry = say(logs)
    path = file_of(logs, entry)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[-300:-40])
    assert codes(host.open()) == ["log-torn"]
    assert say(host.open()).seq == 2
    assert codes(host.open()) == [] and path.read_bytes().startswith(whole)


def test_a_whole_line_without_its_end_is_completed(logs: LogStore, host: Host) -> None:
    entry = say(logs)
    path = file_of(logs, entry)
    path.write_bytes(path.read_bytes()[:-1])
    assert say(host.open()).seq == 2 and codes(host.open()) == []


def test_an_entry_that_was_written_but_not_remembered_counts(logs: LogStore, host: Host) -> None:
    say(logs)
    memory = next((host.base / "home/state/heads").rglob(f"{LIVE}/*.json"))
    before = memory.read_bytes()
    say(logs)
    memory.write_bytes(before)
    assert say(host.open()).seq == 3 and codes(host.open()) == []
    memory.write_bytes(b'{"seq": 1, "ha')
    assert say(host.open()).seq == 4 and codes(host.open()) == []


def test_a_file_that_was_cut_within_its_heading_is_begun_again(logs: LogStore, host: Host) -> None:
    writer = logs.writer("lyra")
    path = Path(logs.root, f"nexus/log/{LIVE}/2026-11/{LIVE}-{writer.id}-2026-11.md")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"# live-con")
    assert say(host.open()).seq == 1 and codes(host.open()) == []


def test_a_file_with_converted_line_ends_is_continued(logs: LogStore, host: Host) -> None:
    path = file_of(logs, say(logs))
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert say(host.open()).seq == 2 and codes(host.open()) == ["log-line-endings"]


def test_a_second_clone_on_one_machine_gets_a_writer_of_its_own(logs: LogStore, host: Host) -> None:
    say(logs)
    shutil.copytree(host.base / "vault", host.base / "clone")
    here = say(logs, "in the vault")
    there = host.open("clone")
    entry = say(there, "in the clone")
    assert entry.writer != here.writer and entry.seq == 1
    assert f"lyra signs here as {entry.writer} from now on" in there.notices[0]
    assert say(host.open(), "again").writer == here.writer, "each copy keeps its writer"
    assert say(host.open("clone"), "again").writer == entry.writer
    assert states(there)["lyra"] == "confirmed", "the older writer of the agent vouches for the newer one"
    shutil.copytree(
        host.base / "clone/nexus",
        host.base / "vault/nexus",
        dirs_exist_ok=True,
        ignore=lambda at, names: [n for n in names if here.writer in n],
    )
    assert codes(host.open()) == [] and len(host.open().read(LIVE).entries) == 5


def test_a_restored_backup_is_not_continued(logs: LogStore, host: Host) -> None:
    for _ in range(3):
        old = say(logs)
    shutil.copytree(host.base / "vault", host.base / "backup")
    newer = [say(logs), say(logs)]
    shutil.rmtree(host.base / "vault")
    (host.base / "backup").rename(host.base / "vault")
    restored = host.open()
    assert codes(restored) == ["log-cut"]
    assert f"{old.writer}-4 to 5 in live-context" in restored.read(LIVE).problems[0].message
    assert say(restored).writer != newer[0].writer


def test_a_copied_home_folder_mints_a_new_writer(host: Host, clock: Clock, tmp_path: Path) -> None:
    here = say(host.open())
    shutil.copytree(host.base, tmp_path / "two")
    other = Host(tmp_path / "two", clock, machine="another machine").open()
    entry = say(other)
    assert entry.writer != here.writer
    assert {one.writer: one.state for one in other.standings().writers.values() if one.agent == "lyra"} == {
        here.writer: "confirmed", entry.writer: "unconfirmed",
    }, "a copied key vouches for nobody"  # fmt: skip


def test_two_hosts_that_wrote_as_one_are_found_out_and_stop(host: Host, clock: Clock, tmp_path: Path) -> None:
    say(host.open())
    shutil.copytree(host.base, tmp_path / "two")
    twin = Host(tmp_path / "two", clock)
    one, other = say(host.open(), "one"), say(twin.open(), "other")
    assert one.writer == other.writer and one.seq == other.seq == 2
    path = file_of(host.open(), one)
    path.write_bytes(path.read_bytes() + file_of(twin.open(), other).read_bytes().split(b"\n")[3] + b"\n")
    reading = host.open().read(LIVE)
    assert [problem.code for problem in reading.problems] == ["log-equivocation"]
    assert reading.chains[one.writer].quarantined == 2 and len(reading.entries) == 3
    assert say(host.open()).writer != one.writer


def test_a_month_far_ahead_hides_nothing(logs: LogStore) -> None:
    entry = say(logs)
    for month in ("9998-01", "9999-11", "9999-12"):
        Path(logs.root, f"nexus/log/{LIVE}/{month}").mkdir()
    assert logs.read(LIVE, months=2).entries == (entry,)
    assert [head for head in say(logs, agent="ella").seen if head.log == LIVE]


def test_the_two_newest_months_are_enough_for_a_session(logs: LogStore, clock: Clock) -> None:
    for _ in range(4):
        newest = say(logs)
        clock.move(31 * 86400)
    reading = logs.read(LIVE, months=2)
    assert [entry.seq for entry in reading.entries] == [3, 4] and newest in reading.entries
    assert not reading.problems and not reading.notices


def test_what_was_found_valid_is_not_checked_again(logs: LogStore, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    say(logs)
    logs.read(LIVE)
    monkeypatch.setitem(__import__("sys").modules, "cryptography.exceptions", None)
    assert len(host.open().read(LIVE).entries) == 1


def test_a_head_that_was_read_is_remembered(logs: LogStore, host: Host, clock: Clock, tmp_path: Path) -> None:
    entries = [say(logs), say(logs)]
    reader = Host(tmp_path / "reader", clock, machine="reader")
    shutil.copytree(host.base / "vault", reader.base / "vault")
    assert reader.open().read(LIVE).problems == ()
    path = file_of(reader.open(), entries[0])
    path.write_bytes(b"\n".join(path.read_bytes().split(b"\n")[:3]) + b"\n")
    assert codes(reader.open()) == ["log-cut"]
    path.unlink()
    assert codes(reader.open()) == ["log-cut"]
    assert [problem.code for problem in reader.open().read(LIVE, months=2).problems] == ["log-cut"]


def test_a_file_of_somebody_nobody_introduced_is_not_read_and_said(logs: LogStore) -> None:
    entry = say(logs)
    shutil.rmtree(Path(logs.root, "nexus/log/keys"))
    reading = logs.read(LIVE)
    assert not reading.entries
    assert [notice.code for notice in reading.notices] == ["log-unknown-writer"]
    assert entry.writer in reading.notices[0].message
    assert {problem.code for problem in logs.read("keys").problems} == {"log-cut"}


def test_lines_of_an_agent_without_the_program_are_read_as_unsigned(logs: LogStore) -> None:
    path = Path(logs.root, f"nexus/log/{LIVE}/2026-11/{LIVE}-bot-unsigned-2026-11.md")
    path.parent.mkdir(parents=True)
    path.write_bytes("# mine\r\n\r\n- did a thing 名\r\n- another\n".encode())
    (first, second) = logs.read(LIVE).unsigned
    assert (first.by, first.text, first.line, second.text) == ("bot", "- did a thing 名", 3, "- another")
    assert not logs.read(LIVE).problems


def test_a_full_disk_leaves_the_log_as_it_was(logs: LogStore, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = say(logs)
    before = file_of(logs, entry).read_bytes()
    real = os.write
    monkeypatch.setattr(
        os, "write", lambda handle, data: real(handle, data[:20]) if b"mdmem1" in data else real(handle, data)
    )
    with pytest.raises(StorageError, match="the disk is full"):
        say(logs)
    monkeypatch.undo()
    assert file_of(logs, entry).read_bytes() == before and say(logs).seq == 2


def test_a_vault_that_cannot_be_written_says_so(logs: LogStore, monkeypatch: pytest.MonkeyPatch) -> None:
    say(logs)
    real = os.open

    def refuse(path: str, flags: int, *more: object, **named: object) -> int:
        if flags & os.O_APPEND:
            raise OSError(30, "Read-only file system", path)
        return real(path, flags, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StorageError, match=r"was not written: the disk is read-only"):
        say(logs)


def test_a_log_folder_that_is_a_link_is_refused(logs: LogStore, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    Path(logs.root, f"nexus/log/{LIVE}").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(MarkdownMemoryError):
        say(logs)
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("wrong", [{"channel": "Not a slug"}, {"kind": "a--b"}, {"text": " "}])
def test_what_cannot_stand_in_a_line_is_refused_before_anything_is_written(
    logs: LogStore, wrong: dict[str, str]
) -> None:
    given = {"channel": "test", "kind": "note", "text": "hello", **wrong}
    with pytest.raises(UserError):
        logs.append(logs.writer("lyra"), LIVE, **given)  # type: ignore[arg-type]
    assert not Path(logs.root, f"nexus/log/{LIVE}").exists()
