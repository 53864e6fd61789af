"""`mdmem snapshot`: the vault as one file that travels, and comes back."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_snapshot
from markdown_memory.frontends.cli.root import NOTHING, command, group, run

snapshot = group("snapshot", "The memory as one file: send it out, merge it back.", "mdmem snapshot make trip.mdmem")

Source = Annotated[str, typer.Argument(help="A snapshot, or the folder of another copy of this vault.")]
Strategy = Annotated[
    str,
    typer.Option(
        "--strategy", help="Where both changed the same: merge, newer_wins, local_wins, remote_wins, keep_both or ask."
    ),
]
Namespaces = Annotated[
    list[str], typer.Option("--namespace", help="Only these: user, project:feature/auth, project:@shop:main.")
]
Key = Annotated[str, typer.Option("--key", help="Fingerprint of the maker's key, when nobody has confirmed it here.")]


@command("make", "mdmem snapshot make trip.mdmem", to=snapshot)
def make(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(help="The file to write, outside the vault.")],
    namespace: Namespaces = NOTHING,
) -> None:
    """Write the vault into one file, and its signature beside it. Private notes stay here."""
    run(ctx, verbs_snapshot.make)


@command("open", "mdmem snapshot open trip.mdmem ~/trip", to=snapshot)
def open_(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(help="The snapshot; its .sig lies beside it.")],
    folder: Annotated[str, typer.Argument(help="The new folder.")],
) -> None:
    """Unpack a snapshot as a copy of the vault, to work in elsewhere."""
    run(ctx, verbs_snapshot.open_)


@command("diff", "mdmem snapshot diff back.mdmem", to=snapshot)
def diff(
    ctx: typer.Context, source: Source, strategy: Strategy = "merge", namespace: Namespaces = NOTHING, key: Key = ""
) -> None:
    """What a merge would do. Nothing is written."""
    run(ctx, verbs_snapshot.diff)


@command("merge", "mdmem snapshot merge back.mdmem", to=snapshot)
def merge(
    ctx: typer.Context,
    source: Source,
    strategy: Strategy = "merge",
    namespace: Namespaces = NOTHING,
    key: Key = "",
    allow_removals: Annotated[
        bool, typer.Option("--allow-removals", help="Even when more than a third of the notes would go.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and write nothing.")] = False,
) -> None:
    """Bring in what was done elsewhere: all of it, or nothing. Only a person may."""
    run(ctx, verbs_snapshot.merge)
