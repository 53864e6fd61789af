"""Reading and writing files of a vault."""

import hashlib
import os
import stat
import unicodedata
from pathlib import Path

import pytest

from markdown_memory.errors import ConflictError, FormatError, NotFound
from markdown_memory.storage import files


def test_what_is_written_is_read_back_byte_for_byte(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf---\r\nname: x\r\n---\r\n\xff\x00tail"
    files.write_durable(str(tmp_path), "memory/user/a.md", data)
    assert files.read(str(tmp_path), "memory/user/a.md") == data
    assert files.digest_of(str(tmp_path), "memory/user/a.md") == files.digest(data)


def test_a_write_leaves_no_temporary_file(tmp_path: Path) -> None:
    for text in (b"one", b"two"):
        files.write_durable(str(tmp_path), "a.md", text)
    assert os.listdir(tmp_path) == ["a.md"]
    assert (tmp_path / "a.md").read_bytes() == b"two"


def test_a_staged_file_waits_beside_its_target_and_does_not_show(tmp_path: Path) -> None:
    files.write_durable(str(tmp_path), "x/a.md", b"old")
    staged = files.stage(str(tmp_path), "x/a.md", b"new", "t0")
    assert os.path.dirname(staged) == "x"
    assert files.is_temporary(os.path.basename(staged))
    assert files.read(str(tmp_path), "x/a.md") == b"old"
    files.publish(str(tmp_path), staged, "x/a.md")
    assert files.read(str(tmp_path), "x/a.md") == b"new"
    assert not os.path.exists(tmp_path / staged)


def test_two_files_of_one_change_have_two_temporary_files(tmp_path: Path) -> None:
    staged = {files.stage(str(tmp_path), name, b"", "token") for name in ("a.md", "b.md", "x" * 240 + ".md")}
    assert len(staged) == 3


def test_staging_again_after_a_kill_replaces_the_left_over(tmp_path: Path) -> None:
    files.stage(str(tmp_path), "a.md", b"half", "t")
    files.publish(str(tmp_path), files.stage(str(tmp_path), "a.md", b"whole", "t"), "a.md")
    assert files.read(str(tmp_path), "a.md") == b"whole"


def test_mode_bits_of_what_is_replaced_stay(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"old")
    (tmp_path / "a.md").chmod(0o640)
    files.write_durable(str(tmp_path), "a.md", b"new")
    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == 0o640


def test_the_note_behind_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_bytes(b"old")
    (tmp_path / "link.md").symlink_to("real/a.md")
    (tmp_path / "folder").symlink_to("real")
    files.write_durable(str(tmp_path), "link.md", b"new")
    assert (tmp_path / "link.md").is_symlink()
    files.write_durable(str(tmp_path), "folder/b.md", b"b")
    assert files.read(str(tmp_path), "real/a.md") == b"new"
    assert files.read(str(tmp_path), "real/b.md") == b"b"


def test_removing_a_link_removes_only_the_link(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"text")
    (tmp_path / "link.md").symlink_to("a.md")
    files.remove(str(tmp_path), "link.md")
    files.remove(str(tmp_path), "link.md")
    assert os.listdir(tmp_path) == ["a.md"]


def test_empty_folders_are_pruned_up_to_the_vault(tmp_path: Path) -> None:
    files.write_durable(str(tmp_path), "a/b/c/x.md", b"")
    files.write_durable(str(tmp_path), "a/y.md", b"")
    files.remove(str(tmp_path), "a/b/c/x.md")
    files.prune(str(tmp_path), "a/b/c")
    assert os.listdir(tmp_path / "a") == ["y.md"]
    files.remove(str(tmp_path), "a/y.md")
    files.prune(str(tmp_path), "a")
    assert tmp_path.is_dir()


def test_more_than_the_limit_is_refused_with_its_size(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"x" * 1001)
    with pytest.raises(FormatError, match=r"a\.md has 1,001 bytes; more than 1,000"):
        files.read(str(tmp_path), "a.md", 1000)
    assert len(files.read(str(tmp_path), "a.md", None)) == 1001


def test_a_large_file_is_digested_without_being_held(tmp_path: Path) -> None:
    data = os.urandom(1000) * 5000
    (tmp_path / "a.md").write_bytes(data)
    assert files.read_prefix(str(tmp_path), "a.md", 100) == (data[:100], files.digest(data), len(data))


def test_no_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"There is no file x/a\.md"):
        files.read(str(tmp_path), "x/a.md")
    assert files.digest_of(str(tmp_path), "x/a.md") is None
    assert not files.exists(str(tmp_path), "x/a.md")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Note.md", "note.md"),
        ("straße.md", "STRASSE.md"),
        (unicodedata.normalize("NFC", "é.md"), unicodedata.normalize("NFD", "é.md")),
    ],
)
def test_a_new_name_that_another_disk_would_confuse_is_refused(first: str, second: str, tmp_path: Path) -> None:
    files.write_durable(str(tmp_path), first, b"first")
    with pytest.raises(ConflictError, match="differ only by case or by the form of their accents"):
        files.stage(str(tmp_path), second, b"second", "t")
    assert os.listdir(tmp_path) == [first]


def test_a_new_folder_that_another_disk_would_confuse_is_refused(tmp_path: Path) -> None:
    files.write_durable(str(tmp_path), "memory/project/main/a.md", b"")
    with pytest.raises(ConflictError, match="memory/project/Main was not made, since main is there"):
        files.stage(str(tmp_path), "memory/project/Main/a.md", b"", "t")


def test_a_rename_that_changes_only_case_is_no_collision(tmp_path: Path) -> None:
    files.write_durable(str(tmp_path), "note.md", b"text")
    staged = files.stage(str(tmp_path), "Note.md", b"text", "t", leaving=("note.md",))
    files.publish(str(tmp_path), staged, "Note.md")
    assert not files.same_file(str(tmp_path), "note.md", "Note.md")


def test_an_existing_twin_can_still_be_written(tmp_path: Path) -> None:
    for name in ("Note.md", "note.md"):
        (tmp_path / name).write_bytes(b"old")
    files.write_durable(str(tmp_path), "note.md", b"new")
    assert (tmp_path / "Note.md").read_bytes() == b"old"


def test_a_name_that_is_no_valid_text_is_opened_by_its_bytes(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.md")
    files.write_durable(str(tmp_path), name, b"text")
    assert os.listdir(os.fsencode(tmp_path)) == [b"caf\xe9.md"]
    assert files.read(str(tmp_path), name) == b"text"


def test_publishing_into_another_folder_is_refused(tmp_path: Path) -> None:
    staged = files.stage(str(tmp_path), "a/x.md", b"", "t")
    with pytest.raises(ConflictError, match=r"was not staged in the folder of b/x\.md"):
        files.publish(str(tmp_path), staged, "b/x.md")


@pytest.mark.parametrize("size", [0, 1, 64, 100_000, (1 << 20) - 1, 1 << 20, 3_000_000])
def test_a_digest_is_sha_256_whatever_the_size(size: int) -> None:
    data = os.urandom(size)
    assert files.digest(data) == hashlib.sha256(data).hexdigest()
