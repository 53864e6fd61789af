"""One writer at a time."""

import os
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from markdown_memory.errors import StorageError
from markdown_memory.storage.locks import file_lock, vault_lock

HOLD = """
import sys
from markdown_memory.storage.locks import vault_lock
with vault_lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(root: Path) -> "subprocess.Popen[str]":
    """Another process that holds the vault until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_held_vault_names_who_holds_it(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        with pytest.raises(StorageError, match=rf"is being changed by process {process.pid}; waited 0.2 s. Try again"):
            with vault_lock(str(tmp_path), timeout=0.2):
                pass
        process.communicate("")
    with vault_lock(str(tmp_path), timeout=5):
        pass


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        process.kill()
        process.wait()
        with vault_lock(str(tmp_path), timeout=5):
            pass


def test_two_threads_of_one_process_take_turns(tmp_path: Path) -> None:
    inside: list[int] = []
    together: list[int] = []

    def work() -> None:
        for _ in range(5):
            with vault_lock(str(tmp_path), timeout=30):
                inside.append(1)
                together.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [1] * 15


def test_the_lock_file_stays_empty_and_git_sees_none_of_it(tmp_path: Path) -> None:
    with vault_lock(str(tmp_path)):
        pass
    folder = tmp_path / ".mdmem"
    assert sorted(os.listdir(folder)) == [".gitignore", "lock", "lock-holder"]
    assert (folder / "lock").read_bytes() == b""
    assert (folder / ".gitignore").read_text() == "*\n"


def test_the_lock_is_given_back_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="inside"):
        with vault_lock(str(tmp_path)):
            raise ValueError("inside")
    with vault_lock(str(tmp_path), timeout=0.1):
        pass


def test_a_vault_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"There is no .*gone"):
        with vault_lock(str(tmp_path / "gone")):
            pass


def test_a_lock_outside_the_vault_makes_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "state" / "writer.lock"
    with file_lock(str(path), "The log of lyra"):
        with pytest.raises(StorageError, match="The log of lyra is being changed by another process"):
            with file_lock(str(path), "The log of lyra", timeout=0.05):
                pass


FOREIGN = """
import sys
from filelock import FileLock
with FileLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_programs_that_lock_the_same_file_by_filelock_are_waited_for_and_wait(tmp_path: Path) -> None:
    with vault_lock(str(tmp_path)):
        pass
    lock = str(tmp_path / ".mdmem" / "lock")
    with subprocess.Popen(
        [sys.executable, "-c", FOREIGN, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        with pytest.raises(StorageError, match="is being changed by"):
            with vault_lock(str(tmp_path), timeout=0.05):
                pass
        other.communicate(b"")
    foreign = FileLock(lock)
    with vault_lock(str(tmp_path)), pytest.raises(Timeout):
        foreign.acquire(timeout=0)
    with foreign, pytest.raises(StorageError):
        with vault_lock(str(tmp_path), timeout=0.05):
            pass


def test_who_gave_up_waiting_does_not_get_the_lock_later(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        for _ in range(3):
            with pytest.raises(StorageError):
                with vault_lock(str(tmp_path), timeout=0.02):
                    pass
        process.communicate("")
    for _ in range(3):
        with vault_lock(str(tmp_path), timeout=5):
            pass


def test_who_comes_back_at_once_does_not_push_in_before_those_who_wait(tmp_path: Path) -> None:
    turns: list[int] = []

    def work(who: int) -> None:
        for _ in range(15):
            with vault_lock(str(tmp_path), timeout=30):
                turns.append(who)
                for _ in range(2000):  # long enough for the others to queue up
                    os.stat(tmp_path)

    threads = [threading.Thread(target=work, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = sum(one == other for one, other in pairwise(turns[4:48]))
    assert again < 10, turns
