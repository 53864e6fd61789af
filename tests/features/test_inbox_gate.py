"""What an agent may put before a person: how much, without secrets, and what a policy lets through."""

from pathlib import Path

import pytest

from markdown_memory.core.settings import KINDS
from markdown_memory.errors import AccessError, ConflictError, NotFound
from markdown_memory.memory import Memory
from markdown_memory.rules import gate
from markdown_memory.sessions import AgentSession
from tests.conftest import Clock, Open
from tests.features.test_inbox import PKCE, notes

TOKEN = "ghp_" + "a1B2" * 10
KEY = "AKIA" + "ABCDEFGH12345678"


def settings(vault: Path, lines: str) -> None:
    path = vault / "Settings.md"
    head, marker, rest = path.read_text().partition("[projects.")
    path.write_text(f"{head}{lines}\n{marker}{rest}")


def test_beyond_five_in_a_session_proposals_are_folded_into_one_and_kept_whole(open_as: Open, vault: Path) -> None:
    lyra = open_as("lyra", session="monday")
    made = [lyra.retain(f"Fact number {number}.\n\nWith a second paragraph.") for number in range(8)]
    assert [one.path for one in made[5:]] == ["inbox/lyra/more-from-lyra-2026-11-30.md"] * 3
    assert "lyra has made 5 proposals in this session: this one was added to inbox/lyra/more" in made[5].note
    text = (vault / made[7].path).read_text()
    for number in (5, 6, 7):
        assert f"- **fact-number-{number}** (fact, main): Fact number {number}.\n\n  With a second paragraph." in text
    assert open_as("lyra", session="tuesday").retain("One more.").path == "inbox/lyra/one-more.md"
    assert open_as("ella", session="monday").retain("Hers.").path == "inbox/ella/hers.md"


def test_fifteen_a_day_count_over_all_sessions_and_the_next_day_is_free(lyra: Memory, clock: Clock) -> None:
    for number in range(15):
        assert "more-from" not in lyra.retain(f"Fact number {number}.").path
    assert lyra.retain("One more.").path == "inbox/lyra/more-from-lyra-2026-11-30.md"
    clock.move(86_400)
    assert lyra.retain("Another day.").path == "inbox/lyra/another-day.md"


def test_a_folded_fact_from_outside_makes_the_whole_summary_come_from_outside(open_as: Open, memory: Memory) -> None:
    lyra = open_as("lyra", session="monday")
    for number in range(6):
        lyra.retain(f"Fact number {number}.")
    lyra.retain("Read on a page.", trust="external")
    assert memory.inbox.show("more-from-lyra-2026-11-30").trust == "external"


def test_a_quota_of_zero_is_none_and_a_person_has_none(open_as: Open, memory: Memory, vault: Path) -> None:
    settings(vault, "proposals_per_session = 0")
    lyra = open_as("lyra", session="monday")
    assert "more-from" not in [lyra.retain(f"Fact number {number}.") for number in range(7)][-1].path
    assert "more-from" not in [memory.retain(f"Thing number {number}.") for number in range(20)][-1].path


def test_what_is_stored_by_name_is_never_folded(open_as: Open) -> None:
    lyra = open_as("lyra", session="monday")
    for number in range(7):
        lyra.store(f"note-{number}", f"Text number {number}.")
    assert lyra.show("note-6").body == "Text number 6.\n"


def test_what_nobody_looks_at_for_thirty_days_becomes_one_summary_that_can_be_undone(
    lyra: Memory, memory: Memory, vault: Path, clock: Clock
) -> None:
    for number in range(3):
        lyra.retain(f"Fact number {number}.", source=f"day {number}")
    clock.move(29 * 86_400)
    lyra.retain("A fresh one.")
    before = notes(vault)
    assert memory.inbox.carry_out().decisions == ()
    clock.move(2 * 86_400)
    (done,) = memory.inbox.carry_out().decisions
    assert (done.decision, done.note) == ("folded", "3 proposals that nobody looked at are one now.")
    assert [one.name for one in memory.inbox.list()] == ["unreviewed-lyra-2026-11-30-to-2026-11-30", "a-fresh-one"]
    assert "- **fact-number-2** (fact, main, from day 2): Fact number 2." in (vault / done.path).read_text()
    assert (vault / "archive/inbox/lyra/fact-number-0.md").exists()
    assert memory.inbox.carry_out().decisions == ()
    memory.inbox.undo()
    assert notes(vault) == before
    assert memory.inbox.carry_out().decisions == ()


