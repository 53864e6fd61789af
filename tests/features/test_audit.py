"""The audit log: each operation, also what was refused, signed, outside the vault."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from markdown_memory import upkeep
from markdown_memory.errors import AccessError, MarkdownMemoryError, NotFound
from markdown_memory.memory import Claim, Memory, Places
from markdown_memory.memory.parts import Parts
from markdown_memory.sessions import AgentSession
from tests.conftest import Open, tree


def switch_on(vault: Path, *lines: str) -> None:
    settings = vault / "Settings.md"
    settings.write_text(settings.read_text().replace("\nstore = ", "\n" + "\n".join(lines) + "\nstore = "))


@pytest.fixture
def audited(vault: Path) -> Path:
    switch_on(vault, "audit = true")
    return vault


def told(memory: Memory) -> list[tuple[str, ...]]:
    return [(one.principal, one.tool, one.key, one.category, one.result) for one in memory.audit.read()]


@pytest.mark.usefixtures("audited")
def test_each_operation_is_one_entry_with_who_asked_and_how_it_went(lyra: Memory, memory: Memory) -> None:
    lyra.store("plan", "The secret zebra.", category="daily")
    lyra.search("zebra")
    lyra.context("zebra")
    lyra.log.append("Shipped it")
    AgentSession(lyra).checkpoint("Ship 1.9.2")
    with pytest.raises(AccessError):
        lyra.inbox.accept("plan")
    with pytest.raises(NotFound):
        memory.show("plaan")
    assert told(memory) == [
        ("ana", "show", "plaan", "", "failed"),
        ("lyra", "store", "plan", "daily", "done"),
        ("lyra", "search", "zebra", "", "done"),
        ("lyra", "context", "zebra", "", "done"),
        ("lyra", "log append", "Shipped it", "", "done"),
        ("lyra", "checkpoint", "Ship 1.9.2", "", "done"),
        ("lyra", "review accept", "plan", "", "denied"),
    ]
    assert "Only a person may accept" in memory.audit.read(1)[0].why
    assert memory.audit.verify() == (7, ())


@pytest.mark.usefixtures("audited")
def test_an_agent_does_not_read_what_the_others_asked_for(lyra: Memory) -> None:
    lyra.list()
    for ask in (lyra.audit.read, lyra.audit.verify):
        with pytest.raises(AccessError, match="Only a person"):
            ask()


def test_the_vault_itself_is_not_touched_and_nothing_happens_while_it_is_off(
    vault: Path, open_as: Open, places: Places
) -> None:
    open_as("lyra").list()
    assert not (Path(places.state) / "audit").exists()
    switch_on(vault, "audit = true")
    before = tree(vault)
    open_as("ella").list()
    assert tree(vault) == before and list((Path(places.state) / "audit").rglob("audit-ella-*.md"))


@pytest.mark.usefixtures("audited")
def test_whoever_changes_the_audit_log_is_found_out(lyra: Memory, memory: Memory, places: Places) -> None:
    for name in ("a", "b", "c"):
        lyra.store(name, f"About {name}.", category="daily")
    assert memory.audit.verify() == (3, ())
    (log,) = (Path(places.state) / "audit").rglob("audit-lyra-*.md")
    whole = log.read_text()
    log.write_text(whole.replace("store b", "store x"))
    assert [one.code for one in memory.audit.verify()[1]] == ["log-changed"]
    log.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    assert "log-cut" in [one.code for one in memory.audit.verify()[1]]


def test_while_access_control_is_off_it_tells_what_that_would_have_denied(vault: Path, open_as: Open) -> None:
    switch_on(vault, "audit = true")
    settings = vault / "Settings.md"
    settings.write_text(settings.read_text().replace('store = "review"', 'store = "direct"'))
    open_as("ella").store("plan", "The plan.")
    open_as("lyra").edit("plan", body="Another plan.")
    open_as("lyra", person_present=False, claim=Claim("lyra")).list()
    found = open_as().audit.read()
    assert [(one.tool, one.result) for one in found] == [
        ("store", "done"),
        ("edit", "would-be-denied"),
        ("open", "would-be-denied"),
        ("list", "done"),
    ]
    assert found[1].why == "memory/project/main/plan.md belongs to ella."


def test_under_access_control_a_claim_that_nothing_bears_out_is_refused_and_noted(vault: Path, open_as: Open) -> None:
    switch_on(vault, "audit = true", "acl_enabled = true")
    with pytest.raises(AccessError, match="does not count"):
        open_as("lyra", person_present=False, claim=Claim("lyra", "ella"))
    assert told(open_as())[0][1:] == ("open", "", "", "denied")


ASKING: dict[str, Callable[[Memory, Path], object]] = {
    "audit": lambda memory, _: None,  # what was done here is read by people, and reading it is told nobody
    "review list": lambda memory, _: memory.inbox.list(),
    "log read": lambda memory, _: memory.log.read(),
    "project show": lambda memory, _: memory.project.show(),
    "project list": lambda memory, _: memory.projects.list(),
    "branch list": lambda memory, _: memory.branches.list(),
    "conflicts scan": lambda memory, _: memory.conflicts.scan(),
    "operations list": lambda memory, _: memory.operations.list(),
    "embeddings status": lambda memory, _: memory.embeddings.status(),
    "snapshot make": lambda memory, tmp: memory.snapshots.make(str(tmp / "out.mdmem")),
    "links of": lambda memory, _: memory.links.of("plan"),
    "memory tool run": lambda memory, _: memory.memory_tool.run({"command": "view", "path": "/memories"}),
    "sync": lambda memory, _: memory.sync(),
    "fold copies": lambda memory, _: memory.fold_copies(),
    "restore": lambda memory, _: memory.restore("nobody"),
    "undo": lambda memory, _: memory.undo(),
    "keys list": lambda memory, _: upkeep.keys(memory),
    "keys confirm": lambda memory, _: upkeep.confirm(memory, "lyra-aaaa"),
    "keys rotate": lambda memory, _: upkeep.rotate(memory),
    "keys retire": lambda memory, _: upkeep.retire(memory, "lyra-aaaa"),
    "keys revoke": lambda memory, _: upkeep.revoke(memory, "lyra-aaaa"),
    "keys move-here": lambda memory, _: upkeep.move_here(memory, "lyra-aaaa"),
    "keys export": lambda memory, tmp: upkeep.export_keys(memory, str(tmp / "keys"), "correct horse"),
    "keys import": lambda memory, tmp: upkeep.import_keys(memory, str(tmp / "none"), "correct horse"),
    "keys accept-rollback": lambda memory, _: upkeep.accept_rollback(memory),
    "approve": lambda memory, _: upkeep.approve(memory, ["plan"]),
    "redact": lambda memory, _: upkeep.redact(memory, ["plan"]),
}


@pytest.mark.usefixtures("audited")
@pytest.mark.parametrize("tool", [one for one in ASKING if one != "audit"])
def test_every_part_of_a_vault_leaves_an_entry(tool: str, memory: Memory, open_as: Open, tmp_path: Path) -> None:
    memory.store("plan", "The plan.")
    person = open_as()
    with suppress(MarkdownMemoryError):
        ASKING[tool](person, tmp_path)
    assert tool in [one.tool for one in person.audit.read()]
    assert memory.audit.verify()[1] == ()


def test_no_part_is_forgotten() -> None:
    parts = {name for name in vars(Parts) if not name.startswith("_") and isinstance(vars(Parts)[name], property)}
    asked = " ".join(ASKING).replace("review", "inbox").replace("memory tool", "memory_tool")
    missing = {part for part in parts - {"notes"} if part.removesuffix("s").removesuffix("e") not in asked}
    assert missing == set()
