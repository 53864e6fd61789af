"""Private notes: a name space, an index and a ledger of their own, and the same words at every door."""

from pathlib import Path

import pytest

from markdown_memory.errors import AccessError, ConflictError, NotFound
from markdown_memory.features import redact
from markdown_memory.memory import Memory
from tests.conftest import Note, Open, tree

PRIVATE = "memory/private/lyra"


@pytest.fixture
def ella(open_as: Open) -> Memory:
    return open_as("ella")


@pytest.fixture
def acl(vault: Path) -> None:
    """Access control is switched on before anybody opens the vault."""
    settings = vault / "Settings.md"
    settings.write_text(settings.read_text().replace('store = "review"', 'store = "review"\nacl_enabled = true'))


def test_what_is_stored_privately_lies_in_the_owners_folder_and_only_its_owner_and_the_person_find_it(
    lyra: Memory, ella: Memory, memory: Memory
) -> None:
    stored = lyra.store("plan", "The zebra plan.", category="daily", private=True)
    assert stored.path == f"{PRIVATE}/project/main/plan.md"
    assert lyra.store("tea", "Tea at four.", category="daily", namespace="private").path.startswith(PRIVATE)
    assert [hit.path for hit in lyra.search("zebra").hits] == [stored.path]
    assert [hit.path for hit in memory.search("zebra").hits] == [stored.path]
    assert not ella.search("zebra").hits and "plan" not in [note.name for note in ella.list(all=True)]
    with pytest.raises(NotFound) as missing:
        ella.show("plan")
    assert not missing.value.near
    with pytest.raises(NotFound):
        ella.show(stored.path)


def test_shared_results_do_not_depend_on_private_notes(lyra: Memory, ella: Memory, vault: Path, memory: Memory) -> None:
    memory.store("shared", "A zebra in common.")
    before, index = ella.search("zebra"), (vault / "MEMORY.md").read_bytes()
    for number in range(12):
        lyra.store(f"mine-{number}", "zebra " * number + "x", category="daily", private=True)
    assert ella.search("zebra") == before and (vault / "MEMORY.md").read_bytes() == index


def test_private_and_shared_names_do_not_collide(lyra: Memory, memory: Memory) -> None:
    memory.store("plan", "The shared plan.")
    own = lyra.store("plan", "My plan.", category="daily", private=True)
    assert lyra.show(own.path).body == "My plan.\n"
    assert memory.rename("memory/project/main/plan.md", "plan-b").path == "memory/project/main/plan-b.md"
    assert memory.rename("plan-b", "plan").path == "memory/project/main/plan.md"


def test_the_ledger_of_private_notes_is_a_log_in_the_private_folder(
    lyra: Memory, memory: Memory, vault: Path, ella: Memory
) -> None:
    lyra.log.append("Here I am")
    shared = tree(vault / "nexus")
    lyra.store("plan", "The zebra plan.", category="daily", private=True)
    lyra.edit("plan", body="The okapi plan.")
    lyra.forget("plan")
    lyra.restore("plan")
    assert tree(vault / "nexus") == shared
    assert list((vault / PRIVATE / "log").rglob("private-lyra-*.md"))
    report = memory.verify()
    assert (
        report.sound and {one.path: one.state for one in report.files}[f"{PRIVATE}/project/main/plan.md"] == "attested"
    )
    assert lyra.verify().sound
    assert not any("private" in one.path for one in ella.verify().files)
    counts = ella.verify().counts
    lyra.edit("plan", body="The lynx plan.")
    assert ella.verify().counts == counts


def test_a_forged_private_note_and_a_cut_private_ledger_are_named(lyra: Memory, memory: Memory, vault: Path) -> None:
    lyra.store("plan", "The zebra plan.", category="daily", private=True)
    lyra.edit("plan", body="The okapi plan.")
    (log,) = (vault / PRIVATE / "log").rglob("*.md")
    whole = log.read_text()
    log.write_text("\n".join(whole.split("\n")[:-2]) + "\n")
    assert "log-cut" in {one.code for one in memory.verify().problems}
    log.write_text(whole.replace("stored", "bought").replace("plan", "plot"))
    assert "log-changed" in {one.code for one in memory.verify().problems}


