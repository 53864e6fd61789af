"""From a session's transcript to proposals, each once."""

from pathlib import Path

import pytest

from markdown_memory.errors import FormatError, NotFound
from markdown_memory.memory import Memory
from markdown_memory.storage import growing
from tests.client_transcripts import claude, claude_file, codex_file, write
from tests.conftest import Note, Open

DECISION = "We decided to keep sessions in Redis, because the tills share one login."
PREFERENCE = "I prefer small pull requests, one topic each."
CURE = "The build failed because the runner had no IPv6 route. I fixed it by binding to 127.0.0.1."
SAID = (("user", DECISION), ("agent", "Understood."), ("user", PREFERENCE), ("agent", CURE))


def texts(memory: Memory) -> list[str]:
    return sorted(one.text for one in memory.inbox.list())


def test_what_was_said_in_claude_code_is_proposed_with_quote_source_kind_and_trust(
    lyra: Memory, tmp_path: Path
) -> None:
    path = claude_file(tmp_path / "session.jsonl", *SAID)
    retained = lyra.retain_transcript(str(path))
    assert (retained.turns, retained.broken, retained.left_out) == (4, 0, 0)
    assert [(one.kind, one.trust, one.source) for one in retained.facts] == [
        ("decision", "user", f"{path}:5"),
        ("preference", "user", f"{path}:7"),
        ("failure-pattern", "agent", f"{path}:8"),
    ]
    waiting = {one.kind: one for one in lyra.inbox.list()}
    assert waiting["decision"].text == DECISION and waiting["decision"].path.startswith("inbox/lyra/")
    assert waiting["failure-pattern"].trust == "agent" and waiting["failure-pattern"].source == f"{path}:8"


def test_codex_sessions_are_read_as_well(lyra: Memory, tmp_path: Path) -> None:
    retained = lyra.retain_transcript(str(codex_file(tmp_path / "rollout.jsonl", *SAID)))
    assert [one.text for one in retained.facts] == [DECISION, PREFERENCE, CURE]
    assert retained.facts[0].source.endswith("rollout.jsonl:8")


def test_a_second_run_proposes_nothing_new_whatever_was_decided(lyra: Memory, open_as: Open, tmp_path: Path) -> None:
    path = str(claude_file(tmp_path / "session.jsonl", *SAID))
    lyra.retain_transcript(path)
    person = open_as()
    person.inbox.accept("1")
    person.inbox.reject("2")
    again = open_as("lyra").retain_transcript(path)
    assert (again.facts, again.left_out, again.turns, again.before) == ((), 0, 4, 4)
    assert len(person.inbox.list()) == 1


def test_only_what_was_added_is_proposed_from_a_session_that_goes_on(lyra: Memory, tmp_path: Path) -> None:
    path = claude_file(tmp_path / "session.jsonl", *SAID[:2])
    lyra.retain_transcript(str(path))
    claude_file(path, *SAID)
    assert [one.text for one in lyra.retain_transcript(str(path)).facts] == [PREFERENCE, CURE]


def test_a_copy_of_a_session_says_nothing_new(lyra: Memory, tmp_path: Path) -> None:
    lyra.retain_transcript(str(claude_file(tmp_path / "one.jsonl", *SAID)))
    facts = lyra.retain_transcript(str(codex_file(tmp_path / "two.jsonl", *SAID))).facts
    assert [one.state for one in facts] == ["waiting"] * 3 and all("nothing was added" in one.note for one in facts)
    assert len(lyra.inbox.list()) == 3


def test_what_a_note_says_already_is_not_proposed(memory: Memory, lyra: Memory, tmp_path: Path) -> None:
    memory.store("sessions", DECISION.upper())
    (fact,) = lyra.retain_transcript(str(claude_file(tmp_path / "s.jsonl", SAID[0]))).facts
    assert (fact.state, fact.path) == ("accepted", "memory/project/main/sessions.md")
    assert lyra.inbox.list() == []


def test_what_was_rejected_is_not_proposed_again_by_another_session(
    lyra: Memory, open_as: Open, tmp_path: Path
) -> None:
    lyra.retain_transcript(str(claude_file(tmp_path / "one.jsonl", SAID[0])))
    open_as().inbox.reject("1", "only on staging")
    (fact,) = open_as("lyra").retain_transcript(str(claude_file(tmp_path / "two.jsonl", SAID[0]))).facts
    assert fact.state == "rejected" and "only on staging" in fact.note


def test_a_dry_run_writes_nothing_and_says_the_rule(lyra: Memory, tmp_path: Path) -> None:
    path = str(claude_file(tmp_path / "session.jsonl", *SAID))
    shown = lyra.retain_transcript(path, dry_run=True)
    assert [(one.state, one.rule) for one in shown.facts] == [
        ("new", "en-decided"),
        ("new", "en-i-prefer"),
        ("new", "en-cause-and-cure"),
    ]
    assert lyra.inbox.list() == [] and lyra.retain_transcript(path, dry_run=True) == shown


