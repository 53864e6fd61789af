"""hook, serve, checkpoint, decide: what an agent's session comes through."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory.frontends.cli.call import Call

if TYPE_CHECKING:
    from markdown_memory.frontends.hooks.events import Event
    from markdown_memory.memory import Memory

SECONDS = 8
"""A hook gives up after this time; its client goes on without it."""

TOKEN = "serve-token"
TOOLS = ("default", "all")


def hook(call: Call, client: str, event: str) -> None:
    """Answer one event of a coding agent; ends with 0 and silently whatever happens."""
    from markdown_memory.frontends.hooks import run
    from markdown_memory.frontends.hooks.events import LONGEST, parse

    call.quiet = True
    try:
        _alarm(SECONDS)
        happened = parse(client, event, sys.stdin.buffer.read(LONGEST))
        said = run.answer(happened, lambda one: _open(call, one))
        if said:
            sys.stdout.write(said + "\n")
    except Exception as error:  # noqa: BLE001  (a hook must never disturb its client)
        run.note_failure(call.places().state, f"{_now()} {client} {event}: {type(error).__name__}: {error}")
    finally:
        _alarm(0)


def serve(call: Call, http: bool, host: str, port: int, tools: str) -> None:
    """Serve the memory over MCP until the client goes: on standard input and output, or to this machine over HTTP."""
    from markdown_memory.errors import UserError

    try:
        from markdown_memory.frontends.mcp_server.server import build
    except ImportError as error:
        missing = "The MCP server needs the extra `mcp`: pip install 'markdown-memory-toolkit[mcp]'"
        raise UserError(f"{missing} ({error}).") from None
    if tools not in TOOLS:
        raise UserError(f"There are no tools {tools!r}: --tools takes {' or '.join(TOOLS)}.")
    server = build(
        lambda: call.memory(via="mcp", cwd=_project_folder(call)),
        restricted=lambda: _has_access_control(call),
        everything=tools == "all",
    )
    if not http:
        return server.run("stdio")
    from markdown_memory import outside
    from markdown_memory.frontends.mcp_server.http import serve as serve_http

    token, is_new = outside.token(call.places(), TOKEN)

    def ready(address: str) -> None:
        call.lines([address])
        if is_new:
            call.complain(f"Token, shown once: {token}")
        call.say(
            f"Clients send `Authorization: Bearer TOKEN`; it is kept in {outside.config_file(call.places(), TOKEN)}"
        )
        sys.stdout.flush()

    return serve_http(server, host, port, token, ready)


def checkpoint(
    call: Call,
    goal: str,
    done: Sequence[str],
    next: Sequence[str],
    question: Sequence[str],
    file: Sequence[str],
    finish: bool,
) -> None:
    """Say where the work stands, or that it is done."""
    from markdown_memory.sessions import AgentSession

    with call.memory() as memory:
        session = AgentSession(memory)
        if finish:
            path, done_word = session.finish_checkpoint(), "archived"
        else:
            saved = session.checkpoint(goal, done=done, next=next, questions=question, files=file)
            path, done_word = saved.path, "saved"
    if call.json:
        return call.document({"path": path})
    return call.lines([f"{done_word} {path}"])


def decide(call: Call, what: str, because: str, ref: Sequence[str]) -> None:
    """Log a decision with its reason, and propose it."""
    from markdown_memory.sessions import AgentSession

    with call.memory() as memory:
        proposal = AgentSession(memory).decide(what, because, refs=ref)
    if call.json:
        from markdown_memory.frontends.cli import shapes

        return call.document({"proposal": shapes.proposal(proposal)})
    return call.lines([f"decided; waits for review as {proposal.path}"])


def _open(call: Call, event: "Event") -> "Memory":
    """The vault of the folder that the event happened in. A hook is never the person."""
    import os

    cwd = event.cwd if os.path.isdir(event.cwd) else None
    call.agent = call.agent or event.client
    return call.memory(session=f"{event.client}:{event.session}" if event.session else "", cwd=cwd, via="hook")


def _project_folder(call: Call) -> str | None:
    """The folder that the client works in: some start their servers elsewhere, such as in `/`."""
    import os

    named = call.here.project_folder
    return named if os.path.isabs(named) and os.path.isdir(named) else None


def _has_access_control(call: Call) -> bool:
    """From Settings.md alone: a client that asks for the tools does not wait for the vault."""
    from markdown_memory import upkeep
    from markdown_memory.errors import MarkdownMemoryError

    here = call.here
    try:
        return upkeep.has_access_control(
            next(iter(call.vaults), ""), environment=here.vault, cwd=here.cwd, places=call.places()
        )
    except MarkdownMemoryError:
        return False  # the first tool that is called says what is wrong


def _alarm(seconds: int) -> None:
    """Raise TimeoutError after so many seconds; 0 takes that back. Systems without alarms go without."""
    import signal

    def give_up(*_: object) -> None:
        raise TimeoutError(f"took longer than {SECONDS} seconds")

    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, give_up)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _now() -> str:
    import time

    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
