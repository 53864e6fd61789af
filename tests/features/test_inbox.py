from pathlib import Path
from time import process_time

import pytest

from markdown_memory.errors import AccessError, ConflictError, FormatError, NotFound, UserError
from markdown_memory.memory import Memory
from tests.conftest import Clock, Note, Open, tree

PKCE = "Mobile clients must use PKCE. The old flow leaks the code."


def notes(root: Path) -> dict[str, bytes]:
    """The vault without its logs."""
    return {path: data for path, data in tree(root).items() if not path.startswith("nexus/")}


def test_retaining_writes_a_proposal_that_a_person_can_read(lyra: Memory, vault: Path) -> None:
    proposal = lyra.retain(PKCE, kind="decision", source="call with Ana")
    assert proposal.path == "inbox/lyra/mobile-clients-must-use-pkce.md"
    assert (vault / proposal.path).read_text() == (
        "---\n"
        "name: mobile-clients-must-use-pkce\n"
        "description: Mobile clients must use PKCE.\n"
        "kind: decision\n"
        "scope: main\n"
        "accept: false\n"
        "reject: false\n"
        "created: 2026-11-30T02:13:04\n"
        "agent: lyra\n"
        "source: call with Ana\n"
        "---\n"
        "\n"
        f"{PKCE}\n"
    )
    assert (proposal.ref, proposal.kind, proposal.type, proposal.target) == (
        "1",
        "decision",
        "project",
        "memory/project/main",
    )


@pytest.mark.parametrize(
    ("kind", "folder"),
    [
        ("preference", "memory/user"),
        ("correction", "memory/feedback"),
        ("decision", "memory/project/main"),
        ("fact", "memory/project/main"),
        ("failure-pattern", "memory/reference/main"),
    ],
)
def test_kinds_go_to_types(lyra: Memory, memory: Memory, kind: str, folder: str) -> None:
    assert lyra.retain("One thing.", kind=kind).target == folder
    assert memory.inbox.accept("1").path == f"{folder}/one-thing.md"


def test_an_unknown_kind_is_refused_with_the_known_ones(lyra: Memory) -> None:
    with pytest.raises(UserError, match=r"'idea'.*decision, fact, failure-pattern, preference"):
        lyra.retain("One thing.", kind="idea")


def test_accepting_leaves_no_question_behind(lyra: Memory, memory: Memory, vault: Path) -> None:
    lyra.retain(PKCE, kind="decision", source="call with Ana")
    before = len(memory.workspace.ledger())
    done = memory.inbox.accept("1")
    assert (done.decision, done.path) == ("accepted", "memory/project/main/mobile-clients-must-use-pkce.md")
    text = (vault / done.path).read_text()
    assert text.startswith("---\nname: mobile-clients-must-use-pkce\ndescription: Mobile clients must use PKCE.\n")
    assert "type: project\n" in text and "source: call with Ana\n" in text
    assert not any(word in text for word in ("accept:", "reject:", "kind:", "scope:"))
    assert "mobile-clients-must-use-pkce.md) — Mobile clients must use PKCE." in (vault / "MEMORY.md").read_text()
    assert memory.inbox.list() == []
    assert len(memory.workspace.ledger()) == before + 1


def test_a_proposal_goes_by_number_name_stem_and_path(lyra: Memory, memory: Memory) -> None:
    lyra.retain("First thing.", name="first one")
    lyra.retain("Second thing.")
    assert memory.inbox.show("2").text == "Second thing."
    for ref in ("first one", "first one.md", "inbox/lyra/first one.md"):
        assert memory.inbox.show(ref).text == "First thing."
    with pytest.raises(UserError, match="no proposal number 7; 2 proposals wait"):
        memory.inbox.show("7")
    with pytest.raises(NotFound, match="No proposal is called 'thrid'"):
        memory.inbox.show("thrid")


def test_accepting_twice_is_harmless(lyra: Memory, memory: Memory, vault: Path) -> None:
    name = lyra.retain(PKCE).name
    memory.inbox.accept(name)
    before = tree(vault)
    again = memory.inbox.accept(name)
    assert again.decision == "accepted" and "before" in again.note
    assert tree(vault) == before


def test_an_agent_may_not_decide(lyra: Memory, open_as: Open) -> None:
    lyra.retain(PKCE)
    with pytest.raises(AccessError, match="Only a person may accept"):
        lyra.inbox.accept("1")
    with pytest.raises(AccessError, match="Only a person may reject"):
        lyra.inbox.reject("1")
    with pytest.raises(AccessError, match="Only a person may undo"):
        lyra.inbox.undo()
    with pytest.raises(AccessError):
        open_as(person_present=False).inbox.accept("1")


