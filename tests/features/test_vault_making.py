"""Making vaults."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from markdown_memory.core.settings import parse
from markdown_memory.errors import ConflictError, UserError
from markdown_memory.features import vaults
from markdown_memory.memory import Memory
from markdown_memory.storage import files
from markdown_memory.storage.places import Places
from tests.conftest import Clock, Open, tree


def init(path: Path, places: Places, clock: Clock, **more: object) -> vaults.Made:
    given: dict[str, object] = {"agents": ["lyra"], "person": "Ana", "places": places, "clock": clock} | more
    return vaults.init(str(path), **given)  # type: ignore[arg-type]  # a test's own choice


def snapshot(root: Path) -> dict[str, tuple[bytes, int, int]]:
    """Every file with bytes, mode and modification time, dot-folders included."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            facts = path.stat()
            found[path.relative_to(root).as_posix()] = (
                path.read_bytes(),
                stat.S_IMODE(facts.st_mode),
                facts.st_mtime_ns,
            )
    return found


@pytest.fixture
def obsidian(tmp_path: Path) -> Path:
    """A person's Obsidian vault of a thousand notes."""
    root = tmp_path / "Notes"
    (root / ".obsidian").mkdir(parents=True)
    (root / ".obsidian" / "app.json").write_text('{"alwaysUpdateLinks":true}')
    for number in range(1000):
        folder = root / f"Area {number % 20}"
        folder.mkdir(exist_ok=True)
        (folder / f"Note {number}.md").write_bytes(b"---\r\ntags: x\r\n---\r\nText without an end")
    (root / "Home.md").write_text("my home")
    (root / "Board.base").write_text("views: []\n")
    return root


# init


def test_a_new_vault_has_the_layout_of_the_format(tmp_path: Path, places: Places, clock: Clock) -> None:
    made = init(tmp_path / "v", places, clock, agents=["lyra", "ella"])
    root = tmp_path / "v"
    for path in (
        "AGENTS.md", "MEMORY.md", "Settings.md", "Home.md", "Review.base", "identity/lyra.md", "identity/ella.md",
        "memory/user", "memory/feedback", "memory/project/main", "memory/reference/main", "inbox/lyra", "inbox/ella",
        "nexus/project-state", "nexus/checkpoints", "agents", "skills", "archive", "templates/Fact.md",
        ".obsidian/app.json", ".gitignore", ".mdmem/.gitignore",
    ):  # fmt: skip
        assert (root / path).exists(), path
    assert not (root / ".gitattributes").exists()
    assert "/nexus/live-context.md" in (root / ".gitignore").read_text()
    parsed = parse((root / "Settings.md").read_bytes())
    assert (parsed.vault_id, parsed.version, parsed.problems) == (made.vault_id, 1, ())
    assert len(made.vault_id) == 16 and made.person == "ana"


def test_no_placeholder_is_left_and_names_are_filled_in(tmp_path: Path, places: Places, clock: Clock) -> None:
    init(tmp_path / "harbor", places, clock)
    made = {path: data for path, data in tree(tmp_path / "harbor").items() if not path.startswith("templates/")}
    assert not [path for path, data in made.items() if b"{{" in data]
    assert b"Ana" in made["AGENTS.md"] and b"harbor" in made["AGENTS.md"]
    assert b'name: "lyra"' in made["identity/lyra.md"]


def test_what_was_made_is_attested_and_sound(memory: Memory) -> None:
    attested = {change for entry in memory.workspace.ledger() for change in entry.values()["files"]}  # type: ignore[attr-defined]
    assert {"Settings.md", "MEMORY.md", "AGENTS.md", "identity/lyra.md"} <= attested


def test_agents_can_sign_from_the_start(open_as: Open) -> None:
    lyra = open_as("lyra")
    assert lyra.store("a", "text", category="daily").header.status == "accepted"


def test_two_vaults_have_two_ids(tmp_path: Path, places: Places, clock: Clock) -> None:
    assert init(tmp_path / "a", places, clock).vault_id != init(tmp_path / "b", places, clock).vault_id


