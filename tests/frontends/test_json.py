"""`--json`: one document per call, with the keys that `mdmem help json` promises."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from markdown_memory.frontends.cli import shapes
from tests.frontends.conftest import Shell
from tests.frontends.test_help import commands

PROMISED = shapes.__doc__ or ""


def promised(verb: str) -> set[str]:
    """The keys on the first level that the documentation names for a verb or a part."""
    start = re.search(rf"^  {re.escape(verb)}\b[^{{]*\{{", PROMISED, re.M)
    assert start is not None, f"`mdmem help json` does not tell of {verb}"
    keys, depth = set(), 1
    for token in re.finditer(r'"([\w-]+)"|[{}\[\]]', PROMISED[start.end() :]):
        if token.group() in "{[":
            depth += 1
        elif token.group() in "}]":
            depth -= 1
            if depth == 0:
                break
        elif depth == 1:
            keys.add(token[1])
    return keys


@pytest.fixture
def talk(shell: Shell, vault: Path) -> Any:
    shell.fine("store", "deploy-day", "We deploy on Tuesdays.", "--description", "When we deploy")
    shell.fine("store", "lunch", "The team eats at noon.")
    shell.fine("log", "append", "Shipped PR 88", "--agent", "lyra")

    def say(*words: str, code: int = 0) -> Any:
        done = shell(*words, "--json")
        assert done.code == code, done.err
        return json.loads(done.out)

    return say


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("context", ("context",)),
        ("search", ("search", "tuesday")),
        ("show", ("show", "deploy-day")),
        ("list", ("list",)),
        ("where", ("where",)),
        ("retain", ("retain", "x is y", "--agent", "lyra")),
        ("review list", ("review", "list")),
        ("log append", ("log", "append", "x")),
        ("log read", ("log", "read")),
        ("undo", ("undo",)),
        ("undo --list", ("undo", "--list")),
        ("conflicts", ("conflicts",)),
        ("supersede", ("supersede", "deploy-day", "lunch")),
        ("rename", ("rename", "deploy-day", "release-day")),
        ("forget", ("forget", "deploy-day")),
        ("branch list", ("branch", "list")),
        ("project list", ("project", "list")),
        ("branch show", ("branch", "show")),
        ("branch diff", ("branch", "diff", "main", "main")),
        ("verify", ("verify",)),
        ("doctor", ("doctor", "--fix")),
        ("keys list", ("keys", "list")),
        ("project show", ("project", "show")),
        ("stats", ("stats",)),
        ("index", ("index",)),
        ("version", ("version",)),
    ],
)
def test_a_verb_prints_the_keys_that_it_promises(talk: Any, verb: str, words: tuple[str, ...]) -> None:
    assert set(talk(*words)) == promised(verb)


def test_notes_hits_proposals_and_entries_have_the_keys_that_they_promise(talk: Any) -> None:
    assert set(talk("list")["notes"][0]) == promised("note") == set(talk("store", "b", "text"))
    assert set(talk("retain", "x is y", "--agent", "lyra")["proposal"]) == promised("proposal")
    assert set(talk("log", "append", "x")["entry"]) == promised("entry")
    hit = talk("search", "tuesday")["hits"][0]
    told = PROMISED[PROMISED.index("  search ") : PROMISED.index("  show ")]
    assert set(re.findall(r'"([a-z_]+)"', told.split('"hits"')[1])) == set(hit)
    line = talk("log", "read")["entries"][0]
    assert set(line) >= promised("entry")


GROUPS = "log|keys|project|review|embeddings|branch|snapshot|audit"


def told_of() -> set[str]:
    """Every verb that the documentation has a line for; `review accept, undo` stands for two."""
    names = set()
    for line in PROMISED[PROMISED.index("  context ") :].splitlines():
        verbs = re.match(rf"  (?P<group>(?:{GROUPS}) )?(?P<names>[a-z][a-z-]*(?:, [a-z-]+)*)", line)
        if verbs:
            names |= {(verbs["group"] or "") + name for name in verbs["names"].split(", ")}
    return names


def test_every_command_that_prints_a_document_is_told_of() -> None:
    without = {"hook", "serve", *GROUPS.split("|")}  # protocols of their own, and groups
    assert {" ".join(path) for path, _ in commands()} - without - told_of() == set()


def test_init_and_a_failure_are_documents_too(shell: Shell, talk: Any) -> None:
    made = json.loads(shell.fine("init", "elsewhere", "--json"))
    assert set(made) == promised("init")
    error = talk("show", "deploy-dya", code=3)["error"]
    assert error == {
        "kind": "not-found",
        "exit": 3,
        "message": "There is no note called 'deploy-dya'. Did you mean 'deploy-day'?",
        "near": ["deploy-day"],
        "candidates": [],
    }


def test_a_document_stands_alone_on_standard_output(shell: Shell, talk: Any) -> None:
    done = shell("review", "--json")
    assert json.loads(done.out) == {"proposals": []}


def test_names_that_are_no_unicode_are_escaped_and_not_lost(shell: Shell, talk: Any, vault: Path) -> None:
    bad = bytes(vault / "memory" / "project" / "main") + b"/bad\xff.md"
    Path(bad.decode("utf-8", "surrogateescape")).write_text("zebra\n")
    paths = [note["path"] for note in talk("list")["notes"]]
    assert "memory/project/main/bad\udcff.md" in paths
