"""Access control and the audit log, typed into a shell."""

import json
from pathlib import Path

import pytest

from tests.frontends.conftest import Shell


@pytest.fixture
def controlled(shell: Shell, vault: Path) -> Shell:
    """A shell before a vault with access control and auditing."""
    settings = vault / "Settings.md"
    settings.write_text(settings.read_text().replace("\nstore = ", "\nacl_enabled = true\naudit = true\nstore = "))
    return shell


def test_an_agent_is_whom_its_surroundings_name_and_not_whom_it_says(controlled: Shell) -> None:
    text = "The zebra plan."
    stored = controlled.fine("store", "plan", text, "--private", "--category", "daily", MDMEM_AGENT="lyra")
    assert stored == "stored memory/private/lyra/project/main/plan.md\n"
    refused = controlled("show", "plan", "--agent", "lyra", MDMEM_AGENT="ella")
    assert refused.code == 7 and "--agent lyra does not count" in refused.sentence
    assert controlled("show", "plan", MDMEM_AGENT="ella").code == 3
    assert controlled("show", "plan", CLAUDECODE="1").code == 3
    assert controlled("show", "plan").code == 3  # nobody at a terminal, so nobody in particular
    assert text in controlled.terminal("show", "plan", "--body").out
    assert text in controlled.terminal("show", "plan", "--body", "--agent", "lyra").out
    assert text in controlled.fine("show", "plan", "--agent", "lyra", MDMEM_AGENT="lyra")


def test_the_audit_log_is_a_persons_to_read(controlled: Shell) -> None:
    controlled("show", "plan", "--agent", "lyra", MDMEM_AGENT="ella")
    controlled.fine("list", MDMEM_AGENT="lyra")
    assert controlled("audit", "list", MDMEM_AGENT="lyra").code == 7
    seen = controlled.terminal("audit", "list").out
    assert "open" in seen and "denied" in seen and "lyra" in seen
    assert json.loads(controlled.terminal("audit", "list", "--json", "-n", "1").out)["operations"][0]["tool"] == "list"
    assert "All is sound: 2 entries." in controlled.terminal("audit", "verify").out


def test_where_auditing_is_off_the_empty_list_says_so(shell: Shell, vault: Path) -> None:
    done = shell("audit", "list", "--json")
    assert json.loads(done.out) == {"operations": []} and "audit = true" in done.err
