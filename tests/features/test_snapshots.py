"""Snapshots: a vault goes out as one file, another copy works in it, and everything comes back."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from markdown_memory.errors import AccessError, ConflictError, IntegrityError, UserError
from markdown_memory.features.vaults.trusting import trust
from markdown_memory.memory import Memory, Places, default_places
from tests.conftest import Clock, tree

NOTES = "memory/project/main"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Places:
    """Another machine."""
    return default_places(str(tmp_path / "home-elsewhere"))


Travel = Callable[..., Memory]


@pytest.fixture
def travel(memory: Memory, tmp_path: Path, clock: Clock) -> Iterator[Travel]:
    """Send the vault out and open it as another copy: on this machine, or with the places of another one."""
    opened: list[Memory] = []

    def go(places: Places | None = None, name: str = "copy") -> Memory:
        there = places or memory.workspace.places
        sent = memory.snapshots.make(str(tmp_path / f"{name}.mdmem"))
        folder = tmp_path / name
        from markdown_memory.features.snapshots import making

        making.unpack(there, sent.path, str(folder), None)
        trust(str(folder), places=there, clock=clock)
        clock.move(60)
        opened.append(Memory.open(str(folder), places=there, clock=clock, cwd=str(folder)))
        return opened[-1]

    yield go
    for one in opened:
        one.close()


def sent_back(copy: Memory, tmp_path: Path, name: str = "back") -> str:
    return copy.snapshots.make(str(tmp_path / f"{name}.mdmem")).path


def body(memory: Memory, name: str) -> str:
    return memory.show(name).body.strip()


def fill(memory: Memory) -> None:
    memory.store("tea", "Green\n\nHot\n\nDaily", type="user")
    memory.store("deploy", "On Tuesdays.")
    memory.store("old-rule", "No longer.")


def test_what_another_copy_did_comes_back_whole(memory: Memory, travel: Travel, tmp_path: Path) -> None:
    fill(memory)
    copy = travel()
    copy.store("new-fact", "Learned there.")
    copy.edit("tea", body="White\n\nHot\n\nDaily\n")
    copy.rename("deploy", "deploy-day")
    copy.forget("old-rule", "wrong")
    copy.log.append("worked elsewhere")
    memory.edit("tea", body="Green\n\nHot\n\nTwice a day\n")
    report = memory.snapshots.merge(sent_back(copy, tmp_path))
    assert body(memory, "tea") == "White\n\nHot\n\nTwice a day"
    assert body(memory, "new-fact") == "Learned there."
    assert memory.show("deploy-day").path == f"{NOTES}/deploy-day.md"
    root = Path(memory.workspace.root)
    assert not (root / f"{NOTES}/deploy.md").exists()
    assert not (root / f"{NOTES}/old-rule.md").exists()
    assert (root / f"archive/{NOTES}/old-rule.md").exists()
    assert "worked elsewhere" in [line.text for line in memory.log.read()]
    assert report.counts["conflicts"] == 0
    assert report.counts["imported"] == 2  # the new note, and the forgotten one in the archive
    assert memory.verify().sound, memory.verify().problems


def test_the_work_of_another_machine_comes_back_signed_by_its_own_keys(
    memory: Memory, travel: Travel, elsewhere: Places, tmp_path: Path
) -> None:
    fill(memory)
    copy = travel(elsewhere)
    copy.store("new-fact", "Learned there.")
    back = sent_back(copy, tmp_path)
    with pytest.raises(IntegrityError, match="nobody of this vault has confirmed") as refused:
        memory.snapshots.merge(back)
    assert memory.snapshots.diff(back).notices
    key = str(refused.value).split("--key ")[1].split(". ")[0]
    memory.snapshots.merge(back, key=key)
    assert body(memory, "new-fact") == "Learned there."
    assert memory.verify().sound, memory.verify().problems


def test_a_diff_says_what_a_merge_would_do_and_writes_nothing(memory: Memory, travel: Travel, tmp_path: Path) -> None:
    fill(memory)
    copy = travel()
    copy.store("new-fact", "Learned there.")
    back = sent_back(copy, tmp_path)
    before = tree(Path(memory.workspace.root))
    seen = memory.snapshots.diff(back)
    assert tree(Path(memory.workspace.root)) == before
    done = memory.snapshots.merge(back)
    assert seen.changes == done.changes
    assert seen.counts == done.counts
    assert [(one.verb, one.path) for one in done.changes] == [("take", f"{NOTES}/new-fact.md")]


def test_merging_twice_changes_nothing(memory: Memory, travel: Travel, tmp_path: Path) -> None:
    fill(memory)
    copy = travel()
    copy.edit("deploy", body="On Mondays.")
    memory.edit("deploy", body="On Fridays.")
    back = sent_back(copy, tmp_path)
    memory.snapshots.merge(back, strategy="ask")
    before = tree(Path(memory.workspace.root))
    again = memory.snapshots.merge(back, strategy="ask")
    assert again.changes == ()
    assert tree(Path(memory.workspace.root)) == before


@pytest.mark.parametrize(
    ("strategy", "here", "folder"),
    [
        ("local_wins", "On Fridays.", f"archive/{NOTES}"),
        ("remote_wins", "On Mondays.", f"archive/{NOTES}"),
        ("newer_wins", "On Fridays.", f"archive/{NOTES}"),
        ("merge", "On Fridays.", f"archive/{NOTES}"),
        ("keep_both", "On Fridays.", NOTES),
        ("ask", "On Fridays.", "inbox/ana"),
    ],
)
def test_the_strategy_decides_about_the_same_lines_and_keeps_the_other_version(
    memory: Memory, travel: Travel, tmp_path: Path, clock: Clock, strategy: str, here: str, folder: str
) -> None:
    fill(memory)
    copy = travel()
    copy.edit("deploy", body="On Mondays.")
    clock.move(60)
    memory.edit("deploy", body="On Fridays.")
    report = memory.snapshots.merge(sent_back(copy, tmp_path), strategy=strategy)
    (conflict,) = report.conflicts
    assert conflict.path == f"{NOTES}/deploy.md"
    assert (Path(memory.workspace.root) / conflict.path).read_text().endswith(here + "\n")
    (kept,) = conflict.kept
    assert kept.rpartition("/")[0] == folder
    other = "On Mondays." if here == "On Fridays." else "On Fridays."
    assert other in (Path(memory.workspace.root) / kept).read_text()
    assert memory.verify().sound


def test_a_question_of_a_merge_is_answered_in_the_review(memory: Memory, travel: Travel, tmp_path: Path) -> None:
    fill(memory)
    copy = travel()
    copy.edit("deploy", body="On Mondays.")
    memory.edit("deploy", body="On Fridays.")
    memory.snapshots.merge(sent_back(copy, tmp_path), strategy="ask")
    (waiting,) = memory.inbox.list()
    assert waiting.text == "On Mondays."
    memory.inbox.accept(waiting.ref, replace=True)
    assert body(memory, "deploy") == "On Mondays."


def test_an_edit_by_hand_is_never_the_older_one(memory: Memory, travel: Travel, tmp_path: Path, clock: Clock) -> None:
    fill(memory)
    copy = travel()
    clock.move(3600)
    copy.edit("deploy", body="On Mondays.")
    path = Path(memory.workspace.root) / NOTES / "deploy.md"
    path.write_text(path.read_text().replace("On Tuesdays.", "By hand."))
    memory.snapshots.merge(sent_back(copy, tmp_path), strategy="newer_wins")
    assert body(memory, "deploy") == "By hand."


def test_the_same_vault_gives_the_same_bytes_and_is_not_written(memory: Memory, vault: Path, tmp_path: Path) -> None:
    fill(memory)
    before = tree(vault)
    one = memory.snapshots.make(str(tmp_path / "one.mdmem"))
    other = memory.snapshots.make(str(tmp_path / "other.mdmem"))
    assert (tmp_path / "one.mdmem").read_bytes() == (tmp_path / "other.mdmem").read_bytes()
    assert one.sha256 == other.sha256
    assert tree(vault) == before


def test_private_notes_hidden_files_and_views_stay_at_home(memory: Memory, vault: Path, tmp_path: Path) -> None:
    (vault / "memory/private/lyra/user").mkdir(parents=True)
    (vault / "memory/private/lyra/user/secret.md").write_text("secret")
    (vault / ".obsidian").mkdir(exist_ok=True)
    (vault / ".obsidian/app.json").write_text("{}")
    (vault / "tea (Ana's conflicted copy 2026-01-01).md").write_text("copy")
    memory.log.append("hello")
    memory.snapshots.make(str(tmp_path / "out.mdmem"))
    from zipfile import ZipFile

    with ZipFile(tmp_path / "out.mdmem") as zip:
        names = zip.namelist()
    assert not [name for name in names if "private" in name or "conflicted" in name or name[6:] == "live-context.md"]
    assert [name for name in names if name.startswith(".")] == [".mdmem/snapshot.json"]


def test_two_folders_are_merged_as_a_file_is(memory: Memory, travel: Travel, tmp_path: Path) -> None:
    fill(memory)
    copy = travel()
    copy.store("new-fact", "Learned there.")
    copy.edit("deploy", body="On Mondays.")
    memory.edit("tea", body="Black\n")
    report = memory.snapshots.merge(copy.workspace.root)
    assert {one.path for one in report.changes} == {f"{NOTES}/new-fact.md", f"{NOTES}/deploy.md"}
    copy.snapshots.merge(memory.workspace.root)
    for path in ("memory/user/tea.md", f"{NOTES}/deploy.md", f"{NOTES}/new-fact.md", "MEMORY.md"):
        assert (Path(memory.workspace.root) / path).read_bytes() == (Path(copy.workspace.root) / path).read_bytes()
    assert copy.verify().sound


def test_three_copies_that_know_each_other_only_through_snapshots_lose_nothing(
    memory: Memory, travel: Travel, tmp_path: Path
) -> None:
    fill(memory)
    one = travel(name="one")
    memory.store("only-here", "Made at home.")
    other = travel(name="other")
    one.store("from-one", "One.")
    other.store("from-other", "Other.")
    other.forget("only-here", "not needed")
    one.snapshots.merge(sent_back(other, tmp_path, "other-back"))
    assert {"from-one", "from-other"} <= {note.name for note in one.list()}
    memory.snapshots.merge(sent_back(one, tmp_path, "one-back"))
    names = {note.name for note in memory.list(all=True)}
    assert {"from-one", "from-other", "tea", "deploy"} <= names
    assert "only-here" not in names
    assert memory.verify().sound


def test_a_namespace_travels_alone_and_what_it_lacks_is_not_removed(
    memory: Memory, travel: Travel, tmp_path: Path, elsewhere: Places
) -> None:
    fill(memory)
    copy = travel()
    copy.store("new-fact", "Learned there.")
    copy.store("milk", "No.", type="user")
    path = copy.snapshots.make(str(tmp_path / "part.mdmem"), namespaces=["user"]).path
    report = memory.snapshots.merge(path)
    assert [one.path for one in report.changes] == ["memory/user/milk.md"]
    assert body(memory, "deploy") == "On Tuesdays."


def test_an_agent_may_look_and_not_merge(memory: Memory, lyra: Memory, travel: Travel, tmp_path: Path) -> None:
    copy = travel()
    copy.store("new-fact", "Learned there.")
    back = sent_back(copy, tmp_path)
    assert lyra.snapshots.diff(back).counts["imported"] == 1
    with pytest.raises(AccessError, match="Only a person merges"):
        lyra.snapshots.merge(back)


def test_another_vault_is_refused(memory: Memory, tmp_path: Path, clock: Clock) -> None:
    places = default_places(str(tmp_path / "other-home"))
    with Memory.init(str(tmp_path / "stranger"), agents=["lyra"], person="eve", places=places, clock=clock) as stranger:
        path = stranger.snapshots.make(str(tmp_path / "stranger.mdmem")).path
    with pytest.raises(ConflictError, match="comes from another vault"):
        memory.snapshots.merge(path)


def test_a_snapshot_goes_nowhere_into_the_vault(memory: Memory, vault: Path) -> None:
    with pytest.raises(UserError, match="name a file elsewhere"):
        memory.snapshots.make(str(vault / "out.mdmem"))
