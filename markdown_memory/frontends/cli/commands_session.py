"""What an agent's session comes through: `mdmem hook`, `serve`, `checkpoint` and `decide`."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_session
from markdown_memory.frontends.cli.root import NOTHING, command, run


@command("checkpoint", 'mdmem checkpoint "Ship 1.9.2" --done "PR 88 merged" --next "watch midnight"')
def checkpoint(
    ctx: typer.Context,
    goal: Annotated[str, typer.Argument(help="What the work is for, in one line.")] = "",
    done: Annotated[list[str], typer.Option("--done", help="What is done; may be given again.")] = NOTHING,
    next: Annotated[list[str], typer.Option("--next", help="What comes next.")] = NOTHING,
    question: Annotated[list[str], typer.Option("--question", help="What is open.")] = NOTHING,
    file: Annotated[list[str], typer.Option("--file", help="A file that it is about.")] = NOTHING,
    finish: Annotated[bool, typer.Option("--finish", help="The work is done: archive the checkpoint.")] = False,
) -> None:
    """Say where a long task stands; replaced each time, shown first after a crash."""
    run(ctx, verbs_session.checkpoint)


@command("decide", 'mdmem decide "PostgreSQL 16 on pier-1" --because "14 is end of life"')
def decide(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(help="What was chosen.")],
    because: Annotated[str, typer.Option("--because", help="The reason.")],
    ref: Annotated[list[str], typer.Option("--ref", help="Note, file or URL that it is about.")] = NOTHING,
) -> None:
    """We chose X because Y: decision log, live context and a proposal in one."""
    run(ctx, verbs_session.decide)


@command("serve", "mdmem serve --agent lyra")
def serve(
    ctx: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP, to programs on this machine that know a token.")
    ] = False,
    host: Annotated[str, typer.Option("--host", help="127.0.0.1, ::1 or localhost.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")] = 7341,
    tools: Annotated[
        str, typer.Option("--tools", help="default, or all: lists, links and own proposals, too.")
    ] = "default",
) -> None:
    """Serve this memory to an agent over MCP: standard input and output, or HTTP."""
    run(ctx, verbs_session.serve)


@command("hook", "mdmem hook claude-code session-start")
def hook(
    ctx: typer.Context,
    client: Annotated[str, typer.Argument(help="claude-code, codex or gemini.")],
    event: Annotated[str, typer.Argument(help="session-start, prompt, pre-compact, stop, session-end or guard.")],
) -> None:
    """Answer an event of a coding agent, given as JSON on standard input; never fails towards it."""
    run(ctx, verbs_session.hook)
