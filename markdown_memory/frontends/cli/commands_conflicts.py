"""`mdmem conflicts` and `mdmem supersede`: notes that cannot both hold."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_conflicts
from markdown_memory.frontends.cli.commands_everyday import NoteName
from markdown_memory.frontends.cli.root import command, run


@command("conflicts", "mdmem conflicts")
def conflicts(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="A note; without one, all pairs of the vault.")] = "",
    keep: Annotated[str, typer.Option("--keep", help="The other note: both stand, and are not shown again.")] = "",
) -> None:
    """Accepted notes that contradict each other, and what differs."""
    run(ctx, verbs_conflicts.conflicts)


@command("supersede", "mdmem supersede database-is-postgresql-16 database-is-postgresql-14")
def supersede(
    ctx: typer.Context, newer: NoteName, older: Annotated[str, typer.Argument(help="The note that it replaces.")]
) -> None:
    """Let a note supersede an older one, which stays, says so and ranks below."""
    run(ctx, verbs_conflicts.supersede)
