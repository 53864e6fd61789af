import subprocess
from pathlib import Path

from markdown_memory.memory import Memory, Problem
from tests.conftest import Note, tree


def codes(memory: Memory) -> list[str]:
    return [problem.code for problem in memory.doctor()]


def one(memory: Memory, code: str) -> Problem:
    (found,) = [problem for problem in memory.doctor() if problem.code == code]
    return found


def test_a_new_vault_is_healthy(memory: Memory) -> None:
    assert memory.doctor() == []


def test_looking_changes_nothing(memory: Memory, note: Note, vault: Path) -> None:
    note("memory/project/main/x.md", "---\na: [\n---\n[[nowhere]]\n")
    before = tree(vault)
    assert memory.doctor()
    assert tree(vault) == before


def test_a_link_that_leads_nowhere(memory: Memory) -> None:
    memory.store(
        "x", "First line.\n\nSee [[nowhere]] and [[x]] and [[#part]] and `[[code]]` and [y](https://y.example)."
    )
    problem = one(memory, "link-nowhere")
    assert (problem.path, problem.line) == ("memory/project/main/x.md", 10)
    assert "'nowhere'" in problem.message and problem.remedy


def test_a_name_that_two_notes_bear(memory: Memory, note: Note) -> None:
    note("memory/project/main/a.md", "---\nname: same\ndescription: A.\n---\n")
    note("memory/project/main/b.md", "---\nname: same\ndescription: B.\n---\n")
    problem = one(memory, "name-twice")
    assert problem.path == "memory/project/main/b.md" and "memory/project/main/a.md" in problem.message


def test_an_index_that_does_not_match(memory: Memory, note: Note) -> None:
    note("memory/project/main/by-hand.md", "---\ndescription: By hand.\n---\nBy hand.\n")
    assert "index-drift" in codes(memory)
    memory.store("x", "X.")
    assert "index-drift" not in codes(memory)


def test_a_note_without_a_description(memory: Memory, note: Note) -> None:
    note("memory/project/main/x.md", "Text only.\n")
    assert one(memory, "no-description").path == "memory/project/main/x.md"


def test_a_conflict_copy(memory: Memory, note: Note) -> None:
    memory.store("x", "X.")
    note("memory/project/main/x.sync-conflict-20261130-021304-ABCDEFG.md", "---\ndescription: X.\n---\nX.\n")
    assert one(memory, "conflict-copy").path.endswith("ABCDEFG.md")


def test_a_name_that_breaks_elsewhere(memory: Memory, note: Note) -> None:
    for name in ("aux.md", "what?.md", "trailing ./x.md"):
        note(f"memory/user/{name}", "---\ndescription: X.\n---\n")
    assert codes(memory).count("name-not-portable") == 3


def test_a_secret_by_its_shape(memory: Memory) -> None:
    memory.store("x", "The token is ghp_" + "a1B2" * 9 + ".", description="About a token.")
    assert "GitHub token" in one(memory, "secret").message


def test_a_change_that_was_cut_off(memory: Memory) -> None:
    memory.workspace.write_state("change.json", '["abc", []]')
    assert "change-cut-off" in codes(memory)
    memory.store("x", "X.")
    assert "change-cut-off" not in codes(memory)


def test_both_boxes(memory: Memory, lyra: Memory, vault: Path) -> None:
    path = vault / lyra.retain("A fact.").path
    path.write_text(path.read_text().replace("false", "true"))
    assert "both-ticked" in codes(memory)


def test_a_merge_that_left_its_markers_is_seen(memory: Memory, vault: Path) -> None:
    subprocess.run(["git", "init", "-q", str(vault)], check=True)
    index = vault / "MEMORY.md"
    index.write_text(
        index.read_text().replace("<!-- mdmem:end", "<<<<<<< ours\n=======\n>>>>>>> theirs\n<!-- mdmem:end")
    )
    assert "index-drift" in codes(memory)
