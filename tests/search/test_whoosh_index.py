"""The index on Whoosh: the contract, and how it survives what happens to its files."""

import gc
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from markdown_memory.core.query import parse
from markdown_memory.errors import StorageError
from markdown_memory.search import whoosh_index, whoosh_schema
from markdown_memory.search.lock import locked
from markdown_memory.search.port import Change, Filter, FullText
from markdown_memory.search.whoosh_index import WhooshIndex
from tests.contracts.full_text import MORNING, FullTextContract, apply, doc, paths


class TestKeptInMemory(FullTextContract):
    def create(self, folder: str) -> FullText:
        return WhooshIndex(folder)


class TestCommittedAtOnce(FullTextContract):
    def create(self, folder: str) -> FullText:
        return WhooshIndex(folder, in_memory=0)


def unknown_layout(*_: object) -> None:
    raise ValueError("another layout")


class TestReadByWhoosh(FullTextContract):
    @pytest.fixture(autouse=True)
    def _no_fast_reader(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(whoosh_index, "Segment", unknown_layout)

    def create(self, folder: str) -> FullText:
        return WhooshIndex(folder, in_memory=0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    index = WhooshIndex(str(tmp_path / "index"))
    apply(index, MORNING, (), 7)
    index.close()
    return tmp_path / "index"


def home(folder: Path) -> Path:
    (found,) = folder.glob("index-*")
    return found


def test_an_unknown_layout_is_read_by_whoosh_and_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whoosh_index, "Segment", unknown_layout)
    index = WhooshIndex(str(folder))
    found = index.search(parse("database"), 5, Filter())
    index.close()
    assert len(found.hits) == 2
    assert "Whoosh itself reads it" in found.notices[0]


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # Whoosh, when it cannot read what it opened
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("pattern", ["*.trm", "*.pst", "*path.col", "*_text_len.col"])
@pytest.mark.parametrize("damage", [b"", b"junk" * 100])
def test_a_damaged_file_ends_in_a_rebuild_and_not_in_an_error(folder: Path, pattern: str, damage: bytes) -> None:
    (file,) = home(folder).glob(pattern)
    file.write_bytes(damage)
    index = WhooshIndex(str(folder))
    index.search(parse("database Frankfurt"), 5, Filter())
    if index.generation() < 0:
        apply(index, MORNING, (), 8)
    assert len(paths(index, "database")) == 2
    index.close()
    gc.collect()


@pytest.mark.parametrize("pattern", ["*.trm", "*.pst", "*path.col", "*place.col", "*_text_len.col", "../state.json"])
def test_a_single_changed_byte_anywhere_is_noticed_when_the_index_is_opened(folder: Path, pattern: str) -> None:
    (file,) = home(folder).glob(pattern) if "/" not in pattern else [folder / "state.json"]
    whole = file.read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x04]) + whole[at + 1 :])
        index = WhooshIndex(str(folder))
        assert index.generation() == -1, at
        index.close()
    file.write_bytes(whole)
    assert len(paths(WhooshIndex(str(folder)), "database")) == 2


def test_an_index_that_was_copied_elsewhere_is_read_once_and_believed(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy", copy_function=shutil.copyfile)
    assert len(paths(WhooshIndex(str(tmp_path / "copy")), "database")) == 2


@pytest.mark.parametrize("pattern", ["*.trm", "*.pst"])
def test_a_missing_file_ends_in_a_rebuild(folder: Path, pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whoosh_index, "_OPEN_TRIES", 2)
    (file,) = home(folder).glob(pattern)
    file.unlink()
    index = WhooshIndex(str(folder))
    assert index.generation() == -1
    apply(index, MORNING, (), 8)
    assert len(paths(index, "database")) == 2


def test_another_version_is_built_anew_and_the_old_folder_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = home(folder)
    monkeypatch.setattr(whoosh_index, "VERSION", "next")
    index = WhooshIndex(str(folder))
    assert index.generation() == -1
    apply(index, MORNING, (), 8)
    assert index.generation() == 8
    assert home(folder) != before


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"\xff\xfe"])
def test_a_broken_state_file_ends_in_a_rebuild(folder: Path, content: bytes) -> None:
    (folder / "state.json").write_bytes(content)
    index = WhooshIndex(str(folder))
    assert index.generation() == -1
    apply(index, MORNING, (), 8)
    assert len(paths(index, "database")) == 2


