"""Every `mdmem …` that a document or a message of the program shows is a command that exists, with options that it has.

Documents: the README, the templates, the example vault. Messages: every string in the package's source.
"""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from markdown_memory.frontends.cli.app import app
from tests.house.source import ROOT, modules

TREE: Any = get_command(app)
DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "templates").rglob("*.md")),
    *sorted((ROOT / "vault-example").rglob("*.md")),
]
FENCED = re.compile(r"^```(?:console|sh|bash)[^\n]*\n(.*?)^```", re.M | re.S)
INLINE = re.compile(r"`(mdmem(?: [^`\n]*)?)`")
PLACEHOLDER = re.compile(r"[A-Z…<\[{.]")


def commands_in(text: str) -> Iterator[str]:
    """The command lines of a Markdown text: of its shell blocks, and in code spans."""
    for block in FENCED.findall(text):
        for line in block.splitlines():
            yield from re.findall(r"(?:^|&& |\| |; )(?:\$ )?(?:\S*/)?(mdmem(?: [^|&;#]*)?)", line)
    yield from INLINE.findall(FENCED.sub("", text))


def complaint(line: str) -> str:
    """What is wrong with a command line; empty when nothing is."""
    try:
        words = shlex.split(line.replace("…", "x"))[1:]
    except ValueError:
        words = line.replace("…", "x").split()[1:]
    command, options, is_value = TREE, _options(TREE), False
    for word in words:
        if word == "--":
            break
        if is_value:
            is_value = False
        elif word.startswith("-") and len(word) > 1:
            name, _, value = word.partition("=")
            if name not in options:
                return f"{line!r}: {command.name} has no option {name}"
            is_value = not options[name] and not value
        elif getattr(command, "commands", None) and not PLACEHOLDER.match(word):
            if word in command.commands:
                command = command.commands[word]
                options |= _options(command)
            elif command is TREE or not command.params:
                return f"{line!r}: there is no {word!r}"
    return ""


def _options(command: Any) -> dict[str, bool]:
    """The names of options, and whether they stand alone."""
    named = {name: param for param in command.params for name in (*param.opts, *param.secondary_opts)}
    return {name: getattr(param, "is_flag", False) for name, param in named.items()} | {"--help": True}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_in_a_document_exists(document: Path) -> None:
    found = (complaint(line) for line in commands_in(document.read_text("utf-8")))
    assert not [text for text in found if text]


def test_every_command_in_a_message_exists() -> None:
    strings = {
        (name, node.value)
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "[^" not in node.value  # a pattern
    }
    wrong = [
        f"{name}: {text}" for name, value in sorted(strings) for text in map(complaint, INLINE.findall(value)) if text
    ]
    assert not wrong


def test_every_command_of_the_program_is_told_somewhere() -> None:
    told = " ".join(line for path in DOCUMENTS for line in commands_in(path.read_text("utf-8")))
    assert not [name for name in TREE.commands if not re.search(rf"\bmdmem (?:--\S+ )*{re.escape(name)}\b", told)]
