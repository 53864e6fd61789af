"""Memory of branches: merged, archived, renamed, and nothing of it lost."""

from pathlib import Path

import pytest

from markdown_memory.errors import AccessError, NotFound, UserError
from markdown_memory.memory import Memory
from tests.conftest import Note, Open, tree

AUTH = "project:feature/auth"
HERE, THERE = "memory/project/feature~auth", "memory/project/main"


@pytest.fixture
def branched(memory: Memory) -> Memory:
    """A branch with a new note, one that main has too, and one that says something else than main's."""
    for name, body, namespace in (
        ("tea", "We drink tea.", None),
        ("db", "PostgreSQL 14.", None),
        ("pkce", "Use PKCE; see [[db]] and [tea](./tea.md).", AUTH),
        ("tea", "We drink tea.", AUTH),
        ("db", "PostgreSQL 16.", AUTH),
    ):
        memory.store(name, body, description=f"about {name}", namespace=namespace)
    return memory


def test_branches_are_listed_with_what_they_hold(branched: Memory, lyra: Memory) -> None:
    lyra.retain("Sessions last an hour.", namespace=AUTH, name="sessions")
    rows = [(one.branch, one.notes, one.proposals, one.default, one.in_git) for one in branched.branches.list()]
    assert rows == [("feature/auth", 3, 1, False, None), ("main", 2, 0, True, None)]
    shown = branched.branches.show("feature/auth")
    assert [one.name for one in shown.notes] == ["db", "pkce", "tea"]


def test_a_diff_names_what_is_only_here_only_there_and_different(branched: Memory) -> None:
    branched.store("deploy", "On Tuesdays.", description="when")
    found = {one.name: one for one in branched.branches.diff("feature/auth")}
    assert {name: one.state for name, one in found.items()} == {
        "db": "changed", "pkce": "only-one", "deploy": "only-other",
    }  # fmt: skip
    assert "-PostgreSQL 14." in found["db"].diff and "+PostgreSQL 16." in found["db"].diff
    assert branched.branches.diff("main", "main") == ()


def test_a_dry_run_tells_and_changes_nothing(branched: Memory, vault: Path) -> None:
    before = tree(vault)
    told = branched.branches.merge("feature/auth", dry_run=True)
    assert not told.done and {one.name: one.action for one in told.steps} == {
        "db": "ask", "pkce": "take", "tea": "fold",
    }  # fmt: skip
    assert tree(vault) == before
    done = branched.branches.merge("feature/auth")
    assert done.steps == told.steps and done.done


def test_a_merge_takes_folds_and_asks_and_the_branch_is_empty(branched: Memory, vault: Path) -> None:
    entries = len(branched.workspace.ledger())
    branched.branches.merge("feature/auth")
    assert len(branched.workspace.ledger()) == entries + 1
    assert not list((vault / HERE).glob("*.md"))
    taken = (vault / THERE / "pkce.md").read_text()
    assert "merged_from: feature/auth" in taken and "[[db]] and [tea](./tea.md)" in taken
    assert branched.show("db").body.strip() == "PostgreSQL 14."
    (waiting,) = branched.inbox.list()
    assert (waiting.name, waiting.text, waiting.target) == ("db", "PostgreSQL 16.", THERE)
    assert branched.verify().sound and "pkce" in branched.index() and "feature~auth" not in branched.index()


def test_every_text_that_was_merged_away_can_be_restored(branched: Memory, vault: Path) -> None:
    before = {path: data for path, data in tree(vault).items() if path.startswith(HERE)}
    branched.branches.merge("feature/auth", strategy="remote_wins")
    assert branched.show(f"{THERE}/db.md").body.strip() == "PostgreSQL 16."
    for path in before:
        branched.restore(f"archive/{path}")
    assert {path: data for path, data in tree(vault).items() if path.startswith(HERE)} == before
    assert b"PostgreSQL 14." in (vault / "archive" / THERE / "db.md").read_bytes()


def test_both_are_kept_under_names_of_their_own(branched: Memory) -> None:
    branched.branches.merge("feature/auth", strategy="keep_both")
    assert branched.show("db").body.strip() == "PostgreSQL 14."
    assert branched.show("db-2").body.strip() == "PostgreSQL 16."


def test_accepting_the_other_text_puts_it_in_the_place_of_the_first(branched: Memory, vault: Path) -> None:
    branched.branches.merge("feature/auth")
    branched.inbox.accept("db", replace=True)
    assert (vault / THERE / "db.md").read_text().count("PostgreSQL 16.") == 1
    assert branched.verify().sound


