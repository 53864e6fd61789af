"""`mdmem review`: the gate. By itself a queue in the terminal; with a word, one decision at a time."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_review
from markdown_memory.frontends.cli.root import command, group, run

review = group(
    "review",
    "Decide what is remembered: a queue of what the agents propose, one key per decision.",
    "mdmem review",
    alone=True,
)
Ref = Annotated[str, typer.Argument(help="Number in `review list`, or the proposal's name.")]


@review.callback()
def queue(ctx: typer.Context) -> None:
    """Decide what is remembered: a queue of what the agents propose, one key per decision."""
    if ctx.invoked_subcommand is None:
        run(ctx, verbs_review.queue)


@command("list", "mdmem review list", to=review)
def list_proposals(ctx: typer.Context) -> None:
    """What waits for a decision, numbered."""
    run(ctx, verbs_review.list_proposals)


@command("show", "mdmem review show 1", to=review)
def show(ctx: typer.Context, ref: Ref) -> None:
    """One proposal with all that is needed to decide."""
    run(ctx, verbs_review.show)


@command("accept", "mdmem review accept 1 2", to=review)
def accept(
    ctx: typer.Context,
    refs: Annotated[list[str], typer.Argument(help="Numbers in `review list`, or names.")],
    replace: Annotated[bool, typer.Option("--replace", help="Over the note of that name, if there is one.")] = False,
) -> None:
    """Take proposals into the memory. Only a person may; never an agent's shell."""
    run(ctx, verbs_review.accept)


@command("edit", 'mdmem review edit 2 --body "Mobile clients must use PKCE with S256."', to=review)
def edit(
    ctx: typer.Context,
    ref: Ref,
    body: Annotated[str | None, typer.Option("--body", help="New text; - reads standard input.")] = None,
) -> None:
    """Put a proposal into better words before deciding: in your editor, or by --body."""
    run(ctx, verbs_review.edit)


@command("reject", 'mdmem review reject 3 --reason "only true on staging"', to=review)
def reject(
    ctx: typer.Context,
    refs: Annotated[list[str], typer.Argument(help="Numbers in `review list`, or names.")],
    reason: Annotated[str, typer.Option("--reason", help="Shown when the same is proposed again.")] = "",
) -> None:
    """Turn proposals down. They go to the archive, with the reason."""
    run(ctx, verbs_review.reject)


@command("undo", "mdmem review undo", to=review)
def undo(ctx: typer.Context) -> None:
    """Take the last decision back."""
    run(ctx, verbs_review.undo)
