"""Which settings each client reads, and what of ours goes into them. Data: nothing here opens a file.

Sources: Claude Code 2.1 and Codex 0.171 as they behave (`claude mcp add`, `codex mcp add`, their hook reviews), Gemini
CLI's, Cursor's, VS Code's, OpenClaw's, Hermes' and Claude Desktop's documentation. Claude Code and Codex count a hook's
time in seconds, Gemini CLI in milliseconds. Codex ends a SessionEnd hook after three seconds.
"""

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from markdown_memory.core.names import near
from markdown_memory.errors import NotFound, UserError
from markdown_memory.frontends.wiring import words

SERVER = "mdmem"
"""The name of our server in every client; short, since clients put it before the name of each tool."""

JSON, TOML, YAML, MARKDOWN = "json", "toml", "yaml", "markdown"
SECONDS, PROMPT_SECONDS, END_SECONDS = 10, 10, 3

HOOKS: dict[str, tuple[tuple[str, str, str, int], ...]] = {
    "claude-code": (
        ("SessionStart", "startup|resume|clear|compact|fork", "session-start", SECONDS),
        ("UserPromptSubmit", "", "prompt", PROMPT_SECONDS),
        ("PreCompact", "manual|auto", "pre-compact", SECONDS),
        ("Stop", "", "stop", SECONDS),
        ("SessionEnd", "", "session-end", END_SECONDS),
    ),
    "codex": (
        ("SessionStart", "startup|resume|clear|compact", "session-start", SECONDS),
        ("UserPromptSubmit", "", "prompt", PROMPT_SECONDS),
        ("PreCompact", "manual|auto", "pre-compact", SECONDS),
        ("Stop", "", "stop", SECONDS),
        ("SessionEnd", "", "session-end", END_SECONDS),
    ),
    "gemini": (
        ("SessionStart", "", "session-start", SECONDS * 1000),
        ("BeforeAgent", "", "prompt", PROMPT_SECONDS * 1000),
        ("PreCompress", "", "pre-compact", SECONDS * 1000),
        ("AfterAgent", "", "stop", SECONDS * 1000),
        ("SessionEnd", "", "session-end", END_SECONDS * 1000),
    ),
}
"""The client's event, what it is narrowed to, our event, and the time that the hook may take."""

GUARDS: dict[str, tuple[str, str, str, int]] = {
    "claude-code": (
        "PreToolUse",
        "Write|Edit|MultiEdit|NotebookEdit|Bash|Read|Grep|Glob",
        "guard",
        SECONDS,
    ),
    "codex": ("PreToolUse", "", "guard", SECONDS),
    "gemini": (
        "BeforeTool",
        "write_file|replace|run_shell_command|read_file|read_many_files|list_directory|search_file_content|glob",
        "guard",
        SECONDS * 1000,
    ),
}
"""The hook that keeps an agent's own file tools off the vault's files; wired only when it is asked for."""


class Homes(NamedTuple):
    """Absolute folders and files of the clients on this account, and of the project, "" without one."""

    home: str
    claude: str
    claude_state: str
    codex: str
    hermes: str
    openclaw: str
    openclaw_workspace: str
    applications: str
    project: str


class Start(NamedTuple):
    """How clients start us: the program's words, as which agent, on which vault ("" = the default one)."""

    program: tuple[str, ...]
    agent: str
    vault: str = ""
    home: str = ""
    """MDMEM_HOME, where somebody has set it."""
    guard: bool = False
    """Whether an agent's own file tools are kept off the vault's files."""

    def options(self) -> list[str]:
        """What stands behind the verb."""
        return ["--agent", self.agent, *(["--vault", self.vault] if self.vault else [])]

    def server(self, **more: Any) -> dict[str, Any]:
        """The server as most clients write it."""
        env = {"env": {"MDMEM_HOME": self.home}} if self.home else {}
        first, *rest = self.program
        return {**more, "command": first, "args": [*rest, "serve", *self.options()], **env}

    def hook(self, client: str, event: str) -> str:
        """The hook as one line for the client's shell."""
        env = ["env", f"MDMEM_HOME={self.home}"] if self.home else []
        return shlex.join([*env, *self.program, "hook", client, event, *self.options()])


