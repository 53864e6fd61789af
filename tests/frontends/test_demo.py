"""`mdmem demo`: a story of real commands, in a vault that stays and touches nothing else."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from markdown_memory.frontends.cli.demo import KEPT, TURNED_DOWN
from tests.frontends.conftest import PROGRAM, Done, Shell, make_shell, plain


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Shell, Done, Path]:
    """A demo in a folder with spaces, inside somebody's unlinked code repository."""
    shell = make_shell(tmp_path_factory.mktemp("demo"))
    for line in ("init -q", "remote add origin https://example.org/ana/other.git"):
        subprocess.run(["git", *line.split()], cwd=shell.cwd, check=True)
    done = shell("demo", "my demo")
    return shell, done, shell.cwd / "my demo"


def test_it_plays_to_the_end_without_a_word_of_complaint(played: tuple[Shell, Done, Path]) -> None:
    _, done, _ = played
    assert (done.code, done.err) == (0, "")


def test_the_story_is_told_in_the_order_of_a_morning(played: tuple[Shell, Done, Path]) -> None:
    beats = (
        "A morning with mdmem",
        "$ mdmem context",
        "Shipped the OAuth refresh fix (PR 88)",
        "$ mdmem log append",
        "--ack lyra-",
        f"waiting inbox/ella/{KEPT}.md",
        f"waiting inbox/ella/{TURNED_DOWN}.md",
        "Only a person may accept",
        f"accepted memory/project/main/{KEPT}.md",
        f"rejected archive/inbox/ella/{TURNED_DOWN}.md",
        "$ mdmem search",
        f"1. {KEPT}",
        "All is sound: ",
        "Open folder as vault",
    )
    out = played[1].out
    places = [out.index(beat) for beat in beats]
    assert places == sorted(places)


def test_the_search_uses_other_words_than_the_fact(played: tuple[Shell, Done, Path]) -> None:
    query = re.search(r'\$ mdmem search "([^"]+)"', played[1].out)
    assert query is not None
    assert query[1] not in (played[2] / "harbor" / "memory" / "project" / "main" / f"{KEPT}.md").read_text()


def test_the_prose_fits_the_screen(played: tuple[Shell, Done, Path]) -> None:
    prose = [
        line
        for line in played[1].out.split("\nLook around")[0].splitlines()
        if not line.startswith("  ") and "/" not in line
    ]
    assert max(map(len, prose)) <= 96


def test_everything_lies_in_its_folder_and_the_home_is_untouched(played: tuple[Shell, Done, Path]) -> None:
    shell, _, folder = played
    assert sorted(os.listdir(folder)) == ["harbor", "home"]
    assert os.listdir(shell.home) == []
    assert "demo: true" in (folder / "harbor" / "Settings.md").read_text()


def test_no_key_of_the_example_signs_in_the_demo(played: tuple[Shell, Done, Path]) -> None:
    shell, _, folder = played
    listed = json.loads(
        shell.fine("keys", "list", "--json", MDMEM_HOME=str(folder / "home"), MDMEM_VAULT=f"{folder}/harbor")
    )
    assert {(one["agent"], one["here"]) for one in listed["writers"]} == {
        ("ella", True),
        ("lyra", True),
        ("mara", True),
    }
    assert {one["state"] for one in listed["writers"]} == {"root", "confirmed"}


def test_the_last_words_really_lead_on(played: tuple[Shell, Done, Path], tmp_path: Path) -> None:
    shell, done, _ = played
    line = re.search(r"Terminal   (cd .*)", done.out)
    assert line is not None
    command = f"{line[1]} && {' '.join(PROGRAM)} review list && {' '.join(PROGRAM)} doctor"
    ended = subprocess.run(
        ["sh", "-c", command], env=shell.env, capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert len(ended.stdout.splitlines()) == 12  # heads, ten proposals, and that nothing is to be put right


def test_twice_in_a_row_gives_a_second_demo_and_says_so(played: tuple[Shell, Done, Path]) -> None:
    shell, _, folder = played
    again = shell("demo", "my demo")
    assert again.code == 0
    assert again.err == f"my demo is there already, so this demo goes to {folder}-2.\n"
    assert (folder.parent / "my demo-2" / "harbor" / "Home.md").exists()


def test_as_a_document_it_lists_the_commands_and_their_output(shell: Shell) -> None:
    document = json.loads(shell.fine("demo", "here", "--json"))
    assert document["vault"] == str(shell.cwd / "here" / "harbor")
    assert [one["exit"] for one in document["commands"]].count(7) == 1
    assert document["commands"][0]["command"].startswith("mdmem context")


def test_at_a_narrow_terminal_it_is_folded_and_coloured(shell: Shell) -> None:
    done = shell.terminal("demo", "here", columns=60)
    assert done.code == 0
    assert "\x1b[1m" in done.out
    prose = plain(done.out).split("\nLook around")[0].splitlines()
    assert max(len(line) for line in prose if not line.startswith("  ") and "/" not in line) <= 60


def test_a_folder_that_cannot_be_made_is_one_sentence(shell: Shell) -> None:
    (shell.cwd / "file").write_text("")
    done = shell("demo", "file/inside")
    assert done.code == 8
    assert "file" in done.sentence
