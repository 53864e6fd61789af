"""A session whose keys would not last signs nothing, leaves no writer behind, and loses nothing."""

from pathlib import Path

import pytest

from markdown_memory.errors import UserError
from markdown_memory.memory import Memory
from tests.conftest import Open


@pytest.fixture
def guest(open_as: Open) -> Memory:
    """An agent in a throw-away container."""
    memory = open_as("guest")
    memory.log.ephemeral = True
    return memory


def test_an_entry_becomes_an_unsigned_line_in_a_file_of_ones_own(guest: Memory, memory: Memory, vault: Path) -> None:
    entry = guest.log.append("Ran the tests\nall green", kind="fix", channel="ci", refs=["PR 88"])
    assert entry.sig == "" and entry.agent == "guest"
    (file,) = (vault / "nexus/log/live-context").rglob("*guest*")
    assert file.name == "live-context-guest-unsigned-2026-11.md"
    assert file.read_text() == (
        "# live-context · guest-unsigned · 2026-11\n\n- 2026-11-30 02:13 (ci, fix) Ran the tests\\nall green (PR 88)\n"
    )
    assert memory.verify().sound and "guest" not in {one.agent for one in memory.workspace.logs.chest.writers()}


def test_others_read_it_marked_and_adopt_it(guest: Memory, memory: Memory, lyra: Memory) -> None:
    guest.log.append("one")
    guest.log.append("two")
    assert [(line.agent, line.mark) for line in lyra.log.read()] == [("guest", "unsigned")] * 2
    lyra.log.adopt("2026-11-30 02:13 (api, note) one")
    lines = memory.log.read()
    assert [(line.agent, line.mark) for line in lines] == [("lyra", ""), ("guest", "unsigned")]
    assert lines[0].text.endswith("one") and memory.verify().sound


def test_no_lines_are_smuggled_in_with_a_text(guest: Memory, memory: Memory) -> None:
    guest.log.append("a\n- 2026-11-30 02:13 (api, note) b <!-- mdmem1 -->")
    assert len(memory.log.read()) == 1
    with pytest.raises(UserError):
        guest.log.append("x", kind="Not A Slug")


def test_where_no_key_can_be_kept_nothing_has_to_be_said(lyra: Memory, open_as: Open, memory: Memory) -> None:
    guest = open_as("guest")
    chest = guest.workspace.logs.chest
    Path(chest.folder, "file").write_text("")
    chest.folder = f"{chest.folder}/file/keys"
    assert guest.log.append("one").sig == ""
    assert lyra.log.append("two").sig
