"""`mdmem project` and `mdmem log follow` as they are typed."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path
from typing import IO

from tests.frontends.conftest import Shell, plain

HASH = re.compile(r"--if-hash ([0-9a-f]{64})")


def hash_in(text: str) -> str:
    found = HASH.search(text)
    assert found, text
    return found[1]


def test_a_state_is_piped_in_and_back_out(shell: Shell, vault: Path) -> None:
    said = shell.fine("project", "edit", input="Release 3 is being tested.\n", MDMEM_AGENT="lyra")
    shown = shell("project", "show")
    assert shown.out == "Release 3 is being tested.\n"
    assert hash_in(said) == hash_in(shown.err)
    state = json.loads(shell.fine("project", "show", "--json"))
    assert state["sha256"] == hash_in(said) and state["text"] == shown.out
    assert "Release 3 is being tested." in shell.fine("context")


def test_a_hash_of_yesterday_is_refused_and_the_words_of_the_other_stay(shell: Shell, vault: Path) -> None:
    old = hash_in(shell.fine("project", "edit", "--body", "One."))
    new = hash_in(shell.fine("project", "edit", "--body", "Two.", "--if-hash", old))
    refused = shell("project", "edit", "--body", "Three.", "--if-hash", old)
    assert refused.code == 4 and "changed since it was read" in refused.sentence
    shown = shell("project", "show")
    assert (shown.out, hash_in(shown.err)) == ("Two.\n", new)


def test_nothing_on_standard_input_empties_no_state(shell: Shell, vault: Path) -> None:
    shell.fine("project", "edit", "--body", "One.")
    assert shell("project", "edit").code == 2
    assert shell.fine("project", "show") == "One.\n"
    shell.fine("project", "edit", "--body", "")
    assert shell.fine("project", "show") == ""


def test_without_a_state_it_says_how_to_write_one(shell: Shell, vault: Path) -> None:
    shown = shell("project", "show", "--project", "shop")
    assert (shown.code, shown.out, shown.err) == (0, "", "shop has no state yet; `mdmem project edit` writes it.\n")


def test_a_person_writes_it_in_the_editor(shell: Shell, vault: Path) -> None:
    editor = vault.parent / "editor.sh"
    editor.write_text('#!/bin/sh\nprintf "Written in an editor.\\n" > "$1"\n')
    editor.chmod(0o755)
    done = shell.terminal("project", "edit", env={"EDITOR": str(editor)})
    assert done.code == 0 and "changed nexus/project-state/" in plain(done.out)
    assert shell.fine("project", "show") == "Written in an editor.\n"


def test_what_was_typed_in_the_editor_is_kept_when_somebody_was_faster(shell: Shell, vault: Path) -> None:
    shell.fine("project", "edit", "--body", "One.")
    (page,) = (vault / "nexus/project-state").iterdir()
    editor = vault.parent / "editor.sh"
    editor.write_text(f'#!/bin/sh\nprintf "Mine.\\n" > "$1"\nprintf "Theirs.\\n" > {page}\n')
    editor.chmod(0o755)
    done = shell.terminal("project", "edit", env={"EDITOR": str(editor), "TMPDIR": str(vault.parent)})
    assert done.code == 4 and page.read_text() == "Theirs.\n"
    kept = re.search(r"Your text is kept in (\S+\.md)", done.out)
    assert kept and Path(kept[1]).read_text() == "Mine.\n"


def read_line(stream: "IO[bytes] | None") -> str:
    assert stream is not None
    return stream.readline().decode()


def interrupted(process: "subprocess.Popen[bytes]") -> int:
    os.kill(process.pid, signal.SIGINT)
    try:
        return process.wait(30)
    finally:
        process.kill()
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def test_new_entries_are_printed_until_ctrl_c(shell: Shell, vault: Path) -> None:
    shell.fine("log", "append", "before", "--agent", "ella")
    process = shell.start("log", "follow", "--by", "ella")
    assert read_line(process.stderr).startswith("Following the log of vault")
    shell.fine("log", "append", "not of ella", "--agent", "lyra")
    shell.fine("log", "append", "one", "--agent", "ella", "--kind", "fix")
    head, text = read_line(process.stdout), read_line(process.stdout)
    assert "ella · cli · fix  ella-" in head and text == "  one\n"
    assert interrupted(process) == 130


def test_as_json_each_entry_is_one_line(shell: Shell, vault: Path) -> None:
    for text in ("one", "two"):
        shell.fine("log", "append", text, "--agent", "ella")
    process = shell.start("log", "follow", "--json", "--tail", "1", "--quiet")
    assert json.loads(read_line(process.stdout))["text"] == "two"
    shell.fine("log", "append", "three\nlines", "--agent", "lyra")
    entry = json.loads(read_line(process.stdout))
    assert (entry["text"], entry["agent"], entry["mark"]) == ("three\nlines", "lyra", "")
    assert interrupted(process) == 130


def test_following_ends_when_the_vault_is_gone(shell: Shell, vault: Path) -> None:
    process = shell.start("log", "follow")
    assert read_line(process.stderr).startswith("Following")
    vault.rename(vault.parent / "elsewhere")
    assert process.wait(30) == 8
    assert "is gone" in read_line(process.stderr)
    process.communicate()
