"""The live context as sessions and people use it."""

from pathlib import Path

import pytest

from markdown_memory.errors import Ambiguous, NotFound, UserError
from markdown_memory.features.log import Log
from markdown_memory.memory import Memory
from tests.conftest import Clock, Note, Open

VIEW = "nexus/live-context.md"


@pytest.fixture
def ella(open_as: Open) -> Memory:
    return open_as("ella", session="morning")


def texts(memory: Memory, **how: object) -> list[str]:
    return [line.text for line in memory.log.read(**how)]  # type: ignore[arg-type]


def test_what_one_agent_did_another_reads(lyra: Memory, ella: Memory) -> None:
    entry = lyra.log.append("Shipped the fix (PR 88)", channel="telegram", kind="fix", refs=["oauth-pkce-for-mobile"])
    (line,) = ella.log.read(unread=True)
    assert (line.id, line.agent, line.channel, line.kind, line.text) == (
        entry.id,
        "lyra",
        "telegram",
        "fix",
        "Shipped the fix (PR 88)",
    )
    assert line.refs == ("oauth-pkce-for-mobile",) and line.mark == "" and not line.own
    assert Log.brief(line) == f"- 2026-11-30 02:13 lyra (telegram, fix): Shipped the fix (PR 88) ^live-{entry.id}"


def test_printing_alone_marks_nothing_as_read(lyra: Memory, ella: Memory) -> None:
    lyra.log.append("one")
    assert texts(ella, unread=True) == texts(ella, unread=True) == ["one"]
    ella.log.mark_read(ella.log.read(unread=True))
    assert texts(ella, unread=True) == []
    lyra.log.append("two")
    assert texts(ella, unread=True) == ["two"] and texts(ella) == ["one", "two"]


def test_what_was_not_delivered_stays_unread(lyra: Memory, ella: Memory) -> None:
    for text in ("one", "two", "three"):
        lyra.log.append(text)
    ella.log.mark_read(ella.log.read(unread=True)[-1:])
    assert texts(ella, unread=True) == ["one", "two"]


def test_ones_own_entries_are_never_unread(lyra: Memory) -> None:
    lyra.log.append("mine")
    assert texts(lyra, unread=True) == [] and lyra.log.read()[0].own


def test_a_new_session_reads_the_last_day_again_and_no_more(
    lyra: Memory, ella: Memory, open_as: Open, clock: Clock
) -> None:
    lyra.log.append("long ago")
    clock.move(3 * 86400)
    lyra.log.append("this morning")
    ella.log.mark_read(ella.log.read(unread=True))
    assert texts(open_as("ella", session="evening"), unread=True) == ["this morning"]
    assert texts(open_as("ella"), unread=True) == [], "without a session it is what the agent has not read"


def test_an_acknowledgement_names_the_entry(lyra: Memory, ella: Memory) -> None:
    entry = lyra.log.append("Is the till quiet?")
    ella.log.append("It is", ack=[f"^live-{entry.id}"])
    assert lyra.log.read(unread=True)[0].ack == (entry.id,)
    with pytest.raises(NotFound, match="no entry lyra-aaaa-7 in the live context"):
        ella.log.append("what?", ack=["lyra-aaaa-7"])
    with pytest.raises(UserError, match="names no log entry"):
        ella.log.append("what?", ack=["that one"])


def test_an_old_entry_can_be_acknowledged(lyra: Memory, ella: Memory, clock: Clock) -> None:
    entry = lyra.log.append("long ago")
    for _ in range(3):
        clock.move(31 * 86400)
        lyra.log.append("later")
    assert ella.log.append("I remember", ack=[entry.id]).ack == (entry.id,)


def test_entries_are_chosen_by_time_agent_kind_and_number(lyra: Memory, ella: Memory, clock: Clock) -> None:
    lyra.log.append("one", kind="fix")
    clock.move(86400)
    ella.log.append("two", kind="note")
    lyra.log.append("three", kind="note")
    assert texts(lyra, agent="lyra") == ["one", "three"] and texts(lyra, kind="note") == ["two", "three"]
    assert texts(lyra, tail=1) == ["three"] and texts(lyra, since="2026-12-01") == ["two", "three"]
    assert texts(lyra, since="2026-11-30T02:13:05") == ["two", "three"]
    with pytest.raises(UserError, match="is no day or moment"):
        lyra.log.read(since="yesterday")


def test_since_reads_further_back_than_two_months(lyra: Memory, clock: Clock) -> None:
    lyra.log.append("old")
    for _ in range(4):
        clock.move(31 * 86400)
        lyra.log.append("new")
    assert "old" not in texts(lyra) and texts(lyra, since="2026-11-01")[0] == "old"