def test_the_first_vault_becomes_the_default_and_the_second_does_not(
    tmp_path: Path, places: Places, clock: Clock
) -> None:
    assert init(tmp_path / "a", places, clock).is_default
    assert not init(tmp_path / "b", places, clock).is_default
    (tmp_path / "elsewhere").mkdir()
    with Memory.open(cwd=str(tmp_path / "elsewhere"), places=places, clock=clock) as memory:
        where = memory.where()
    assert (where.vault, where.found_by) == (str(tmp_path / "a"), "the default of your config")


def test_running_init_again_changes_nothing_and_says_what_is_there(
    tmp_path: Path, places: Places, clock: Clock
) -> None:
    first = init(tmp_path / "v", places, clock)
    before = snapshot(tmp_path / "v")
    again = init(tmp_path / "v", places, clock)
    assert snapshot(tmp_path / "v") == before
    assert again.created == () and set(again.present) == set(first.created)
    assert again.vault_id == first.vault_id


def test_running_init_again_adds_an_agent(tmp_path: Path, places: Places, clock: Clock) -> None:
    init(tmp_path / "v", places, clock)
    assert init(tmp_path / "v", places, clock, agents=["lyra", "ella"]).created == ("identity/ella.md",)
    assert (tmp_path / "v" / "inbox" / "ella").is_dir()


def test_what_a_person_changed_is_never_overwritten(tmp_path: Path, places: Places, clock: Clock) -> None:
    init(tmp_path / "v", places, clock)
    (tmp_path / "v" / "Home.md").write_text("mine")
    (tmp_path / "v" / "AGENTS.md").unlink()
    assert init(tmp_path / "v", places, clock).created == ("AGENTS.md",)
    assert (tmp_path / "v" / "Home.md").read_text() == "mine"


def test_inside_an_obsidian_vault_nothing_but_the_subfolder_is_touched(
    obsidian: Path, places: Places, clock: Clock
) -> None:
    before = snapshot(obsidian)
    made = init(obsidian, places, clock)
    after = snapshot(obsidian)
    assert made.root == str(obsidian / "Memory") and made.around == str(obsidian)
    assert {path: facts for path, facts in after.items() if not path.startswith("Memory/")} == before
    assert not (obsidian / "Memory" / ".obsidian").exists() and not (obsidian / "Memory" / "templates").exists()


def test_in_an_obsidian_vault_our_names_give_way(obsidian: Path, places: Places, clock: Clock) -> None:
    (obsidian / "review.base").write_text("views: []\n")
    (obsidian / "Area 1" / "Settings.md").write_text("mine")
    made = init(obsidian, places, clock)
    memory = obsidian / "Memory"
    home = (memory / "Memory Home.md").read_text()
    assert not (memory / "Home.md").exists() and (memory / "Memory Review.base").exists()
    assert "![[Memory/Memory Review.base#Queue]]" in home and "[[Memory/Settings]]" in home
    assert len(made.notices) == 1 and "'Settings'" in made.notices[0]


def test_an_obsidian_vault_named_outright_and_one_that_was_found_are_the_same(
    obsidian: Path, places: Places, clock: Clock
) -> None:
    first = init(obsidian / "ignored", places, clock, inside=str(obsidian))
    assert init(obsidian, places, clock).vault_id == first.vault_id
    with Memory.open(str(obsidian), places=places, clock=clock) as memory:
        assert memory.workspace.root == first.root


def test_a_settings_folder_of_another_name_is_obsidian_s_too(tmp_path: Path, places: Places, clock: Clock) -> None:
    (tmp_path / "N" / ".config-mobile").mkdir(parents=True)
    for name in ("app.json", "core-plugins.json"):
        (tmp_path / "N" / ".config-mobile" / name).write_text("{}")
    assert init(tmp_path / "N", places, clock).root == str(tmp_path / "N" / "Memory")


def test_a_subfolder_of_an_obsidian_vault_can_be_named(obsidian: Path, places: Places, clock: Clock) -> None:
    assert init(obsidian / "Agents" / "Shared", places, clock).around == str(obsidian)
    assert not (obsidian / "Agents" / "Shared" / ".obsidian").exists()


