"""Setting up and looking after a vault: init, link, trust, verify, doctor, index, stats."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_setup, verbs_sync, verbs_vault
from markdown_memory.frontends.cli.root import NOTHING, command, run


@command("init", "mdmem init ~/memory --agents lyra,ella")
def init(
    ctx: typer.Context,
    folder: Annotated[str, typer.Argument(help="Folder of the new vault, or an existing Obsidian vault.")] = ".",
    agents: Annotated[list[str], typer.Option("--agents", help="Names of your agents: lyra,ella.")] = NOTHING,
    inside: Annotated[str, typer.Option("--inside", help="The Obsidian vault to make it in, as its Memory/.")] = "",
    person: Annotated[str, typer.Option("--person", help="Your name, as it signs decisions.")] = "",
    git: Annotated[bool, typer.Option("--git", help="Make the vault a git repository.")] = False,
) -> None:
    """Make a vault, or a Memory/ folder inside an Obsidian vault whose other notes stay untouched."""
    run(ctx, verbs_setup.init)


@command("link", "mdmem link --vault ~/memory --project shop")
def link(ctx: typer.Context) -> None:
    """Tie the code repository here to a vault, and to a project in it."""
    run(ctx, verbs_setup.link)


@command("trust", "mdmem trust ~/team-memory")
def trust(
    ctx: typer.Context,
    folder: Annotated[str, typer.Argument(help="Folder of the vault.")],
    key: Annotated[str, typer.Option("--key", help="Fingerprint of the root, where several keys claim it.")] = "",
) -> None:
    """Let agents be guided by a vault that came from elsewhere. Only a person may."""
    run(ctx, verbs_setup.trust)


@command("join", "mdmem join ~/memory")
def join(
    ctx: typer.Context,
    folder: Annotated[str, typer.Argument(help="Folder of the vault, which git or a sync tool brought here.")] = ".",
    person: Annotated[str, typer.Option("--person", help="Your name, if not that of the vault's owner.")] = "",
    key: Annotated[str, typer.Option("--key", help="Fingerprint of the root, where several keys claim it.")] = "",
) -> None:
    """Use a vault on a further machine of yours: trusted, with keys of its own, as the default. Only a person may."""
    run(ctx, verbs_setup.join)


@command("sync", "mdmem sync")
def sync(
    ctx: typer.Context,
    allow_removals: Annotated[
        bool, typer.Option("--allow-removals", help="More than a third of the notes may go.")
    ] = False,
) -> None:
    """Share the vault with its git remote: commit what changed, fetch, merge, push.

    What was changed in different places is put together; where the same lines differ, one text stays and the other
    waits for review. Nothing is pushed by force, and private notes stay here.
    """
    run(ctx, verbs_sync.sync)


@command("verify", "mdmem verify")
def verify(
    ctx: typer.Context,
    quick: Annotated[bool, typer.Option("--quick", help="Only what is new since the last time.")] = False,
) -> None:
    """Check every signature, chain and file, and name what was changed, lost, forged or rolled back."""
    run(ctx, verbs_vault.verify)


@command("redact", "mdmem redact lyra-k7f3-42")
def redact(
    ctx: typer.Context,
    names: Annotated[list[str], typer.Argument(help="Entries, as `log read` shows them, or notes.")] = NOTHING,
    apply: Annotated[bool, typer.Option("--apply", help="Blank here what was redacted on another machine.")] = False,
) -> None:
    """Take a secret out of logs and notes for good; the chains still verify. Only a person may."""
    run(ctx, verbs_vault.redact)


@command("doctor", "mdmem doctor")
def doctor(
    ctx: typer.Context,
    fix: Annotated[bool, typer.Option("--fix", help="Put right what is safe: MEMORY.md, sync tools' copies.")] = False,
) -> None:
    """Everything that a person should put right, with the remedy."""
    run(ctx, verbs_vault.doctor)


@command("approve", "mdmem approve deploy-day")
def approve(
    ctx: typer.Context,
    names: Annotated[list[str], typer.Argument(help="Notes, as they are now.")] = NOTHING,
    all: Annotated[bool, typer.Option("--all", help="Every file that nobody has signed.")] = False,
) -> None:
    """Sign what was written or edited by hand. Only a person may."""
    run(ctx, verbs_vault.approve)


@command("index", "mdmem index")
def index(ctx: typer.Context) -> None:
    """Build the search index and MEMORY.md anew from the files. Never needed, always harmless."""
    run(ctx, verbs_vault.index)


@command("stats", "mdmem stats")
def stats(ctx: typer.Context) -> None:
    """How many notes of which kind, scope and agent."""
    run(ctx, verbs_vault.stats)