def test_links_by_path_follow_into_the_notes_that_took_over(branched: Memory, note: Note, vault: Path) -> None:
    note("memory/user/me.md", f"[a]({HERE}/pkce.md) [[{HERE}/db]] [[{HERE}/tea|t]] [[pkce]] `[[{HERE}/db]]`\n")
    done = branched.branches.merge("feature/auth")
    assert done.links_changed == ("memory/user/me.md",)
    text = (vault / "memory/user/me.md").read_text()
    assert text == f"[a]({THERE}/pkce.md) [[{THERE}/db]] [[{THERE}/tea|t]] [[pkce]] `[[{HERE}/db]]`\n"


def test_what_waited_for_a_merged_branch_waits_for_its_target_also_when_it_arrives_later(
    branched: Memory, lyra: Memory, vault: Path
) -> None:
    waiting = lyra.retain("Sessions last an hour.", namespace=AUTH, name="sessions")
    late = (vault / waiting.path).read_text().replace("sessions", "tokens").replace("an hour", "a day")
    assert branched.branches.merge("feature/auth").proposals == (waiting.path,)
    (vault / "inbox/lyra/tokens.md").write_text(late)
    assert {one.name: one.target for one in branched.inbox.list()} == {
        "sessions": THERE, "tokens": THERE, "db": THERE,
    }  # fmt: skip
    assert branched.inbox.accept("tokens").path == f"{THERE}/tokens.md"


def test_a_branch_that_begins_anew_under_an_old_name_keeps_its_own_proposals(
    branched: Memory, lyra: Memory, clock: "object"
) -> None:
    branched.branches.merge("feature/auth")
    clock.move(60)  # type: ignore[attr-defined]
    assert lyra.retain("New.", namespace=AUTH, name="new").target == HERE


def test_a_deleted_branch_lies_in_the_archive(branched: Memory, vault: Path) -> None:
    before = {path: data for path, data in tree(vault).items() if path.startswith(HERE)}
    done = branched.branches.delete("feature/auth", "abandoned")
    assert sorted(old for old, _ in done.paths) == sorted(before)
    assert {path.removeprefix("archive/"): data for path, data in tree(vault).items() if HERE in path} == before
    assert branched.restore("pkce").path == f"{HERE}/pkce.md"
    with pytest.raises(UserError, match="'main' is the default branch"):
        branched.branches.delete("main")


def test_a_renamed_branch_takes_notes_links_and_proposals_along(
    branched: Memory, lyra: Memory, note: Note, vault: Path
) -> None:
    lyra.retain("Sessions last an hour.", namespace=AUTH, name="sessions")
    note("memory/user/me.md", f"[a]({HERE}/pkce.md)\n")
    done = branched.branches.rename("feature/auth", "feature/login")
    new = HERE.replace("auth", "login")
    assert ("memory/user/me.md" in done.links_changed) and len(done.paths) == 3
    assert (vault / "memory/user/me.md").read_text() == f"[a]({new}/pkce.md)\n"
    assert branched.inbox.list()[0].target == new and branched.verify().sound
    with pytest.raises(UserError, match="only by case"):
        branched.branches.rename("feature/login", "Feature/Login")
    with pytest.raises(UserError, match="has notes of its own; `mdmem branch merge`"):
        branched.branches.rename("feature/login", "main")


def test_more_files_than_fit_into_an_entry_move_in_one_change(memory: Memory) -> None:
    for number in range(12):
        memory.store(f"note-{number}", f"Fact {number}.", description="a fact", namespace=AUTH)
    entries = len(memory.workspace.ledger())
    memory.branches.merge("feature/auth")
    assert len(memory.workspace.ledger()) == entries + 1 and memory.verify().sound
    assert len(memory.list(branch=["main"])) == 12


def test_an_agent_does_not_move_what_a_person_accepted(branched: Memory, lyra: Memory) -> None:
    for act in (
        lambda: lyra.branches.merge("feature/auth"),
        lambda: lyra.branches.delete("feature/auth"),
        lambda: lyra.branches.rename("feature/auth", "x"),
    ):
        with pytest.raises(AccessError, match="An agent may not"):
            act()


def test_a_branch_that_nobody_knows_is_named_with_what_comes_near(branched: Memory) -> None:
    with pytest.raises(NotFound, match=r"no notes about the branch 'feature/aut'. Did you mean 'feature/auth'"):
        branched.branches.merge("feature/aut")
    with pytest.raises(UserError, match="cannot be merged into itself"):
        branched.branches.merge("main")


def test_branches_of_another_project_are_its_own(branched: Memory, open_as: Open) -> None:
    branched.store("cart", "Carts expire.", description="c", namespace="project:@shop:fix")
    shop = open_as(project="shop")
    assert shop.branches.merge("fix").into == "main"
    assert shop.show("cart").path == "memory/project/@shop/main/cart.md"


def test_a_note_with_broken_properties_is_taken_as_it_is(memory: Memory, note: Note, vault: Path) -> None:
    note(f"{HERE}/odd.md", "---\na: [\n---\ntext\n")
    memory.branches.merge("feature/auth")
    assert (vault / THERE / "odd.md").read_text() == "---\na: [\n---\ntext\n"