class Entry(NamedTuple):
    """A member of a JSON file, or (`listed`) one element of a list in it."""

    path: tuple[str, ...]
    value: Any
    listed: bool = False


class Piece(NamedTuple):
    """What is ours in one file: entries of a JSON file, or a block of lines in another."""

    file: str
    form: str
    entries: tuple[Entry, ...] = ()
    block: str = ""


class Client(NamedTuple):
    """A program that runs agents. `then`: what the person has to do afterwards."""

    slug: str
    title: str
    everywhere: Callable[[Homes, Start], Sequence[Piece]]
    in_project: Callable[[Homes, Start], Sequence[Piece]] | None
    then: tuple[str, ...] = ()


def homes(variables: Mapping[str, str], platform: str, project: str = "") -> Homes:
    """Where the clients keep their settings, from the variables of the environment that say so."""
    home = os.path.abspath(variables.get("HOME") or os.path.expanduser("~"))

    def named(variable: str, *default: str) -> str:
        chosen = variables.get(variable, "")
        return os.path.abspath(os.path.expanduser(chosen)) if chosen else os.path.join(home, *default)

    claude = named("CLAUDE_CONFIG_DIR", ".claude")
    beside = claude if variables.get("CLAUDE_CONFIG_DIR") else home
    library = os.path.join(home, "Library", "Application Support")
    return Homes(
        home=home,
        claude=claude,
        claude_state=os.path.join(beside, ".claude.json"),
        codex=named("CODEX_HOME", ".codex"),
        hermes=named("HERMES_HOME", ".hermes"),
        openclaw=named("OPENCLAW_CONFIG_PATH", ".openclaw", "openclaw.json"),
        openclaw_workspace=named("OPENCLAW_WORKSPACE_DIR", ".openclaw", "workspace"),
        applications=library if platform == "darwin" else named("XDG_CONFIG_HOME", ".config"),
        project=project,
    )


def client(slug: str) -> Client:
    """The client of that name; NotFound with the near ones."""
    found = next((one for one in CLIENTS if one.slug == slug), None)
    if found is None:
        known = [one.slug for one in CLIENTS]
        raise NotFound(f"There is no client {slug!r}; known are {', '.join(known)}.", near(slug, known))
    return found


def pieces(of: Client, at: Homes, start: Start) -> Sequence[Piece]:
    """What goes where: into the project's settings when there is a project, else into the account's."""
    if not at.project:
        return of.everywhere(at, start)
    if of.in_project is None:
        raise UserError(f"{of.title} has no settings of a project; leave out --project-settings.")
    return of.in_project(at, start)


# the parts


def _hooks(client: str, start: Start) -> tuple[Entry, ...]:
    entries = []
    guard = (GUARDS[client],) if start.guard else ()
    for event, matcher, ours, limit in (*HOOKS[client], *guard):
        handler = {"type": "command", "command": start.hook(client, ours), "timeout": limit}
        narrowed = {"matcher": matcher} if matcher else {}
        entries.append(Entry(("hooks", event), {**narrowed, "hooks": [handler]}, listed=True))
    return tuple(entries)


def _server(start: Start, *above: str, **more: Any) -> Entry:
    return Entry((*above, SERVER), start.server(**more))


def _servers_file(file: str, entry: Entry) -> Piece:
    return Piece(file, JSON, (entry,))


def _agents_file(folder: str, start: Start) -> Piece:
    return Piece(os.path.join(folder, "AGENTS.md"), MARKDOWN, block=words.snippet(start.agent, SERVER))


# each client


def _claude_code(at: Homes, start: Start) -> list[Piece]:
    return [
        Piece(os.path.join(at.claude, "settings.json"), JSON, _hooks("claude-code", start)),
        _servers_file(at.claude_state, _server(start, "mcpServers", type="stdio")),
    ]


