"""`mdmem audit`: what was done here, where the setting `audit` is on."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_audit
from markdown_memory.frontends.cli.root import command, group, run

audit = group("audit", "What was done on this machine, also what was refused; for people.", "mdmem audit list")


@command("list", "mdmem audit list --tail 20", to=audit)
def list_operations(
    ctx: typer.Context,
    tail: Annotated[int, typer.Option("--tail", "-n", min=0, help="Only so many, the newest; 0: all.")] = 0,
) -> None:
    """Each operation with who asked, by which door, for what, and how it went; oldest first."""
    run(ctx, verbs_audit.list_operations)


@command("verify", "mdmem audit verify", to=audit)
def verify(ctx: typer.Context) -> None:
    """Check every signature and chain of the audit log."""
    run(ctx, verbs_audit.verify)
