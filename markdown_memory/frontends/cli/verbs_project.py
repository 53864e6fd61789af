"""project: show and replace the present state."""

from typing import TYPE_CHECKING

from markdown_memory.errors import UserError
from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call

if TYPE_CHECKING:
    from markdown_memory.memory import State


def show(call: Call) -> None:
    """Print the state; the hash goes to standard error, so that what is piped can be piped back."""
    with call.memory() as memory:
        state = memory.project.show()
    if call.json:
        return call.document(dict(state._asdict()))
    if not state.sha256:
        return call.say(f"{render.one_line(state.project)} has no state yet; `mdmem project edit` writes it.")
    call.verbatim(state.text.encode("utf-8", "surrogateescape"))
    return call.say(f"{render.one_line(state.path)} --if-hash {state.sha256}")


def edit(call: Call, body: str | None, if_hash: str) -> None:
    """Replace the state: by --body, from a pipe, or in the person's editor."""
    from markdown_memory.frontends.cli.prompt import edited, given_text, kept_if_refused

    with call.memory() as memory:
        if body is None and call.here.input_is_terminal:
            before = memory.project.show()
            text = edited(call, before.text, before.project)
            if text == before.text:
                return call.say("Nothing changed.")
            with kept_if_refused(call, text):
                return _said(call, memory.project.edit(text, if_hash or before.sha256))
        text = given_text(call, "-" if body is None else body, "the project's state")
        if body is None and not text.strip():
            raise UserError("Standard input is empty, so nothing was changed; to empty the state say --body ''.")
        return _said(call, memory.project.edit(text, if_hash or None))


def _said(call: Call, state: "State") -> None:
    if call.json:
        return call.document(dict(state._asdict()))
    return call.lines([f"changed {render.one_line(state.path)} --if-hash {state.sha256}"])
