"""project: show and replace the present state; list and rename projects."""

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


def list_projects(call: Call) -> None:
    """Print projects as a table."""
    with call.memory() as memory:
        found = memory.projects.list()
    if call.json:
        return call.document({"projects": [{**one._asdict(), "remotes": list(one.remotes)} for one in found]})
    rows = [
        (
            f"{render.one_line(one.name)}{' (own)' if one.own else ''}",
            str(one.notes),
            str(one.branches),
            render.one_line(one.default_branch),
            render.one_line(", ".join(one.remotes)),
        )
        for one in found
    ]
    return call.table(("project", "notes", "branches", "default branch", "known by"), rows)


def rename(call: Call, name: str, new: str) -> None:
    """Rename a project."""
    from markdown_memory.frontends.cli import shapes

    with call.memory() as memory:
        done = memory.projects.rename(name, new)
    if call.json:
        return call.document(shapes.moved(done))
    notes = sum(path.startswith("memory/") for path, _ in done.paths)
    return call.lines([f"renamed {render.one_line(name)} → {render.one_line(new)}: {render.count(notes, 'note')}"])


def _said(call: Call, state: "State") -> None:
    if call.json:
        return call.document(dict(state._asdict()))
    return call.lines([f"changed {render.one_line(state.path)} --if-hash {state.sha256}"])
