"""The everyday verbs and notes by hand, typed into a shell: what appears, and on which of the two streams."""

import subprocess
from pathlib import Path

import pytest

from tests.frontends.conftest import Shell

NOTES = "memory/project/main"


def test_init_says_what_it_made_and_what_to_do_next(shell: Shell) -> None:
    done = shell("init", "notes", "--agents", "lyra, ella", "--person", "Mara")
    assert done.out.startswith(f"made the vault {shell.cwd}/notes with ")
    assert done.err.splitlines() == [
        "It is your default vault: every command uses it where no other one is named or linked.",
        "Next: `mdmem store`, `mdmem search`, and for an agent's session `mdmem context --agent lyra`.",
    ]
    again = shell("init", "notes")
    assert (again.code, again.out) == (0, f"{shell.cwd}/notes is a vault already; nothing was changed.\n")


def test_a_second_vault_is_not_the_default_and_that_is_said(shell: Shell) -> None:
    shell.fine("init", "one")
    assert "Your default vault is another one" in shell("init", "two").err


def test_init_says_when_it_only_completes_the_default_vault(shell: Shell) -> None:
    shell.fine("init", "notes")
    (shell.cwd / "notes" / "Home.md").unlink()
    done = shell("init", "notes")
    assert done.out == f"added 1 file to the vault {shell.cwd}/notes\n"
    assert "It is your default vault" in done.err and "another one" not in done.err


@pytest.mark.parametrize("group", ["snapshot", "branch", "keys"])
def test_a_group_without_a_command_says_what_is_missing(shell: Shell, group: str) -> None:
    done = shell(group)
    assert (done.code, done.sentence) == (2, f"A command is missing. See `mdmem {group} --help`.")


def test_inside_an_obsidian_vault_only_a_subfolder_is_made(shell: Shell) -> None:
    (shell.cwd / "mine" / ".obsidian").mkdir(parents=True)
    (shell.cwd / "mine" / "Home.md").write_text("my own\n")
    done = shell("init", "mine")
    assert done.out.startswith(f"made the vault {shell.cwd}/mine/Memory with ")
    assert f"It is a folder of your Obsidian vault {shell.cwd}/mine; nothing else in there was touched." in done.err
    assert sorted(path.name for path in (shell.cwd / "mine").iterdir()) == [".obsidian", "Home.md", "Memory"]


def test_a_person_stores_a_note_and_finds_lists_and_shows_it(shell: Shell, vault: Path) -> None:
    assert shell("store", "pkce", "Mobile clients log in by OAuth2 with PKCE.")[:2] == (0, f"stored {NOTES}/pkce.md\n")
    assert shell.fine("list") == "pkce  project  main  Mobile clients log in by OAuth2 with PKCE.\n"
    found = shell.fine("search", "mobile", "login").splitlines()
    assert found[0] == "1. pkce  project · main"
    assert found[1].startswith(f"   {NOTES}/pkce.md:")
    assert found[2] == "   Mobile clients log in by OAuth2 with PKCE."
    assert shell.fine("show", "pkce").encode() == (vault / NOTES / "pkce.md").read_bytes()
    assert shell.fine("show", "pkce", "--body") == "Mobile clients log in by OAuth2 with PKCE.\n"
    assert shell.fine("show", "pkce", "--path") == f"{vault}/{NOTES}/pkce.md\n"


def test_a_search_that_finds_nothing_says_so_beside_the_empty_result(shell: Shell, vault: Path) -> None:
    done = shell("search", "zebra")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("Nothing found for 'zebra' in ")


def test_a_search_with_more_hits_than_asked_for_says_so(shell: Shell, vault: Path) -> None:
    for number in range(3):
        shell.fine("store", f"zebra-{number}", f"zebra number {number}")
    done = shell("search", "zebra", "-n", "2")
    assert done.out.count("\n1. ") + done.out.startswith("1. ") == 1
    assert "3. " not in done.out
    assert done.err == "There are more than these 2; --limit shows more.\n"


