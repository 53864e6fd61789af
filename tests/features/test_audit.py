"""The audit log: each operation, also what was refused, signed, outside the vault."""

from pathlib import Path

import pytest

from markdown_memory.errors import AccessError, NotFound
from markdown_memory.memory import Claim, Memory, Places
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
