"""Review: one decision at a time by command, and the queue at a terminal, one key each."""

import json
import re
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
    done = shell.terminal("review", "--plain", keys="a\nr\nonly today\ns\n")
    out = plain(done.out)
    assert done.code == 0
    assert "1 of 3" in out and "3 of 3" in out
    assert "accepted → memory/project/main/fact-1.md" in out
    assert "rejected → archive/inbox/lyra/fact-2.md" in out
    assert out.rstrip().endswith("2 decisions made, 1 proposal waiting.")


def test_the_queue_explains_its_keys_undoes_and_quits(shell: Shell, queue: Path) -> None:
    done = shell.terminal("review", "--plain", keys="?\na\nu\nq\n")
    out = plain(done.out)
    assert "a  accept: the note moves into memory/" in out
    assert "undone: inbox/lyra/fact-1.md waits again" in out
    assert out.rstrip().endswith("0 decisions made, 3 proposals waiting.")


def test_the_queue_opens_the_editor_and_shows_the_proposal_again(shell: Shell, queue: Path) -> None:
    done = shell.terminal("review", "--plain", keys="e\na\nq\n", env={"EDITOR": "sed -i s/Tuesdays/Mondays/"})
    assert "Deploys happen on Mondays." in plain(done.out)
    assert "Mondays" in (queue / "memory" / "project" / "main" / "fact-1.md").read_text()


def test_the_queue_asks_before_it_replaces_a_note_of_that_name(shell: Shell, queue: Path) -> None:
    shell.fine("store", "fact-1", "Something else.")
    done = shell.terminal("review", "--plain", keys="a\nn\na\ny\nq\n")
    out = plain(done.out)
    assert out.count("Replace it? [y/N]") == 2
    assert "Left as it was." in out
    assert shell.fine("show", "fact-1", "--body") == f"{FACTS[0]}\n"


def test_the_end_of_input_is_a_way_to_quit(shell: Shell, queue: Path) -> None:
    done = shell.terminal("review", "--plain", keys="\x04")
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
    assert "0 proposals waiting" in shell.terminal("review", "--plain").out


def test_a_card_shows_what_stands_beside_the_proposal(shell: Shell, queue: Path) -> None:
    shell.fine("store", "deploy-day", "Deploys happen on Fridays.")
    card = shell.fine("review", "show", "1")
    assert "may contradict memory/project/main/deploy-day.md\n    tuesdays, not fridays: “Deploys happen on" in card
    assert "- Deploys happen on Fridays.\n    + Deploys happen on Tuesdays." in card
    (beside,) = json.loads(shell.fine("review", "show", "1", "--json"))["beside"]
    assert (beside["relation"], beside["name"]) == ("contradicts", "deploy-day")


def test_each_outcome_is_told_when_a_later_one_is_refused(shell: Shell, queue: Path) -> None:
    done = shell.terminal("review", "accept", "fact-1", "fact-9", "fact-3")
    assert done.code == 3
    assert plain(done.out).splitlines() == [
        "accepted memory/project/main/fact-1.md",
        "refused fact-9",
        "accepted memory/project/main/fact-3.md",
        (
            "fact-9: No proposal is called 'fact-9'; 2 proposals wait (`mdmem review list` shows them). "
            "Did you mean 'fact-3' or 'fact-2'?"
        ),
    ]


def test_all_of_a_kind_are_decided_after_a_preview_and_a_yes(shell: Shell, queue: Path) -> None:
    shell.fine("retain", "Mara prefers tea.", "--kind", "preference", "--name", "tea", "--agent", "ella")
    words = ("review", "accept", "--all", "--kind", "fact", "--agent", "lyra")
    assert "Nothing was decided." in shell.terminal(*words, keys="n\n").out
    assert len(names(queue / "inbox" / "lyra")) == 3
    done = shell.terminal(*words, keys="y\n")
    assert "Accept 3 proposals? [y/N]" in done.out and "fact-2" in done.out
    assert names(queue / "inbox" / "lyra") == [] and names(queue / "inbox" / "ella") == ["tea"]
    shell.terminal("review", "reject", "--all", "--older-than", "0h", "--yes")
    assert names(queue / "inbox" / "ella") == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--kind", "fact"), "Name the proposals, or say --all"),
        (("1", "--all"), "Name the proposals, or say --all"),
        ((), "Name the proposals, or say --all"),
        (("--all", "--older-than", "soon"), "A time is a number with h, d, w or m behind it, such as 7d, not 'soon'."),
        (("--all", "--kind", "preference"), "No proposal that waits is meant by that"),
    ],
)
def test_a_batch_that_is_not_clear_decides_nothing(
    shell: Shell, queue: Path, words: tuple[str, ...], sentence: str
) -> None:
    assert f"mdmem: {sentence}" in shell.terminal("review", "accept", *words).out
    assert len(names(queue / "inbox" / "lyra")) == 3


