"""Whatever lies in the vault, and whatever is asked for: a clear sentence, nothing lost, nothing else stopped."""

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from markdown_memory.errors import (
    AccessError,
    Ambiguous,
    ConflictError,
    FormatError,
    MarkdownMemoryError,
    NotFound,
    StorageError,
    UserError,
)
from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places
from tests.conftest import Clock, Note, Open, tree


def almighty() -> bool:
    """Whether this user writes where the mode bits forbid it, as root does."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        return os.access(folder, os.W_OK)


ordinary = pytest.mark.skipif(almighty(), reason="mode bits do not bind this user")
BROKEN = Path(__file__).parents[1] / "golden" / "broken"


def everything_else_works(memory: Memory) -> None:
    """A good note beside the bad one is stored, listed, found, shown and stands in the index."""
    memory.store("good-neighbour", "A good neighbour sings.")
    assert "good-neighbour" in [header.name for header in memory.list()]
    assert memory.show("good-neighbour").body == "A good neighbour sings.\n"
    assert [hit.name for hit in memory.search("neighbour sings").hits][:1] == ["good-neighbour"]
    assert "good-neighbour" in memory.context().text
    assert "[good-neighbour](" in (Path(memory.workspace.root) / "MEMORY.md").read_text()


def problems(memory: Memory, path: str) -> set[str]:
    return {problem.code for problem in memory.doctor() if problem.path == path}


def test_an_unknown_name(memory: Memory) -> None:
    memory.store("oauth-refresh", "R.")
    with pytest.raises(NotFound, match=r"no note called 'oauth-refesh'.*Did you mean 'oauth-refresh'"):
        memory.show("oauth-refesh")


def test_an_ambiguous_name(memory: Memory, note: Note) -> None:
    note("memory/project/main/a/x.md", "One.\n")
    note("memory/project/main/b/x.md", "Two.\n")
    with pytest.raises(Ambiguous, match=r"memory/project/main/a/x.md\n  memory/project/main/b/x.md"):
        memory.show("x")


@pytest.mark.parametrize("name", sorted(path.name for path in BROKEN.glob("*.md")))
def test_a_broken_file_keeps_its_bytes_and_stops_nothing(memory: Memory, note: Note, name: str) -> None:
    data = (BROKEN / name).read_bytes()
    path = note(f"memory/project/main/{name}", data)
    everything_else_works(memory)
    shown = memory.show(f"memory/project/main/{name}")
    assert shown.data == data
    if name != "empty.md":
        assert problems(memory, f"memory/project/main/{name}")
    assert path.read_bytes() == data
    forgotten = memory.forget(f"memory/project/main/{name}")
    assert memory.restore(forgotten.archived).data == data


@pytest.mark.parametrize("name", ["broken-yaml.md", "frontmatter-is-a-list.md", "duplicate-keys.md"])
def test_a_broken_block_is_never_rewritten_or_doubled(memory: Memory, note: Note, name: str) -> None:
    data = (BROKEN / name).read_bytes()
    path = note(f"memory/project/main/{name}", data)
    with pytest.raises(FormatError):
        memory.edit(f"memory/project/main/{name}", set={"importance": 0.9})
    with pytest.raises(FormatError):
        memory.rename(f"memory/project/main/{name}", "another")
    assert path.read_bytes() == data


def test_a_key_called_content(memory: Memory, note: Note) -> None:
    path = note("memory/project/main/x.md", "---\ncontent: mine\nhandler: too\n---\nBody.\n")
    memory.edit("x", set={"importance": 1})
    assert path.read_text() == "---\ncontent: mine\nhandler: too\nimportance: 1\n---\nBody.\n"


def test_a_note_of_50_megabytes(memory: Memory, note: Note) -> None:
    path = note("memory/project/main/huge.md", b"word " * 10_000_000)
    everything_else_works(memory)
    with pytest.raises(FormatError, match=r"huge.md has 50,000,000 bytes"):
        memory.show("huge")
    assert "note-too-large" in problems(memory, "memory/project/main/huge.md")
    assert path.stat().st_size == 50_000_000


def test_what_would_be_too_long_to_read_again_is_not_written(memory: Memory, lyra: Memory, vault: Path) -> None:
    memory.store("short", "Short.")
    before = tree(vault)
    long = "word " * 1_000_000
    for write in (
        lambda: memory.store("long", long),
        lambda: memory.edit("short", body=long),
        lambda: lyra.retain(long, name="long"),
    ):
        with pytest.raises(UserError, match=r"would have 5,000,\d+ bytes, .* nothing was written"):
            write()
    assert tree(vault) == before


@pytest.mark.parametrize("name", ["👩‍👧 party", "中文笔记", "Cafe\u0301", "{", "ﬁn", "a" * 200])
def test_names_of_every_kind(memory: Memory, name: str) -> None:
    stored = memory.store(name, "Text.")
    assert memory.show(name).path == stored.path
    assert memory.show(stored.path).header.name == name
    everything_else_works(memory)


def test_a_file_in_decomposed_unicode_is_one_note_and_is_found_either_way(
    memory: Memory, note: Note, vault: Path
) -> None:
    note("memory/project/main/cafe\u0301.md", "Decomposed.\n")
    assert memory.show("caf\u00e9").body == "Decomposed.\n"
    assert memory.show("cafe\u0301").body == "Decomposed.\n"
    memory.edit("caf\u00e9", body="Edited.")
    assert os.listdir(vault / "memory/project/main") == ["cafe\u0301.md"]


def test_names_that_differ_only_in_case(memory: Memory, note: Note) -> None:
    note("memory/project/main/Note.md", "Upper.\n")
    note("memory/project/main/note.md", "Lower.\n")
    assert memory.show("Note").body == "Upper.\n"
    assert memory.show("note").body == "Lower.\n"
    assert "name-differs-by-case" in problems(memory, "memory/project/main/note.md")
    everything_else_works(memory)


def test_a_link_out_of_the_vault(memory: Memory, vault: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("The secret word is xyzzy.\n")
    (vault / "memory/project/main/out.md").symlink_to(secret)
    (vault / "memory/project/outside").symlink_to(tmp_path)
    everything_else_works(memory)
    assert memory.search("xyzzy").hits == ()
    with pytest.raises((AccessError, NotFound)):
        memory.show("memory/project/main/out.md")
    assert any("out of the vault" in problem.message for problem in memory.doctor())
    assert secret.read_text() == "The secret word is xyzzy.\n"


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "memory/../../secret.md"])
def test_a_path_out_of_the_vault_is_no_name(memory: Memory, name: str) -> None:
    with pytest.raises(NotFound):
        memory.show(name)


def test_a_folder_called_like_a_note(memory: Memory, vault: Path) -> None:
    (vault / "memory/project/main/x.md").mkdir(parents=True)
    everything_else_works(memory)
    assert memory.store("x", "A note of that name.").path == "memory/project/main/x-2.md"


@ordinary
def test_an_unreadable_file(memory: Memory, note: Note) -> None:
    path = note("memory/project/main/closed.md", "Closed.\n")
    path.chmod(0)
    everything_else_works(memory)
    with pytest.raises(StorageError, match="permission denied"):
        memory.show("closed")
    assert "note-unreadable" in problems(memory, "memory/project/main/closed.md")


@ordinary
def test_a_read_only_vault_is_read(memory: Memory, vault: Path) -> None:
    memory.store("x", "Readable.")
    for folder in [vault, *(path for path in vault.rglob("*") if path.is_dir())]:
        folder.chmod(0o555)
    try:
        assert memory.show("x").body == "Readable.\n"
        assert memory.search("readable").hits
        assert "x" in memory.context().text
        with pytest.raises(StorageError, match="permission denied"):
            memory.store("y", "Not written.")
    finally:
        for folder in [vault, *(path for path in vault.rglob("*") if path.is_dir())]:
            folder.chmod(0o755)


def test_a_full_disk_loses_nothing(memory: Memory, vault: Path, places: Places) -> None:
    memory.store("before", "B.")
    before = tree(vault)
    code = f"""
