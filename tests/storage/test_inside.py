"""Paths that try to lead elsewhere, and files that are none."""

import os
import socket
from pathlib import Path

import pytest

from markdown_memory.errors import AccessError, FormatError, NotFound
from markdown_memory.storage import files

OUTWARDS = ["", "/etc/passwd", "..", "../x.md", "a/../../x.md", "a//x.md", "./a.md", "a/", "a\0b.md", "a/./b.md"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret")
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


@pytest.mark.parametrize("path", OUTWARDS)
def test_a_path_that_could_mean_something_outside_is_refused(path: str, root: Path) -> None:
    for act in (lambda: files.read(str(root), path), lambda: files.stage(str(root), path, b"", "t")):
        with pytest.raises(AccessError, match="no path inside the vault"):
            act()
    with pytest.raises(AccessError):
        files.remove(str(root), path)


@pytest.mark.parametrize("target", ["../outside/secret.md", "{outside}/secret.md"])
def test_a_link_out_of_the_vault_is_neither_read_nor_written(target: str, root: Path) -> None:
    (root / "note.md").symlink_to(target.format(outside=root.parent / "outside"))
    for act in (lambda: files.read(str(root), "note.md"), lambda: files.write_durable(str(root), "note.md", b"x")):
        with pytest.raises(AccessError, match=r"note\.md is a link out of the vault"):
            act()
    assert (root.parent / "outside" / "secret.md").read_text() == "secret"


def test_a_linked_folder_out_of_the_vault_is_neither_read_nor_written(root: Path) -> None:
    (root / "memory").symlink_to("../outside")
    for act in (
        lambda: files.read(str(root), "memory/secret.md"),
        lambda: files.write_durable(str(root), "memory/new.md", b"x"),
        lambda: files.remove(str(root), "memory/secret.md"),
    ):
        with pytest.raises(AccessError, match="out of the vault"):
            act()
    assert os.listdir(root.parent / "outside") == ["secret.md"]


def test_a_link_to_the_vault_itself_is_refused(root: Path) -> None:
    (root / "self").symlink_to(".")
    with pytest.raises(AccessError):
        files.read(str(root), "self")


def test_a_link_that_leads_back_to_itself_is_a_sentence(root: Path) -> None:
    (root / "a.md").symlink_to("b.md")
    (root / "b.md").symlink_to("a.md")
    with pytest.raises(FormatError, match=r"a\.md is a link that leads back to itself"):
        files.read(str(root), "a.md")


def test_a_link_to_nothing_is_not_found(root: Path) -> None:
    (root / "a.md").symlink_to("gone.md")
    with pytest.raises(NotFound, match="a link to a file that is not there"):
        files.read(str(root), "a.md")


def test_a_pipe_a_socket_and_a_device_are_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(root / "socket.md"))
        names = ["pipe.md", "socket.md"]
        for name in names:
            for act in (lambda: files.read(str(root), name), lambda: files.write_durable(str(root), name, b"x")):  # noqa: B023
                with pytest.raises(FormatError, match="is a pipe, socket, link or device"):
                    act()


def test_a_folder_called_like_a_note_is_a_sentence(root: Path) -> None:
    (root / "x.md").mkdir()
    with pytest.raises(FormatError, match=r"x\.md is a folder, not a note; rename the folder"):
        files.read(str(root), "x.md")
    with pytest.raises(FormatError, match=r"x\.md is a folder"):
        files.write_durable(str(root), "x.md", b"")


def test_a_file_where_a_folder_should_be_is_a_sentence(root: Path) -> None:
    (root / "memory").write_text("")
    with pytest.raises(NotFound, match=r"no file memory/a\.md"):
        files.read(str(root), "memory/a.md")


def test_a_name_that_is_too_long_is_a_sentence(root: Path) -> None:
    from markdown_memory.errors import StorageError

    with pytest.raises(StorageError, match="the name is too long for this disk: choose a shorter one"):
        files.write_durable(str(root), "x" * 300 + ".md", b"")