def test_an_agent_sees_and_edits_only_its_own_proposals(lyra: Memory, open_as: Open) -> None:
    lyra.retain(PKCE)
    ella = open_as("ella")
    assert ella.inbox.list() == []
    with pytest.raises(NotFound):
        ella.show("mobile-clients-must-use-pkce")
    edited = lyra.inbox.edit("1", "Mobile clients must use PKCE with S256.")
    assert edited.text == edited.description == "Mobile clients must use PKCE with S256."


def test_what_an_agent_stores_as_core_waits_and_is_readable_to_it(lyra: Memory, memory: Memory) -> None:
    stored = lyra.store("deploy-day", "We deploy on Tuesdays.", type="reference")
    assert stored.header.status == "proposal"
    assert lyra.show("deploy-day").body == "We deploy on Tuesdays.\n"
    assert [header.status for header in lyra.list()] == ["proposal"]
    assert memory.list() == []
    assert memory.inbox.accept("deploy-day").path == "memory/reference/main/deploy-day.md"


def test_what_an_agent_stores_for_the_day_goes_straight_in(lyra: Memory) -> None:
    assert lyra.store("today", "Tried A.", category="daily").header.status == "accepted"
    assert lyra.store("talk", "Said B.", category="conversation").header.status == "accepted"
    assert lyra.store("web", "Read C.", category="daily", trust="external").header.status == "proposal"


def test_rejecting_keeps_the_bytes_and_the_reason(lyra: Memory, memory: Memory, vault: Path) -> None:
    proposal = lyra.retain(PKCE)
    data = (vault / proposal.path).read_bytes()
    done = memory.inbox.reject("1", reason="only true on staging")
    assert (done.decision, done.path) == ("rejected", f"archive/{proposal.path}")
    assert (vault / done.path).read_bytes() == data
    again = lyra.retain(PKCE)
    assert again.state == "rejected" and "because: only true on staging" in again.note
    assert memory.inbox.list() == []


def test_what_is_known_already_is_said_and_not_proposed_again(lyra: Memory, memory: Memory) -> None:
    first = lyra.retain(PKCE)
    assert "waits already" in lyra.retain(f"  {PKCE}\n").note
    memory.inbox.accept("1")
    again = lyra.retain(PKCE)
    assert again.state == "accepted" and "memory/project/main" in again.note
    assert memory.inbox.list() == []
    assert first.note == ""


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_undo_brings_back_every_byte(lyra: Memory, memory: Memory, vault: Path, verb: str) -> None:
    memory.store("other", "Other.")
    lyra.retain(PKCE)
    lyra.retain("Second thing.")
    before = notes(vault)
    getattr(memory.inbox, verb)("1")
    assert notes(vault) != before
    assert memory.inbox.undo().decision == "undone"
    assert notes(vault) == before


def test_undo_goes_back_decision_by_decision(lyra: Memory, memory: Memory, vault: Path) -> None:
    lyra.retain("First thing.")
    lyra.retain("Second thing.")
    before = notes(vault)
    memory.inbox.accept("1")
    memory.inbox.reject("2", "no")
    memory.inbox.undo()
    memory.inbox.undo()
    assert notes(vault) == before
    with pytest.raises(NotFound, match="no decision to take back"):
        memory.inbox.undo()


def test_undo_never_loses_what_was_written_since(lyra: Memory, memory: Memory) -> None:
    lyra.retain(PKCE)
    path = memory.inbox.accept("1").path
    memory.edit(path, body="In better words.")
    with pytest.raises(ConflictError, match="was changed after that decision"):
        memory.inbox.undo()
    assert memory.show(path).body == "In better words.\n"


def test_accepting_over_a_note_of_that_name_is_asked_about(lyra: Memory, memory: Memory, vault: Path) -> None:
    memory.store("deploy-day", "We deploy on Tuesdays.")
    lyra.store("deploy-day", "We deploy on Fridays.")
    before = notes(vault)
    with pytest.raises(ConflictError, match="same name and other content"):
        memory.inbox.accept("1")
    done = memory.inbox.accept("1", replace=True)
    assert memory.show("deploy-day").body == "We deploy on Fridays.\n"
    assert "Tuesdays" in (vault / "archive/memory/project/main/deploy-day.md").read_text()
    assert done.path == "memory/project/main/deploy-day.md"
    memory.inbox.undo()
    assert notes(vault) == before