import resource
from tests.system.worker import open_vault
memory = open_vault({str(vault)!r}, {os.path.dirname(places.config)!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
memory.store("big", "word " * 10_000)
"""
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
    assert "StorageError" in done.stderr and "big.md was not written" in done.stderr
    assert tree(vault) == before
    assert not list(vault.rglob(".mdmem-*"))
    everything_else_works(memory)


def test_two_commands_at_once(open_as: Open) -> None:
    failed: list[Exception] = []

    def work(who: int) -> None:
        try:
            memory = open_as()
            for number in range(3):
                memory.store(f"note-{who}-{number}", "Text.")
            memory.close()
        except Exception as error:  # noqa: BLE001  (whatever goes wrong in the thread fails the test)
            failed.append(error)

    threads = [threading.Thread(target=work, args=(who,)) for who in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(open_as().list()) == 6


def test_an_edit_against_somebody_elses(memory: Memory, note: Note) -> None:
    memory.store("x", "One.")
    read = memory.show("x")
    note(read.path, read.data + b"By hand.\n")
    with pytest.raises(ConflictError, match="was changed since it was read"):
        memory.edit("x", body="Two.", if_hash=read.header.sha256)


def test_outside_any_git_repository_the_default_branch_counts(open_as: Open, tmp_path: Path) -> None:
    assert open_as(cwd=str(tmp_path)).scope.branch == "main"


def test_a_detached_head_reads_the_default_branch_and_asks_for_one_to_write(
    memory: Memory, open_as: Open, tmp_path: Path
) -> None:
    memory.store("x", "On main.")
    repo = tmp_path / "code"
    git = ["git", "-C", str(repo), "-c", "user.name=a", "-c", "user.email=a@b.example"]
    subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "checkout", "-q", "--detach"], check=True)
    detached = open_as(cwd=str(repo))
    assert detached.show("x").body == "On main.\n"
    with pytest.raises(UserError, match="--branch"):
        detached.store("y", "Where?")
    assert detached.store("z", "Everywhere.", type="user").path == "memory/user/z.md"
    assert open_as(cwd=str(repo), branch="main").store("y", "Here.").path == "memory/project/main/y.md"


def test_an_unknown_vault(tmp_path: Path, places: Places, clock: Clock) -> None:
    with pytest.raises(NotFound, match=r"is no vault.*mdmem init"):
        Memory.open(str(tmp_path / "nothing"), places=places, clock=clock)
    with pytest.raises(NotFound, match=r"No vault belongs to"):
        Memory.open(cwd=str(tmp_path), places=places, clock=clock)


def test_a_vault_that_nobody_has_trusted(vault: Path, tmp_path: Path, clock: Clock) -> None:
    elsewhere = Places(*(str(tmp_path / "other" / one) for one in ("config", "state", "cache")))
    with pytest.raises(AccessError, match="mdmem trust"):
        Memory.open(str(vault), places=elsewhere, clock=clock)


@pytest.mark.parametrize("block", ["store = [", 'store = "always"', "store = 3"])
def test_broken_settings_are_reported_and_fail_closed(vault: Path, open_as: Open, block: str) -> None:
    path = vault / "Settings.md"
    path.write_text(path.read_text().replace('store = "review"', block))
    memory = open_as()
    everything_else_works(memory)
    assert [problem for problem in memory.doctor() if problem.path == "Settings.md"]
    assert open_as("lyra").store("y", "Y.").header.status == "proposal"


def test_a_damaged_catalog_and_state_are_made_anew(memory: Memory, open_as: Open, places: Places) -> None:
    memory.store("x", "X.")
    memory.close()
    for file in Path(places.cache).rglob("*"):
        if file.is_file():
            file.write_bytes(b"garbage")
    again = open_as()
    assert again.show("x").body == "X.\n"
    everything_else_works(again)


def test_a_damaged_memory_index_is_rendered_anew(memory: Memory, vault: Path) -> None:
    index = vault / "MEMORY.md"
    index.write_text(index.read_text().replace("<!-- mdmem:begin", "<<<<<<< HEAD\nMine.\n=======\n<!-- mdmem:begin"))
    everything_else_works(memory)
    assert "Mine." in index.read_text()


def test_an_agent_slug_that_is_none(open_as: Open) -> None:
    with pytest.raises(UserError, match="cannot be an agent's name"):
        open_as("../lyra")


def test_every_refusal_is_one_of_ours(memory: Memory) -> None:
    for act in (
        lambda: memory.show("\0"),
        lambda: memory.show("x" * 100_000),
        lambda: memory.forget(""),
        lambda: memory.restore("nothing"),
        lambda: memory.rename("nothing", "x"),
        lambda: memory.edit("nothing", body=""),
        lambda: memory.retain(" \n"),
        lambda: memory.store("x", "y", namespace="nonsense"),
        lambda: memory.inbox.accept("99999999999999999999"),
    ):
        with pytest.raises(MarkdownMemoryError):
            act()