@pytest.mark.parametrize("name", ["Memory", "memory", "MEMORY"])
def test_a_folder_of_the_person_s_own_with_our_name_is_left_alone(
    name: str, obsidian: Path, places: Places, clock: Clock
) -> None:
    (obsidian / name).mkdir()
    (obsidian / name / "mine.md").write_text("mine")
    before = snapshot(obsidian)
    with pytest.raises(ConflictError, match=r"nothing was made\. Name another subfolder: `mdmem init .*/Agents`"):
        init(obsidian, places, clock)
    assert snapshot(obsidian) == before


def test_a_full_folder_that_is_no_obsidian_vault_is_refused_with_a_way_out(
    tmp_path: Path, places: Places, clock: Clock
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "main.py").write_text("")
    with pytest.raises(UserError, match=r"holds other files \(main.py …\).*`mdmem init .*/code/memory`"):
        init(tmp_path / "code", places, clock)
    assert os.listdir(tmp_path / "code") == ["main.py"]


def test_a_fresh_repository_counts_as_empty(tmp_path: Path, places: Places, clock: Clock) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path / "team")], check=True)
    (tmp_path / "team" / "README.md").write_text("# Team memory\n")
    init(tmp_path / "team", places, clock)
    assert (tmp_path / "team" / ".gitattributes").read_text().splitlines()[1:] == [
        "nexus/log/** -text merge=union",
        "MEMORY.md merge=union",
    ]


def test_a_vault_within_a_vault_and_a_file_are_refused(tmp_path: Path, places: Places, clock: Clock) -> None:
    init(tmp_path / "v", places, clock)
    with pytest.raises(UserError, match="lies in the vault"):
        init(tmp_path / "v" / "inner", places, clock)
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is a file; a vault is a folder"):
        init(tmp_path / "file", places, clock)
    with pytest.raises(UserError, match="is no Obsidian vault"):
        init(tmp_path / "x", places, clock, inside=str(tmp_path))


def test_an_impossible_agent_makes_nothing(tmp_path: Path, places: Places, clock: Clock) -> None:
    with pytest.raises(UserError, match="cannot be an agent's name"):
        init(tmp_path / "v", places, clock, agents=["Lyra!"])
    assert not (tmp_path / "v").exists()


def test_with_git_it_is_a_repository_of_its_own(tmp_path: Path, places: Places, clock: Clock) -> None:
    init(tmp_path / "v", places, clock, git=True)
    status = subprocess.run(
        ["git", "-C", str(tmp_path / "v"), "status", "--porcelain"], capture_output=True, text=True, check=True
    )
    assert ".mdmem" not in status.stdout and ".gitattributes" in status.stdout


def test_a_vault_in_a_code_repository_belongs_to_that_project(tmp_path: Path, places: Places, clock: Clock) -> None:
    code = tmp_path / "shop"
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(code)], check=True)
    subprocess.run(["git", "-C", str(code), "remote", "add", "origin", "git@example.org:team/shop.git"], check=True)
    (code / "main.py").write_text("")
    init(code / "memory", places, clock)
    with Memory.open(cwd=str(code / "memory"), places=places, clock=clock) as memory:
        where = memory.where()
    assert (where.project, where.branch, where.repository) == ("shop", "trunk", "example.org/team/shop")


def test_a_run_that_was_cut_off_is_finished_by_the_next(
    tmp_path: Path, places: Places, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = files.write_durable
    written: list[str] = []

    def cut(root: str, path: str, data: bytes) -> None:
        if len(written) == 3:
            raise KeyboardInterrupt
        written.append(path)
        write(root, path, data)

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_durable", cut)
        with pytest.raises(KeyboardInterrupt):
            init(tmp_path / "v", places, clock)
    made = init(tmp_path / "v", places, clock)
    assert made.present == tuple(written)
    with Memory.open(str(tmp_path / "v"), places=places, clock=clock) as memory:
        assert memory.where().trusted
