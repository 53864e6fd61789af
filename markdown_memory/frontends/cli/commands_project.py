"""`mdmem project`: what concerns a project as a whole."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_project
from markdown_memory.frontends.cli.commands_notes import IfHash
from markdown_memory.frontends.cli.root import command, group, run

project = group("project", "A project as a whole: where it stands, and what it is called.", "mdmem project show")


@command("show", "mdmem project show --project shop", to=project)
def show(ctx: typer.Context) -> None:
    """Print the project's present state; its hash goes beside it, for `project edit --if-hash`."""
    run(ctx, verbs_project.show)


@command("edit", 'mdmem project edit --body "1.9.2 is live; the map is next." --if-hash 3f6c…', to=project)
def edit(
    ctx: typer.Context,
    body: Annotated[str | None, typer.Option("--body", help="The new state; - reads standard input.")] = None,
    if_hash: IfHash = "",
) -> None:
    """Replace the project's state: in your editor, from standard input, or by --body."""
    run(ctx, verbs_project.edit)


@command("list", "mdmem project list", to=project)
def list_projects(ctx: typer.Context) -> None:
    """The projects that this vault remembers: notes, branches, and the repositories that they are known by."""
    run(ctx, verbs_project.list_projects)


@command("rename", "mdmem project rename shop storefront", to=project)
def rename(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Name of the project.")],
    new: Annotated[str, typer.Argument(help="Its new name.")],
) -> None:
    """Give a project another name: in Settings.md, in its folders, and in whatever links to its notes."""
    run(ctx, verbs_project.rename)