def test_what_was_snoozed_was_looked_at_and_is_not_folded(lyra: Memory, memory: Memory, clock: Clock) -> None:
    for number in range(2):
        lyra.retain(f"Fact number {number}.")
    memory.inbox.snooze("1", 60)
    clock.move(31 * 86_400)
    assert memory.inbox.carry_out().decisions == ()


def test_a_policy_accepts_by_kind_agent_and_trust_and_says_so_in_the_ledger(
    open_as: Open, memory: Memory, vault: Path
) -> None:
    settings(vault, '[[auto_accept]]\nkinds = ["preference"]\nagents = ["lyra"]\ntrust = ["user"]\n')
    lyra, ella = open_as("lyra"), open_as("ella")
    through = lyra.retain("Mara prefers tea.", kind="preference", trust="user")
    assert (through.state, through.path) == ("accepted", "memory/user/mara-prefers-tea.md")
    assert through.note == "Accepted by policy 1 in Settings.md; `mdmem review undo` takes it back."
    entry = next(entry for entry in memory.workspace.ledger() if entry.kind == "accept")
    assert (entry.channel, entry.agent, entry.values()["via"]) == ("policy", "lyra", "policy")
    assert lyra.retain("Mara prefers rice.", kind="preference").state == "waiting"
    assert lyra.retain("We chose A.", kind="decision", trust="user").state == "waiting"
    assert ella.retain("Mara prefers ink.", kind="preference", trust="user").state == "waiting"
    assert memory.inbox.undo().path == "inbox/lyra/mara-prefers-tea.md"


def test_a_policy_never_accepts_what_contradicts_repeats_or_comes_from_outside(
    open_as: Open, memory: Memory, vault: Path
) -> None:
    settings(vault, '[[auto_accept]]\nagents = ["lyra"]\n')
    memory.store("port", "The API listens on port 8080.")
    memory.store("tea", "Mara prefers green tea in the morning.", type="user")
    lyra = open_as("lyra")
    assert lyra.retain("The API listens on port 9090.").state == "waiting"
    assert lyra.retain("In the morning Mara prefers her green tea.", kind="preference").state == "waiting"
    assert lyra.retain("Read on a page.", trust="external").state == "waiting"
    assert lyra.retain("Invoices are kept for ten years.").state == "accepted"


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("[[auto_accept]]\n", "it must name `kinds`, `agents` or `trust`, or it would accept everything"),
        ('[[auto_accept]]\ntrust = ["external"]\n', "never accepted without a person"),
        ('[[auto_accept]]\nkinds = ["idea"]\n', "`kinds` holds 'idea'; allowed are decision, fact"),
        ('[[auto_accept]]\nkinds = ["fact"]\nsimilarity_below = 2\n', "is 2; allowed is a number from 0 to 1"),
        ('[[auto_accept]]\nkind = ["fact"]\n', "`auto_accept 1: kind` is not known"),
        ('auto_accept = "all"\n', "`auto_accept` must be [[auto_accept]] tables"),
    ],
)
def test_a_policy_that_is_not_clear_accepts_nothing_and_is_told(
    open_as: Open, vault: Path, lines: str, sentence: str
) -> None:
    settings(vault, lines)
    lyra = open_as("lyra")
    assert lyra.retain("Anything.").state == "waiting"
    assert sentence in " ".join(problem.message for problem in lyra.doctor())


