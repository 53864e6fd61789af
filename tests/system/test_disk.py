"""What the disk can do to a vault: full, read-only, unreadable, too small for a file."""

from pathlib import Path

from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places
from tests.system.restricted import on_small_disk, ordinary

OPEN = """
import os, sys
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places

places = default_places(sys.argv[2])

def opened(path=None):
    return Memory.open(path or sys.argv[1], places=places, cwd="/")

def refused(act):
    try:
        act()
    except MarkdownMemoryError as error:
        return print(type(error).__name__, error)
    print("done")

def left_over(root):
    return [name for _, _, names in os.walk(root) for name in names if name.endswith(".tmp")]
"""


def test_on_a_full_disk_nothing_is_lost_and_it_goes_on_when_there_is_room(tmp_path: Path, places: Places) -> None:
    (tmp_path / "disk").mkdir()
    code = (
        OPEN
        + """
root = sys.argv[1] + "/v"
Memory.init(root, agents=["lyra"], person="ana", places=places).close()
memory = opened(root)
memory.store("a", "first", type="user")
path = root + "/" + memory.show("a").path
before = open(path, "rb").read()
ballast = os.open(sys.argv[1] + "/ballast", os.O_WRONLY | os.O_CREAT)
try:
    while os.write(ballast, b"x" * 4096):
        pass
except OSError:
    os.close(ballast)
refused(lambda: memory.edit("a", body="second " * 4000))
refused(lambda: memory.store("b", "text " * 4000, type="user"))
assert open(path, "rb").read() == before, "the note changed"
assert not left_over(root), left_over(root)
assert [note.name for note in memory.list()] == ["a"], memory.list()
os.unlink(sys.argv[1] + "/ballast")
memory = opened(root)
memory.edit("a", body="third")
memory.store("b", "text", type="user")
print(sorted(note.name for note in memory.list()), memory.show("a").body.strip())
"""
    )
    lines = on_small_disk(code, tmp_path / "disk", "600k", tmp_path / "disk", tmp_path / "home").splitlines()
    for line in lines[:2]:
        assert line.startswith("StorageError ") and "the disk is full: free some space and try again" in line
    assert lines[2] == "['a', 'b'] third"


def test_a_file_that_the_system_allows_no_room_for_is_a_sentence(vault: Path, places: Places, memory: Memory) -> None:
    memory.store("a", "first", type="user")
    code = (
        OPEN
        + """
memory = opened()
refused(lambda: memory.edit("a", body="x" * 300_000))
print(memory.show("a").body.strip(), left_over(sys.argv[1]))
"""
    )
    lines = ordinary(code, vault, Path(places.config).parent, file_limit=200_000).splitlines()
    assert lines[0].startswith("StorageError ") and "raise the limit (`ulimit -f`)" in lines[0]
    assert lines[1] == "first []"


def test_a_read_only_vault_is_read_and_says_why_it_cannot_be_written(
    vault: Path, places: Places, memory: Memory
) -> None:
    memory.store("a", "first", type="user")
    folders = [vault, *(path for path in vault.rglob("*") if path.is_dir())]
    for path in (path for path in vault.rglob("*") if path.is_file()):
        path.chmod(0o444)
    for folder in folders:
        folder.chmod(0o555)
    code = (
        OPEN
        + """
memory = opened()
print([note.name for note in memory.list()], memory.show("a").body.strip())
refused(lambda: memory.store("b", "text", type="user"))
"""
    )
    try:
        lines = ordinary(code, vault, Path(places.config).parent).splitlines()
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert lines[0] == "['a'] first"
    assert lines[1].startswith("StorageError ") and "permission denied" in lines[1]


def test_unreadable_notes_and_folders_stop_nothing_and_are_not_taken_for_gone(
    vault: Path, places: Places, memory: Memory
) -> None:
    for name in ("good", "closed"):
        memory.store(name, f"{name} text", type="user")
    for number in range(12):
        memory.store(f"n{number}", "text", type="project")
    (vault / "memory" / "user" / "closed.md").chmod(0)
    (vault / "memory" / "project").chmod(0)
    code = (
        OPEN
        + """
memory = opened()
changes = memory.workspace.catalog.refresh()
print(len(memory.workspace.catalog.headers(("accepted",))), changes.removed, changes.missing)
print(sorted((one.code, one.path) for one in changes.problems))
print(memory.show("good").body.strip())
refused(lambda: memory.show("closed"))
"""
    )
    try:
        lines = ordinary(code, vault, Path(places.config).parent).splitlines()
    finally:
        (vault / "memory" / "project").chmod(0o755)
    assert lines[:3] == ["14 () ()", "[('folder-unreadable', 'memory/project')]", "good text"]
    assert lines[3].startswith("StorageError memory/user/closed.md cannot be read: permission denied")


def test_a_home_without_permission_is_a_sentence_and_no_folder_is_made(vault: Path, tmp_path: Path) -> None:
    home = tmp_path / "locked"
    home.mkdir()
    home.chmod(0o555)
    code = OPEN + 'refused(lambda: Memory.init(sys.argv[1] + "2", places=places))\n'
    line = ordinary(code, vault, home / "mdmem")
    assert line.startswith("StorageError ") and "permission denied" in line and "MDMEM_HOME" in line


def test_a_cache_that_cannot_be_kept_costs_time_and_nothing_else(vault: Path, places: Places, memory: Memory) -> None:
    memory.store("a", "first", type="user")
    memory.close()
    for path in (Path(places.cache), *Path(places.cache).rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    code = OPEN + "memory = opened()\nprint([note.name for note in memory.list()])\n"
    try:
        assert ordinary(code, vault, Path(places.config).parent) == "['a']\n"
    finally:
        for path in (Path(places.cache), *Path(places.cache).rglob("*")):
            path.chmod(0o755)