def test_a_proposal_is_merged_superseding_or_put_off_by_command(shell: Shell, queue: Path) -> None:
    shell.fine("store", "money", "Money is counted in euros.")
    shell.fine("store", "rules", "Be kind.")
    assert "merged memory/project/main/rules.md" in shell.terminal("review", "merge", "fact-1", "--into", "rules").out
    done = shell.terminal("review", "supersede", "fact-3", "money")
    assert "accepted memory/project/main/fact-3.md" in done.out
    assert 'superseded_by: "[[fact-3]]"' in shell.fine("show", "money")
    assert "snoozed until" in shell.terminal("review", "snooze", "fact-2", "--days", "2").out
    assert shell("review", "list").err == (
        "Nothing waits for a decision.\n1 snoozed; `mdmem review list --all` shows them too.\n"
    )
    assert "fact-2" in shell.fine("review", "list", "--all")


def test_an_agent_lists_and_withdraws_its_own_proposals(shell: Shell, queue: Path) -> None:
    assert "fact-1" not in shell("review", "list", "--agent", "ella").out
    assert shell("review", "withdraw", "fact-1", "--agent", "ella").code == 3
    assert shell.fine("review", "withdraw", "fact-1", "--agent", "lyra") == "withdrawn archive/inbox/lyra/fact-1.md\n"
    assert shell("review", "withdraw", "fact-2").code == 7


def test_the_queue_merges_supersedes_and_snoozes(shell: Shell, queue: Path) -> None:
    shell.fine("store", "deploy-day", "Deploys happen on Fridays.")
    done = shell.terminal("review", "--plain", keys="o\n\nz\nmany\nz\n2\nm\ndeploy-day\n")
    out = plain(done.out)
    assert "Supersede which note? (Enter: deploy-day)" in out
    assert "A number of days is needed, not 'many'." in out and "snoozed until" in out
    assert "merged → memory/project/main/deploy-day.md" in out
    assert out.rstrip().endswith("2 decisions made, 0 proposals waiting.")


def test_an_agent_is_told_that_a_secret_was_masked(shell: Shell, vault: Path) -> None:
    token = "ghp_" + "a1B2" * 10
    done = shell("retain", f"The token is {token}.", "--agent", "lyra")
    assert "What looks like a GitHub token was masked: secrets do not belong into the memory." in done.err
    assert "GitHub token, left out" in shell.fine("review", "show", "1")
    done = shell("log", "append", f"Used {token}", "--agent", "lyra", "--json")
    assert json.loads(done.out)["entry"]["text"] == "Used [GitHub token, left out]"
    assert "was masked" in done.err


def test_a_note_that_was_changed_meanwhile_is_replaced_only_when_its_hash_is_given(shell: Shell, queue: Path) -> None:
    shell.fine("store", "rule", "We deploy on Tuesdays.")
    shell.fine("store", "rule", "We deploy on Fridays.", "--agent", "lyra")
    shell.fine("edit", "rule", "--body", "We deploy on Mondays.")
    refused = shell.terminal("review", "accept", "rule", "--replace")
    found = re.search(r"--over ([0-9a-f]{12})", refused.out.replace("\n", " "))
    assert refused.code == 4 and found
    assert "accepted memory" in shell.terminal("review", "accept", "rule", "--over", found[1]).out
    assert shell.fine("show", "rule", "--body") == "We deploy on Fridays.\n"


def test_an_earlier_decision_is_taken_back_by_its_name(shell: Shell, queue: Path) -> None:
    shell.terminal("review", "accept", "fact-1", "fact-2")
    assert "undone inbox/lyra/fact-1.md" in shell.terminal("review", "undo", "fact-1").out
    assert names(queue / "inbox" / "lyra") == ["fact-1", "fact-3"]