def test_a_secret_is_masked_in_everything_that_an_agent_writes(lyra: Memory, vault: Path) -> None:
    session = AgentSession(lyra)
    lyra.retain(f"The deploy token is {TOKEN}.", source=f"mail with {TOKEN}")
    lyra.retain(f"{KEY} is the key of the build server.")
    lyra.store("token", f"Use {TOKEN}.", description=f"Token {TOKEN}", category="daily")
    lyra.edit("token", body=f"Now {KEY}.", set={"description": f"Key {KEY}"})
    lyra.log.append(f"Used {TOKEN}", refs=[TOKEN])
    session.checkpoint(f"Deploy with {TOKEN}", done=[f"wrote {KEY}"])
    session.decide(f"We use {TOKEN}", because=f"{KEY} leaked")
    lyra.inbox.edit(lyra.inbox.list()[0].path, f"It is {KEY}.")
    lyra.close()
    for path in (*vault.rglob("*"), *(vault / ".mdmem").rglob("*")):
        assert TOKEN.casefold() not in path.name.casefold() and KEY.casefold() not in path.name.casefold()
        data = path.read_bytes().lower() if path.is_file() else b""
        assert TOKEN.lower().encode() not in data and KEY.lower().encode() not in data, path
    assert "The deploy token is [GitHub token, left out]." in lyra_text(vault)
    assert lyra.workspace.notices == [
        "What looks like a GitHub token was masked: secrets do not belong into the memory.",
        "What looks like an AWS access key was masked: secrets do not belong into the memory.",
    ]


def lyra_text(vault: Path) -> str:
    return "".join(path.read_text() for path in vault.rglob("*.md") if "inbox" in path.parts)


def test_a_private_key_is_masked_to_its_last_line(lyra: Memory) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\nAAAA\n-----END RSA PRIVATE KEY-----"
    assert lyra.retain(f"Look:\n{key}\nEnd.").text == "Look:\n[private key, left out]\nEnd."
    assert lyra.retain("Cut: -----BEGIN PRIVATE KEY-----\nMIIB").text == "Cut: [private key, left out]"


def test_what_a_person_writes_is_left_as_it_is_and_flagged_by_doctor(memory: Memory) -> None:
    memory.store("token", f"Use {TOKEN}.")
    assert TOKEN in memory.show("token").body
    assert any(problem.code == "secret" for problem in memory.doctor())


def test_what_comes_from_outside_is_not_accepted_by_a_tick_whatever_its_file_says(
    lyra: Memory, memory: Memory, vault: Path
) -> None:
    path = vault / lyra.retain("Read on a page.", trust="external").path
    path.write_text(path.read_text().replace("trust: external\n", "").replace("accept: false", "accept: true"))
    carried = memory.inbox.carry_out()
    assert carried.decisions == () and "comes from outside" in carried.problems[0].message
    assert memory.inbox.accept("1").decision == "accepted"


def test_a_note_that_was_changed_after_the_proposal_was_made_is_not_replaced_unseen(
    lyra: Memory, memory: Memory
) -> None:
    memory.store("deploy-day", "We deploy on Tuesdays.")
    lyra.store("deploy-day", "We deploy on Fridays.")
    memory.edit("deploy-day", body="We deploy on Mondays.")
    with pytest.raises(ConflictError, match="was changed after 'deploy-day' was proposed"):
        memory.inbox.accept("1", replace=True)
    (seen,) = memory.inbox.beside("1")
    assert seen.diff == "- We deploy on Mondays.\n+ We deploy on Fridays."
    memory.edit("deploy-day", body="We deploy on Sundays.")
    with pytest.raises(ConflictError, match="since it was shown"):
        memory.inbox.accept("1", replace=True, over=seen.sha256)
    (seen,) = memory.inbox.beside("1")
    assert memory.inbox.accept("1", replace=True, over=seen.sha256).decision == "accepted"


