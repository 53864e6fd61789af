"""What stands beside a proposal, and the decisions that join it with a note."""

from pathlib import Path

import pytest

from markdown_memory.errors import AccessError, ConflictError, NotFound, UserError
from markdown_memory.memory import Memory
from tests.conftest import Clock, Open
from tests.features.test_inbox import PKCE, notes


def relations(memory: Memory, ref: str = "1") -> list[tuple[str, str]]:
    return [(one.relation, one.path) for one in memory.inbox.beside(ref)]


def test_a_contradicted_note_is_found_with_the_sentence_and_the_lines_that_differ(lyra: Memory, memory: Memory) -> None:
    memory.store("database", "We looked at three.\n\nThe database is PostgreSQL 14.")
    lyra.retain("The database is PostgreSQL 16.", name="postgres-upgrade")
    (found,) = memory.inbox.beside("1")
    assert (found.relation, found.path) == ("contradicts", "memory/project/main/database.md")
    assert found.why == "16, not 14: “The database is PostgreSQL 14.”"
    assert "- The database is PostgreSQL 14." in found.diff.split("\n")
    assert "+ The database is PostgreSQL 16." in found.diff.split("\n")


def test_a_word_in_the_middle_of_a_long_note_is_enough_for_the_search_to_find_it(lyra: Memory, memory: Memory) -> None:
    for number in range(30):
        memory.store(f"other-{number}", f"Chapter {number} is about harbours, ropes and winches.")
    filler = "Winches are oiled in spring.\n\n" * 20
    memory.store("winch-care", f"{filler}Wire ropes are replaced after 400 hours.\n\n{filler}")
    lyra.retain("Wire ropes are replaced after 250 hours.", name="ropes")
    assert ("contradicts", "memory/project/main/winch-care.md") in relations(memory)


def test_near_duplicates_wait_stand_or_were_put_away(lyra: Memory, memory: Memory, open_as: Open) -> None:
    memory.store("pkce", "PKCE must be used by every mobile client.")
    open_as("ella").retain("Every mobile client must use PKCE.", name="ellas")
    lyra.retain("Mobile clients must use PKCE.", name="rejected-one")
    memory.inbox.reject("rejected-one", "only on staging")
    memory.store("old-pkce", "Mobile clients must use PKCE now.")
    memory.forget("old-pkce", reason="we left OAuth")
    lyra.retain("All mobile clients must use PKCE.", name="pkce-again")
    found = {one.path: one for one in memory.inbox.beside("pkce-again")}
    assert found["memory/project/main/pkce.md"].relation == "near"
    assert found["inbox/ella/ellas.md"].relation == "near"
    assert found["archive/inbox/lyra/rejected-one.md"].why.endswith("rejected before, because: only on staging.")
    assert found["archive/memory/project/main/old-pkce.md"].why.endswith("forgotten, because: we left OAuth.")


def test_a_note_of_the_same_name_is_what_would_be_replaced(lyra: Memory, memory: Memory) -> None:
    memory.store("deploy-day", "We deploy on Tuesdays.")
    lyra.store("deploy-day", "We deploy on Fridays.")
    (found,) = memory.inbox.beside("1")
    assert (found.relation, found.diff) == ("updates", "- We deploy on Tuesdays.\n+ We deploy on Fridays.")


def test_an_agent_sees_no_other_agents_proposal_beside_its_own(lyra: Memory, open_as: Open) -> None:
    open_as("ella").retain(PKCE, name="ellas")
    lyra.retain(PKCE.replace("leaks", "shows"), name="lyras")
    assert relations(lyra) == []


def test_a_note_of_another_branch_does_not_count(lyra: Memory, memory: Memory) -> None:
    memory.store("day", "We deploy on Tuesdays.", namespace="project:feature/x")
    lyra.retain("We deploy on Fridays.")
    assert relations(memory) == []


