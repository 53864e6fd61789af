"""Review: one decision at a time by command, and the queue at a terminal, one key each."""

from pathlib import Path

import pytest

from tests.frontends.conftest import Shell, plain

FACTS = ("Deploys happen on Tuesdays.", "The staging server is slow today.", "Money is counted in cents.")


@pytest.fixture
def queue(shell: Shell, vault: Path) -> Path:
    for number, fact in enumerate(FACTS, 1):
        shell.fine("retain", fact, "--name", f"fact-{number}", "--source", "standup", "--agent", "lyra")
    return vault


def names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.md"))


def test_the_list_numbers_what_waits(shell: Shell, queue: Path) -> None:
    lines = shell.fine("review", "list").splitlines()
    assert lines[0].split() == ["#", "NAME", "KIND", "BY", "WHEN", "WHAT"]
    assert [line.split()[:2] for line in lines[1:]] == [["1", "fact-1"], ["2", "fact-2"], ["3", "fact-3"]]
    assert lines[1].endswith(FACTS[0])


def test_a_card_shows_all_that_is_needed_to_decide(shell: Shell, queue: Path) -> None:
    card = shell.fine("review", "show", "1")
    assert card.splitlines()[0] == "fact-1"
    for part in (FACTS[0], "kind     fact", "by       lyra", "source   standup", "goes to  memory/project/main"):
        assert part in card


def test_without_a_terminal_accepting_and_rejecting_are_refused(shell: Shell, queue: Path) -> None:
    for verb in ("accept", "reject"):
        done = shell("review", verb, "1")
        assert (done.code, done.sentence.startswith("Only a person may")) == (7, True)
    assert len(names(queue / "inbox" / "lyra")) == 3


@pytest.mark.parametrize("mark", ["CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "CURSOR_AGENT"])
def test_in_an_agents_shell_accepting_is_refused_even_at_a_terminal(shell: Shell, queue: Path, mark: str) -> None:
    done = shell.terminal("review", "accept", "1", env={mark: "1"})
    assert done.code in (3, 7)
    assert len(names(queue / "inbox" / "lyra")) == 3


def test_several_are_accepted_at_once_by_the_numbers_that_were_listed(shell: Shell, queue: Path) -> None:
    done = shell.terminal("review", "accept", "1", "3")
    assert plain(done.out).splitlines() == [
        "accepted memory/project/main/fact-1.md",
        "accepted memory/project/main/fact-3.md",
    ]
    assert names(queue / "inbox" / "lyra") == ["fact-2"]


def test_a_rejection_keeps_its_reason_and_can_be_undone(shell: Shell, queue: Path) -> None:
    shell.terminal("review", "reject", "2", "--reason", "only today")
    assert names(queue / "inbox" / "lyra") == ["fact-1", "fact-3"]
    again = shell("retain", FACTS[1], "--agent", "lyra")
    assert "only today" in again.err
    done = shell.terminal("review", "undo")
    assert done.out.splitlines() == ["undone inbox/lyra/fact-2.md", "Took back: reject of fact-2."]
    assert names(queue / "inbox" / "lyra") == ["fact-1", "fact-2", "fact-3"]


def test_a_proposal_is_put_into_better_words_first(shell: Shell, queue: Path) -> None:
    shell.terminal("review", "edit", "1", "--body", "We deploy on Tuesdays, never on Fridays.")
    assert "never on Fridays" in shell.fine("review", "show", "1")


def test_a_tick_in_an_editor_is_carried_out_by_the_next_command(shell: Shell, queue: Path) -> None:
    proposal = queue / "inbox" / "lyra" / "fact-1.md"
    proposal.write_text(proposal.read_text().replace("accept: false", "accept: true"))
    done = shell("review", "list")
    assert "accepted by file: " in done.err
    assert names(queue / "memory" / "project" / "main") == ["fact-1"]


def test_the_queue_walks_through_all_with_one_key_each(shell: Shell, queue: Path) -> None:
    done = shell.terminal("review", keys="a\nr\nonly today\ns\n")
    out = plain(done.out)
    assert done.code == 0
    assert "1 of 3" in out and "3 of 3" in out
    assert "accepted → memory/project/main/fact-1.md" in out
    assert "rejected → archive/inbox/lyra/fact-2.md" in out
    assert out.rstrip().endswith("2 decisions made, 1 proposal waiting.")


def test_the_queue_explains_its_keys_undoes_and_quits(shell: Shell, queue: Path) -> None:
    done = shell.terminal("review", keys="?\na\nu\nq\n")
    out = plain(done.out)
    assert "a  accept: the note moves into memory/" in out
    assert "undone: inbox/lyra/fact-1.md waits again" in out
    assert out.rstrip().endswith("0 decisions made, 3 proposals waiting.")


def test_the_queue_opens_the_editor_and_shows_the_proposal_again(shell: Shell, queue: Path) -> None:
    done = shell.terminal("review", keys="e\na\nq\n", env={"EDITOR": "sed -i s/Tuesdays/Mondays/"})
    assert "Deploys happen on Mondays." in plain(done.out)
    assert "Mondays" in (queue / "memory" / "project" / "main" / "fact-1.md").read_text()


def test_the_queue_asks_before_it_replaces_a_note_of_that_name(shell: Shell, queue: Path) -> None:
    shell.fine("store", "fact-1", "Something else.")
    done = shell.terminal("review", keys="a\nn\na\ny\nq\n")
    out = plain(done.out)
    assert out.count("Replace it? [y/N]") == 2
    assert "Left as it was." in out
    assert shell.fine("show", "fact-1", "--body") == f"{FACTS[0]}\n"


def test_the_end_of_input_is_a_way_to_quit(shell: Shell, queue: Path) -> None:
    done = shell.terminal("review", keys="\x04")
    assert done.code == 0
    assert plain(done.out).rstrip().endswith("0 decisions made, 3 proposals waiting.")
    assert len(names(queue / "inbox" / "lyra")) == 3


def test_where_nobody_can_answer_the_queue_is_a_list(shell: Shell, queue: Path) -> None:
    done = shell("review")
    assert done.code == 0
    assert "fact-3" in done.out
    assert "mdmem review accept N" in done.err


def test_an_empty_queue_says_so(shell: Shell, vault: Path) -> None:
    assert shell("review", "list")[1:] == ("", "Nothing waits for a decision.\n")
    assert "0 proposals waiting" in shell.terminal("review").out
