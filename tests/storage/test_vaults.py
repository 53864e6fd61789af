"""Finding the vault of a folder."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from markdown_memory.errors import AccessError, FormatError, NotFound
from markdown_memory.storage import vaults
from markdown_memory.storage.places import Places, write_private
from markdown_memory.storage.registry import Link, Registry, Trusted


def make(folder: Path, vault_id: str, places: Places | None = None) -> Path:
    """A folder that is marked as a vault; trusted when places are given."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Settings.md").write_text(f"---\nmdmem: 1\nvault: {vault_id}\n---\n")
    if places:
        Registry(places).trust(Trusted(vault_id, str(folder), "", "ana"))
    return folder


def repository(folder: Path, remote: str = "") -> Path:
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    if remote:
        subprocess.run(["git", "-C", str(folder), "remote", "add", "origin", remote], check=True)
    return folder


def config(places: Places, **values: str) -> None:
    write_private(
        os.path.join(places.config, "config.toml"), "".join(f'{key} = "{value}"\n' for key, value in values.items())
    )


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A code repository, below no vault."""
    return repository(tmp_path / "code" / "shop", "https://example.org/shop.git")


def test_the_order_is_option_environment_link_upwards_default(tmp_path: Path, code: Path, places: Places) -> None:
    for name in ("option", "environment", "link", "default"):
        make(tmp_path / name, f"id-{name}", places)
    make(tmp_path / "code", "id-upwards", places)
    Registry(places).link(Link("id-link", str(tmp_path / "link"), "shop", "example.org/shop"))
    config(places, default_vault=str(tmp_path / "default"))
    given = {"option": str(tmp_path / "option"), "environment": str(tmp_path / "environment")}
    for expected in ("option", "environment", "link", "upwards", "default"):
        found = vaults.find(places, str(code), given.get("option", ""), given.get("environment", ""))
        assert (found.how, found.vault_id, found.trusted, found.skipped) == (expected, f"id-{expected}", True, ())
        given.pop(expected, None)
        if expected == "link":
            assert found.project == "shop"
            Registry(places).unlink(Registry(places).links()[0])
        if expected == "upwards":
            (tmp_path / "code" / "Settings.md").unlink()


def test_nothing_found_says_what_to_do(tmp_path: Path, places: Places) -> None:
    with pytest.raises(NotFound, match=r"No vault belongs to .*`mdmem init ~/memory` makes one"):
        vaults.find(places, str(tmp_path))


def test_a_path_that_is_no_vault_is_an_error_and_not_the_next_one(tmp_path: Path, places: Places) -> None:
    make(tmp_path, "id-here", places)
    (tmp_path / "other").mkdir()
    with pytest.raises(NotFound, match=r"other, the path that was given, is no vault"):
        vaults.find(places, str(tmp_path), option="other")


def test_a_missing_vault_in_environment_link_or_config_is_passed_over_with_a_line(
    code: Path, tmp_path: Path, places: Places
) -> None:
    Registry(places).link(Link("id-x", str(tmp_path / "gone"), "shop", "example.org/shop"))
    make(tmp_path / "default", "id-default", places)
    config(places, default_vault=str(tmp_path / "default"))
    found = vaults.find(places, str(code), environment=str(tmp_path / "nowhere"))
    assert found.vault_id == "id-default"
    assert [line.path for line in found.skipped] == [str(tmp_path / "nowhere"), str(tmp_path / "gone")]
    assert "named by MDMEM_VAULT, is no vault" in found.skipped[0].line


def test_an_untrusted_vault_is_skipped_with_one_line_and_the_search_goes_on(
    code: Path, tmp_path: Path, places: Places
) -> None:
    make(code, "id-hostile")
    make(tmp_path / "default", "id-default", places)
    config(places, default_vault=str(tmp_path / "default"))
    found = vaults.find(places, str(code))
    assert found.vault_id == "id-default"
    assert [one.line for one in found.skipped] == [
        f"{code} is a vault that nobody has trusted on this account; `mdmem trust {code}` does."
    ]
    assert vaults.find(places, str(code), untrusted=True)[:4] == (str(code), "id-hostile", "upwards", False)


def test_an_untrusted_vault_in_the_environment_is_skipped_too(tmp_path: Path, places: Places) -> None:
    make(tmp_path / "hostile", "id-hostile")
    make(tmp_path / "mine", "id-mine", places)
    found = vaults.find(places, str(tmp_path / "mine"), environment=str(tmp_path / "hostile"))
    assert found.vault_id == "id-mine" and len(found.skipped) == 1


def test_whoever_names_an_untrusted_vault_does_not_get_another_one(tmp_path: Path, places: Places) -> None:
    make(tmp_path / "hostile", "id-hostile")
    make(tmp_path, "id-mine", places)
    with pytest.raises(AccessError, match="nobody has trusted"):
        vaults.find(places, str(tmp_path), option=str(tmp_path / "hostile"))


def test_a_copy_is_not_trusted_because_the_original_is(tmp_path: Path, places: Places) -> None:
    make(tmp_path / "vault", "id-one", places)
    shutil.copytree(tmp_path / "vault", tmp_path / "copy")
    with pytest.raises(AccessError, match=r"copy is a copy of .*/vault, and not trusted at this path"):
        vaults.find(places, str(tmp_path), option=str(tmp_path / "copy"))
    shutil.rmtree(tmp_path / "vault")
    with pytest.raises(AccessError, match=r"copy is moved here from .*/vault"):
        vaults.find(places, str(tmp_path), option=str(tmp_path / "copy"))


def test_a_vault_whose_id_was_exchanged_is_not_trusted(tmp_path: Path, places: Places) -> None:
    root = make(tmp_path / "vault", "id-one", places)
    make(root, "id-two")
    with pytest.raises(AccessError):
        vaults.find(places, str(tmp_path), option=str(root))


def test_upwards_begins_in_the_main_worktree(tmp_path: Path, places: Places) -> None:
    root = repository(tmp_path / "work" / "code")
    make(tmp_path / "work", "id-work", places)
    subprocess.run(
        [
            "git",
            "-C",
            str(root),
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "x",
        ],
        check=True,
    )
    subprocess.run(["git", "-C", str(root), "worktree", "add", "-q", str(tmp_path / "elsewhere")], check=True)
    assert vaults.find(places, str(tmp_path / "elsewhere")).vault_id == "id-work"


def test_a_vault_in_a_subfolder_of_a_repository_is_found_from_inside_it(tmp_path: Path, places: Places) -> None:
    root = repository(tmp_path / "code")
    make(root / "memory", "id-inside", places)
    (root / "memory" / "identity").mkdir()
    found = vaults.find(places, str(root / "memory" / "identity"))
    assert found.vault_id == "id-inside" and not found.repo_is_the_vault


def test_an_obsidian_vault_stands_for_its_memory_folder(tmp_path: Path, places: Places) -> None:
    make(tmp_path / "obsidian" / "Memory", "id-memory", places)
    (tmp_path / "obsidian" / "Projects").mkdir()
    for found in (
        vaults.find(places, str(tmp_path), option=str(tmp_path / "obsidian")),
        vaults.find(places, str(tmp_path / "obsidian" / "Projects")),
    ):
        assert found.root == str(tmp_path / "obsidian" / "Memory")


def test_a_repository_that_is_the_vault_or_obsidian_s_is_told_from_code(tmp_path: Path, places: Places) -> None:
    own = make(repository(tmp_path / "team"), "id-team", places)
    assert vaults.find(places, str(own)).repo_is_the_vault
    around = repository(tmp_path / "obsidian")
    (around / ".obsidian").mkdir()
    make(around / "Memory", "id-memory", places)
    assert vaults.find(places, str(around)).repo_is_the_vault


def test_a_repository_without_remote_is_linked_by_its_common_dir(tmp_path: Path, places: Places) -> None:
    root = repository(tmp_path / "code")
    vault = make(tmp_path / "vault", "id-v", places)
    Registry(places).link(Link("id-v", str(vault), "tool", "", str(root / ".git")))
    found = vaults.find(places, str(root))
    assert (found.how, found.project) == ("link", "tool")


def test_a_linked_vault_that_was_moved_and_trusted_again_is_found(code: Path, tmp_path: Path, places: Places) -> None:
    Registry(places).link(Link("id-v", str(tmp_path / "before"), "shop", "example.org/shop"))
    moved = make(tmp_path / "after", "id-v", places)
    found = vaults.find(places, str(code))
    assert (found.root, found.how, found.project, len(found.skipped)) == (str(moved), "link", "shop", 1)


def test_the_link_s_project_counts_only_in_the_linked_vault(code: Path, tmp_path: Path, places: Places) -> None:
    Registry(places).link(Link("id-link", str(tmp_path / "link"), "shop", "example.org/shop"))
    make(tmp_path / "other", "id-other", places)
    assert vaults.find(places, str(code), option=str(tmp_path / "other")).project == ""


def test_the_person_is_whom_the_trust_names_and_else_who_is_logged_in(tmp_path: Path, places: Places) -> None:
    make(tmp_path / "v", "id-v", places)
    make(tmp_path / "w", "id-w")
    assert vaults.find(places, str(tmp_path / "v")).person == "ana"
    assert vaults.find(places, str(tmp_path / "w"), untrusted=True).person == vaults.person_slug("")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Ana", "ana"),
        ("Ána María O'Neil", "ana-maria-o-neil"),
        ("  ", ""),
        ("王", "person"),
        ("x" * 60, "x" * 40),
        ("--", "person"),
    ],
)
def test_a_person_signs_with_a_slug(name: str, slug: str) -> None:
    assert vaults.person_slug(name) == (slug or vaults.person_slug("  "))


@pytest.mark.parametrize(
    ("text", "vault_id"),
    [
        ("---\nmdmem: 1\nvault: abc-1_X\n---\n", "abc-1_X"),
        ("---\r\nvault: abcd\r\nother: x\r\nmdmem: 1\r\n---\r\n", "abcd"),
        ("\ufeff---\nmdmem: 1\nvault: abcd\n---\n", "abcd"),
        ('---\nmdmem: 1\nvault: "quoted id" # why\n---\n', "quoted id"),
        ("---\nmdmem: 1\nvault: 1234\n---\n", "1234"),
        ("---\n'mdmem': 1\n\"vault\": abcd\n---\n", "abcd"),
        ("---\nmdmem: 1\nvault:\n---\n", ""),
        ("---\nvault: abcd\n---\n", ""),
        ("---\nmdmem: 1\n---\nvault: abcd\n", ""),
        ("---\nx:\n  mdmem: 1\n  vault: abcd\n---\n", ""),
        ("mdmem: 1\nvault: abcd\n", ""),
        ("", ""),
    ],
)
def test_the_two_properties_mark_a_vault(text: str, vault_id: str, tmp_path: Path) -> None:
    (tmp_path / "Settings.md").write_bytes(text.encode())
    assert vaults.id_of(str(tmp_path)) == vault_id


def test_settings_are_parsed_once_for_the_same_bytes(tmp_path: Path, places: Places) -> None:
    root = make(tmp_path / "v", "id-v")
    (root / "Settings.md").write_text('---\nmdmem: 1\nvault: id-v\n---\n```toml\nstore = "direct"\n```\n')
    catalog = vaults.open_catalog(places, "id-v", str(root))
    first = vaults.read_settings(str(root), catalog)
    assert first.settings.store == "direct"
    assert vaults.read_settings(str(root), catalog) == first
    (root / "Settings.md").write_text('---\nmdmem: 1\nvault: id-v\n---\n```toml\nstore = "review"\n```\n')
    assert vaults.read_settings(str(root), catalog).settings.store == "review"
    catalog.close()


def test_the_user_s_config_is_read_and_what_is_wrong_in_it_named(places: Places) -> None:
    assert vaults.read_config(places).default_vault == ""
    config(places, default_vault="~/memory", person="Ana")
    for _ in range(2):
        assert vaults.read_config(places)[:2] == ("~/memory", "Ana")
    write_private(os.path.join(places.config, "config.toml"), "default_vault = \n")
    with pytest.raises(FormatError, match=r"config\.toml:1: "):
        vaults.read_config(places)


def test_a_default_is_set_only_where_there_is_none(tmp_path: Path, places: Places) -> None:
    write_private(os.path.join(places.config, "config.toml"), '# mine\nintegrity = "strict"\n[later]\nx = 1\n')
    text = (Path(places.config) / "config.toml").read_text()
    assert vaults.set_default(places, "/v/one", "Ana")
    assert not vaults.set_default(places, "/v/two", "Ella")
    assert vaults.set_default(places, "/v/one", "")
    assert vaults.read_config(places)[:2] == ("/v/one", "Ana")
    assert (Path(places.config) / "config.toml").read_text().endswith(text)


def test_a_registry_that_is_nonsense_trusts_nothing_and_says_so(tmp_path: Path, places: Places) -> None:
    make(tmp_path / "v", "id-v", places)
    write_private(os.path.join(places.state, "vaults.json"), "{nonsense")
    with pytest.raises(FormatError, match=r"vaults\.json cannot be understood"):
        vaults.find(places, str(tmp_path / "v"))
