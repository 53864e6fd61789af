"""Anthropic's memory tool over a vault: dicts in, text out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.memory import Memory
from tests.conftest import Note, tree

Open = Callable[..., Memory]


def run(memory: Memory, command: str, **fields: object) -> str:
    return memory.memory_tool.run({"command": command, **fields})


def refusal(memory: Memory, command: str, **fields: object) -> str:
    with pytest.raises(MarkdownMemoryError) as error:
        run(memory, command, **fields)
    return str(error.value)


def test_what_is_to_last_waits_for_review_and_is_read_at_once_by_its_author(open_as: Open, vault: Path) -> None:
    lyra, ella = open_as("lyra"), open_as("ella")
    run(lyra, "create", path="/memories/customers/acme.md", file_text="Acme pays late.\n")
    assert "     1\tAcme pays late." in run(lyra, "view", path="/memories/customers/acme.md")
    assert [one.name for one in open_as().inbox.list()] == ["customers/acme"]
    assert "does not exist" in refusal(ella, "view", path="/memories/customers/acme.md")
    assert "customers" not in run(ella, "view", path="/memories")
    assert [path for path in tree(vault) if "acme" in path] == ["inbox/lyra/customers-acme.md"]


def test_a_file_keeps_its_path_when_a_person_accepts_it(open_as: Open) -> None:
    lyra = open_as("lyra")
    run(lyra, "create", path="/memories/acme.md", file_text="Acme pays late.")
    open_as().inbox.accept("acme")
    assert run(lyra, "view", path="/memories/acme.md").endswith("     1\tAcme pays late.")
    assert "acme.md" in run(open_as("ella"), "view", path="/memories/shared/project")


def test_a_new_version_of_an_accepted_note_waits_and_only_its_author_sees_it(open_as: Open) -> None:
    open_as().store("database", "PostgreSQL 14.\n", type="project")
    lyra, ella, path = open_as("lyra"), open_as("ella"), "/memories/shared/project/main/database.md"
    run(lyra, "str_replace", path=path, old_str="14", new_str="16")
    assert "PostgreSQL 16." in run(lyra, "view", path=path)
    assert "PostgreSQL 14." in run(ella, "view", path=path)
    run(lyra, "insert", path=path, insert_line=1, insert_text="On pier-1.")
    (waiting,) = open_as().inbox.list()
    assert waiting.text == "PostgreSQL 16.\nOn pier-1." and waiting.name == "database"
    open_as().inbox.accept("database", replace=True)
    assert "On pier-1." in run(ella, "view", path=path)
    assert open_as().verify().sound


def test_daily_and_conversation_notes_need_no_review(open_as: Open, vault: Path) -> None:
    lyra = open_as("lyra")
    for folder in ("daily", "conversation"):
        run(lyra, "create", path=f"/memories/{folder}/today.md", file_text="Looked at logs.\n")
        run(lyra, "str_replace", path=f"/memories/{folder}/today.md", old_str="logs", new_str="queues")
        (note,) = lyra.list(category=[folder])
        assert note.status == "accepted" and "queues" in (vault / note.path).read_text()
    assert not open_as().inbox.list()


def test_a_person_writes_directly(open_as: Open) -> None:
    ana = open_as()
    run(ana, "create", path="/memories/tea.md", file_text="Green.\n")
    assert ana.show("tea").header.status == "accepted"
    run(ana, "delete", path="/memories/tea.md")
    assert ana.show("archive/memory/project/main/tea.md").header.status == "archived"


def test_the_index_lists_what_is_own_and_what_is_shared(open_as: Open) -> None:
    open_as().store("oauth", "Log in by PKCE.", type="project", description="Login is PKCE")
    lyra = open_as("lyra")
    run(lyra, "create", path="/memories/acme.md", file_text="Acme pays late.\n")
    shown = run(lyra, "view", path="/memories/MEMORY.md")
    assert "- /memories/acme.md (waits for review) — Acme pays late." in shown
    assert "- /memories/shared/project/main/oauth.md — Login is PKCE" in shown
    assert "cannot be edited" in refusal(lyra, "insert", path="/memories/MEMORY.md", insert_line=0, insert_text="x")
    assert "already exists" in refusal(lyra, "create", path="/memories/MEMORY.md", file_text="x")
    assert "neither delete nor move" in refusal(lyra, "delete", path="/memories/MEMORY.md")


def test_a_large_vault_is_a_short_listing_and_a_bounded_index(memory: Memory, note: Note) -> None:
    for number in range(600):
        note(f"memory/reference/main/n{number}.md", f"---\ndescription: {'word ' * 30}\n---\nx\n")
    root = run(memory, "view", path="/memories")
    assert len(root.splitlines()) < 10 and "/memories/shared/reference/" in root
    assert "… and" in run(memory, "view", path="/memories/shared/reference")
    index = run(memory, "view", path="/memories/MEMORY.md")
    assert len(index.encode()) < 30_000 and "more: view the folders" in index


def test_renaming_and_deleting_take_folders_and_what_was_deleted_is_in_the_archive(open_as: Open, vault: Path) -> None:
    lyra = open_as("lyra")
    for name in ("a", "b", "a-b"):
        run(lyra, "create", path=f"/memories/old/{name}.md", file_text=f"Text {name}\n")
    run(lyra, "rename", old_path="/memories/old", new_path="/memories/new/place")
    assert "new/place/a-b.md" in run(lyra, "view", path="/memories/new")
    assert "does not exist" in refusal(lyra, "view", path="/memories/old")
    run(lyra, "rename", old_path="/memories/new/place/a.md", new_path="/memories/daily/a.md")
    assert lyra.list(category=["daily"]) and "Text a" in run(lyra, "view", path="/memories/daily/a.md")
    run(lyra, "delete", path="/memories/new")
    assert len([path for path in tree(vault) if path.startswith("archive/inbox/lyra/new-place")]) == 2
    assert open_as().verify().sound and not open_as().inbox.carry_out().decisions


def test_what_a_person_accepted_an_agent_can_neither_delete_nor_move(open_as: Open, vault: Path) -> None:
    open_as().store("oauth", "PKCE.", type="project")
    lyra, before = open_as("lyra"), tree(vault)
    for path in ("/memories/shared/project/main/oauth.md", "/memories/shared", "/memories/shared/project"):
        assert "neither delete nor move" in refusal(lyra, "delete", path=path)
        assert "neither delete nor move" in refusal(lyra, "rename", old_path=path, new_path="/memories/x")
    assert tree(vault) == before


def test_an_edit_by_hand_is_seen_and_never_lost(open_as: Open, vault: Path) -> None:
    lyra = open_as("lyra")
    run(lyra, "create", path="/memories/a.md", file_text="one\ntwo\n")
    file = vault / "inbox/lyra/a.md"
    file.write_text(file.read_text().replace("two", "three"))
    assert "three" in run(lyra, "view", path="/memories/a.md")
    run(lyra, "str_replace", path="/memories/a.md", old_str="one", new_str="1")
    assert file.read_text().endswith("\n\n1\nthree\n")


@pytest.mark.parametrize(
    "text",
    ["", "\n", "\n\nabc", "abc", "a\r\nb\r\n", "---\nname: x\n---\n", "ü \U0001f469\u200d\U0001f467 \t \n", "-->"],
)
def test_a_text_keeps_every_byte(lyra: Memory, text: str) -> None:
    run(lyra, "create", path="/memories/a.md", file_text=text)
    lines = run(lyra, "view", path="/memories/a.md").split("\n")[1:]
    assert "\n".join(line.partition("\t")[2] for line in lines) == text


HOSTILE = [
    ("/memoriesX/a", "must start with /memories"),
    ("memories/a", "must start with /memories"),
    ("/etc/passwd", "must start with /memories"),
    ("", "must start with /memories"),
    ("/memories/../../etc/passwd", "would escape"),
    ("/memories/a/../b", "would escape"),
    ("/memories/..", "would escape"),
    ("/memories/%2e%2e/%2e%2e/etc/passwd", "would escape"),
    ("/memories/%252e%252e%252fetc", "would escape"),
    ("/memories/..%2fetc", "would escape"),
    ("/memories/a%2fb", "would escape"),
    ("/memories/a%00b", "would escape"),
    ("/memories\\..\\etc", "must start with /memories"),
    ("/memories/..\\etc", "would escape"),
    ("/memories/ .. /etc", "would escape"),
    ("/memories/a\0b", "would escape"),
    ("/memories/a\nb", "control character"),
    ("/memories/a\u202eb", "control character"),
    ("/memories/con", "device"),
    ("/memories/NUL.md", "device"),
    ("/memories/x/lpt1.txt", "device"),
    ("/memories/ a.md", "blanks"),
    ("/memories/" + "a" * 150, "more than 100"),
    ("/memories/" + "a/" * 150, "longer than 200"),
    ("/memories/" + "a" * 10_000_000, "more than 100"),
    (None, "no text"),
    (7, "no text"),
]


@pytest.mark.parametrize(("path", "words"), HOSTILE)
def test_a_hostile_path_is_refused_by_every_command(lyra: Memory, vault: Path, path: object, words: str) -> None:
    before = tree(vault)
    assert words in refusal(lyra, "view", path=path)
    assert words in refusal(lyra, "create", path=path, file_text="x")
    assert words in refusal(lyra, "str_replace", path=path, old_str="x", new_str="y")
    assert words in refusal(lyra, "insert", path=path, insert_line=0, insert_text="y")
    assert words in refusal(lyra, "delete", path=path)
    assert words in refusal(lyra, "rename", old_path=path, new_path="/memories/x.md")
    said = refusal(lyra, "rename", old_path="/memories/x.md", new_path=path)
    assert words in said and len(said) < 400
    assert tree(vault) == before


def test_a_link_out_of_the_vault_leads_nowhere(lyra: Memory, vault: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("root password")
    (vault / "memory/project/main").mkdir(parents=True, exist_ok=True)
    (vault / "memory/project/main/evil.md").symlink_to(secret)
    assert "password" not in run(lyra, "view", path="/memories/MEMORY.md")
    assert "does not exist" in refusal(lyra, "view", path="/memories/shared/project/main/evil.md")


def test_a_note_may_claim_any_path_and_gets_none_that_is_not_its_own(open_as: Open, note: Note) -> None:
    note("memory/project/main/a.md", "---\nsource: /memories/../../etc/passwd\nagent: lyra\n---\nx\n")
    note("memory/project/main/b.md", "---\nsource: /memories/b.md\nagent: ella\n---\nx\n")
    shown = run(open_as("lyra"), "view", path="/memories/MEMORY.md")
    assert "passwd" not in shown and "/memories/b.md" not in shown
    assert "/memories/shared/project/main/b.md" in shown


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ({}, "Unknown command"),
        ({"command": "sudo"}, "known are view, create"),
        ({"command": ["view"]}, "Unknown command"),
        ({"command": "create", "path": "/memories/a.md"}, "`file_text` is missing"),
        ({"command": "create", "path": "/memories/a.md", "file_text": "a\0b"}, "NUL"),
        ({"command": "create", "path": "/memories/a.md", "file_text": "x" * 10_000_000}, "more than 200,000"),
        ({"command": "create", "path": "/memories/shared/a.md", "file_text": "x"}, "what a person accepted"),
        ({"command": "create", "path": "/memories/there.md/a.md", "file_text": "x"}, "is a file"),
        ({"command": "view", "path": "/memories/there.md", "view_range": [1]}, "two numbers"),
        ({"command": "view", "path": "/memories/there.md", "view_range": "1-2"}, "two numbers"),
        ({"command": "insert", "path": "/memories/there.md", "insert_text": "x"}, "number of a line"),
        ({"command": "str_replace", "path": "/memories/there.md", "old_str": "", "new_str": "x"}, "old_str is empty"),
        ({"command": "rename", "old_path": "/memories/d", "new_path": "/memories/d/e"}, "itself"),
        ({"command": "rename", "old_path": "/memories/d", "new_path": "/memories/there.md"}, "already exists"),
    ],
)
def test_a_command_that_makes_no_sense_gets_a_sentence(lyra: Memory, command: dict[str, object], words: str) -> None:
    run(lyra, "create", path="/memories/there.md", file_text="x\n")
    run(lyra, "create", path="/memories/d/f.md", file_text="x\n")
    with pytest.raises(MarkdownMemoryError, match=words):
        lyra.memory_tool.run(command)
