"""From the command line to the full-screen queue: whether it can be shown, and the editor that it opens."""

from typing import TYPE_CHECKING

from markdown_memory.errors import UserError
from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.prompt import edited, keep

if TYPE_CHECKING:
    from markdown_memory.frontends.review.app import Review
    from markdown_memory.memory import Memory


def fits(call: Call) -> bool:
    """Whether it is shown without being asked for: a person at a whole terminal, and Textual is installed."""
    from importlib.util import find_spec

    wanted = call.rich and call.person_present and not call.json and call.here.full_screen
    return wanted and find_spec("textual") is not None


def show(call: Call) -> None:
    """The queue, until the person has had enough."""
    if not call.here.full_screen or call.json:
        raise UserError("The full-screen queue needs a terminal; without one, use `mdmem review list` and its verbs.")
    with call.memory() as memory:
        decided = screen(call, memory).run() or 0
        waiting = len(memory.inbox.list())
    call.lines([f"{render.count(decided, 'decision')} made, {render.count(waiting, 'proposal')} waiting."])


def screen(call: Call, memory: "Memory") -> "Review":
    """The queue over an open memory. Raises UserError where Textual is missing."""
    try:
        from markdown_memory.frontends.review.app import Review
    except ImportError as error:
        missing = "The full-screen queue needs the extra `tui`: pip install 'markdown-memory-toolkit[tui]'"
        raise UserError(f"{missing} ({error}).") from None
    return Review(memory, lambda text, name: edited(call, text, name), keep)
