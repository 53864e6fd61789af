"""The full door: every command, with help, completion and friendly complaints, on Typer.

Importing the `commands_*` modules registers their commands on the app of `root`.
"""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import typer
from typer.main import get_command

from markdown_memory.frontends.cli import (
    commands_about,
    commands_audit,
    commands_branch,
    commands_conflicts,
    commands_embeddings,
    commands_everyday,
    commands_log,
    commands_notes,
    commands_project,
    commands_review,
    commands_session,
    commands_snapshot,
    commands_vault,
    commands_wiring,
    root,
)
from markdown_memory.frontends.cli import (
    demo as story,
)
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.failures import usage
from markdown_memory.frontends.cli.surroundings import Surroundings

__all__ = ["app", "hoist", "run"]
_REGISTERED = (
    commands_about,
    commands_audit,
    commands_branch,
    commands_conflicts,
    commands_embeddings,
    commands_everyday,
    commands_log,
    commands_notes,
    commands_project,
    commands_review,
    commands_session,
    commands_snapshot,
    commands_vault,
    commands_wiring,
)

app = root.app


def run(argv: Sequence[str], here: Surroundings) -> int:
    """Parse with Typer, run the command, and return its exit code."""
    tree = get_command(app)
    words = hoist(argv, tree)
    try:
        code = tree.main(args=words, prog_name="mdmem", standalone_mode=False, obj=here)
    except typer.TyperException as wrong:
        return usage(Call(here, json="--json" in words), _sentence(wrong))
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


@root.command("demo", "mdmem demo ~/harbor-demo")
def demo(
    ctx: typer.Context,
    folder: Annotated[str, typer.Argument(help="Where to put the example vault; ~/mdmem-demo otherwise.")] = "",
) -> None:
    """Play a morning with two agents and a person in an example vault, and leave it for you to open."""
    root.run(ctx, partial(story.demo, run=run))


def hoist(argv: Sequence[str], tree: Any) -> list[str]:
    """Move the global options to the front, wherever they stand before `--`.

    Words that are the value of another option stay where they are, so `--reason --json` keeps its reason.
    """
    everywhere = _options(tree)
    front: list[str] = []
    rest: list[str] = []
    here, at = tree, 0
    while at < len(argv):
        token = argv[at]
        if token == "--":
            rest += argv[at:]
            break
        known = _options(here) if here is not tree else {}
        flag, equals, _ = token.partition("=")
        taking = known.get(flag, everywhere.get(flag, False)) and not equals
        target = front if flag in everywhere and flag not in known else rest
        target += argv[at : at + 2] if taking else [token]
        at += 2 if taking else 1
        if not token.startswith("-"):
            here = getattr(here, "commands", {}).get(token, here)
    return front + rest


def _options(command: Any) -> dict[str, bool]:
    """Every flag of the command, and whether a value follows it."""
    return {
        flag: not getattr(param, "is_flag", False)
        for param in command.params
        if param.param_type_name == "option"
        for flag in (*param.opts, *param.secondary_opts)
        if flag not in ("--install-completion", "--show-completion")
    }


def _sentence(wrong: typer.TyperException) -> str:
    """What was wrong, and where to read what is right."""
    context = getattr(wrong, "ctx", None)
    where = context.command_path if context is not None else "mdmem"
    said = wrong.format_message().strip().rstrip(".") or "A command is missing"
    if any(char.isspace() for char in getattr(wrong, "option_name", "")):
        return f'A text that begins with a dash looks like an option; put `--` before it: `{where} -- "- like this"`.'
    return f"{said}{'' if said.endswith('?') else '.'} See `{where} --help`."
