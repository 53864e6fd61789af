"""Trusting, linking and locating vaults."""

import shutil
import subprocess
from pathlib import Path

import pytest

from markdown_memory.core.settings import Project, parse
from markdown_memory.errors import AccessError, NotFound, UserError
from markdown_memory.features import vaults
from markdown_memory.features.vaults.linking import with_project
from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places, default_places
from tests.conftest import Clock, Open
from tests.features.test_vault_making import init, snapshot

# trust


@pytest.fixture
def other(tmp_path: Path) -> Places:
    """Another account."""
    return default_places(str(tmp_path / "other-home"))


def test_a_vault_from_elsewhere_is_trusted_by_a_person(
    vault: Path, other: Places, clock: Clock, places: Places
) -> None:
    with pytest.raises(AccessError, match="nobody has trusted"):
        Memory.open(str(vault), places=other, clock=clock)
    trust = vaults.trust(str(vault), places=other, clock=clock)
    assert trust.new and trust.root_person == "ana" and trust.root_key.startswith("SHA256:") and trust.copies == ()
    with Memory.open(str(vault), places=other, clock=clock) as memory:
        assert memory.workspace.logs.chest.pinned() == (trust.root_key,)
    assert not vaults.trust(str(vault), places=other, clock=clock).new


def test_an_agent_cannot_trust(vault: Path, other: Places, clock: Clock) -> None:
    with pytest.raises(AccessError, match=r"Only a person trusts a vault: run `mdmem trust .*` yourself"):
        vaults.trust(str(vault), places=other, clock=clock, person_present=False)


def test_a_copy_is_trusted_by_itself_and_the_others_are_named(
    vault: Path, tmp_path: Path, places: Places, clock: Clock
) -> None:
    shutil.copytree(vault, tmp_path / "copy")
    with pytest.raises(AccessError, match="is a copy of"):
        Memory.open(str(tmp_path / "copy"), places=places, clock=clock)
    assert vaults.trust(str(tmp_path / "copy"), places=places, clock=clock).copies == (str(vault),)


def test_init_does_not_trust_a_vault_from_elsewhere(vault: Path, other: Places, clock: Clock) -> None:
    before = snapshot(vault)
    with pytest.raises(AccessError, match="is a vault already, and nobody has trusted it"):
        init(vault, other, clock)
    assert snapshot(vault) == before


def test_what_is_no_vault_cannot_be_trusted(tmp_path: Path, places: Places, clock: Clock) -> None:
    with pytest.raises(NotFound, match="is no vault, so there is nothing to trust"):
        vaults.trust(str(tmp_path), places=places, clock=clock)


def test_trust_can_be_taken_back(vault: Path, places: Places, clock: Clock) -> None:
    assert vaults.distrust(str(vault), places=places)
    assert not vaults.distrust(str(vault), places=places)
    with pytest.raises(AccessError):
        Memory.open(str(vault), places=places, clock=clock)


