"""`mdmem sync`, typed on two machines."""

import json
import subprocess
from pathlib import Path

from tests.frontends.conftest import Shell, make_shell


def test_two_machines_share_a_vault_through_a_bare_repository(shell: Shell, tmp_path: Path) -> None:
    forge = tmp_path / "forge.git"
    subprocess.run(["git", "init", "-q", "--bare", str(forge)], check=True)
    shell.fine("init", "notes", "--git", "--person", "Mara")
    vault = shell.cwd / "notes"
    refused = shell("sync")
    assert refused.code == 2 and "has no remote; `git remote add origin ADDRESS`" in refused.sentence
    subprocess.run(["git", "-C", str(vault), "remote", "add", "origin", str(forge)], check=True)
    assert shell.fine("sync").startswith("synchronised with origin/")
    (tmp_path / "other").mkdir()
    other = make_shell(tmp_path / "other")
    subprocess.run(["git", "clone", "-q", str(forge), str(other.cwd / "notes")], check=True)
    other.terminal("trust", "notes", keys="y\n")
    shell.fine("store", "db", "PostgreSQL 14.")
    shell.fine("sync")
    assert "received" in other.fine("sync", "--vault", "notes")
    shell.fine("edit", "db", "--body", "PostgreSQL 15.")
    other.fine("edit", "db", "--body", "PostgreSQL 16.", "--vault", "notes")
    shell.fine("sync")
    told = json.loads(other.fine("sync", "--vault", "notes", "--json"))
    assert told["pushed"] and told["conflicts"][0]["path"] == "memory/project/main/db.md"
    assert shell.fine("sync").endswith("received\n")
