"""The one place that looks at the environment: variables, the terminal, and who seems to be typing.

MDMEM_VAULT, MDMEM_AGENT and MDMEM_SESSION stand in for --vault, --agent and the session's name; MDMEM_HOME puts
config, state and cache below one folder; MDMEM_EPHEMERAL=1 signs nothing; MDMEM_DEBUG=1 shows the trace of an
unexpected error; NO_COLOR and COLUMNS are those that every terminal program honours. Coding agents set a variable of
their own in the shells that they run; from it we know that no person is at the keyboard, whatever the terminal looks
like.
"""

import os
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

# Only what an agent's own shells carry; CODEX_HOME and the like are a person's configuration.
AGENT_MARKS = (
    ("CLAUDECODE", "claude-code"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_SANDBOX_NETWORK_DISABLED", "codex"),
    ("CODEX_THREAD_ID", "codex"),
    ("CODEX_CI", "codex"),
    ("GEMINI_CLI", "gemini"),
    ("CURSOR_AGENT", "cursor"),
    ("OPENCODE", "opencode"),
    ("AUGMENT_AGENT", "augment"),
    ("CLINE_ACTIVE", "cline"),
    ("COPILOT_AGENT", "copilot"),
    ("GOOSE_TERMINAL", "goose"),
    ("AI_AGENT", "agent"),
)

CLIENT_HOMES = (
    "HOME",
    "XDG_CONFIG_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "HERMES_HOME",
    "OPENCLAW_CONFIG_PATH",
    "OPENCLAW_WORKSPACE_DIR",
)


class Surroundings(NamedTuple):
    """What the process was started in."""

    vault: str = ""
    agent: str = ""
    session: str = ""
    home: str = ""
    client: str = ""  # slug of the coding agent whose shell this is, "" when none shows
    input_is_terminal: bool = False
    output_is_terminal: bool = False
    errors_are_terminal: bool = False
    colour: bool = False
    full_screen: bool = False  # a terminal on both ends that can place its cursor
    columns: int = 0  # 0: ask the terminal
    debug: bool = False
    editor: str = ""
    completing: bool = False
    ephemeral: bool = False  # keys made here would not last
    cwd: str = ""  # "": the process's
    project_folder: str = ""  # where the client that starts us works, when it says so
    plays_person: bool = False  # the demo speaks a person's lines
    clock: Callable[[], float] | None = None  # None: the system's

    @property
    def person_present(self) -> bool:
        """A person can be asked: a terminal on both ends, and no agent's mark."""
        return self.plays_person or (self.input_is_terminal and self.output_is_terminal and not self.client)

    def variables(self) -> dict[str, str]:
        """What the environment says about where other programs keep their settings."""
        return {name: os.environ[name] for name in CLIENT_HOMES if os.environ.get(name)}

    def program(self) -> tuple[str, ...]:
        """The words by which another program starts this one: an absolute path first."""
        called = sys.argv[0] if sys.argv else ""
        beside = os.path.join(os.path.dirname(sys.executable), "mdmem")
        if os.path.basename(called) == "mdmem" and os.sep in called:
            return (os.path.abspath(called),)
        return (beside,) if os.access(beside, os.X_OK) else (sys.executable, "-m", "markdown_memory")


def look_around() -> Surroundings:
    """Read the environment and the three standard streams once."""
    env = os.environ
    terminal = _is_terminal(sys.stdout)
    return Surroundings(
        vault=env.get("MDMEM_VAULT", ""),
        agent=env.get("MDMEM_AGENT", ""),
        session=env.get("MDMEM_SESSION", "") or env.get("CLAUDE_CODE_SESSION_ID", ""),
        home=env.get("MDMEM_HOME", ""),
        client=client_of(env),
        input_is_terminal=_is_terminal(sys.stdin),
        output_is_terminal=terminal,
        errors_are_terminal=_is_terminal(sys.stderr),
        colour=terminal and not env.get("NO_COLOR") and env.get("TERM") != "dumb",
        full_screen=terminal and _is_terminal(sys.stdin) and env.get("TERM", "") not in ("", "dumb", "unknown"),
        columns=int(env["COLUMNS"]) if env.get("COLUMNS", "").isdecimal() else 0,
        debug=env.get("MDMEM_DEBUG", "") not in ("", "0"),
        editor=env.get("VISUAL", "") or env.get("EDITOR", ""),
        ephemeral=env.get("MDMEM_EPHEMERAL", "") not in ("", "0"),
        project_folder=env.get("CLAUDE_PROJECT_DIR", ""),
        completing=any(key.endswith("_COMPLETE") and key.startswith("_") for key in env),
    )


def client_of(env: Mapping[str, str]) -> str:
    """The coding agent whose shell this is, from the variable that it sets."""
    return next((slug for mark, slug in AGENT_MARKS if env.get(mark, "") not in ("", "0")), "")


def child_environment(**settings: str) -> dict[str, str]:
    """This environment with a few variables set: for a program that we start."""
    return {**os.environ, **settings}


def _is_terminal(stream: object) -> bool:
    try:
        return bool(stream.isatty())  # type: ignore[attr-defined]  # a closed or missing stream is not one
    except (AttributeError, ValueError):
        return False
