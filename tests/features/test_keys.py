"""Keys: what a person says about writers, and what follows for what they write."""

import shutil
from pathlib import Path

import pytest

from markdown_memory.errors import AccessError, FormatError, IntegrityError, NotFound, StorageError, UserError
from markdown_memory.features import keys
from markdown_memory.memory import Memory
from markdown_memory.storage.log_file import LogStore
from tests.conftest import Open


def state(memory: Memory, writer: str) -> str:
    return next(one.state for one in keys.keys(memory.workspace) if one.writer == writer)


def writer_of(memory: Memory) -> str:
    return memory.log.append("hello").writer


def test_a_new_vault_knows_its_person_and_its_agents(memory: Memory) -> None:
    found = [(one.agent, one.role, one.state, one.here) for one in keys.keys(memory.workspace)]
    assert found == [
        ("ana", "person", "root", True),
        ("ella", "agent", "confirmed", True),
        ("lyra", "agent", "confirmed", True),
    ]


def test_a_person_confirms_a_new_writer_once(memory: Memory, open_as: Open) -> None:
    writer = writer_of(open_as("noor"))
    assert state(memory, writer) == "unconfirmed"
    with pytest.raises(AccessError, match="Only a person does that: run `mdmem keys confirm"):
        keys.confirm(memory.workspace, writer, person_present=False)
    assert keys.confirm(memory.workspace, writer, person_present=True)
    assert state(memory, writer) == "confirmed"
    assert keys.confirm(memory.workspace, writer, person_present=True) is None
    with pytest.raises(NotFound, match="There is no writer 'noor-none'"):
        keys.confirm(memory.workspace, "noor-none", person_present=True)


def test_a_rotated_key_is_vouched_for_by_the_old_one_which_retires(memory: Memory, lyra: Memory) -> None:
    old = writer_of(lyra)
    new = keys.rotate(lyra.workspace, "lyra")
    assert (state(memory, old), state(memory, new.id)) == ("retired", "confirmed")
    assert writer_of(lyra) == new.id
    report = memory.verify()
    assert report.sound and not report.notices
    assert [line.mark for line in memory.log.read()] == ["", ""], "what the old one wrote stays trusted"


def test_a_rotated_root_still_confirms(memory: Memory, open_as: Open) -> None:
    old = writer_of(memory)
    new = keys.rotate(memory.workspace)
    writer = writer_of(open_as("noor"))
    keys.confirm(memory.workspace, writer, person_present=True)
    assert (state(memory, old), state(memory, new.id), state(memory, writer)) == ("retired", "root", "confirmed")
    assert memory.verify().sound


def test_a_retired_writer_is_followed_by_another(memory: Memory, lyra: Memory) -> None:
    old = writer_of(lyra)
    keys.retire(memory.workspace, old, person_present=True)
    assert state(memory, old) == "retired" and writer_of(lyra) != old
    with pytest.raises(AccessError, match="is retired, and stays so"):
        keys.confirm(memory.workspace, old, person_present=True)


def test_a_revoked_writer_is_read_up_to_the_last_right_entry(memory: Memory, lyra: Memory, open_as: Open) -> None:
    good, bad = lyra.log.append("right"), lyra.log.append("not I")
    keys.revoke(memory.workspace, good.writer, person_present=True, after=[f"live-{good.id}"])
    assert [line.text for line in memory.log.read()] == ["right"]
    codes = {one.code for one in memory.verify().problems}
    assert codes == {"log-after-revocation"}
    assert bad.id in next(one.message for one in memory.verify().problems if bad.id in one.message)


def test_a_lost_machine_keeps_what_was_here(memory: Memory, lyra: Memory) -> None:
    entry = lyra.log.append("right")
    keys.revoke(memory.workspace, entry.writer, person_present=True)
    assert state(memory, entry.writer) == "revoked" and memory.verify().sound
    assert [line.text for line in memory.log.read()] == ["right"]


def test_a_point_that_is_not_there_is_refused(memory: Memory, lyra: Memory) -> None:
    entry = lyra.log.append("right")
    with pytest.raises(UserError, match="is no entry of"):
        keys.revoke(memory.workspace, entry.writer, person_present=True, after=[f"live-{entry.writer}-9"])


def test_the_only_root_is_neither_retired_nor_revoked(memory: Memory) -> None:
    writer = writer_of(memory)
    for act in (keys.retire, keys.revoke):
        with pytest.raises(AccessError, match="is the only root"):
            act(memory.workspace, writer, person_present=True)


def test_a_copied_home_can_take_over(memory: Memory, vault: Path) -> None:
    old = writer_of(memory)
    space = memory.workspace
    laptop = LogStore(space.root, space.vault_id, space.places, space.clock, machine="the new laptop")
    assert laptop.writer("ana", "person").id != old
    space._logs = laptop
    keys.move_here(space, old, person_present=True)
    assert laptop.writer("ana", "person").id == old
    with pytest.raises(NotFound, match="does not lie on this machine"):
        keys.move_here(space, "ana-none", person_present=True)