def test_merging_adds_what_is_new_and_can_be_taken_back(lyra: Memory, memory: Memory, vault: Path) -> None:
    memory.store("deploys", "We deploy on Tuesdays.", tags=["ops"])
    lyra.retain("We deploy on Tuesdays.\n\nRoll back with `make undo`.", name="roll-back")
    before = notes(vault)
    done = memory.inbox.merge("roll-back", "deploys")
    assert (done.decision, done.path) == ("merged", "memory/project/main/deploys.md")
    assert memory.show("deploys").body == "We deploy on Tuesdays.\n\nRoll back with `make undo`.\n"
    assert memory.show("deploys").header.tags == ("ops",)
    assert memory.inbox.list() == []
    assert memory.inbox.undo().decision == "undone"
    assert notes(vault) == before


def test_a_person_may_word_the_merged_note(lyra: Memory, memory: Memory) -> None:
    memory.store("deploys", "We deploy on Tuesdays.")
    lyra.retain("Roll back with make undo.", name="roll-back")
    memory.inbox.merge("1", "deploys", text="Deploys: Tuesdays, undone by `make undo`.")
    assert memory.show("deploys").body == "Deploys: Tuesdays, undone by `make undo`.\n"


def test_merging_needs_a_note_that_is_there(lyra: Memory, memory: Memory) -> None:
    lyra.retain(PKCE, name="pkce")
    with pytest.raises(NotFound, match="no note called 'deploys'"):
        memory.inbox.merge("1", "deploys")
    with pytest.raises(NotFound):
        memory.inbox.merge("1", "pkce")
    assert len(memory.inbox.list()) == 1


def test_superseding_keeps_both_notes_and_says_which_one_holds(lyra: Memory, memory: Memory, vault: Path) -> None:
    memory.store("postgresql-14", "The database is PostgreSQL 14.")
    lyra.retain("The database is PostgreSQL 16.", name="postgresql-16")
    before = notes(vault)
    done = memory.inbox.supersede("1", "postgresql-14")
    assert (done.decision, done.path) == ("accepted", "memory/project/main/postgresql-16.md")
    assert memory.show("postgresql-16").header.supersedes == ("postgresql-14",)
    assert memory.show("postgresql-14").header.superseded_by == "postgresql-16"
    assert not (vault / "archive/memory").exists()
    assert memory.search("PostgreSQL database").hits[0].name == "postgresql-16"
    memory.inbox.undo()
    assert notes(vault) == before


def test_a_note_without_properties_is_superseded_and_comes_back_as_it_was(
    lyra: Memory, memory: Memory, vault: Path
) -> None:
    path = vault / "memory/project/main/by hand.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"The database is PostgreSQL 14.\r\n")
    lyra.retain("The database is PostgreSQL 16.", name="postgresql-16")
    before = notes(vault)
    memory.inbox.supersede("1", "by hand")
    assert memory.show("by hand").header.superseded_by == "postgresql-16"
    memory.inbox.undo()
    assert {key: data for key, data in notes(vault).items() if key != "MEMORY.md"} == {
        key: data for key, data in before.items() if key != "MEMORY.md"
    }


def test_what_is_superseded_already_is_not_superseded_twice(lyra: Memory, memory: Memory) -> None:
    memory.store("one", "The limit is 1.")
    lyra.retain("The limit is 2.", name="two")
    lyra.retain("The limit is 3.", name="three")
    memory.inbox.supersede("two", "one")
    with pytest.raises(ConflictError, match="superseded by 'two' already"):
        memory.inbox.supersede("three", "one")


