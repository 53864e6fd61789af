"""Notes by hand: store, edit, rename, forget, restore."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_notes
from markdown_memory.frontends.cli.commands_everyday import NoteName
from markdown_memory.frontends.cli.root import NOTHING, command, run

IfHash = Annotated[str, typer.Option("--if-hash", help="Only if the file still has this SHA-256.")]


@command("store", 'mdmem store deploy-day "We deploy on Tuesdays." --type project --tag release')
def store(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Name of the note.")],
    text: Annotated[str, typer.Argument(help="Its body; - or nothing reads standard input.")] = "-",
    type: Annotated[str, typer.Option("--type", help="user, feedback, project, reference, or your own.")] = "project",
    category: Annotated[str, typer.Option("--category", help="core stays; daily and conversation fade.")] = "",
    description: Annotated[str, typer.Option("--description", help="One line for the memory index.")] = "",
    tag: Annotated[list[str], typer.Option("--tag", help="May be given several times.")] = NOTHING,
    namespace: Annotated[
        str | None, typer.Option("--namespace", help="private, user, project:BRANCH or project:@PROJECT:BRANCH.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="For the author and the person only.")] = False,
    importance: Annotated[float | None, typer.Option("--importance", min=0, max=1, help="0 to 1.")] = None,
    source: Annotated[str, typer.Option("--source", help="Session, file, URL or person it comes from.")] = "",
    on_conflict: Annotated[
        str,
        typer.Option(
            "--on-conflict", help="When a note says otherwise: supersede, keep_both, keep_existing or ask (review)."
        ),
    ] = "",
    if_hash: IfHash = "",
) -> None:
    """Write a note directly. What an agent stores as core waits for review."""
    run(ctx, verbs_notes.store)


@command("edit", "mdmem edit deploy-day --set importance=0.9 --unset source")
def edit(
    ctx: typer.Context,
    name: NoteName,
    body: Annotated[str | None, typer.Option("--body", help="New body; - reads standard input.")] = None,
    set: Annotated[
        list[str], typer.Option("--set", help="KEY=VALUE of the properties; all other bytes stay.")
    ] = NOTHING,
    unset: Annotated[list[str], typer.Option("--unset", help="Property to remove.")] = NOTHING,
    if_hash: IfHash = "",
) -> None:
    """Change a note: in your editor, or by options."""
    run(ctx, verbs_notes.edit)


@command("rename", "mdmem rename deploy-day release-day")
def rename(ctx: typer.Context, name: NoteName, new: Annotated[str, typer.Argument(help="Its new name.")]) -> None:
    """Rename a note and its file; links in all notes follow."""
    run(ctx, verbs_notes.rename)


@command("forget", 'mdmem forget deploy-day --reason "we deploy daily now"')
def forget(
    ctx: typer.Context,
    name: NoteName,
    reason: Annotated[str, typer.Option("--reason", help="Why; kept in the ledger.")] = "",
) -> None:
    """Move a note to the archive. `mdmem restore` brings it back, byte for byte."""
    run(ctx, verbs_notes.forget)


@command("restore", "mdmem restore deploy-day")
def restore(ctx: typer.Context, name: Annotated[str, typer.Argument(help="Name of the forgotten note.")]) -> None:
    """Bring a forgotten note back."""
    run(ctx, verbs_notes.restore)


@command("undo", "mdmem undo --list")
def undo(
    ctx: typer.Context,
    entry: Annotated[str, typer.Argument(help="Id of the operation; the last one otherwise.")] = "",
    list: Annotated[
        bool, typer.Option("--list", help="Show the last operations with their ids; undo nothing.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would become of the files; undo nothing.")
    ] = False,
) -> None:
    """Take back the last operation, whatever it was; what it had made is kept in the archive."""
    run(ctx, verbs_notes.undo)
