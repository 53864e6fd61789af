"""`mdmem conflicts` and `mdmem supersede`, and what a person is told who stores what another note rules out."""

from pathlib import Path

import pytest

from tests.frontends.conftest import Shell

pytestmark = pytest.mark.usefixtures("vault")


def test_a_person_who_stores_what_another_note_rules_out_is_told(shell: Shell) -> None:
    shell.fine("store", "database-14", "The database is PostgreSQL 14.")
    done = shell("store", "database-16", "The database is PostgreSQL 16.")
    assert done.code == 0 and done.out == "stored memory/project/main/database-16.md\n"
    assert done.err == (
        "memory/project/main/database-14.md says otherwise (16, not 14).\n"
        "If it no longer holds: `mdmem supersede database-16 database-14`.\n"
    )


def test_a_pair_is_shown_until_a_person_has_said_which_note_counts(shell: Shell) -> None:
    shell.fine("store", "database-14", "The database is PostgreSQL 14.")
    shell.fine("store", "database-16", "The database is PostgreSQL 16.")
    assert shell.fine("conflicts").split("\n")[0] == "16, not 14"
    done = shell.fine("supersede", "database-16", "database-14")
    assert done == "memory/project/main/database-16.md supersedes memory/project/main/database-14.md\n"
    assert shell("conflicts").err == "No accepted notes contradict each other.\n"
    assert "superseded by database-16" in shell.fine("search", "PostgreSQL 14")


def test_both_may_stand(shell: Shell) -> None:
    shell.fine("store", "database-14", "The database is PostgreSQL 14.")
    shell.fine("store", "database-16", "The database is PostgreSQL 16.", "--on-conflict", "keep_both")
    kept = shell.fine("conflicts", "database-16", "--keep", "database-14")
    assert kept == "kept memory/project/main/database-16.md and memory/project/main/database-14.md\n"
    assert shell("conflicts").out == ""


def test_what_cannot_be_settled_is_said_in_one_sentence(shell: Shell, vault: Path) -> None:
    shell.fine("store", "database-14", "The database is PostgreSQL 14.")
    done = shell("store", "database-16", "The database is PostgreSQL 16.", "--on-conflict", "keep_existing")
    assert (done.code, done.out) == (4, "") and "so nothing was stored" in done.err
    assert not (vault / "memory/project/main/database-16.md").exists()
    assert "name is needed" in shell("conflicts", "--keep", "database-14").err
    assert shell("supersede", "database-14", "nothing-of-that-name").code == 3