def _claude_code_here(at: Homes, start: Start) -> list[Piece]:
    """The files that Claude Code keeps out of git, since ours name a path of this machine."""
    return [
        Piece(os.path.join(at.project, ".claude", "settings.local.json"), JSON, _hooks("claude-code", start)),
        _servers_file(at.claude_state, _server(start, "projects", at.project, "mcpServers", type="stdio")),
    ]


def _codex_in(folder: str, start: Start) -> list[Piece]:
    return [
        Piece(os.path.join(folder, "hooks.json"), JSON, _hooks("codex", start)),
        Piece(os.path.join(folder, "config.toml"), TOML, block=words.toml(SERVER, start.server())),
    ]


def _gemini_in(folder: str, start: Start) -> list[Piece]:
    entries = (*_hooks("gemini", start), _server(start, "mcpServers"))
    return [Piece(os.path.join(folder, "settings.json"), JSON, entries)]


def _cursor(at: Homes, start: Start) -> list[Piece]:
    return [_servers_file(os.path.join(at.home, ".cursor", "mcp.json"), _server(start, "mcpServers"))]


def _cursor_here(at: Homes, start: Start) -> list[Piece]:
    file = os.path.join(at.project, ".cursor", "mcp.json")
    return [_servers_file(file, _server(start, "mcpServers")), _agents_file(at.project, start)]


def _vscode(at: Homes, start: Start) -> list[Piece]:
    file = os.path.join(at.applications, "Code", "User", "mcp.json")
    return [_servers_file(file, _server(start, "servers", type="stdio"))]


def _vscode_here(at: Homes, start: Start) -> list[Piece]:
    file = os.path.join(at.project, ".vscode", "mcp.json")
    return [_servers_file(file, _server(start, "servers", type="stdio")), _agents_file(at.project, start)]


def _openclaw(at: Homes, start: Start) -> list[Piece]:
    workspace = os.path.realpath(at.openclaw_workspace)
    if start.vault and os.path.commonpath((workspace, start.vault)) == workspace:
        raise UserError(
            f"{start.vault} lies in OpenClaw's workspace {workspace}, which is no place for a vault: OpenClaw rewrites "
            "files there. Keep the vault elsewhere, `mdmem init ~/memory`."
        )
    server = _servers_file(at.openclaw, _server(start, "mcp", "servers"))
    return [server, _agents_file(at.openclaw_workspace, start)]


def _hermes(at: Homes, start: Start) -> list[Piece]:
    file = os.path.join(at.hermes, "config.yaml")
    return [Piece(file, YAML, block=words.yaml(SERVER, start.server()))]


def _desktop(at: Homes, start: Start) -> list[Piece]:
    file = os.path.join(at.applications, "Claude", "claude_desktop_config.json")
    return [_servers_file(file, _server(start, "mcpServers"))]


CLIENTS = (
    Client("claude-code", "Claude Code", _claude_code, _claude_code_here),
    Client(
        "codex",
        "Codex",
        lambda at, start: _codex_in(at.codex, start),
        lambda at, start: _codex_in(os.path.join(at.project, ".codex"), start),
        ("Codex runs no hook that you have not trusted: start `codex` and say yes when it shows these.",),
    ),
    Client(
        "gemini",
        "Gemini CLI",
        lambda at, start: _gemini_in(os.path.join(at.home, ".gemini"), start),
        lambda at, start: _gemini_in(os.path.join(at.project, ".gemini"), start),
    ),
    Client("cursor", "Cursor", _cursor, _cursor_here),
    Client("openclaw", "OpenClaw", _openclaw, None, ("Restart OpenClaw's gateway, so that it starts the server.",)),
    Client("hermes", "Hermes", _hermes, None),
    Client("vscode", "VS Code", _vscode, _vscode_here),
    Client("claude-desktop", "Claude Desktop", _desktop, None, ("Quit Claude Desktop and open it again.",)),
)
