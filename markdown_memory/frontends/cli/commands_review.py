"""`mdmem review`: the gate. By itself a queue in the terminal; with a word, one decision at a time."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_review
from markdown_memory.frontends.cli.root import NOTHING, command, group, run

review = group(
    "review",
    "Decide what is remembered: a queue of what the agents propose, one key per decision.",
    "mdmem review",
    alone=True,
)
Refs = Annotated[list[str], typer.Argument(help="Numbers in `review list`, or names.")]
Ref = Annotated[str, typer.Argument(help="Number in `review list`, or the proposal's name.")]


@review.callback()
def queue(
    ctx: typer.Context,
    tui: Annotated[bool, typer.Option("--tui", help="On a full screen, and say why if that cannot be.")] = False,
) -> None:
    """Decide what is remembered: a queue of what the agents propose, one key per decision.

    On a full screen where the extra `tui` is installed; as a plain prompt without it, or with --plain.
    """
    if ctx.invoked_subcommand is None:
        run(ctx, verbs_review.queue)


@command("list", "mdmem review list", to=review)
def list_proposals(
    ctx: typer.Context,
    all: Annotated[bool, typer.Option("--all", help="Also what is snoozed.")] = False,
) -> None:
    """What waits for a decision, numbered; an agent sees its own."""
    run(ctx, verbs_review.list_proposals)


@command("show", "mdmem review show 1", to=review)
def show(ctx: typer.Context, ref: Ref) -> None:
    """One proposal with all that is needed to decide: notes that say the same, that it contradicts or would replace."""
    run(ctx, verbs_review.show)


All = Annotated[bool, typer.Option("--all", help="All that wait, or those that the filters below mean.")]
Agent = Annotated[str, typer.Option("--agent", help="With --all: of this agent.")]
Kind = Annotated[str, typer.Option("--kind", help="With --all: of this kind, for example preference.")]
Trust = Annotated[str, typer.Option("--trust", help="With --all: of this trust; external only when you say so.")]
OlderThan = Annotated[str, typer.Option("--older-than", help="With --all: proposed at least so long ago, as in 7d.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask after the preview.")]


@command("accept", "mdmem review accept 1 2", to=review)
def accept(
    ctx: typer.Context,
    refs: Refs = NOTHING,
    replace: Annotated[bool, typer.Option("--replace", help="Over the note of that name, if there is one.")] = False,
    over: Annotated[str, typer.Option("--over", help="As --replace, while that note has this SHA-256.")] = "",
    all: All = False,
    agent: Agent = "",
    kind: Kind = "",
    trust: Trust = "",
    older_than: OlderThan = "",
    yes: Yes = False,
) -> None:
    """Take proposals into the memory. Only a person may; never an agent's shell."""
    run(ctx, verbs_review.accept)


@command("merge", "mdmem review merge 1 --into deploy-and-roll-back", to=review)
def merge(
    ctx: typer.Context,
    ref: Ref,
    into: Annotated[str, typer.Option("--into", help="The note that takes it in.")],
) -> None:
    """Add what a proposal says to a note that is there."""
    run(ctx, verbs_review.merge)


@command("supersede", "mdmem review supersede 1 database-is-postgresql-16", to=review)
def supersede(
    ctx: typer.Context,
    ref: Ref,
    old: Annotated[str, typer.Argument(help="The note that no longer holds.")],
) -> None:
    """Accept a proposal as what supersedes a note, which stays and says so."""
    run(ctx, verbs_review.supersede)


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
    refs: Refs = NOTHING,
    reason: Annotated[str, typer.Option("--reason", help="Shown when the same is proposed again.")] = "",
    all: All = False,
    agent: Agent = "",
    kind: Kind = "",
    trust: Trust = "",
    older_than: OlderThan = "",
    yes: Yes = False,
) -> None:
    """Turn proposals down. They go to the archive, with the reason."""
    run(ctx, verbs_review.reject)


@command("snooze", "mdmem review snooze 2 --days 14", to=review)
def snooze(
    ctx: typer.Context,
    ref: Ref,
    days: Annotated[int, typer.Option("--days", help="0 shows it again at once.")] = 7,
) -> None:
    """Do not show a proposal for some days; it comes back sooner when its text changes."""
    run(ctx, verbs_review.snooze)


@command("withdraw", "mdmem review withdraw 1 --agent lyra", to=review)
def withdraw(ctx: typer.Context, ref: Ref) -> None:
    """For an agent: take an own proposal back."""
    run(ctx, verbs_review.withdraw)


@command("undo", "mdmem review undo", to=review)
def undo(
    ctx: typer.Context,
    ref: Annotated[str, typer.Argument(help="Of a decision that was not the last one: the proposal's name.")] = "",
) -> None:
    """Take the last decision back, or the last one about a proposal."""
    run(ctx, verbs_review.undo)
