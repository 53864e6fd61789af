"""Notes that cannot both hold: when one is stored, and over the whole vault."""

from pathlib import Path

import pytest

from markdown_memory.errors import ConflictError, UserError
from markdown_memory.memory import Contradiction, Memory
from tests.conftest import Clock, Open

OLD, NEW = "The database is PostgreSQL 14.", "The database is PostgreSQL 16."


@pytest.fixture
def direct(vault: Path) -> None:
    """Agents write straight into the memory."""
    settings = vault / "Settings.md"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('store = "review"', 'store = "direct"'), encoding="utf-8")


def both(memory: Memory, clock: Clock) -> None:
    memory.store("database-14", OLD)
    clock.now += 60
    memory.store("database-16", NEW)


def test_a_scan_finds_pairs_and_says_what_differs_the_newer_first(memory: Memory, clock: Clock) -> None:
    both(memory, clock)
    memory.store("lunch", "The team eats at noon.")
    folder = "memory/project/main"
    assert memory.conflicts.scan() == [
        Contradiction(
            "database-16", f"{folder}/database-16.md", "database-14", f"{folder}/database-14.md", "16, not 14", NEW, OLD
        )
    ]


def test_a_superseded_note_stays_says_by_what_and_ranks_below(memory: Memory, clock: Clock) -> None:
    both(memory, clock)
    memory.conflicts.supersede("database-16", "database-14")
    assert memory.show("database-14").header.superseded_by == "database-16"
    assert memory.show("database-16").header.supersedes == ("database-14",)
    assert memory.conflicts.scan() == []
    hits = memory.search("PostgreSQL database", fold=False).hits
    assert [(hit.name, hit.superseded_by) for hit in hits] == [("database-16", ""), ("database-14", "database-16")]


def test_superseding_twice_changes_nothing_and_a_circle_is_refused(memory: Memory, clock: Clock) -> None:
    both(memory, clock)
    memory.conflicts.supersede("database-16", "database-14")
    before = [memory.show(name).data for name in ("database-14", "database-16")]
    memory.conflicts.supersede("database-16", "database-14")
    assert [memory.show(name).data for name in ("database-14", "database-16")] == before
    with pytest.raises(UserError, match=r"database-14.md is superseded by 'database-16' itself"):
        memory.conflicts.supersede("database-14", "database-16")
    with pytest.raises(UserError, match="cannot supersede itself"):
        memory.conflicts.supersede("database-14", "database-14")


def test_two_notes_that_shall_both_stand_are_shown_again_only_when_one_changes(memory: Memory, clock: Clock) -> None:
    both(memory, clock)
    memory.conflicts.keep_both("database-14", "database-16")
    assert memory.conflicts.scan() == [] == memory.conflicts.of("database-16")
    memory.edit("database-16", body="The database is PostgreSQL 17.")
    assert [one.what for one in memory.conflicts.scan()] == ["17, not 14"]


def test_what_holds_at_other_times_in_other_projects_or_no_more_is_no_conflict(memory: Memory, clock: Clock) -> None:
    both(memory, clock)
    memory.edit("database-14", set={"valid_until": "2026-06-30"})
    memory.edit("database-16", set={"valid_from": "2026-07-01"})
    assert memory.conflicts.scan() == []
    memory.edit("database-16", unset=["valid_from"])
    assert memory.conflicts.scan() == [], "what has expired contradicts nothing"
    memory.store("database", "The database is PostgreSQL 12.", namespace="project:@shop:main")
    assert memory.conflicts.scan() == []


def test_a_branch_is_held_against_its_default_branch_and_not_against_another(memory: Memory, clock: Clock) -> None:
    memory.store("database-14", OLD)
    clock.now += 60
    for branch in ("feature/a", "feature/b"):
        memory.store("database", NEW, namespace=f"project:{branch}")
    assert [(one.newer_path, one.older) for one in memory.conflicts.scan()] == [
        ("memory/project/feature~b/database.md", "database-14"),
        ("memory/project/feature~a/database.md", "database-14"),
    ]


def test_nobodys_private_note_is_held_against_what_others_see(open_as: Open, memory: Memory) -> None:
    memory.store("database-16", NEW)
    open_as("lyra").store("mine", OLD, category="daily", private=True)
    assert open_as("codex").conflicts.scan() == []


@pytest.mark.usefixtures("direct")
def test_an_agent_that_writes_directly_supersedes_its_own_note(open_as: Open, clock: Clock) -> None:
    lyra = open_as("lyra")
    lyra.store("database-14", OLD)
    clock.now += 60
    assert lyra.store("database-16", NEW).header.supersedes == ("database-14",)
    assert lyra.workspace.notices == ["It supersedes memory/project/main/database-14.md (16, not 14)."]
    assert lyra.show("database-14").header.superseded_by == "database-16"


@pytest.mark.usefixtures("direct")
def test_a_persons_own_note_is_never_superseded_by_an_agent_but_reviewed(memory: Memory, open_as: Open) -> None:
    memory.store("database-14", OLD)
    before = memory.show("database-14").data
    note = open_as("lyra").store("database-16", NEW)
    assert note.header.status == "proposal"
    assert memory.show("database-14").data == before
    (beside,) = memory.inbox.beside(note.path)
    assert (beside.name, beside.relation) == ("database-14", "contradicts")


@pytest.mark.parametrize(
    ("how", "left"),
    [
        ("supersede", {"database-14": "database-16", "database-16": ""}),
        ("keep_both", {"database-14": "", "database-16": ""}),
        ("ask", {"database-14": ""}),
    ],
)
def test_a_person_says_how_a_conflict_is_settled(memory: Memory, how: str, left: dict[str, str]) -> None:
    memory.store("database-14", OLD)
    memory.store("database-16", NEW, on_conflict=how)
    assert {one.name: one.superseded_by for one in memory.list()} == left
    assert [one.name for one in memory.inbox.list()] == (["database-16"] if how == "ask" else [])


def test_an_existing_note_can_be_kept(memory: Memory) -> None:
    memory.store("database-14", OLD)
    with pytest.raises(ConflictError, match=r"database-14.md says otherwise \(16, not 14\), so nothing was stored"):
        memory.store("database-16", NEW, on_conflict="keep_existing")
    assert [one.name for one in memory.list()] == ["database-14"]
    with pytest.raises(UserError, match="no way 'overwrite' to settle a conflict"):
        memory.store("database-16", NEW, on_conflict="overwrite")


def test_storing_over_a_note_of_the_same_name_is_no_conflict_with_itself(memory: Memory) -> None:
    read = memory.store("database", OLD)
    note = memory.store("database", NEW, if_hash=read.header.sha256, on_conflict="keep_existing")
    assert note.body.strip() == NEW


def test_a_shared_note_is_not_superseded_by_a_private_one(memory: Memory, open_as: Open) -> None:
    memory.store("database-14", OLD)
    open_as("lyra").store("mine", NEW, category="daily", private=True)
    with pytest.raises(UserError, match="are not both shared"):
        memory.conflicts.supersede("mine", "database-14")