def test_a_search_explains_its_ranks_and_shows_what_stands_beside(shell: Shell, vault: Path) -> None:
    shell.fine("store", "zebra", "A zebra has stripes, see [[horse]].", "--source", "zoo visit")
    shell.fine("store", "horse", "A horse has none.")
    lines = shell.fine("search", "zebra", "stripes", "--explain", "--expand").splitlines()
    assert lines[0] == "1. zebra  project · main"
    assert f"   near, linked: {NOTES}/horse.md" in lines
    table = [line.split(maxsplit=1) for line in lines if line.startswith("   ")]
    assert ["covers", "100% of what was asked"] in table
    assert ["signed", "reviewed, mara"] in table or any(row[0] == "signed" for row in table)
    added = sum(float(row[1][2:]) for row in table if row[1:] and row[1].startswith("+ "))
    (score,) = (float(row[1][2:]) for row in table if row[0] == "score")
    assert abs(added - score) < 0.03


def test_a_hit_says_by_what_it_was_replaced_and_what_was_folded_into_it(shell: Shell, vault: Path) -> None:
    shell.fine("store", "old-zebra", "The zebra is white with black stripes.")
    shell.fine("edit", "old-zebra", "--set", "superseded_by=zebra", "--set", "valid_until=2020-01-01")
    for name in ("zebra", "zebra-again"):
        shell.fine("store", name, "The zebra is black with white stripes.")
    out = shell.fine("search", "zebra", "stripes")
    assert "2. old-zebra  project · main · superseded by zebra · expired 2020-01-01" in out
    assert f"   same text: {NOTES}/zebra" in out
    assert "3. " not in out
    assert "3. " in shell.fine("search", "zebra", "stripes", "--unfold")


def test_text_comes_from_standard_input_for_a_dash(shell: Shell, vault: Path) -> None:
    shell.fine("store", "piped", input="from a pipe\n")
    assert shell.fine("show", "piped", "--body") == "from a pipe\n"
    shell.fine("log", "append", "-", input="piped entry\n")
    assert "  piped entry\n" in shell.fine("log", "read")


def test_single_properties_are_set_and_removed(shell: Shell, vault: Path) -> None:
    shell.fine("store", "a", "text", "--tag", "x", "--importance", "0.7")
    changed = shell.fine(
        "edit", "a", "--set", "importance=0.9", "--set", "version=1.10", "--set", "list=[p, 2, true]", "--unset", "tags"
    )
    assert changed == f"changed {NOTES}/a.md\n"
    text = (vault / NOTES / "a.md").read_text()
    assert "importance: 0.9\n" in text
    assert 'version: "1.10"\n' in text
    assert "tags" not in text


def test_a_body_is_replaced_only_while_the_hash_is_the_one_that_was_read(shell: Shell, vault: Path) -> None:
    shell.fine("store", "a", "old")
    done = shell("edit", "a", "--body", "new", "--if-hash", "0" * 64)
    assert done.code == 4
    shell.fine("edit", "a", "--body", "new")
    assert shell.fine("show", "a", "--body") == "new\n"


def test_the_editor_gets_the_body_and_brings_it_back(shell: Shell, vault: Path, tmp_path: Path) -> None:
    editor = tmp_path / "my editor"
    editor.write_text('#!/bin/sh\ncase "$1" in *a.md) sed -i "s/old/new/" "$1";; esac\n')
    editor.chmod(0o755)
    shell.fine("store", "a", "old words")
    shell.fine("edit", "a", EDITOR=f'"{editor}"')
    assert shell.fine("show", "a", "--body") == "new words\n"
    assert shell("edit", "a", EDITOR=f'"{editor}"').err == "Nothing changed.\n"


def test_an_editor_that_fails_or_is_missing_changes_nothing(shell: Shell, vault: Path) -> None:
    shell.fine("store", "a", "old")
    failed = shell("edit", "a", EDITOR="false")
    assert (failed.code, failed.sentence) == (2, "The editor 'false' ended with code 1; nothing was changed.")
    missing = shell("edit", "a", EDITOR="/no/such/editor")
    assert (missing.code, "cannot be started" in missing.sentence) == (8, True)
    none = shell("edit", "a")
    assert (none.code, none.sentence.startswith("No editor to open: set EDITOR")) == (2, True)
    assert shell.fine("show", "a", "--body") == "old\n"


