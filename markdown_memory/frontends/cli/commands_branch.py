"""`mdmem branch`: what is remembered about each branch, and what becomes of it when the branch ends."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_branch
from markdown_memory.frontends.cli.root import command, group, run

branch = group(
    "branch",
    "What is remembered about each branch: list, compare, merge, archive, rename.",
    "mdmem branch merge feature/auth",
)
Name = Annotated[str, typer.Argument(help="Name of the branch; --project names another project.")]


@command("list", "mdmem branch list", to=branch)
def list_branches(ctx: typer.Context) -> None:
    """Branches with memory: how many notes, what waits for review, and whether git here has them."""
    run(ctx, verbs_branch.list_branches)


@command("show", "mdmem branch show feature/auth", to=branch)
def show(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Name of the branch; the present one otherwise.")] = "",
) -> None:
    """The notes of one branch, and which branches a session on it sees."""
    run(ctx, verbs_branch.show)


@command("diff", "mdmem branch diff feature/auth main", to=branch)
def diff(
    ctx: typer.Context,
    name: Name,
    other: Annotated[str, typer.Argument(help="The branch to compare with; the default branch otherwise.")] = "",
) -> None:
    """How the notes of two branches differ: + only on the first, - only on the other, ~ on both."""
    run(ctx, verbs_branch.diff)


@command("merge", "mdmem branch merge feature/auth main --dry-run", to=branch)
def merge(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(help="The branch to merge; without it, what git has just merged.")] = "",
    into: Annotated[str, typer.Argument(help="Where its notes go; the default branch otherwise.")] = "",
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy",
            help="For notes that differ: merge (what only adds lines, else ask), ask (the second text waits for "
            "review), local_wins, remote_wins, newer_wins, keep_both.",
        ),
    ] = "merge",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")] = False,
) -> None:
    """Bring the notes of one branch into another; links and proposals follow.

    The same text counts once. Where texts differ, none is lost: what is merged away lies in the archive, and
    `mdmem restore` brings it back.
    """
    run(ctx, verbs_branch.merge)


@command("delete", 'mdmem branch delete spike/cache --reason "did not pay off"', to=branch)
def delete(
    ctx: typer.Context, name: Name, reason: Annotated[str, typer.Option("--reason", help="Kept in the ledger.")] = ""
) -> None:
    """Move all notes of a branch to the archive; `mdmem restore` brings each back."""
    run(ctx, verbs_branch.delete)


@command("rename", "mdmem branch rename feature/auth feature/login", to=branch)
def rename(ctx: typer.Context, name: Name, new: Annotated[str, typer.Argument(help="Its new name.")]) -> None:
    """Let a branch's notes follow when the branch was renamed in git."""
    run(ctx, verbs_branch.rename)
