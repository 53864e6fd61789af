"""MDMEM_EPHEMERAL at the command line."""

from pathlib import Path

from tests.frontends.conftest import Shell


def test_the_environment_says_that_nothing_lasts(shell: Shell, vault: Path) -> None:
    done = shell("log", "append", "Ran the tests", "--agent", "guest", MDMEM_EPHEMERAL="1")
    assert (done.code, done.out) == (0, "appended, not signed, as guest\n") and "mdmem log adopt" in done.err
    assert "Ran the tests" in shell.fine("log", "read")
    assert "guest" not in shell.fine("keys", "list")
