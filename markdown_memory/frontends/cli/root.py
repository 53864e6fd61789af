"""The Typer app itself: table of contents, global options, and the bridge from a command to its verb."""

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from markdown_memory.frontends.cli import frontpage
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.failures import perform
from markdown_memory.frontends.cli.surroundings import Surroundings, look_around

CONTENTS = {
    "Every day": ("context", "search", "show", "retain", "review", "log"),
    "Notes by hand": (
        "list",
        "store",
        "edit",
        "rename",
        "forget",
        "restore",
        "undo",
        "conflicts",
        "supersede",
        "branch",
    ),
    "In an agent's session": ("checkpoint", "decide", "project", "install", "uninstall", "serve", "hook"),
    "Getting started": ("demo", "init", "where", "link", "trust", "join"),
    "Looking after the vault": (
        "verify",
        "approve",
        "redact",
        "doctor",
        "index",
        "stats",
        "keys",
        "audit",
        "embeddings",
    ),
    "Taking it elsewhere": ("sync", "snapshot"),
    "About": ("help", "version"),
}
NOTHING: list[str] = []  # default of options that may be given several times; Typer copies it
ORDER = tuple(name for names in CONTENTS.values() for name in names)


class Contents(TyperGroup):
    """Lists commands in the order of the table of contents; its help is the front page."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names in the order in which a newcomer should meet them."""
        return sorted(self.commands, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the front page; Typer ends its last line."""
        call = ctx.obj if isinstance(ctx.obj, Call) else Call(ctx.obj or look_around())
        options = [param for param in self.get_params(ctx) if "completion" not in (param.name or "")]
        sys.stdout.write(frontpage.page(CONTENTS, self.commands, options, call))


app = typer.Typer(
    name="mdmem",
    cls=Contents,
    help=frontpage.first_paragraph(frontpage.INTRODUCTION),
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
)


@app.callback()
def everywhere(
    ctx: typer.Context,
    vault: Annotated[
        list[str],
        typer.Option("--vault", help="Folder of the vault, if not the one found from here; several are read as one."),
    ] = NOTHING,
    agent: Annotated[str, typer.Option("--agent", help="Act as this agent; without it you are the person.")] = "",
    project: Annotated[str | None, typer.Option("--project", help="Project, if not the one of this folder.")] = None,
    branch: Annotated[str | None, typer.Option("--branch", help="Branch, if not the one checked out.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")] = False,
    plain: Annotated[bool, typer.Option("--plain", "--no-color", help="No colour, no drawn tables.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing but the result and errors.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Keep the global options for the command."""
    here = ctx.obj if isinstance(ctx.obj, Surroundings) else look_around()
    place = {"vault": tuple(vault), "project": project, "branch": branch}
    ctx.obj = Call(here, **place, agent=agent, json=json, plain=plain, quiet=quiet)  # type: ignore[arg-type]
    if version:
        from markdown_memory.frontends.cli.verbs_about import version as print_version

        raise typer.Exit(perform(ctx.obj, print_version))
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
        raise typer.Exit


def panel(name: str) -> str:
    """The heading under which a command stands in the help."""
    return next(heading for heading, names in CONTENTS.items() if name in names)


def command(name: str, example: str, *, to: typer.Typer = app) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a command under its heading, with the example that ends its help."""
    heading = panel(name) if to is app else None

    def register(function: Callable[..., None]) -> Callable[..., None]:
        text = _literal(frontpage.flow(function.__doc__))
        return to.command(name, help=text, rich_help_panel=heading, epilog=f"Example: {_literal(example)}")(function)

    return register


def group(name: str, help: str, example: str, *, alone: bool = False) -> typer.Typer:
    """A command with commands of its own; `alone`: it also does something by itself."""
    inner = typer.Typer(
        help=help,
        epilog=f"Example: {_literal(example)}",
        invoke_without_command=alone,
        no_args_is_help=not alone,
        rich_markup_mode="rich",
    )
    app.add_typer(inner, name=name, rich_help_panel=panel(name))
    return inner


def run(ctx: typer.Context, verb: Callable[..., int | None]) -> None:
    """Call the verb with what the command line said, and end with its exit code."""
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in ctx.params.items()}
    raise typer.Exit(perform(ctx.find_root().obj, verb, **values))


def _literal(text: str) -> str:
    """Keep rich from reading brackets in an example as markup."""
    return text.replace("[", "\\[")
