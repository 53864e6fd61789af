"""A damaged or hostile snapshot is refused with one sentence, and nothing is changed."""

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory.errors import FormatError, IntegrityError, MarkdownMemoryError, NotFound, UserError
from markdown_memory.memory import Memory
from markdown_memory.rules.bundle_names import MANIFEST, refused, twins
from markdown_memory.storage import bundle, bundle_archive, bundle_reading
from markdown_memory.storage.bundle import Facts
from markdown_memory.storage.files import digest
from tests.conftest import tree

Made = Callable[..., Path]
GOOD = {"Settings.md": b"---\nmdmem: 1\nvault: abcd\n---\n", "memory/user/tea.md": b"Green\n"}


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """A file with these entries, whatever they are; the list of files tells of them all unless it is given."""

    def make(
        files: dict[str, bytes], facts: Facts | None = None, change: Callable[[zipfile.ZipInfo], None] | None = None
    ) -> Path:
        target = tmp_path / "hostile.mdmem"
        told = facts or Facts("abcd", {name: digest(data) for name, data in files.items()})
        with zipfile.ZipFile(target, "w") as zip:
            zip.writestr(MANIFEST, bundle.encode(told))
            for name, data in files.items():
                info = zipfile.ZipInfo(name)
                if change:
                    change(info)
                zip.writestr(info, data, info.compress_type)
        return target

    return make


def why(path: Path, kind: type[MarkdownMemoryError] = FormatError) -> str:
    with pytest.raises(kind) as refused, bundle_reading.opened(str(path)):
        pass
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert str(path) in sentence
    return sentence


def test_a_good_one_is_read(made: Made) -> None:
    with bundle_reading.opened(str(made(GOOD))) as opened:
        assert opened.read("memory/user/tea.md") == b"Green\n"


@pytest.mark.parametrize(
    "name",
    [
        "../evil.md", "/etc/evil.md", "memory/../../evil.md", "memory\\..\\evil.md", "C:/evil.md", "memory//x.md",
        "./evil.md", ".obsidian/app.json", "memory/.obsidian/plugins/x.js", ".git/hooks/post-merge", ".mdmem/lock",
        ".mdmem/base/nothex", "memory/user/CON.md", "memory/user/nul", "memory/user/lpt1.txt", "memory/user/x.md ",
        "memory/user/x.", "memory/user/a\x07b.md", "memory/user/a:b.md", "memory/private/lyra/user/x.md",
        "nexus/live-context.md", "memory/" + "x" * 300 + ".md", "a/" * 600 + "x.md",
    ],
)  # fmt: skip
def test_a_name_that_leads_elsewhere_or_may_not_travel_is_refused(made: Made, name: str) -> None:
    assert f"is refused: {name!r} " in why(made({**GOOD, name: b"x"}))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Tea.md", "tea.md"), ("caf\u00e9.md", "cafe\u0301.md"), ("x", "x/y.md"), ("stra\u00dfe.md", "STRASSE.md")],
)
def test_names_that_are_one_file_on_some_disk_are_refused(made: Made, one: str, other: str) -> None:
    assert "would be one file" in why(made({**GOOD, f"memory/{one}": b"1", f"memory/{other}": b"2"}))


def test_a_name_that_stands_twice_is_refused(made: Made) -> None:
    path = made(GOOD)
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "a") as zip:
        zip.writestr("Settings.md", b"other")
    assert "would be one file" in why(path)


def test_what_is_packed_is_refused_however_small_it_is(made: Made) -> None:
    def packed(info: zipfile.ZipInfo) -> None:
        info.compress_type = zipfile.ZIP_DEFLATED

    path = made({**GOOD, "memory/bomb.md": b"0" * 10_000_000}, change=packed)
    assert path.stat().st_size < 100_000
    assert "Nothing was changed" in why(path)


def test_files_that_overlap_to_swell_are_refused(made: Made) -> None:
    path = made({**GOOD, "memory/big.md": b"x" * 5000, "memory/more.md": b"x" * 5000})
    with zipfile.ZipFile(path) as zip:
        infos = {info.filename: info for info in zip.infolist()}
    data = bytearray(path.read_bytes())
    at = data.rfind(b"PK\x01\x02", 0, data.rfind(b"memory/more.md"))
    data[at + 20 : at + 28] = (20_000).to_bytes(4, "little") * 2  # both sizes in the directory
    path.write_bytes(data)
    assert infos["memory/more.md"].file_size == 5000
    assert "larger than it is" in why(path)


def test_a_link_is_refused(made: Made) -> None:
    def link(info: zipfile.ZipInfo) -> None:
        if info.filename.endswith("tea.md"):
            info.external_attr = 0o120777 << 16

    assert "is a link or a folder" in why(made(GOOD, change=link))


def test_a_folder_as_an_entry_is_refused(made: Made) -> None:
    assert "leads out of the vault" in why(made({**GOOD, "memory/": b""}))


