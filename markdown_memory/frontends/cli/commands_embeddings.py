"""`mdmem embeddings`: search by meaning beside words."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_embeddings
from markdown_memory.frontends.cli.root import command, group, run

embeddings = group("embeddings", "Search by meaning beside words, for this user.", "mdmem embeddings enable")


@command("enable", "mdmem embeddings enable", to=embeddings)
def enable(
    ctx: typer.Context,
    provider: Annotated[str, typer.Argument(help="packaged, endpoint or local.")] = "packaged",
    model: Annotated[str, typer.Option("--model", help="Its model, or the folder of a local one.")] = "",
    url: Annotated[str, typer.Option("--url", help="Address of an OpenAI-compatible endpoint.")] = "",
    key_variable: Annotated[
        str, typer.Option("--key-variable", help="Environment variable that holds the endpoint's key.")
    ] = "",
) -> None:
    """Choose a provider, try it, and give the notes their vectors."""
    run(ctx, verbs_embeddings.enable)


@command("refresh", "mdmem embeddings refresh", to=embeddings)
def refresh(ctx: typer.Context) -> None:
    """Give vectors to the notes that have none of their present text."""
    run(ctx, verbs_embeddings.refresh)


@command("disable", "mdmem embeddings disable", to=embeddings)
def disable(ctx: typer.Context) -> None:
    """Search by words only again; the vectors stay in the cache."""
    run(ctx, verbs_embeddings.disable)


@command("status", "mdmem embeddings status", to=embeddings)
def status(ctx: typer.Context) -> None:
    """Whether it is on, and with what."""
    run(ctx, verbs_embeddings.status)