def test_an_index_that_vanishes_while_open_is_noticed(folder: Path) -> None:
    index = WhooshIndex(str(folder))
    assert paths(index, "database")
    shutil.rmtree(folder)
    assert index.generation() == -1


def test_a_reader_sees_what_another_process_committed(folder: Path) -> None:
    reader, writer = WhooshIndex(str(folder)), WhooshIndex(str(folder), in_memory=0)
    assert paths(reader, "walrus") == []
    apply(writer, [doc("memory/project/main/walrus.md", "A walrus.")], (), 8)
    assert paths(reader, "walrus") == ["memory/project/main/walrus.md"]
    assert reader.generation() == 8


def test_what_is_in_memory_gives_way_to_a_newer_commit(folder: Path) -> None:
    reader, writer = WhooshIndex(str(folder)), WhooshIndex(str(folder), in_memory=0)
    apply(reader, [doc("memory/project/main/walrus.md", "A walrus.")], (), 8)
    apply(writer, [doc("memory/project/main/walrus.md", "A capybara.")], (), 9)
    assert paths(reader, "walrus") == ["memory/project/main/walrus.md"]  # by its name
    assert paths(reader, "capybara") == ["memory/project/main/walrus.md"]
    assert reader.generation() == 9


def test_a_held_lock_is_a_sentence_after_the_timeout(folder: Path) -> None:
    with locked(str(folder), 1.0):
        blocked = WhooshIndex(str(folder), lock_seconds=0.05, in_memory=0)
        with pytest.raises(StorageError, match="another process"):
            apply(blocked, [doc("memory/project/main/x.md", "x")], (), 8)


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("a file where the folder should be")
    with pytest.raises(StorageError, match="could not be written"):
        apply(WhooshIndex(str(tmp_path / "index")), MORNING, (), 1)


def test_writers_take_turns(folder: Path) -> None:
    def write(letter: str) -> None:
        index = WhooshIndex(str(folder), in_memory=0)
        for n in range(5):
            new = [doc(f"memory/project/main/{letter}{n}.md", f"walrus {letter}")]
            while not index.apply(Change(new, (), index.generation(), index.generation() + 1)):
                pass

    threads = [threading.Thread(target=write, args=(letter,)) for letter in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(paths(WhooshIndex(str(folder)), "walrus", limit=50)) == 15


def test_readers_are_never_disturbed_by_a_writer(folder: Path) -> None:
    writer, failed = WhooshIndex(str(folder), in_memory=0), []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            if len(paths(WhooshIndex(str(folder)), "database")) != 2:
                failed.append("a note was missing")

    reader = threading.Thread(target=read)
    reader.start()
    for n in range(15):
        apply(writer, [doc(f"memory/project/main/w{n}.md", f"walrus {n}")], (), 8 + n)
    done.set()
    reader.join()
    assert failed == []


def test_small_segments_are_merged(folder: Path) -> None:
    index = WhooshIndex(str(folder), in_memory=0)
    for n in range(40):
        apply(index, [doc(f"memory/project/main/w{n}.md", f"walrus {n}")], (), 8 + n)
    assert len(list(home(folder).glob("*.trm"))) <= 12
    assert len(paths(index, "walrus", limit=99)) == 40


def test_searching_with_a_fresh_index_does_not_import_whoosh(folder: Path) -> None:
    script = (
        "import sys; from markdown_memory.core.query import parse; from markdown_memory.search.port import Filter;"
        "from markdown_memory.search.whoosh_index import WhooshIndex;"
        f"found = WhooshIndex({str(folder)!r}).search(parse('database'), 5, Filter());"
        "assert len(found.hits) == 2;"
        "print(sorted(m for m in sys.modules if m.startswith('whoosh')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() in ("[]", "['whoosh', 'whoosh.lang', 'whoosh.lang.porter2']")


def test_the_state_names_the_segments_on_disk(folder: Path) -> None:
    described = whoosh_schema.current(str(home(folder)))
    assert [segment["documents"] for segment in described["segments"]] == [len(MORNING)]


def test_a_read_only_index_is_searched_with_what_changed_in_memory(folder: Path) -> None:
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        index = WhooshIndex(str(folder))
        apply(index, [doc("memory/project/main/walrus.md", "A walrus.")], (), 8)
        assert paths(index, "walrus") == ["memory/project/main/walrus.md"]
    finally:
        folder.chmod(stat.S_IRWXU)
