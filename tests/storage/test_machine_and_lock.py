"""Which machine this is, and one writer at a time."""

import multiprocessing
from pathlib import Path

import pytest

from markdown_memory.errors import StorageError
from markdown_memory.storage import machine
from markdown_memory.storage.writer_lock import writer_lock


def test_a_machine_stays_the_same_and_does_not_tell_its_own_identifier(tmp_path: Path) -> None:
    word = machine.machine_id(str(tmp_path))
    assert word == machine.machine_id(str(tmp_path / "elsewhere")) or not Path("/etc/machine-id").exists()
    assert len(word) == 20 and int(word, 16)
    for file in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        if Path(file).exists():
            assert word not in Path(file).read_text()


def test_without_an_identifier_of_the_system_a_copied_state_folder_is_another_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_FILES", ())
    one = tmp_path / "one"
    word = machine.machine_id(str(one))
    assert machine.machine_id(str(one)) == word
    (tmp_path / "two").mkdir()
    (tmp_path / "two/machine").write_bytes((one / "machine").read_bytes())
    assert machine.machine_id(str(tmp_path / "two")) != word


def hold(path: str, ready: str, done: str) -> None:
    with writer_lock(path, "The log of lyra", 5):
        Path(ready).touch()
        while not Path(done).exists():
            pass


def test_a_busy_lock_ends_in_a_sentence_and_is_free_when_its_holder_dies(tmp_path: Path) -> None:
    lock, ready, done = (str(tmp_path / name) for name in ("folder/lock", "ready", "done"))
    process = multiprocessing.get_context("spawn").Process(target=hold, args=(lock, ready, done))
    process.start()
    while not Path(ready).exists():
        assert process.is_alive()
    with pytest.raises(StorageError, match=r"The log of lyra is being written by another process; waited 0\.01 s"):
        with writer_lock(lock, "The log of lyra", 0.01):
            pass
    process.kill()
    process.join()
    with writer_lock(lock, "The log of lyra", 5):
        pass