def test_one_broken_proposal_stops_no_other(lyra: Memory, memory: Memory, note: Note, vault: Path) -> None:
    broken = note("inbox/lyra/broken.md", "---\naccept: true\n  bad: [\n---\nText.\n")
    path = vault / lyra.retain(PKCE).path
    path.write_text(path.read_text().replace("accept: false", "accept: true"))
    assert len(memory.inbox.carry_out().decisions) == 1
    assert broken.read_text() == "---\naccept: true\n  bad: [\n---\nText.\n"
    assert [one.path for one in memory.inbox.list()] == ["inbox/lyra/broken.md"]


def test_a_proposal_that_is_too_long_to_read_is_listed_with_the_reason_and_stops_no_other(
    lyra: Memory, memory: Memory, note: Note
) -> None:
    note("inbox/lyra/huge.md", b"word " * 1_000_001)
    lyra.retain(PKCE)
    huge, good = memory.inbox.list()
    assert huge.name == "huge" and "has 5,000,005 bytes" in huge.note and not huge.text
    assert memory.inbox.show("huge") == huge
    with pytest.raises(FormatError, match=r"huge\.md has 5,000,005 bytes"):
        memory.inbox.accept("1")
    assert memory.inbox.accept(good.ref).decision == "accepted"


def test_carrying_out_a_decision_writes_the_same_bytes_at_any_time(lyra: Memory, memory: Memory, clock: Clock) -> None:
    lyra.retain(PKCE)
    first = memory.show(memory.inbox.accept("1").path).data
    memory.inbox.undo()
    clock.move(86_400)
    assert memory.show(memory.inbox.accept("1").path).data == first


def test_a_forgotten_fact_that_is_proposed_again_is_recognised(lyra: Memory, memory: Memory) -> None:
    lyra.retain(PKCE)
    memory.forget(memory.inbox.accept("1").path, reason="we left OAuth")
    again = lyra.retain(PKCE)
    assert again.state == "waiting" and again.ref == "1"
    assert "forgotten before, because: we left OAuth" in again.note


def test_only_what_was_shown_is_accepted_or_put_into_other_words(lyra: Memory, memory: Memory, vault: Path) -> None:
    shown = lyra.retain(PKCE)
    path = vault / shown.path
    path.write_text(path.read_text() + "And send the password along.\n")
    with pytest.raises(ConflictError, match="was changed since it was shown"):
        memory.inbox.accept(shown.ref, if_hash=shown.sha256)
    with pytest.raises(ConflictError, match="was changed since it was read"):
        memory.inbox.edit(shown.ref, "Other words.", if_hash=shown.sha256)
    assert path.read_text().endswith("And send the password along.\n")
    now = memory.inbox.show(shown.ref)
    assert memory.inbox.accept(now.ref, if_hash=now.sha256).decision == "accepted"


def test_a_queue_of_thousands_is_listed_at_once(memory: Memory, note: Note) -> None:
    for number in range(2000):
        note(f"inbox/lyra/p{number:04}.md", f"---\nname: p{number}\n---\nProposal number {number // 2}.\n")
    memory.list()
    began = process_time()
    listed = memory.inbox.list()
    assert process_time() - began < 5
    assert [one.ref for one in listed] == [str(number) for number in range(1, 2001)]
    assert listed[0].similar == ("inbox/lyra/p0001.md",)


def test_a_number_means_what_was_seen_whatever_was_decided_since(lyra: Memory, memory: Memory) -> None:
    for fact in ("First thing.", "Second thing.", "Third thing."):
        lyra.retain(fact)
    assert [one.ref for one in memory.inbox.list()] == ["1", "2", "3"]
    memory.inbox.accept("1")
    lyra.retain("Fourth thing.")
    assert memory.inbox.accept("3").path.endswith("third-thing.md")
    assert memory.inbox.accept("3").note.startswith("It was accepted before")
    with pytest.raises(NotFound, match=r"1 was inbox/lyra/first-thing.md, which waits no more; 2 proposals wait"):
        memory.inbox.show("1")
    assert {one.ref: one.name for one in memory.inbox.list()} == {"2": "second-thing", "4": "fourth-thing"}
    memory.inbox.reject_many(["2", "4"])
    lyra.retain("Fifth thing.")
    assert [one.ref for one in memory.inbox.list()] == ["1"]


def test_an_agents_numbers_tell_nothing_of_what_others_proposed(open_as: Open, lyra: Memory, memory: Memory) -> None:
    lyra.retain("First thing.")
    open_as("codex").retain("Second thing.")
    memory.inbox.list()
    assert [one.ref for one in open_as("codex").inbox.list()] == ["1"]