def test_what_an_agent_keeps_for_good_privately_waits_for_a_person_and_stays_private(
    lyra: Memory, memory: Memory, ella: Memory
) -> None:
    waiting = lyra.retain("The okapi is mine.", name="okapi", private=True)
    assert waiting.path == f"{PRIVATE}/inbox/okapi.md"
    assert not ella.inbox.list() and [one.path for one in memory.inbox.list()] == [waiting.path]
    assert memory.inbox.accept("okapi").path == f"{PRIVATE}/project/main/okapi.md"
    assert memory.inbox.undo().path == waiting.path
    assert memory.inbox.reject("okapi").path == f"{PRIVATE}/archive/inbox/okapi.md"
    assert lyra.retain("The okapi is mine.", name="okapi", private=True).state == "rejected"
    assert lyra.retain("The okapi is mine.", name="okapi").path == "inbox/lyra/okapi.md"
    assert memory.verify().sound


def test_the_person_may_keep_notes_that_no_agent_sees(memory: Memory, lyra: Memory) -> None:
    stored = memory.store("salary", "A raise in May.", private=True)
    assert stored.path == "memory/private/ana/project/main/salary.md"
    with pytest.raises(NotFound):
        lyra.show("salary")


def test_links_follow_a_private_note_only_within_its_folder(lyra: Memory, memory: Memory, note: Note) -> None:
    shared = note("memory/project/main/shared.md", "See [[plan]].\n")
    lyra.store("plan", "The plan.", category="daily", private=True)
    lyra.store("diary", "About [[plan]].", category="daily", private=True)
    assert lyra.rename("plan", "scheme").links_changed == (f"{PRIVATE}/project/main/diary.md",)
    assert shared.read_text() == "See [[plan]].\n"


def test_a_private_note_that_somebody_moved_to_where_it_is_shared_is_not_lost(
    lyra: Memory, memory: Memory, vault: Path
) -> None:
    stored = lyra.store("plan", "The zebra plan.", category="daily", private=True)
    (vault / "memory/project/main/plan.md").write_bytes((vault / stored.path).read_bytes())
    (vault / stored.path).unlink()
    assert memory.verify().sound


def test_notes_that_vanish_from_one_private_folder_stop_no_other_search(
    lyra: Memory, ella: Memory, note: Note, memory: Memory
) -> None:
    files = [note(f"{PRIVATE}/project/main/n{number}.md", "A zebra.\n") for number in range(30)]
    shared = note("memory/project/main/shared.md", "A zebra in common.\n")
    assert len(lyra.search("zebra", limit=50).hits) == 2 and ella.search("zebra").hits
    for file in files:
        file.unlink()
    shared.write_text("An okapi in common.\n")
    assert not ella.search("zebra").hits and ella.search("okapi").hits
    assert not any("private" in problem.path + problem.message for problem in ella.doctor())
    assert any(problem.code == "notes-missing" for problem in memory.doctor())


@pytest.mark.usefixtures("acl")
def test_with_access_control_checkpoints_are_private(lyra: Memory, ella: Memory) -> None:
    from markdown_memory.sessions import AgentSession

    saved = AgentSession(lyra).checkpoint("Ship 1.9.2")
    assert saved.path.startswith(f"{PRIVATE}/checkpoints/checkpoint-lyra-")
    assert "Goal: Ship 1.9.2" in lyra.context().text and "1.9.2" not in ella.context().text
    assert AgentSession(lyra).finish_checkpoint().startswith(f"{PRIVATE}/archive/checkpoints/")


@pytest.mark.usefixtures("acl")
def test_with_access_control_nobody_in_particular_sees_what_is_shared(open_as: Open, lyra: Memory) -> None:
    stored = lyra.store("plan", "The zebra plan.", category="daily", private=True)
    nobody = open_as(person_present=False)
    assert not nobody.search("zebra").hits
    with pytest.raises(NotFound):
        nobody.forget(stored.path)
    assert open_as(person_present=True).search("zebra").hits


def test_an_agent_cannot_make_a_note_anothers(lyra: Memory) -> None:
    lyra.store("plan", "The plan.", category="daily")
    with pytest.raises(AccessError, match="Who wrote a note"):
        lyra.edit("plan", set={"agent": "ella"})
    with pytest.raises(ConflictError):
        lyra.store("plan", "Another plan.", category="daily")


def test_an_entry_of_a_private_ledger_is_redacted_like_any_other(lyra: Memory, memory: Memory, vault: Path) -> None:
    lyra.store("zebra-plan", "The plan.", category="daily", private=True)
    lyra.forget("zebra-plan", "the okapi won")
    entry = next(one for one in memory.workspace.logs.read("private-lyra").entries if "okapi" in one.text)
    done = redact.redact(memory.workspace, [f"prv-{entry.id}"], person_present=True)
    assert done.entries == (entry.id,)
    assert not any("okapi" in path.read_text() for path in (vault / PRIVATE / "log").rglob("*.md"))
    assert memory.verify().sound
