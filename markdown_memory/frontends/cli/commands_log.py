"""`mdmem log` and `mdmem keys`: the signed logs, and who may sign."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_keys, verbs_log
from markdown_memory.frontends.cli.root import NOTHING, command, group, run

log = group("log", "What was just done: signed entries that the other agents read today.", "mdmem log read --unread")
keys = group("keys", "Who may sign: the writers of this vault and their standing.", "mdmem keys list")

Writer = Annotated[str, typer.Argument(help="Writer, as `keys list` shows it.")]


@command("append", 'mdmem log append "Shipped the refresh fix (PR 88)" --kind fix --agent lyra', to=log)
def append(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(help="One line that says what was done; - reads it.")],
    channel: Annotated[str, typer.Option("--channel", help="Where it happened: terminal, telegram …")] = "",
    kind: Annotated[str, typer.Option("--kind", help="note, fix, decision, question … (a-z, 0-9, -)")] = "note",
    ack: Annotated[
        list[str], typer.Option("--ack", help="Entry that this one answers, as `log read` shows it.")
    ] = NOTHING,
    ref: Annotated[list[str], typer.Option("--ref", help="Note, file or URL that it is about.")] = NOTHING,
) -> None:
    """Sign an entry and append it to the live context."""
    run(ctx, verbs_log.append)


@command("read", "mdmem log read --unread --agent ella", to=log)
def read(
    ctx: typer.Context,
    unread: Annotated[bool, typer.Option("--unread", help="What this session has not seen; marks it as seen.")] = False,
    since: Annotated[
        str, typer.Option("--since", help="From this day or moment on: 2026-11-30, 2026-11-30T02:00.")
    ] = "",
    by: Annotated[str, typer.Option("--by", help="Only entries of this agent.")] = "",
    kind: Annotated[str, typer.Option("--kind", help="Only entries of this kind.")] = "",
    tail: Annotated[int, typer.Option("--tail", "-n", min=0, help="Only the newest so many.")] = 0,
) -> None:
    """Read the live context, oldest first; what does not verify is marked."""
    run(ctx, verbs_log.read)


@command("follow", "mdmem log follow --by lyra --tail 5", to=log)
def follow(
    ctx: typer.Context,
    by: Annotated[str, typer.Option("--by", help="Only entries of this agent.")] = "",
    kind: Annotated[str, typer.Option("--kind", help="Only entries of this kind.")] = "",
    tail: Annotated[int, typer.Option("--tail", "-n", min=0, help="Begin with the newest so many.")] = 0,
) -> None:
    """Print new entries as they arrive, whoever writes them, until Ctrl-C; marks nothing as seen."""
    run(ctx, verbs_log.follow)


@command("adopt", 'mdmem log adopt "fixed the build by hand"', to=log)
def adopt(
    ctx: typer.Context,
    line: Annotated[str, typer.Argument(help="The unsigned line, or the beginning of it.")],
) -> None:
    """Sign a line that somebody wrote into the live context by hand."""
    run(ctx, verbs_log.adopt)


@command("list", "mdmem keys list", to=keys)
def list_keys(ctx: typer.Context) -> None:
    """Writers with fingerprint, role and standing."""
    run(ctx, verbs_keys.list_keys)


@command("confirm", "mdmem keys confirm lyra-k7f3", to=keys)
def confirm(ctx: typer.Context, writer: Writer) -> None:
    """Say, as a person, that a new writer may sign."""
    run(ctx, verbs_keys.confirm)


@command("rotate", "mdmem keys rotate --agent lyra", to=keys)
def rotate(ctx: typer.Context) -> None:
    """Give yourself, or the agent of --agent, a new key on this machine; the old one vouches for it and retires."""
    run(ctx, verbs_keys.rotate)


@command("retire", "mdmem keys retire lyra-k7f3", to=keys)
def retire(ctx: typer.Context, writer: Writer) -> None:
    """Say, as a person, that a writer writes nothing more: its machine is given away."""
    run(ctx, verbs_keys.retire)


@command("revoke", "mdmem keys revoke lyra-k7f3 --after live-lyra-k7f3-42", to=keys)
def revoke(
    ctx: typer.Context,
    writer: Writer,
    after: Annotated[list[str], typer.Option("--after", help="Its last right entry, one for each log.")] = NOTHING,
) -> None:
    """Say, as a person, that a writer is not trusted any more: its machine was lost."""
    run(ctx, verbs_keys.revoke)


@command("move-here", "mdmem keys move-here lyra-k7f3", to=keys)
def move_here(ctx: typer.Context, writer: Writer) -> None:
    """Continue a writer whose key came in a copied home; its old machine must never write again."""
    run(ctx, verbs_keys.move_here)


Backup = Annotated[str, typer.Argument(help="The file of the backup.")]
PassphraseFile = Annotated[
    str, typer.Option("--passphrase-file", help="A file with the passphrase, instead of asking.")
]


@command("export", "mdmem keys export ~/notes-keys.txt", to=keys)
def export(ctx: typer.Context, file: Backup, passphrase_file: PassphraseFile = "") -> None:
    """Write the keys of this vault on this machine into a new file, sealed with a passphrase."""
    run(ctx, verbs_keys.export)


@command("import", "mdmem keys import ~/notes-keys.txt", to=keys)
def bring_back(ctx: typer.Context, file: Backup, passphrase_file: PassphraseFile = "") -> None:
    """Bring back the keys of such a file that are missing here."""
    run(ctx, verbs_keys.bring_back)


@command("accept-rollback", "mdmem keys accept-rollback", to=keys)
def accept_rollback(ctx: typer.Context) -> None:
    """Say, as a person, that an older copy was restored on purpose and what it lacks is lost."""
    run(ctx, verbs_keys.accept_rollback)
