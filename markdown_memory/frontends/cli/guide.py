"""Texts of `mdmem help TOPIC`: exit codes, JSON shapes, query syntax, environment."""

from collections.abc import Callable

from markdown_memory.frontends.cli.failures import EXIT_CODES

QUERY = """\
What a query may hold

  refresh token          notes with these words; all of them count, none is a must
  "refresh token"        the words side by side
  refr*                  words that begin so
  -staging               not this word (after --, or inside quotes: mdmem search "token -staging")
  tag:auth               with this tag or one below it
  type:reference         of this type; likewise category: project: branch: agent: status:
  after:2026-11-01       changed since; before: likewise; also after:7d, after:yesterday, before:"last May",
                         after:"vor zwei Wochen", after:"la semaine dernière"

A time that the words speak of, as in "what did we decide last May", excludes nothing; it lifts notes of that time.
A slip is said, and its words are searched.

Example: mdmem search 'oauth "refresh token" type:reference -staging'
"""

ENVIRONMENT = """\
Variables that mdmem reads

  MDMEM_VAULT      the vault, as --vault
  MDMEM_AGENT      the agent that you are, as --agent
  MDMEM_SESSION    name of the session: what counts as unread is remembered per session
  MDMEM_HOME       one folder for configuration, keys, state and cache instead of the system's places
  MDMEM_EPHEMERAL  1 where nothing lasts (a throw-away container): log entries are not signed; `mdmem log adopt` does
  MDMEM_DEBUG      1 shows the trace of an unexpected error
  CLAUDE_CONFIG_DIR, CODEX_HOME, HERMES_HOME, OPENCLAW_CONFIG_PATH, OPENCLAW_WORKSPACE_DIR, XDG_CONFIG_HOME
                   where `mdmem install` finds the settings of other programs
  NO_COLOR         no colour, as --plain; COLUMNS is the width
  VISUAL, EDITOR   the editor for `mdmem edit` and `mdmem review edit`

Coding agents mark the shells that they run (CLAUDECODE, CODEX_SANDBOX, GEMINI_CLI, CURSOR_AGENT, others).
Where such a mark is seen, mdmem acts as that agent unless --agent says otherwise, and decisions of a
person are refused.
"""


TRANSCRIPT_RULES = """\
Rules of `mdmem retain --from-transcript FILE`

What person and agent said in a session of Claude Code or Codex is looked at sentence by sentence; tool
output, reminders, code, quoted words, questions and what was recalled from memory are not. The first rule that takes
a sentence decides its kind. Each has a name, a kind, whose words it takes, and a sentence that it takes:

"""


def transcript_rules() -> str:
    """The rules by which facts are found in a session."""
    from markdown_memory.memory.from_transcript import rules_told

    rows = [f"  {rule.name:<27} {rule.kind:<16} {rule.who:<6} {rule.example}" for rule in rules_told()]
    return TRANSCRIPT_RULES + "\n".join(rows) + "\n"


def exit_codes() -> str:
    """The table of exit codes."""
    rows = [f"  {code:>3}  {name:<22}  {text}" for code, name, text in EXIT_CODES]
    return "Exit codes\n\n" + "\n".join(rows) + "\n"


def json_shapes() -> str:
    """What --json prints, from the module that makes it."""
    from markdown_memory.frontends.cli import shapes

    return (shapes.__doc__ or "").strip() + "\n"


TOPICS: dict[str, Callable[[], str]] = {
    "exit-codes": exit_codes,
    "json": json_shapes,
    "query": lambda: QUERY,
    "environment": lambda: ENVIRONMENT,
    "transcript-rules": transcript_rules,
}