# link and where


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A code repository on the branch fix."""
    root = tmp_path / "shop"
    subprocess.run(["git", "init", "-q", "-b", "fix", str(root)], check=True)
    subprocess.run(
        ["git", "-C", str(root), "remote", "add", "origin", "https://me:secret@Example.org/team/shop.git"], check=True
    )
    return root


def test_a_linked_repository_finds_its_vault_project_and_branch(
    memory: Memory, code: Path, places: Places, clock: Clock
) -> None:
    linked = vaults.link(memory.workspace, cwd=str(code))
    assert (linked.known_by, linked.project, linked.replaced, linked.hint) == (
        "example.org/team/shop",
        "shop",
        False,
        "",
    )
    with Memory.open(cwd=str(code), places=places, clock=clock) as here:
        where = here.where()
        assert (where.project, where.branch, where.found_by) == ("shop", "fix", "linked to this repository")
        assert here.store("a", "text", type="project").path == "memory/project/@shop/fix/a.md"


def test_a_new_project_is_entered_in_the_settings_for_the_others(
    memory: Memory, code: Path, vault: Path, other: Places, clock: Clock
) -> None:
    vaults.link(memory.workspace, cwd=str(code))
    assert b"secret" not in (vault / "Settings.md").read_bytes()
    parsed = parse((vault / "Settings.md").read_bytes())
    assert parsed.problems == () and parsed.settings.projects[-1] == Project("shop", ("example.org/team/shop",), "main")
    assert memory.workspace.ledger()[-1].kind == "link"
    vaults.trust(str(vault), places=other, clock=clock)
    with Memory.open(str(vault), cwd=str(code), places=other, clock=clock) as theirs:
        assert theirs.where().project == "shop"


def test_linking_again_replaces_and_says_what_the_settings_lack(memory: Memory, code: Path, open_as: Open) -> None:
    vaults.link(memory.workspace, cwd=str(code))
    again = vaults.link(open_as().workspace, cwd=str(code), project="home")
    assert (
        again.replaced
        and again.project == "home"
        and 'add "example.org/team/shop" to the remotes of home' in again.hint
    )


def test_only_code_repositories_are_linked(memory: Memory, tmp_path: Path, vault: Path) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(UserError, match="is in no git repository"):
        vaults.link(memory.workspace, cwd=str(tmp_path / "plain"))
    subprocess.run(["git", "init", "-q", str(vault)], check=True)
    with pytest.raises(UserError, match="is the vault itself"):
        vaults.link(memory.workspace, cwd=str(vault))


def test_a_link_can_be_undone(memory: Memory, code: Path, places: Places) -> None:
    vaults.link(memory.workspace, cwd=str(code))
    undone = vaults.unlink(str(code), places=places)
    assert undone is not None and undone.project == "shop"
    assert vaults.unlink(str(code), places=places) is None


def test_an_unlinked_repository_sees_globals_only_once_projects_are_told_apart(
    memory: Memory, code: Path, tmp_path: Path, vault: Path, places: Places, clock: Clock
) -> None:
    vaults.link(memory.workspace, cwd=str(code))
    subprocess.run(["git", "init", "-q", str(tmp_path / "stranger")], check=True)
    with Memory.open(str(vault), cwd=str(tmp_path / "stranger"), places=places, clock=clock) as here:
        where = here.where()
        assert "`mdmem link --project NAME` links it" in where.hint and where.branch == ""
        assert here.workspace.scopes == ()


def test_where_tells_what_was_skipped(vault: Path, tmp_path: Path, places: Places, clock: Clock, other: Places) -> None:
    init(tmp_path / "theirs", other, clock)
    with Memory.open(cwd=str(tmp_path / "theirs"), agent="lyra", places=places, clock=clock) as memory:
        where = memory.where()
    assert where.vault == str(vault) and where.agent == "lyra" and where.trusted
    assert where.skipped == (
        f"{tmp_path}/theirs is a vault that nobody has trusted on this account; `mdmem trust {tmp_path}/theirs` does.",
    )
    assert (where.config, where.state, where.cache) == tuple(places)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_project_is_added_at_the_end_of_the_block_and_all_else_stays(newline: str) -> None:
    text = '---\nmdmem: 1\nvault: abcd\n---\n# S\n\n```toml\nstore = "review" # why\n```\nAfter.'.replace("\n", newline)
    added = with_project(text.encode(), Project('a "b"\u00fc', ("h/p",), "trunk"))
    assert added is not None
    lines = ['[projects."a \\"b\\"ü"]', 'default_branch = "trunk"', 'remotes = ["h/p"]']
    assert added.decode() == text.replace(f"why{newline}", newline.join(["why", "", *lines, ""]))
    assert parse(added).settings.projects == (Project('a "b"ü', ("h/p",), "trunk"),)
    assert with_project(b"no block", Project("a")) is None