def test_keys_are_readable_by_their_owner_only_and_in_openssh_format(memory: Memory) -> None:
    folder = Path(memory.workspace.logs.chest.folder)
    assert folder.stat().st_mode & 0o77 == 0
    files = sorted(folder.glob("*.key"))
    assert len(files) == 3
    for file in files:
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.read_text().startswith("-----BEGIN OPENSSH PRIVATE KEY-----")


def test_a_broken_or_exchanged_key_is_said(memory: Memory, lyra: Memory) -> None:
    folder = Path(memory.workspace.logs.chest.folder)
    (mine,) = folder.glob("lyra-*.key")
    (other,) = folder.glob("ella-*.key")
    shutil.copy(other, mine)
    with pytest.raises(Exception, match=r"does not hold the key of lyra-.*restore it from your backup"):
        lyra.log.append("hello")
    mine.write_text("nonsense")
    with pytest.raises(Exception, match=r"cannot be read from .*move it and its \.json away"):
        lyra.log.append("hello")


PASSPHRASE = "correct horse battery"


def test_a_backup_brings_every_key_back(memory: Memory, vault: Path, tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    before = writer_of(memory)
    folder = Path(memory.workspace.logs.chest.folder)
    held = {path.name: path.read_bytes() for path in folder.iterdir()}
    names = [writer.id for writer in keys.export(memory.workspace, str(file), PASSPHRASE, person_present=True)]
    assert len(names) == 3 and file.stat().st_mode & 0o77 == 0 and "PRIVATE KEY" not in file.read_text()
    shutil.rmtree(folder)
    back = keys.bring_back(memory.workspace, str(file), PASSPHRASE, person_present=True)
    assert [writer.id for writer in back] == names
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == held
    assert writer_of(memory) == before and memory.verify().sound
    assert keys.bring_back(memory.workspace, str(file), PASSPHRASE, person_present=True) == []


def test_on_another_machine_a_restored_key_waits_to_be_moved(memory: Memory, tmp_path: Path) -> None:
    file, space = tmp_path / "keys.txt", memory.workspace
    old = writer_of(memory)
    keys.export(space, str(file), PASSPHRASE, person_present=True)
    shutil.rmtree(space.logs.chest.folder)
    space._logs = LogStore(space.root, space.vault_id, space.places, space.clock, machine="the new laptop")
    assert len(keys.bring_back(space, str(file), PASSPHRASE, person_present=True)) == 3
    assert not next(one.here for one in keys.keys(space) if one.writer == old)
    keys.move_here(space, old, person_present=True)
    assert space.logs.writer("ana", "person").id == old


def test_a_backup_that_is_wrong_is_a_sentence_and_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    file, space = tmp_path / "keys.txt", memory.workspace
    with pytest.raises(UserError, match="needs 8 characters"):
        keys.export(space, str(file), "short", person_present=True)
    with pytest.raises(AccessError, match="Only a person does that: run `mdmem keys export FILE`"):
        keys.export(space, str(file), PASSPHRASE, person_present=False)
    keys.export(space, str(file), PASSPHRASE, person_present=True)
    with pytest.raises(UserError, match="exists already; a backup never replaces a file"):
        keys.export(space, str(file), PASSPHRASE, person_present=True)
    with pytest.raises(IntegrityError, match="the passphrase is another one, or the file is damaged"):
        keys.bring_back(space, str(file), PASSPHRASE + "!", person_present=True)
    text = file.read_text()
    for damaged in (
        text[:-60],
        text.replace("\n", "\nAA", 2),
        text[:80] + ("A" if text[80] != "A" else "B") + text[81:],
    ):
        file.write_text(damaged)
        with pytest.raises(IntegrityError, match="the file is damaged"):
            keys.bring_back(space, str(file), PASSPHRASE, person_present=True)
    for nothing in (b"", b"hello", b"\xff\x00", b"mdmem keys 1\n"):
        file.write_bytes(nothing)
        with pytest.raises(FormatError, match="is no backup of keys"):
            keys.bring_back(space, str(file), PASSPHRASE, person_present=True)
    with pytest.raises(StorageError, match="cannot be read"):
        keys.bring_back(space, str(tmp_path / "none"), PASSPHRASE, person_present=True)


def test_the_keys_of_another_vault_are_not_taken(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    places = memory.workspace.places
    with Memory.init(str(tmp_path / "other"), agents=["lyra"], person="ana", places=places) as other:
        keys.export(other.workspace, str(file), PASSPHRASE, person_present=True)
    with pytest.raises(UserError, match="holds the keys of the vault"):
        keys.bring_back(memory.workspace, str(file), PASSPHRASE, person_present=True)
