"""Folders outside the vault."""

import os
import stat
import sys
from pathlib import Path

import pytest

from markdown_memory.errors import StorageError
from markdown_memory.storage.places import (
    default_places,
    make_private,
    read_private,
    vault_folder,
    working_folder,
    write_private,
)

XDG = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere platformdirs itself is asked")
@pytest.mark.parametrize("value", [None, "", "relative", "/srv/xdg", "/srv/with space/"])
def test_the_quick_answer_is_that_of_platformdirs(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    from platformdirs import PlatformDirs

    for name in XDG:
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    theirs = PlatformDirs("mdmem", appauthor=False)
    assert default_places() == (theirs.user_config_dir, theirs.user_state_dir, theirs.user_cache_dir)


def test_one_home_holds_all_three_and_nothing_is_made_by_asking(tmp_path: Path) -> None:
    places = default_places(str(tmp_path / "home"))
    assert [os.path.relpath(place, tmp_path) for place in places] == ["home/config", "home/state", "home/cache"]
    assert not os.listdir(tmp_path)


def test_a_missing_home_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in XDG:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "nowhere")
    with pytest.raises(StorageError, match=r"home folder is not known.*MDMEM_HOME"):
        default_places()


def test_folders_and_files_are_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "mdmem" / "keys" / "a.json"
    write_private(str(path), "secret ü\n")
    modes = [stat.S_IMODE(one.stat().st_mode) for one in (path.parents[1], path.parents[0], path)]
    assert modes == [0o700, 0o700, 0o600]
    assert read_private(str(path)) == "secret ü\n"
    assert os.listdir(path.parent) == ["a.json"]


def test_no_file_reads_as_no_text(tmp_path: Path) -> None:
    assert read_private(str(tmp_path / "none" / "x.json")) == ""


def test_a_home_that_is_a_file_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(StorageError, match=r"home/state cannot be made .*MDMEM_HOME"):
        make_private(str(tmp_path / "home" / "state"))


def test_a_vault_s_folder_depends_on_id_and_real_path(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "one")
    folders = [vault_folder("/cache", "id", str(tmp_path / name)) for name in ("one", "two", "link")]
    assert folders[0] != folders[1]
    assert folders[0] == folders[2]
    assert os.path.basename(folders[0]).startswith("id-")


def test_a_working_folder_that_was_removed_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(StorageError, match="The folder that you are in is gone"):
        working_folder()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a file system in which nobody makes folders")
def test_a_home_where_no_folder_can_be_made_is_a_sentence() -> None:
    with pytest.raises(StorageError, match="cannot be made"):
        make_private("/proc/home/state/vaults")
