"""A further machine of a person: one approval on the old one confirms everybody on the new one."""

from pathlib import Path

import pytest

from markdown_memory import upkeep
from markdown_memory.errors import AccessError, NotFound
from markdown_memory.memory import Memory, Places, default_places
from markdown_memory.storage.vaults import read_config
from tests.conftest import Clock
from tests.frontends.conftest import Shell


@pytest.fixture
def laptop(tmp_path: Path) -> Places:
    return default_places(str(tmp_path / "laptop"))


def test_one_approval_confirms_the_person_and_all_agents(
    memory: Memory, vault: Path, laptop: Places, clock: Clock
) -> None:
    done = upkeep.join(str(vault), places=laptop, clock=clock, person_present=True)
    assert done.writer.startswith("ana-") and not done.confirmed and done.is_default
    assert [one.rpartition("-")[0] for one in done.agents] == ["ella", "lyra"]
    states = {one.writer: one.state for one in upkeep.keys(memory)}
    assert {states[one] for one in (done.writer, *done.agents)} == {"unconfirmed"}
    upkeep.confirm(memory, done.writer)
    states = {one.writer: one.state for one in upkeep.keys(memory)}
    assert {states[one] for one in (done.writer, *done.agents)} == {"confirmed"}
    with Memory.open(agent="lyra", places=laptop, clock=clock, cwd=str(vault.parent)) as lyra:
        assert lyra.log.append("Hello from the laptop").writer in done.agents
    report = memory.verify()
    assert report.sound and not report.notices


def test_joining_again_changes_nothing(memory: Memory, vault: Path, laptop: Places, clock: Clock) -> None:
    first = upkeep.join(str(vault), places=laptop, clock=clock, person_present=True)
    entries = len(memory.workspace.logs.read("keys").entries)
    again = upkeep.join(str(vault), places=laptop, clock=clock, person_present=True)
    assert again == first
    assert len(memory.workspace.logs.read("keys").entries) == entries


def test_somebody_else_joins_under_their_own_name(vault: Path, laptop: Places, clock: Clock) -> None:
    done = upkeep.join(str(vault), places=laptop, clock=clock, person_present=True, person="Bo Lindqvist")
    assert done.writer.startswith("bo-lindqvist-") and read_config(laptop).person == "Bo Lindqvist"


def test_only_a_person_joins_and_only_a_vault(vault: Path, tmp_path: Path, laptop: Places, clock: Clock) -> None:
    with pytest.raises(AccessError, match="mdmem join"):
        upkeep.join(str(vault), places=laptop, clock=clock, person_present=False)
    with pytest.raises(NotFound, match="is no vault"):
        upkeep.join(str(tmp_path), places=laptop, clock=clock, person_present=True)
    assert not Path(laptop.config).exists()


def test_the_command_says_what_is_left_to_do(vault: Path, tmp_path: Path) -> None:
    home, cwd = tmp_path / "new-home", tmp_path / "new-work"
    home.mkdir()
    cwd.mkdir()
    new = Shell(home, cwd)
    assert new("join", str(vault)).code == 7, "no terminal, no person"
    done = new.terminal("join", str(vault))
    assert done.code == 0 and "`mdmem keys confirm ana-" in " ".join(done.out.split())
    assert "mdmem install CLIENT --agent ella" in " ".join(done.out.split())