def test_a_wrong_hash_is_refused(made: Made) -> None:
    facts = Facts("abcd", {name: digest(b"other") for name in GOOD})
    assert "is not what it was made with" in why(made(GOOD, facts), IntegrityError)


def test_a_file_too_many_or_too_few_is_refused(made: Made) -> None:
    facts = Facts("abcd", {"Settings.md": digest(GOOD["Settings.md"])})
    assert "is not in its list of files" in why(made(GOOD, facts), IntegrityError)
    facts = Facts("abcd", {**{name: digest(data) for name, data in GOOD.items()}, "x.md": "0" * 64})
    assert "is in its list of files and not in it" in why(made(GOOD, facts), IntegrityError)


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b"\xff", b"[" * 5000, b'{"mdmem_snapshot":1}'])
def test_a_list_of_files_that_cannot_be_read_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "x.mdmem"
    with zipfile.ZipFile(path, "w") as zip:
        zip.writestr(MANIFEST, text)
    assert "its list of files cannot be read" in why(path)


def test_a_later_format_asks_for_a_newer_program(tmp_path: Path) -> None:
    document = json.loads(bundle.encode(Facts("abcd", {})))
    path = tmp_path / "x.mdmem"
    with zipfile.ZipFile(path, "w") as zip:
        zip.writestr(MANIFEST, json.dumps({**document, "mdmem_snapshot": 2}))
    assert "update mdmem" in why(path)


def test_a_file_that_was_cut_off_anywhere_is_refused(made: Made) -> None:
    path = made(GOOD)
    data = path.read_bytes()
    for size in range(0, len(data), 7):
        path.write_bytes(data[:size])
        assert "is no whole snapshot" in why(path)


def test_one_changed_byte_anywhere_is_noticed(memory: Memory, vault: Path, tmp_path: Path) -> None:
    memory.store("tea", "Green")
    path = Path(memory.snapshots.make(str(tmp_path / "x.mdmem")).path)
    data, before = path.read_bytes(), tree(vault)
    for at in range(0, len(data), max(1, len(data) // 150)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(MarkdownMemoryError):
            memory.snapshots.merge(str(path))
    assert tree(vault) == before


def test_a_snapshot_without_its_signature_or_with_anothers_is_refused(memory: Memory, tmp_path: Path) -> None:
    made = memory.snapshots.make(str(tmp_path / "x.mdmem"))
    memory.store("tea", "Green")
    other = memory.snapshots.make(str(tmp_path / "y.mdmem"))
    Path(made.signature).write_bytes(Path(other.signature).read_bytes())
    with pytest.raises(IntegrityError, match="is not the file that"):
        memory.snapshots.diff(made.path)
    Path(made.signature).write_text("{}")
    with pytest.raises(IntegrityError, match="is no signature of a snapshot"):
        memory.snapshots.diff(made.path)
    Path(made.signature).unlink()
    with pytest.raises(IntegrityError, match="is not signed"):
        memory.snapshots.diff(made.path)
    with pytest.raises(NotFound, match="There is no file"):
        memory.snapshots.diff(str(tmp_path / "none.mdmem"))


def test_what_a_vault_may_hold_has_a_name_that_travels() -> None:
    assert [refused(path) for path in (MANIFEST, "memory/project/@shop/feature~auth/x y.md", "skills/a/run.sh")] == [
        ""
    ] * 3
    assert twins(["a/b.md", "a/c.md", "A/d.md"]) is None


@pytest.mark.parametrize("count", [3, 70_000])
def test_any_program_reads_the_archive_and_it_has_the_hash_that_was_told(count: int, tmp_path: Path) -> None:
    wanted = {f"memory/größe/{number:05}.md": b"x" * (number % 7) for number in range(count)}
    target = tmp_path / "made.zip"
    with open(target, "wb") as out:
        told = bundle_archive.write(out, wanted.items())
    assert told == digest(target.read_bytes())
    with zipfile.ZipFile(target) as zip:
        assert zip.testzip() is None
        assert zip.namelist() == list(wanted)
        assert zip.read("memory/größe/00002.md") == b"xx"
        assert {info.date_time for info in zip.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_pipe_or_a_device_is_refused_and_not_waited_for(memory: Memory, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (str(pipe), "/dev/null", "/dev/zero"):
        with pytest.raises(FormatError, match="is a pipe, folder or device"):
            memory.snapshots.merge(path)
    with pytest.raises(UserError, match="is a pipe or device"):
        memory.snapshots.make(str(pipe))
    sent = memory.snapshots.make(str(tmp_path / "out.mdmem"))
    os.unlink(sent.signature)
    os.mkfifo(sent.signature)
    with pytest.raises(IntegrityError, match="is no signature of a snapshot"):
        memory.snapshots.merge(sent.path)