def test_two_who_wrote_at_once_are_to_be_reconciled(vault: Path, open_as: Open, lyra: Memory, ella: Memory) -> None:
    one = lyra.log.append("deploying")
    log = vault / "nexus/log/live-context/2026-11"
    (away,) = log.iterdir()
    hidden = away.rename(vault / ".away")
    other = ella.log.append("deploying too")
    hidden.rename(away)
    marks = {line.id: line.marks for line in ella.log.read()}
    assert marks == {one.id: (f"to be reconciled with {other.id}",), other.id: (f"to be reconciled with {one.id}",)}
    lyra.log.append("waiting for ella", ack=[other.id])
    later = {line.id: line.marks for line in ella.log.read()[:2]}
    assert later == {one.id: (f"written without knowing {other.id}",), other.id: (f"written without knowing {one.id}",)}
    assert ella.log.read()[2].marks == (f"answers {other.id}",)


def test_the_view_shows_the_newest_entries_and_keeps_what_people_write(
    vault: Path, lyra: Memory, memory: Memory
) -> None:
    entry = lyra.log.append("Shipped it", kind="fix")
    assert lyra.log.render() and not lyra.log.render()
    text = (vault / VIEW).read_text(encoding="utf-8")
    assert f"- 02:13 **lyra** (api, fix) Shipped it ^live-{entry.id}\n" in text
    (vault / VIEW).write_text(text + "- I restarted the till\n", encoding="utf-8")
    lyra.log.append("Thanks")
    assert lyra.log.render()
    assert (
        (vault / VIEW)
        .read_text(encoding="utf-8")
        .endswith("## Not signed yet ^live-unsigned\n\n- I restarted the till\n")
    )
    unsigned = memory.log.read(unread=True)[-1]
    assert (unsigned.text, unsigned.mark, unsigned.id) == ("- I restarted the till", "unsigned", "")


def test_the_view_is_written_when_the_vault_is_closed(vault: Path, open_as: Open) -> None:
    memory = open_as("lyra")
    memory.log.append("Shipped it")
    memory.close()
    assert "Shipped it" in (vault / VIEW).read_text(encoding="utf-8")


def test_a_view_that_only_holds_text_of_people_is_kept(vault: Path, lyra: Memory, note: Note) -> None:
    note(VIEW, b"\xef\xbb\xbfmy plan\r\n- and more\r\n<<<<<<< HEAD\r\n")
    lyra.log.append("Shipped it")
    lyra.log.render()
    assert (vault / VIEW).read_text(encoding="utf-8").endswith("\n\nmy plan\n- and more\n")


def test_adopting_signs_a_line_and_takes_it_from_the_view(vault: Path, memory: Memory, lyra: Memory) -> None:
    memory.log.render()
    with (vault / VIEW).open("a", encoding="utf-8") as view:
        view.write("- I restarted the till\n- I restarted the printer\n")
    with pytest.raises(Ambiguous, match="Several unsigned lines begin with 'I restarted'") as several:
        memory.log.adopt("I restarted")
    assert len(several.value.candidates) == 2
    entry = memory.log.adopt("I restarted the till")
    memory.log.render()
    assert (entry.kind, entry.text, entry.agent) == ("unsigned", "I restarted the till", "ana")
    assert (vault / VIEW).read_text(encoding="utf-8").count("I restarted the till") == 1
    assert "- I restarted the printer" in (vault / VIEW).read_text(encoding="utf-8")
    with pytest.raises(NotFound, match="No unsigned line begins with"):
        memory.log.adopt("I restarted the till")


def test_a_line_of_an_agent_without_the_program_is_read_until_it_is_adopted(
    vault: Path, memory: Memory, lyra: Memory, note: Note
) -> None:
    note(
        "nexus/log/live-context/2026-11/live-context-bot-unsigned-2026-11.md",
        "- nightly build is red\n- nightly build is red\n",
    )
    (line,) = lyra.log.read(unread=True)
    assert (line.agent, line.mark) == ("bot", "unsigned")
    lyra.log.mark_read([line])
    assert lyra.log.read(unread=True) == []
    memory.log.adopt("nightly")
    assert texts(lyra) == ["nightly build is red"]


def test_an_unconfirmed_writer_is_shown_as_such(vault: Path, open_as: Open, lyra: Memory) -> None:
    open_as("noor").log.append("Hello, I am new here")
    assert lyra.log.read(unread=True)[0].marks == ("unconfirmed",)


def test_a_text_of_several_lines_is_one_line_everywhere(vault: Path, lyra: Memory) -> None:
    lyra.log.append("one\ntwo --> <!-- \u202e %% three")
    assert texts(lyra) == ["one\ntwo --> <!-- \u202e %% three"]
    assert "\n" not in Log.brief(lyra.log.read()[0])
    lyra.log.render()
    assert len([line for line in (vault / VIEW).read_text(encoding="utf-8").split("\n") if "one" in line]) == 1


@pytest.mark.parametrize("now", [-1e12, -1.0, 253_402_300_800.0, 1e18])
def test_a_clock_that_is_wrong_beyond_all_years_breaks_no_log(
    lyra: Memory, memory: Memory, clock: Clock, now: float
) -> None:
    right, clock.now = clock.now, now
    lyra.log.append("When the battery was empty.")
    memory.store("note", "Body.")
    clock.now = right
    lyra.log.append("With a new battery.")
    report = memory.verify()
    assert {problem.code for problem in report.problems} <= {"log-back-dated"}
    assert texts(lyra)[-1] == "With a new battery."
