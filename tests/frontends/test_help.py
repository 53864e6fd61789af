"""The help teaches: everyday verbs first, an example each that really parses, and topics."""

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from markdown_memory.frontends.cli import guide
from markdown_memory.frontends.cli.app import app, hoist
from markdown_memory.frontends.cli.failures import EXIT_CODES
from markdown_memory.frontends.cli.root import CONTENTS, ORDER
from tests.frontends.conftest import Shell, plain

TREE: Any = get_command(app)


def commands(command: Any = TREE, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, inner in getattr(command, "commands", {}).items():
        yield (*path, name), inner
        yield from commands(inner, (*path, name))


ALL = dict(commands())


def test_every_command_stands_in_the_table_of_contents() -> None:
    assert set(ORDER) == set(TREE.commands)


def test_the_first_page_begins_with_the_everyday_verbs_and_their_examples(shell: Shell) -> None:
    page = shell.fine()
    headings = [heading for heading in CONTENTS if f"\n{heading}\n" in page]
    assert headings == list(CONTENTS)
    assert "$ mdmem search refresh token" in page
    assert page == shell.fine("--help") == shell.fine("-h") == shell.fine("help")
    assert all(f"\n  {name} " in page for name in ORDER)


def test_the_first_page_fits_a_narrow_terminal(shell: Shell) -> None:
    lines = plain(shell.terminal("--help", columns=50).out).splitlines()
    too_long = [line for line in lines if len(line) > 50 and not line.lstrip().startswith("$ ")]
    assert not too_long


@pytest.mark.parametrize("path", sorted(ALL), ids=" ".join)
def test_every_command_has_a_sentence_and_an_example_that_parses(path: tuple[str, ...]) -> None:
    command = ALL[path]
    assert command.help.strip().endswith((".", "!"))
    example = command.epilog.removeprefix("Example: ").replace("\\[", "[")
    words = shlex.split(example)
    assert words[0] == "mdmem"
    assert words[1 : 1 + len(path)] == list(path) or getattr(command, "commands", None)
    context = TREE.make_context("mdmem", hoist(words[1:], TREE))
    rest = [*context._protected_args, *context.args]
    inner = TREE
    while getattr(inner, "commands", None) and rest:
        inner = inner.commands[rest[0]]
        context = inner.make_context(rest[0], rest[1:], parent=context)
        rest = [*getattr(context, "_protected_args", ()), *context.args]


def test_the_help_of_a_command_shows_its_options_and_example(shell: Shell) -> None:
    for words in (("search", "--help"), ("help", "search")):
        page = shell.fine(*words)
        assert "Find notes, best first" in page
        assert "--limit" in page
        assert "Example: mdmem search refresh token" in page
    assert "Sign an entry" in shell.fine("help", "log", "append")


@pytest.mark.parametrize("topic", sorted(guide.TOPICS))
def test_every_topic_is_explained(shell: Shell, topic: str) -> None:
    assert len(shell.fine("help", topic).splitlines()) > 5


def test_the_exit_codes_are_told_as_they_are(shell: Shell) -> None:
    page = shell.fine("help", "exit-codes")
    assert all(f"{code:>3}  {name}" in page for code, name, _ in EXIT_CODES)


def test_completion_offers_commands_options_and_notes(shell: Shell, vault: object) -> None:
    shell.fine("store", "oauth-pkce", "text")
    shell.fine("store", "other", "text")

    def offered(line: str) -> list[str]:
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
        return shell.fine(_MDMEM_COMPLETE="complete_bash", **words).split()

    assert offered("mdmem sea") == ["search"]
    assert "--limit" in offered("mdmem search --l")
    assert offered("mdmem show oa") == ["oauth-pkce"]
    shell.env["MDMEM_HOME"] = "/nowhere"
    assert offered("mdmem show oa") == []


def test_the_version_is_told(shell: Shell) -> None:
    assert shell.fine("--version") == shell.fine("version")
    assert shell.fine("version").startswith("mdmem ")
