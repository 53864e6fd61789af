"""The quick door stays quick: what the verbs of every turn load, seen in a real process."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.frontends.conftest import PROGRAM, Shell

SLOW: tuple[str, ...] = (
    "typer",
    "rich",
    "pydantic",
    "whoosh",
    "cryptography",
    "yaml",
    "frontmatter",
    "filelock",
    "tomllib",
    "argparse",
)
SLOW += ("subprocess", "dataclasses", "inspect", "pathlib", "logging", "tempfile", "shutil", "difflib", "urllib.parse")


def loaded(shell: Shell, *words: str) -> set[str]:
    python, *rest = PROGRAM
    done = subprocess.run(
        [python, "-X", "importtime", *rest, *words], env=shell.env, cwd=shell.cwd, capture_output=True, check=True
    )
    return set(re.findall(r"\| +([\w.]+)$", done.stderr.decode(), re.M))


@pytest.mark.parametrize("words", [("show", "a"), ("context", "--agent", "lyra"), ("list",)], ids=" ".join)
def test_a_verb_of_every_turn_loads_nothing_slow(shell: Shell, vault: Path, words: tuple[str, ...]) -> None:
    shell.fine("store", "a", "text")
    shell.fine(*words)  # the first call fills the catalog, and reads YAML for it
    assert loaded(shell, *words) & set(SLOW) == set()


@pytest.mark.parametrize("words", [("search", "text"), ("where",), ("log", "read"), ("review", "list")], ids=" ".join)
def test_the_other_quick_verbs_load_neither_typer_nor_rich(shell: Shell, vault: Path, words: tuple[str, ...]) -> None:
    shell.fine(*words)
    assert loaded(shell, *words) & {"typer", "rich", "pydantic", "argparse"} == set()
