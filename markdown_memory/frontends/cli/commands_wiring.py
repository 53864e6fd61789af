"""Our part in other programs' settings: `mdmem install` and `uninstall`."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_wiring
from markdown_memory.frontends.cli.root import command, run

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")]


@command("install", "mdmem install claude-code --agent lyra")
def install(
    ctx: typer.Context,
    client: Annotated[
        str,
        typer.Argument(help="claude-code, codex, gemini, cursor, openclaw, hermes, vscode or claude-desktop."),
    ],
    agent: Annotated[str, typer.Option("--agent", help="The agent that the client runs.")] = "",
    project_settings: Annotated[
        bool, typer.Option("--project-settings", help="Only for the project here, not for all of your account.")
    ] = False,
    guard: Annotated[
        bool | None,
        typer.Option("--guard/--no-guard", help="Keep the agent's own file tools off the vault's files."),
    ] = None,
    yes: Yes = False,
) -> None:
    """Wire a coding agent to this memory: hooks and MCP server. Shows the exact change first, then asks.

    Only our own entries are added, by absolute path; everything else in the client's settings stays as it is, and a
    copy of each file is kept beside it.
    """
    run(ctx, verbs_wiring.install)


@command("uninstall", "mdmem uninstall claude-code")
def uninstall(
    ctx: typer.Context,
    client: Annotated[str, typer.Argument(help="The client, as for install.")] = "",
    all: Annotated[bool, typer.Option("--all", help="Every client that was wired.")] = False,
    yes: Yes = False,
) -> None:
    """Take our entries out of a client's settings, and nothing else. Notes stay where they are."""
    run(ctx, verbs_wiring.uninstall)
