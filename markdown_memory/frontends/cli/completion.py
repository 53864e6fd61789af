"""Note names for the shell's Tab key. A completion that fails offers nothing and says nothing."""

import typer

from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.surroundings import look_around

MOST = 200


def note_names(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Names that begin with what was typed, each with its description."""
    typed = ctx.find_root().params
    call = Call(look_around(), vault=tuple(typed.get("vault") or ()), agent=typed.get("agent") or "")
    try:
        with call.memory() as memory:
            headers = memory.list()
    except Exception:  # noqa: BLE001  (Tab in a shell is no place for an error)
        return []
    start = incomplete.casefold()
    return [(h.name, h.description) for h in headers if h.name.casefold().startswith(start)][:MOST]
