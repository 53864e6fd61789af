"""install, uninstall: our part in the settings of the programs that run agents."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.prompt import ask

if TYPE_CHECKING:
    from markdown_memory.core.problem import Problem
    from markdown_memory.frontends.wiring.clients import Start
    from markdown_memory.frontends.wiring.merge import Change
    from markdown_memory.frontends.wiring.wire import Plan
    from markdown_memory.memory import Memory

COLOURS = {"+": render.GREEN, "-": render.RED, "@": render.CYAN}
DAYS = 7
LOCAL = "These files name a program of this machine: keep them out of what you share."


def install(call: Call, client: str, agent: str, project_settings: bool, yes: bool, guard: bool | None = None) -> None:
    """Show what would change in a client's settings, ask, and write it. `guard` None leaves the guard as it is."""
    from markdown_memory.errors import UserError
    from markdown_memory.frontends.wiring import clients, wire

    of = clients.client(client)
    if guard and client not in clients.GUARDS:
        raise UserError(f"{of.title} asks no hook before it uses a tool; --guard is for {', '.join(clients.GUARDS)}.")
    with call.memory() as memory:
        start = _start(call, memory, agent)
    at = clients.homes(call.here.variables(), sys.platform, project_folder(call) if project_settings else "")
    start = start._replace(guard=wire.has_guard(client, at.project, call.places()) if guard is None else guard)
    plan = wire.plan_install(of, at, start, call.places())
    chosen = [*(["--project-settings"] if project_settings else []), *(["--guard"] if guard else [])]
    again = ["mdmem install", client, *start.options(), *chosen, "--yes"]
    done = _shown_and_done(call, plan, yes, " ".join(again), client)
    if call.json:
        return
    if not plan.open:
        call.lines([f"{of.title} is wired already, as agent {start.agent}; nothing was changed."])
    elif done:
        call.lines([f"wired {of.title} as agent {start.agent}"])
        for line in (*of.then, *([LOCAL] if project_settings else []), *_lacking()):
            call.say(line)
        call.say(f"`mdmem uninstall {client}` takes it out again.")


def uninstall(call: Call, client: str, all: bool, yes: bool) -> None:
    """Show what would be taken out of a client's settings, ask, and do it."""
    from markdown_memory.errors import UserError
    from markdown_memory.frontends.wiring import wire

    if bool(client) == all:
        raise UserError("Say which client, as in `mdmem uninstall codex`, or --all.")
    plan = wire.plan_uninstall(client, call.places())
    again = f"mdmem uninstall {client or '--all'} --yes"
    done = _shown_and_done(call, plan, yes or not plan.open, again, client)
    if call.json or not done:
        return
    clients = sorted({one.client for one in plan.first if one not in plan.last})
    call.lines([f"took our entries out of {', '.join(clients)}"])
    if notes := _where_the_notes_are(call):
        call.say(f"Your notes stay where they are: {notes}")


def problems(call: Call) -> "list[Problem]":
    """Clients whose settings start a program that is gone, and hooks that failed of late, for doctor."""
    return [*_stale_clients(call), *_failed_hooks(call)]


def _failed_hooks(call: Call) -> "list[Problem]":
    """One problem for the failures of the last days; they stand in a log, since a hook is silent towards its client."""
    import time

    from markdown_memory import outside
    from markdown_memory.core.problem import Problem
    from markdown_memory.frontends.hooks.run import FAILURES

    since = time.strftime("%Y-%m-%dT", time.gmtime(call.clock() - DAYS * 86_400))
    lines = outside.read_kept(call.places(), FAILURES).splitlines()
    late = [(number, line) for number, line in enumerate(lines, 1) if line[:1].isdigit() and line >= since]
    if not late:
        return []
    number, last = late[-1]
    path = outside.state_file(call.places(), FAILURES)
    told = f"{render.count(len(late), 'call')} of a hook failed within {DAYS} days; the last: {last}"
    return [Problem("hook-failed", path, number, told, "Put right what it says; the file may be deleted.")]


