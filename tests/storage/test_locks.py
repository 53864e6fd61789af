"""One writer at a time."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

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
