"""`mdmem snapshot` as it is typed."""

import json
from pathlib import Path

from tests.frontends.conftest import Shell, plain


def test_a_vault_travels_and_what_was_done_there_comes_back(shell: Shell, vault: Path, tmp_path: Path) -> None:
    shell.fine("store", "deploy", "On Tuesdays.")
    out, back, copy = (str(tmp_path / name) for name in ("out.mdmem", "back.mdmem", "copy"))
    made = json.loads(shell.fine("snapshot", "make", out, "--json"))
    assert made["signature"] == f"{out}.sig"
    assert shell.fine("snapshot", "open", out, copy).startswith(f"{copy}: {made['files']} files, signed by mara-")
    assert shell("snapshot", "diff", copy).code == 7
    shell.terminal("trust", copy)
    shell.fine("store", "fact", "Learned there.", "--vault", copy)
    for folder, line in ((copy, "Never on Fridays.\n"), (str(vault), "At noon.\n")):
        with open(Path(folder, "memory/project/main/deploy.md"), "a") as file:
            file.write(line)
    shell.fine("snapshot", "make", back, "--vault", copy)
    before = (vault / "memory/project/main/deploy.md").read_bytes()
    said = shell.fine("snapshot", "merge", back, "--dry-run")
    assert "new  memory/project/main/fact.md  (new there)" in said
    assert "The same lines differ: “At noon.” and “Never on Fridays.”." in said
    assert said.endswith("This would be merged against their base: 1 imported, 1 conflict, 14 skipped, 1 log entry.\n")
    assert not (vault / "memory/project/main/fact.md").exists()
    report = json.loads(shell.fine("snapshot", "diff", back, "--json"))
    assert report["counts"]["conflicts"] == 1
    done = plain(shell.terminal("snapshot", "merge", back, "--strategy", "local_wins").out)
    assert "ours stands" in done and "kept as archive/memory/project/main/deploy-" in done
    assert (vault / "memory/project/main/deploy.md").read_bytes() == before
    assert "Nothing is new." in plain(shell.terminal("snapshot", "merge", back).out)


def test_what_cannot_be_merged_is_refused_with_one_sentence(shell: Shell, vault: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.mdmem"
    path.write_bytes(b"PK\x03\x04 and no more")
    refused = shell("snapshot", "diff", str(path))
    assert (
        refused.code == 6 and "is no whole snapshot" in refused.sentence and "nothing was changed" in refused.sentence
    )
    wrong = shell("snapshot", "diff", str(path), "--strategy", "best")
    assert wrong.code == 2 and "the strategies are merge, newer_wins" in wrong.sentence
    shell.fine("snapshot", "make", str(tmp_path / "good.mdmem"))
    agent = shell("snapshot", "merge", str(tmp_path / "good.mdmem"), MDMEM_AGENT="lyra")
    assert agent.code == 7 and "Only a person merges" in agent.sentence