@pytest.mark.parametrize(
    ("editor", "sentence"),
    [
        ("rm", "left no file to read"),
        ("sh -c 'printf \"\\377\" > $0'", "saved is no UTF-8 text"),
        ("'vim", "is no command line"),
    ],
)
def test_an_editor_that_leaves_nothing_to_read_changes_nothing(
    shell: Shell, vault: Path, editor: str, sentence: str
) -> None:
    shell.fine("store", "a", "old")
    done = shell("edit", "a", EDITOR=editor)
    assert (done.code, sentence in done.sentence) == (2, True)
    assert shell.fine("show", "a", "--body") == "old\n"


def test_what_was_written_in_the_editor_is_kept_when_the_note_changed_meanwhile(shell: Shell, vault: Path) -> None:
    shell.fine("store", "a", "old")
    note = vault / "memory" / "project" / "main" / "a.md"
    done = shell("edit", "a", EDITOR=f"sh -c 'echo mine > $0; echo theirs >> {note}'")
    assert done.code == 4
    kept, refused = done.err.splitlines()
    assert "was changed since it was read" in refused
    path = Path(kept.removeprefix("Your text is kept in ").removesuffix("."))
    assert path.read_text() == "mine\n"
    path.unlink()
    assert note.read_text().endswith("old\ntheirs\n")


def test_renaming_forgetting_and_restoring_tell_where_things_went(shell: Shell, vault: Path) -> None:
    shell.fine("store", "old-name", "text")
    shell.fine("store", "other", "see [[old-name]]")
    renamed = shell.fine("rename", "old-name", "new-name")
    assert renamed == f"renamed {NOTES}/old-name.md → {NOTES}/new-name.md; links changed in 1 note\n"
    assert shell.fine("show", "other", "--body") == "see [[new-name]]\n"
    before = (vault / NOTES / "new-name.md").read_bytes()
    forgot = shell("forget", "new-name", "--reason", "not true any more")
    assert forgot.out == f"forgot {NOTES}/new-name.md → archive/{NOTES}/new-name.md\n"
    assert forgot.err == "`mdmem restore new-name` brings it back.\n"
    assert "new-name" in shell.fine("list", "--archived")
    assert shell.fine("restore", "new-name") == f"restored {NOTES}/new-name.md\n"
    assert (vault / NOTES / "new-name.md").read_bytes() == before


def test_what_an_agent_stores_waits_for_review_and_is_said_to(shell: Shell, vault: Path) -> None:
    done = shell("store", "a", "text", "--agent", "lyra")
    assert (done.code, done.out) == (0, "waiting inbox/lyra/a.md\n")
    assert "waits for review" in done.err


def test_a_retained_fact_waits_with_its_source_and_similar_ones_are_named(shell: Shell, vault: Path) -> None:
    done = shell("retain", "We deploy on Tuesdays.", "--agent", "lyra", "--source", "standup", "--name", "deploy-day")
    assert done.out == "waiting inbox/lyra/deploy-day.md\n"
    assert done.err == "A person decides with `mdmem review`, or by a tick in Obsidian.\n"
    again = shell("retain", "We deploy on Tuesdays.", "--agent", "lyra")
    assert again.code == 0
    assert len(list((vault / "inbox" / "lyra").iterdir())) == 1


def test_quiet_leaves_results_and_errors_only(shell: Shell, vault: Path) -> None:
    assert shell("retain", "x is y", "--agent", "lyra", "-q", "--name", "x")[1:] == ("waiting inbox/lyra/x.md\n", "")
    assert shell("show", "nope", "-q").sentence == "There is no note called 'nope'."


def test_the_log_is_appended_read_once_and_acknowledged(shell: Shell, vault: Path) -> None:
    done = shell.fine("log", "append", "Shipped PR 88", "--kind", "fix", "--channel", "telegram", "--agent", "lyra")
    entry = done.removeprefix("appended ").strip()
    unread = shell.fine("log", "read", "--unread", "--agent", "ella").splitlines()
    assert unread[0].endswith(f"  lyra · telegram · fix  {entry}")
    assert unread[1] == "  Shipped PR 88"
    assert shell("log", "read", "--unread", "--agent", "ella")[1:] == ("", "Nothing new.\n")
    shell.fine("log", "append", "Seen", "--ack", entry, "--agent", "ella")
    assert f"(answers {entry})" in shell.fine("log", "read", "--by", "ella")
    assert shell.fine("log", "read", "--kind", "fix", "--tail", "1").count("Shipped") == 1


