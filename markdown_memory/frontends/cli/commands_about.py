"""`mdmem help` and `mdmem version`."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import guide, verbs_about
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.root import NOTHING, command, run


@command("help", "mdmem help exit-codes")
def help(
    ctx: typer.Context,
    topic: Annotated[list[str], typer.Argument(help="exit-codes, json, query, environment, or a command.")] = NOTHING,
) -> None:
    """Explain a topic or a command."""
    found = _command_help(ctx, topic)
    if found is not None:
        typer.echo(found)
        raise typer.Exit
    run(ctx, verbs_about.explain)


@command("version", "mdmem version")
def version(ctx: typer.Context) -> None:
    """Print the version of the program and of Python."""
    run(ctx, verbs_about.version)


def _command_help(ctx: typer.Context, words: list[str]) -> str | None:
    """The help of the command that the words name; None when they name a topic or nothing known."""
    root = ctx.find_root()
    inner = root
    if words and words[0] in guide.TOPICS:
        return None
    for word in words:
        found = getattr(inner.command, "commands", {}).get(word)
        if found is None:
            return None
        inner = type(root)(found, info_name=word, parent=inner, help_option_names=["--help", "-h"])
    assert isinstance(root.obj, Call)
    return inner.get_help()