def test_a_proposal_says_in_its_file_what_stands_beside_it_until_it_is_accepted(
    lyra: Memory, memory: Memory, vault: Path
) -> None:
    memory.store("database", "The database is PostgreSQL 14.")
    proposal = lyra.retain("The database is PostgreSQL 16.", name="upgrade")
    text = (vault / proposal.path).read_text()
    assert text.endswith(
        "The database is PostgreSQL 16.\n\n> [!beside] Beside this proposal\n"
        "> - may contradict [[database]]: 16, not 14: “The database is PostgreSQL 14.”\n"
    )
    assert proposal.text == "The database is PostgreSQL 16."
    edited = lyra.inbox.edit("1", "The database is PostgreSQL 17.")
    assert edited.text == "The database is PostgreSQL 17."
    assert "[!beside]" in (vault / proposal.path).read_text()
    done = memory.inbox.accept("1")
    assert (vault / done.path).read_text().endswith("---\n\nThe database is PostgreSQL 17.\n")


def test_nearly_what_was_rejected_or_forgotten_is_proposed_with_the_earlier_reason(
    lyra: Memory, memory: Memory
) -> None:
    lyra.retain("Mobile clients must use PKCE.")
    memory.inbox.reject("1", "only on staging")
    again = lyra.retain("All mobile clients have to use PKCE.")
    assert again.state == "waiting"
    assert again.note == "Nearly the same was rejected before, because: only on staging."
    assert lyra.retain("Mobile clients must not use PKCE.").note == ""


def test_a_decision_that_cannot_be_taken_back_is_named_with_the_one_before(lyra: Memory, memory: Memory) -> None:
    lyra.retain("First thing.")
    lyra.retain("Second thing.")
    memory.inbox.accept("first-thing")
    memory.inbox.accept("second-thing")
    memory.edit("second-thing", body="In better words.")
    with pytest.raises(ConflictError, match=r"Accepted was 'second-thing': .*`mdmem review undo first-thing` takes"):
        memory.inbox.undo()
    assert memory.inbox.undo("first-thing").path == "inbox/lyra/first-thing.md"
    with pytest.raises(NotFound, match="no decision about 'nobody'"):
        memory.inbox.undo("nobody")


def test_a_policy_accepts_nothing_for_a_person_who_proposes(memory: Memory, open_as: Open, vault: Path) -> None:
    settings(vault, '[[auto_accept]]\nkinds = ["fact"]\n')
    assert open_as().retain("Something.").state == "waiting"
    with pytest.raises(AccessError):
        open_as("lyra").inbox.accept("1")


def test_ticked_and_edited_a_moment_ago_waits_until_the_writer_is_done(
    lyra: Memory, memory: Memory, vault: Path, clock: Clock
) -> None:
    path = vault / lyra.retain(PKCE).path
    ticked = path.read_text().replace("accept: false", "accept: true")

    def save(text: str) -> None:
        path.write_text(text)
        from os import utime

        utime(path, (clock(), clock()))

    save(ticked + "And mo")
    assert memory.inbox.carry_out().held == (path.relative_to(vault).as_posix(),)
    clock.move(5)
    assert memory.inbox.carry_out().decisions == ()
    save(ticked + "And more.")
    clock.move(9)
    assert memory.inbox.carry_out().decisions == ()
    clock.move(2)
    assert [one.decision for one in memory.inbox.carry_out().decisions] == ["accepted"]
    assert memory.show("mobile-clients-must-use-pkce").body.endswith("And more.")


def test_a_tick_alone_counts_at_once_however_an_editor_writes_the_properties(
    lyra: Memory, memory: Memory, vault: Path, clock: Clock
) -> None:
    path = vault / lyra.retain(PKCE, source="call with Ana").path
    text = path.read_text().replace("accept: false", "accept: true").replace("call with Ana", '"call with Ana"')
    path.write_text(text)
    from os import utime

    utime(path, (clock(), clock()))
    assert [one.decision for one in memory.inbox.carry_out().decisions] == ["accepted"]


def test_the_kinds_that_a_policy_may_name_are_those_that_there_are() -> None:
    assert tuple(gate.KINDS) == KINDS