def test_a_line_written_by_hand_is_shown_as_unsigned_until_it_is_adopted(shell: Shell, vault: Path) -> None:
    shell.fine("log", "append", "first", "--agent", "lyra")
    with (vault / "nexus" / "live-context.md").open("a") as view:
        view.write("- fixed the build by hand\n")
    assert "(unsigned)" in shell.fine("log", "read")
    assert shell.fine("log", "adopt", "fixed the build").startswith("adopted mara-")
    assert "(unsigned)" not in shell.fine("log", "read")


def test_the_context_names_agent_and_log_and_keeps_its_limit(shell: Shell, vault: Path) -> None:
    shell.fine("log", "append", "Shipped PR 88", "--agent", "lyra")
    block = shell.fine("context", "--agent", "ella", "--limit", "1500")
    assert "agent ella" in block
    assert "Shipped PR 88" in block
    assert len(block.encode()) <= 1500


def test_where_tells_vault_scope_and_folders(shell: Shell, vault: Path) -> None:
    lines = shell.fine("where", "--agent", "lyra").splitlines()
    facts = dict(line.split("  ", 1) for line in lines)
    assert facts["vault"].strip() == str(vault)
    assert facts["agent"].strip() == "lyra"
    assert facts["config"].strip() == str(shell.home / "mdmem" / "config")


def test_a_repository_is_linked_to_a_project(shell: Shell, vault: Path) -> None:

    for line in ("init -q", "remote add origin https://example.org/ana/shop.git"):
        subprocess.run(["git", *line.split()], cwd=shell.cwd, check=True)
    done = shell("link", "--project", "shop")
    assert done.out == f"linked example.org/ana/shop to {vault} as project shop\n"
    assert "shop" in shell.fine("where")


def test_verify_doctor_index_and_stats_report(shell: Shell, vault: Path) -> None:
    shell.fine("store", "a", "text", "--description", "what it is")
    assert shell.fine("verify").startswith("All is sound: ")
    assert shell.fine("doctor") == "Nothing to put right.\n"
    assert shell.fine("index").startswith("indexed ")
    assert "project" in shell.fine("stats")
    log = next((vault / "nexus" / "log" / "ledger").rglob("*mara*.md"))
    log.write_text(log.read_text().replace("store", "stole", 1))
    done = shell("verify")
    assert done.code == 1
    assert "Not sound: " in done.out


def test_what_was_written_by_hand_is_approved_by_a_person_at_a_terminal(shell: Shell, vault: Path) -> None:
    (vault / NOTES / "mine.md").write_text("by hand\n")
    assert "made by hand" in shell.fine("verify")
    refused = shell("approve", "--all")
    assert (refused.code, refused.sentence) == (
        7,
        "Only a person approves: run `mdmem approve` yourself, in a terminal.",
    )
    assert f"approved {NOTES}/mine.md" in shell.terminal("approve", "mine").out
    assert "made by hand" not in shell.fine("verify")


def test_memory_index_that_fell_behind_is_fixed_on_request(shell: Shell, vault: Path) -> None:
    shell.fine("store", "a", "text", "--description", "what it is")
    index = vault / "MEMORY.md"
    index.write_text(index.read_text().replace("what it is", "something else"))
    assert shell("doctor").code == 1
    assert "MEMORY.md was brought up to date." in shell("doctor", "--fix").err
    assert shell("doctor").code == 0


def test_keys_are_listed_rotated_and_confirmed(shell: Shell, vault: Path) -> None:
    assert shell.fine("keys", "list").count("confirmed") == 2
    assert "lyra signs as lyra-" in shell.fine("keys", "rotate", "--agent", "lyra")
    listed = shell.fine("keys", "list")
    assert "retired" in listed
    writer = next(line.split()[0] for line in listed.splitlines() if line.startswith("ella"))
    assert shell("keys", "confirm", writer).code == 7
    assert f"{writer} was confirmed before" in shell.terminal("keys", "confirm", writer).out
    assert f"revoked {writer}" in shell.terminal("keys", "revoke", writer).out


def test_a_secret_is_redacted_for_good(shell: Shell, vault: Path) -> None:
    entry = shell.fine("log", "append", "the password is swordfish", "--agent", "lyra").split()[1]
    assert f"redacted {entry}" in shell.terminal("redact", entry).out
    assert not [path for path in vault.rglob("*.md") if "swordfish" in path.read_text()]
    assert shell("verify").code == 0