def test_a_snoozed_proposal_comes_back_with_its_time_or_with_other_words(
    lyra: Memory, memory: Memory, clock: Clock
) -> None:
    lyra.retain(PKCE, name="pkce")
    lyra.retain("Second thing.", name="second")
    put_off = memory.inbox.snooze("pkce", 3)
    assert put_off.snoozed_until == "2026-12-03T02:13:04"
    assert [(one.ref, one.name) for one in memory.inbox.list()] == [("1", "second")]
    assert [(one.ref, one.name) for one in memory.inbox.list(snoozed=True)] == [("1", "second"), ("2", "pkce")]
    clock.move(3 * 86_400 + 1)
    assert [one.name for one in memory.inbox.list()] == ["pkce", "second"]
    memory.inbox.snooze("pkce", 3)
    lyra.inbox.edit("pkce", "Mobile clients must use PKCE with S256.")
    assert len(memory.inbox.list()) == 2
    with pytest.raises(UserError, match="0 to 365 days"):
        memory.inbox.snooze("pkce", 1000)


def test_snoozing_is_taken_back_by_zero_days(lyra: Memory, memory: Memory) -> None:
    lyra.retain(PKCE)
    memory.inbox.snooze("1", 3)
    assert memory.inbox.snooze("1", 0).snoozed_until == ""
    assert len(memory.inbox.list()) == 1


def test_an_agent_withdraws_its_own_proposal_and_may_propose_it_again(
    lyra: Memory, memory: Memory, open_as: Open, vault: Path
) -> None:
    path = lyra.retain(PKCE, name="pkce").path
    with pytest.raises(NotFound):
        open_as("ella").inbox.withdraw("pkce")
    with pytest.raises(AccessError, match="Only the agent that proposed"):
        memory.inbox.withdraw("pkce")
    assert lyra.inbox.withdraw("pkce").decision == "withdrawn"
    assert (vault / "archive" / path).exists() and memory.inbox.list() == []
    assert lyra.retain(PKCE, name="pkce").state == "waiting"


def test_many_are_decided_at_once_and_a_refusal_stops_none(lyra: Memory, memory: Memory) -> None:
    memory.store("taken", "Something else.")
    for name in ("first", "taken", "third"):
        lyra.retain(f"The {name} thing.", name=name)
    done = memory.inbox.accept_many(["1", "2", "3", "nobody"])
    assert [one.decision for one in done] == ["accepted", "refused", "accepted", "refused"]
    assert "same name and other content" in done[1].note and (done[1].exit_code, done[3].exit_code) == (4, 3)
    assert [one.name for one in memory.inbox.list()] == ["taken"]
    assert [one.decision for one in memory.inbox.reject_many(["2"], "no")] == ["rejected"]


def test_a_filter_chooses_by_agent_kind_and_age_and_leaves_out_what_comes_from_outside(
    lyra: Memory, memory: Memory, open_as: Open, clock: Clock
) -> None:
    lyra.retain("Mara prefers tea.", kind="preference", name="tea")
    clock.move(8 * 86_400)
    lyra.retain("Mara prefers short mails.", kind="preference", name="mails")
    open_as("ella").retain("Mara prefers light.", kind="preference", name="light")
    lyra.retain("Read on a page.", trust="external", name="page")
    lyra.retain("We chose A.", kind="decision", name="choice")
    names = [one.name for one in memory.inbox.select(agent="lyra", kind="preference")]
    assert names == ["tea", "mails"]
    assert [one.name for one in memory.inbox.select(older_than=7)] == ["tea"]
    assert "page" not in [one.name for one in memory.inbox.select()]
    assert [one.name for one in memory.inbox.select(trust="external")] == ["page"]
    with pytest.raises(UserError, match="no kind 'idea'"):
        memory.inbox.select(kind="idea")


def test_only_a_person_joins_snoozes_or_decides_about_many(lyra: Memory, memory: Memory) -> None:
    memory.store("note", "A note.")
    lyra.retain(PKCE)
    inbox = lyra.inbox
    for act in (
        lambda: inbox.merge("1", "note"),
        lambda: inbox.supersede("1", "note"),
        lambda: inbox.accept_many(["1"]),
        lambda: inbox.reject_many(["1"]),
        lambda: inbox.snooze("1", 3),
    ):
        with pytest.raises(AccessError, match="Only a person may"):
            act()