def test_a_session_proposes_five_facts_the_persons_first_and_more_when_asked(lyra: Memory, tmp_path: Path) -> None:
    agents = [("agent", f"Decision: table {number} is partitioned by month.") for number in range(4)]
    persons = [("user", f"I prefer option {number} in all the reports.") for number in range(4)]
    path = str(claude_file(tmp_path / "long.jsonl", *agents, *persons))
    first = lyra.retain_transcript(path)
    assert [one.trust for one in first.facts] == ["agent", *["user"] * 4] and first.left_out == 3
    assert lyra.retain_transcript(path).facts == ()
    assert len(lyra.retain_transcript(path, limit=8).facts) == 3
    assert len(lyra.inbox.list()) == 8


def test_a_secret_in_a_session_stays_there(lyra: Memory, tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    text = f"We decided to call the API with {token} from the tills."
    (fact,) = lyra.retain_transcript(str(claude_file(tmp_path / "s.jsonl", ("user", text)))).facts
    assert fact.text == "We decided to call the API with [GitHub token, left out] from the tills."
    assert token not in (lyra.inbox.show("1").text + lyra.inbox.show("1").description)


def test_broken_lines_are_counted_and_a_line_that_is_being_written_is_waited_for(lyra: Memory, tmp_path: Path) -> None:
    path = claude_file(tmp_path / "s.jsonl", SAID[0])
    with path.open("ab") as file:
        file.write(b'{"type": "user", "mess\n\xff\xfe\x00\n')
        whole = len(path.read_bytes())
        file.write(b'{"type": "user", "message": {"role": "us')
        file.flush()
    retained = lyra.retain_transcript(str(path), by_hook=True)
    assert (len(retained.facts), retained.broken) == (1, 2)
    path.write_bytes(path.read_bytes()[:whole] + write(tmp_path / "more", claude("user", PREFERENCE)).read_bytes())
    assert [one.text for one in lyra.retain_transcript(str(path), by_hook=True).facts] == [PREFERENCE]


def test_a_hook_reads_on_where_it_stopped_and_knows_the_trouble_told_before(lyra: Memory, tmp_path: Path) -> None:
    path = claude_file(
        tmp_path / "s.jsonl", *[("agent", "Reading on.")] * 50, ("user", "The till fails with an error.")
    )
    assert lyra.retain_transcript(str(path), by_hook=True).turns == 51
    with path.open("ab") as file:
        file.write(
            write(tmp_path / "more", claude("agent", "The problem was a lock. Fixed by removing it.")).read_bytes()
        )
    again = lyra.retain_transcript(str(path), by_hook=True)
    assert again.turns < 10
    (fact,) = again.facts
    assert fact.text.endswith("> The till fails with an error.") and fact.source == f"{path}:56"


def test_a_file_that_was_written_anew_is_read_from_its_beginning(lyra: Memory, tmp_path: Path) -> None:
    path = claude_file(tmp_path / "s.jsonl", *[("agent", "Reading on.")] * 50)
    lyra.retain_transcript(str(path), by_hook=True)
    claude_file(path, ("user", PREFERENCE), *[("agent", "Something else.")] * 60)
    assert [one.text for one in lyra.retain_transcript(str(path), by_hook=True).facts] == [PREFERENCE]


def test_a_line_longer_than_any_turn_is_passed_over_and_the_next_one_read(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"a" * (2 * growing.LONGEST_LINE + 5) + b"\nshort\n" + b"b" * growing.LONGEST_LINE)
    read = list(growing.lines(str(path)))
    assert [(line.data[:5], line.place.line, line.ended) for line in read][1] == (b"short", 2, True)
    assert read[0].data == b"\n" and not read[2].ended
    assert [one.place for one in growing.lines(str(path), read[1].place)] == [read[1].place, read[2].place]


def test_a_big_file_is_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "many"
    path.write_bytes(b"0123456789\n" * 100)
    assert len(list(growing.lines(str(path), most=50))) == 5


def test_a_damaged_memory_of_what_was_read_is_no_obstacle(lyra: Memory, tmp_path: Path) -> None:
    path = str(claude_file(tmp_path / "s.jsonl", SAID[0]))
    lyra.retain_transcript(path, by_hook=True)
    (file,) = Path(lyra.workspace.state_folder).glob("transcript-*.json")
    for damaged in ("{", "[]", '{"seen": [], "again_from": "x", "before": "zz", "up_to": null}'):
        file.write_text(damaged)
        (fact,) = lyra.retain_transcript(path, by_hook=True).facts
        assert "nothing was added" in fact.note


def test_what_cannot_be_a_transcript_is_said(lyra: Memory, tmp_path: Path, note: Note) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        lyra.retain_transcript(str(tmp_path / "nothing.jsonl"))
    with pytest.raises(FormatError, match="no regular file"):
        lyra.retain_transcript("/dev/null")


def test_a_file_that_is_no_transcript_is_refused(lyra: Memory, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("What we decided:\nuse PKCE.\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"notes.txt holds no turn of a session; give a transcript"):
        lyra.retain_transcript(str(notes))
    assert lyra.retain_transcript(str(notes), by_hook=True).facts == ()
