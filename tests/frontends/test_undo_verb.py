"""`mdmem undo`."""

import pytest

from tests.frontends.conftest import Shell

pytestmark = pytest.mark.usefixtures("vault")


def test_the_last_operation_is_taken_back_and_named(shell: Shell) -> None:
    shell.fine("store", "tea", "Black tea.")
    shell.fine("forget", "tea", "--reason", "we drink water")
    listed = shell.fine("undo", "--list")
    assert [line.split()[-1] for line in listed.splitlines()] and "tea: we drink water" in listed
    would = shell("undo", "--dry-run")
    assert would.code == 0 and would.err.startswith("Would take back: forget of tea: we drink water")
    done = shell("undo")
    assert done.err.startswith("Took back: forget of tea: we drink water")
    assert "restored memory/project/main/tea.md\n" in done.out
    assert shell.fine("show", "tea").endswith("Black tea.\n")


def test_what_cannot_be_undone_is_said_in_one_sentence(shell: Shell) -> None:
    assert shell("undo").err == "mdmem: There is nothing to take back.\n"
    assert shell("undo", "led-nobody-k7f3-1").code == 3
