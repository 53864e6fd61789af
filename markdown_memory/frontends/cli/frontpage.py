"""The first page of the help: what this is, everyday verbs with examples, the rest under headings."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markdown_memory.frontends import render

INTRODUCTION = """\
Plain-Markdown memory for AI agents, kept by people.

An agent starts with `context`, asks with `search` and `show`, and proposes what must still be true next
month with `retain`. You decide with `review`. Everything is a Markdown file that you can open in Obsidian
or any editor.

New here? `mdmem demo` plays a morning in an example vault and leaves it for you to look around.
"""

CLOSING = """\
`mdmem COMMAND --help` says more and shows an example; `mdmem help exit-codes`, `help json`, `help query` and
`help environment` explain the rest. Without --agent you are the person.
"""

Paint = Callable[..., str]


def page(contents: Mapping[str, Sequence[str]], commands: Mapping[str, Any], options: Sequence[Any], call: Any) -> str:
    """The whole page, folded to the terminal's width."""
    width = min(call.width or 100, 100)
    column = max(len(name) for names in contents.values() for name in names) + 2
    blocks = [_prose(INTRODUCTION, width)]
    for number, (heading, names) in enumerate(contents.items()):
        known = [(name, commands[name]) for name in names if name in commands]
        lines = [
            line for name, command in known for line in _command(name, command, column, width, call.paint, number == 0)
        ]
        blocks.append("\n".join([call.paint(heading, render.BOLD), *lines]))
    rows = [
        line
        for option in options
        for line in _entry(", ".join(sorted(option.opts, key=len)[::-1]), option.help or "", 22, width, call.paint)
    ]
    blocks.append("\n".join([call.paint("Before or after any command", render.BOLD), *rows]))
    return "\n\n".join([*blocks, _prose(CLOSING, width)])


def _prose(text: str, width: int) -> str:
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join("\n".join(render.wrap(paragraph, width)) for paragraph in paragraphs)


def _command(name: str, command: Any, column: int, width: int, paint: Paint, with_example: bool) -> list[str]:
    lines = _entry(name, first_paragraph(command.help), column, width, paint)
    if with_example:
        example = (command.epilog or "").removeprefix("Example: ").replace("\\[", "[")
        lines.append(paint(f"{' ' * (column + 2)}$ {example}", render.DIM))
    return lines


def _entry(name: str, text: str, column: int, width: int, paint: Paint) -> list[str]:
    folded = render.wrap(text, width, " " * (column + 2))
    first = folded[0].lstrip() if folded else ""
    return [f"  {paint(name, render.CYAN)}{' ' * max(column - len(name), 1)}{first}", *folded[1:]]


def first_paragraph(text: str | None) -> str:
    """What a command does, in one sentence or two."""
    return (text or "").strip().split("\n\n")[0].replace("\n", " ")


def flow(text: str | None) -> str:
    """A docstring as prose: one line per paragraph, so that the terminal folds it and not the source."""
    from inspect import cleandoc

    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in cleandoc(text or "").split("\n\n"))
