"""Taking back the last operation of any kind: every file is as it was, and nothing is lost by it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory.errors import ConflictError, NotFound, UserError
from markdown_memory.memory import Memory
from tests.conftest import Clock, Open, tree

OPERATIONS: dict[str, Callable[[Memory, Memory], object]] = {
    "store": lambda person, lyra: person.store("new", "A new fact."),
    "store over": lambda person, lyra: person.store("tea", "Green tea.", if_hash=person.show("tea").header.sha256),
    "edit": lambda person, lyra: person.edit("tea", set={"importance": 0.9}),
    "rename": lambda person, lyra: person.rename("tea", "beverages"),
    "forget": lambda person, lyra: person.forget("tea", reason="we drink water"),
    "restore": lambda person, lyra: person.restore("coffee"),
    "supersede": lambda person, lyra: person.conflicts.supersede("tea", "water"),
    "retain": lambda person, lyra: lyra.retain("Mobile clients must use PKCE."),
    "accept": lambda person, lyra: person.inbox.accept("proposed"),
    "reject": lambda person, lyra: person.inbox.reject("proposed", "no"),
    "merge": lambda person, lyra: person.inbox.merge("proposed", "tea"),
    "branch merge": lambda person, lyra: person.branches.merge("feature/a", "main"),
    "branch rename": lambda person, lyra: person.branches.rename("feature/a", "feature/b"),
}


def notes(root: Path) -> dict[str, bytes]:
    """What counts: not the logs, and not what the archive keeps besides."""
    return {
        path: data
        for path, data in tree(root).items()
        if not path.startswith(("nexus/", "archive/")) and path != "MEMORY.md"
    }


def earlier_texts(memory: Memory) -> Path:
    return Path(memory.workspace.places.state) / "earlier" / memory.workspace.vault_id


@pytest.fixture
def furnished(memory: Memory, lyra: Memory) -> Memory:
    memory.store("tea", "Black tea, see [[water]].")
    memory.store("water", "Water from the tap.")
    memory.store("branched", "Only here.", namespace="project:feature/a")
    memory.store("coffee", "Coffee.")
    memory.forget("coffee")
    lyra.retain("Something proposed.", name="proposed")
    return memory


@pytest.mark.parametrize("name", OPERATIONS)
def test_undoing_an_operation_puts_every_file_back(name: str, furnished: Memory, lyra: Memory, vault: Path) -> None:
    before = notes(vault)
    OPERATIONS[name](furnished, lyra)
    after = notes(vault)
    assert after != before
    done = furnished.undo()
    assert done.operation.kind == name.replace(" over", "").replace(" ", "-") and done.entry
    assert notes(vault) == before
    if name in ("store", "retain"):
        made = [data for path, data in after.items() if path not in before]
        assert made and set(made) <= set(tree(vault).values()), "what the operation had made is in the archive"
    assert furnished.verify().sound


def test_operations_are_taken_back_one_after_the_other(memory: Memory, vault: Path) -> None:
    memory.store("tea", "Black tea.")
    first = memory.show("tea").data
    memory.edit("tea", body="Green tea.")
    memory.edit("tea", body="White tea.")
    assert [one.kind for one in memory.operations.list()] == ["edit", "edit", "store"]
    memory.undo()
    memory.undo()
    assert memory.show("tea").data == first
    memory.undo()
    assert memory.list() == []
    with pytest.raises(NotFound, match="nothing to take back"):
        memory.undo()


def test_an_operation_further_back_is_taken_back_by_its_id_where_nothing_was_built_on_it(memory: Memory) -> None:
    memory.store("tea", "Black tea.")
    memory.store("coffee", "Coffee.")
    coffee, tea = memory.operations.list()
    memory.undo(tea.id)
    assert [one.name for one in memory.list()] == ["coffee"]
    with pytest.raises(NotFound, match="taken back already"):
        memory.undo(tea.id)
    memory.edit("coffee", body="Espresso.")
    with pytest.raises(ConflictError, match=r"coffee.md was changed after .* so that cannot be undone"):
        memory.undo(coffee.id)
    assert memory.show("coffee").body.strip() == "Espresso."


def test_a_hand_edit_since_is_never_overwritten(memory: Memory, vault: Path) -> None:
    memory.store("tea", "Black tea.")
    memory.edit("tea", body="Green tea.")
    path = vault / memory.show("tea").path
    path.write_bytes(path.read_bytes() + b"By hand.\n")
    with pytest.raises(ConflictError, match="was changed after"):
        memory.undo()
    assert path.read_bytes().endswith(b"By hand.\n")


def test_a_dry_run_writes_nothing(memory: Memory, vault: Path) -> None:
    memory.store("tea", "Black tea.")
    before = tree(vault)
    done = memory.undo(dry_run=True)
    assert (done.entry, [what for _, what in done.files]) == ("", ["archived", "removed"])
    assert tree(vault) == before


def test_what_was_redacted_comes_back_by_no_undo(memory: Memory, vault: Path) -> None:
    memory.store("key", "The old password is hunter2hunter2.")
    memory.edit("key", body="The password is in the safe.")
    edit = memory.operations.list()[0]
    from markdown_memory.features.redact import redact

    redact(memory.workspace, ["key"], True)
    for id in ("", edit.id):
        with pytest.raises((NotFound, ConflictError, UserError)):
            memory.undo(id)
    assert not [one for one in earlier_texts(memory).iterdir() if b"hunter2" in one.read_bytes()]


def test_an_agent_takes_back_only_what_it_did_itself(memory: Memory, open_as: Open) -> None:
    memory.store("tea", "Black tea.")
    lyra = open_as("lyra")
    lyra.store("seen", "Seen today.", category="daily")
    assert [one.text.partition(" ")[0] for one in lyra.operations.list()] == ["seen"]
    with pytest.raises(NotFound, match="not yours to take back"):
        lyra.undo(memory.operations.list()[-1].id)
    assert lyra.undo().operation.agent == "lyra"


def test_what_is_not_kept_any_more_is_said(memory: Memory) -> None:
    memory.store("tea", "Black tea.")
    memory.edit("tea", body="Green tea.")
    for one in earlier_texts(memory).iterdir():
        one.write_bytes(b"torn")
    with pytest.raises(NotFound, match="is not kept on this machine any more, so nothing was taken back"):
        memory.undo()
    assert memory.show("tea").body.strip() == "Green tea."


def test_only_the_newest_texts_are_kept(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    from markdown_memory.storage import earlier

    monkeypatch.setattr(earlier, "KEPT", 5)
    monkeypatch.setattr(earlier, "TOO_MANY", 7)
    memory.store("tea", "Cup 0.")
    for cup in range(1, 20):
        memory.edit("tea", body=f"Cup {cup}.")
    assert len(list(earlier_texts(memory).iterdir())) <= 7
    assert memory.undo().operation.kind == "edit"


def test_an_operation_on_private_notes_is_known_by_the_word_of_its_log(open_as: Open, clock: Clock) -> None:
    lyra = open_as("lyra")
    lyra.store("mine", "Mine alone.", category="daily", private=True)
    clock.now += 60
    lyra.store("ours", "Everybody's.", category="daily")
    ours, mine = lyra.operations.list()
    assert mine.id.startswith("prv-lyra-") and ours.id.startswith("lyra-")
    lyra.undo(mine.id)
    assert [one.id for one in lyra.operations.list()] == [ours.id]
    lyra.undo(f"led-{ours.id}")
    assert lyra.operations.list() == [] == lyra.list()
