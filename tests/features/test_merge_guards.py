"""What a merge leaves alone or asks about: many removals, protecting settings, odd files, the text of MEMORY.md."""

from pathlib import Path

import pytest

from markdown_memory.core.settings import parse
from markdown_memory.errors import ConflictError
from markdown_memory.memory import Memory
from tests.conftest import tree
from tests.features.test_snapshots import NOTES, Travel, fill, sent_back, travel

__all__ = ["travel"]


def test_a_merge_that_would_remove_many_notes_takes_a_word(memory: Memory, travel: Travel, tmp_path: Path) -> None:
    for number in range(12):
        memory.store(f"note-{number}", "Something.")
    copy = travel()
    for number in range(10):
        Path(copy.workspace.root, NOTES, f"note-{number}.md").unlink()
    back = sent_back(copy, tmp_path)
    before = tree(Path(memory.workspace.root))
    sentence = "would remove 10 of the 12 notes here"
    assert sentence in memory.snapshots.diff(back).notices[0]
    with pytest.raises(ConflictError, match=f"{sentence}.*--allow-removals. Nothing was changed"):
        memory.snapshots.merge(back)
    assert tree(Path(memory.workspace.root)) == before
    assert memory.snapshots.merge(back, allow_removals=True).counts["removed"] == 10


def test_many_renamed_notes_are_no_removals(memory: Memory, travel: Travel, tmp_path: Path) -> None:
    for number in range(10):
        memory.store(f"note-{number}", "Something.")
    copy = travel()
    for number in range(10):
        copy.rename(f"note-{number}", f"other-{number}")
    memory.snapshots.merge(sent_back(copy, tmp_path))
    assert {note.name for note in memory.list()} == {f"other-{number}" for number in range(10)}


@pytest.mark.parametrize("strategy", ["merge", "remote_wins"])
def test_settings_that_protect_get_no_looser_and_the_others_come(
    strategy: str, memory: Memory, travel: Travel, tmp_path: Path
) -> None:
    settings = Path(memory.workspace.root, "Settings.md")
    strict = settings.read_text().replace('integrity = "normal"', 'integrity = "strict"\naudit = true')
    settings.write_text(strict)
    copy = travel()
    there = Path(copy.workspace.root, "Settings.md")
    loose = strict.replace('"strict"', '"normal"', 1).replace('integrity = "strict"', 'integrity = "normal"')
    loose = loose.replace("audit = true\n", "").replace('store = "review"', 'store = "direct"')
    there.write_text(loose.replace("fold_after_days = 30", "fold_after_days = 9"))
    copy.store("new-fact", "Learned there.")
    report = memory.snapshots.merge(sent_back(copy, tmp_path), strategy=strategy)
    found = parse(settings.read_bytes()).settings
    assert (found.store, found.integrity, found.audit, found.fold_after_days) == ("review", "strict", True, 9)
    assert {"`store`", "`integrity`", "`audit`"} <= {word for one in report.notices for word in one.split()}
    assert [one.path for one in report.guiding] == ["Settings.md"]
    assert report.changes[0].path == "Settings.md"


def test_a_policy_or_another_vaults_id_does_not_come_by_a_merge(memory: Memory, travel: Travel, tmp_path: Path) -> None:
    settings = Path(memory.workspace.root, "Settings.md")
    before = settings.read_bytes()
    copy = travel()
    there = Path(copy.workspace.root, "Settings.md")
    there.write_bytes(before.replace(b"[projects.", b'[[auto_accept]]\nagents = ["lyra"]\n\n[projects.', 1))
    report = memory.snapshots.merge(sent_back(copy, tmp_path))
    assert settings.read_bytes() == before
    assert "accepts more without a person" in report.notices[0]
    assert report.changes == ()


def test_what_people_wrote_around_the_index_is_merged_by_lines(memory: Memory, travel: Travel, tmp_path: Path) -> None:
    fill(memory)
    copy = travel()
    for one, line in ((memory, "Ours, below.\n"), (copy, "Theirs, above.\n")):
        page = Path(one.workspace.root, "MEMORY.md")
        text = page.read_text()
        page.write_text(text + line if one is memory else line + text)
    copy.store("new-fact", "Learned there.")
    back = sent_back(copy, tmp_path)
    memory.snapshots.merge(back)
    text = Path(memory.workspace.root, "MEMORY.md").read_text()
    assert text.startswith("Theirs, above.\n") and text.endswith("Ours, below.\n")
    assert "[new-fact]" in text and text.count("mdmem:begin") == 1
    assert memory.snapshots.merge(back).changes == ()
    assert Path(memory.workspace.root, "MEMORY.md").read_text() == text


@pytest.mark.parametrize("strategy", ["merge", "remote_wins", "keep_both"])
def test_odd_files_go_both_ways_and_none_stops_the_rest(
    strategy: str, memory: Memory, travel: Travel, tmp_path: Path
) -> None:
    folder = Path(memory.workspace.root, NOTES)
    odd = {
        "🦊.md": b"fox\n", "cafe\u0301.md": b"nfd\n", "x" * 196 + ".md": b"long\n", "bom.md": b"\xef\xbb\xbfx\n",
        "crlf.md": b"---\r\nname: crlf\r\n---\r\na\r\n", "broken.md": b"---\nname: [\n---\nx\n", "empty.md": b"",
        "bin.md": b"\0\1\xff", "huge.md": b"line\n" * 1_200_000, "bad\udcff.md": b"stays at home\n",
    }  # fmt: skip
    memory.store("deploy", "On Tuesdays.")
    for name, data in odd.items():
        (folder / name).write_bytes(data)
    copy = travel()
    names = [name for name in odd if "\udcff" not in name]
    for one, line in ((memory, b"ours\n"), (copy, b"theirs\n")):
        for name in names:
            with open(Path(one.workspace.root, NOTES, name), "ab") as file:
                file.write(line)
    for to, other in ((memory, copy), (copy, memory)):
        back = sent_back(other, tmp_path)
        seen = to.snapshots.diff(back, strategy=strategy)
        done = to.snapshots.merge(back, strategy=strategy)
        assert seen.changes == done.changes
        assert to.snapshots.merge(back, strategy=strategy).changes == ()
        held = b"".join(tree(Path(to.workspace.root)).values())
        assert held.count(b"ours\n") >= len(names) and held.count(b"theirs\n") >= len(names)