def _stale_clients(call: Call) -> "list[Problem]":
    from markdown_memory.core.problem import Problem
    from markdown_memory.frontends.wiring import wire

    return [
        Problem(
            "client-stale",
            one.file,
            0,
            f"{one.client} starts {one.program}, which is not there any more.",
            f"`mdmem install {one.client}` names the present one; `mdmem uninstall {one.client}` takes it out.",
        )
        for one in wire.stale(call.places())
    ]


def _shown_and_done(call: Call, plan: "Plan", yes: bool, again: str, client: str) -> bool:
    """The preview, the question, the writing; whether it was written."""
    from markdown_memory.frontends.wiring import wire

    if not call.json:
        call.lines(_coloured(call, wire.preview(plan.open)))
    agreed = yes or not plan.open or (not call.json and _agreed(call, plan.open, again))
    backups = wire.carry_out(plan, call.places(), _stamp(call)) if agreed else []
    if call.json:
        rows = [{"file": one.file, "diff": "\n".join(wire.preview([one]))} for one in plan.open]
        call.document({"client": client, "changes": rows, "done": agreed, "backups": backups})
    for path in backups:
        call.say(f"What stood there before is kept in {path}")
    return agreed


def _agreed(call: Call, changes: "Sequence[Change]", again: str) -> bool:
    if not call.person_present:
        call.say(f"Nothing was written. `{again}` writes it.")
        return False
    answer = ask(call, f"Write {render.count(len(changes), 'file')}? [y/N] ")
    if answer.lower() in ("y", "yes"):
        return True
    call.say("Nothing was written.")
    return False


def _start(call: Call, memory: "Memory", agent: str) -> "Start":
    from markdown_memory.core.names import check_agent
    from markdown_memory.frontends.wiring.clients import Start

    root = memory.where().vault
    vault = "" if root == _default_vault(call) else root
    name = check_agent(agent or call.here.agent or _only_agent(memory))
    return Start(call.here.program(), name, vault, call.here.home)


def _only_agent(memory: "Memory") -> str:
    from markdown_memory.errors import UserError

    known = sorted(one.path.split("/")[-1].removesuffix(".md") for one in memory.list(status=("identity",), all=True))
    if len(known) == 1:
        return known[0]
    whose = f"this vault knows {', '.join(known)}" if known else "any name of small letters, digits and hyphens"
    raise UserError(f"Say which agent the client runs, with --agent NAME: {whose}.")


def _default_vault(call: Call) -> str:
    """The vault that is found from nowhere in particular, "" when there is none."""
    from markdown_memory.errors import MarkdownMemoryError
    from markdown_memory.memory import Memory

    try:
        with Memory.open(cwd=call.places().config, places=call.places(), via="cli") as memory:
            where = memory.where()
    except MarkdownMemoryError:
        return ""
    return where.vault


def _where_the_notes_are(call: Call) -> str:
    from markdown_memory.errors import MarkdownMemoryError

    try:
        with call.memory() as memory:
            return memory.where().vault
    except MarkdownMemoryError:
        return ""


def project_folder(call: Call) -> str:
    """The worktree of the folder here, or the folder."""
    import os

    with call.memory() as memory:
        repo = memory.workspace.found.repo
    return repo.worktree if repo else os.path.abspath(call.here.cwd or os.curdir)


def _lacking() -> list[str]:
    from importlib.util import find_spec

    if find_spec("mcp"):
        return []
    return ["The MCP server lacks its library: `pip install 'markdown-memory-toolkit[mcp]'`; hooks work without it."]


def _stamp(call: Call) -> str:
    import time

    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(call.here.clock() if call.here.clock else None))


def _coloured(call: Call, lines: Sequence[str]) -> list[str]:
    shown = [render.foreign(line) for line in lines]
    return [call.paint(line, COLOURS[line[0]]) if line[:1] in COLOURS else line for line in shown]
