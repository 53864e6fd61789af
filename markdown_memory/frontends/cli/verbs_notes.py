"""Writing notes: store, edit, rename, forget, restore."""

from collections.abc import Sequence

from markdown_memory.errors import UserError
from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.prompt import edited, given_text, kept_if_refused
from markdown_memory.frontends.cli.verbs_conflicts import tell


def store(
    call: Call,
    name: str,
    text: str,
    type: str,
    category: str,
    description: str,
    tag: Sequence[str],
    namespace: str | None,
    private: bool,
    importance: float | None,
    source: str,
    on_conflict: str,
    if_hash: str,
) -> None:
    """Write a note, or propose it when an agent may not write it directly."""
    body = given_text(call, text, "the note's body")
    with call.memory() as memory:
        note = memory.store(
            name,
            body,
            type=type,
            category=category,
            description=description,
            tags=tag,
            namespace=namespace,
            private=private,
            importance=importance,
            source=source,
            on_conflict=on_conflict,
            if_hash=if_hash or None,
        )
        waits = note.header.status == "proposal"
        asked = not (call.json or waits or on_conflict or memory.workspace.principal)
        otherwise = memory.conflicts.of(note.path) if asked else []
    if call.json:
        return call.document(shapes.header(note.header))
    if waits:
        call.lines([f"waiting {render.one_line(note.header.path)}"])
        return call.say("An agent's note waits for review: a person decides with `mdmem review`.")
    call.lines([f"stored {render.one_line(note.header.path)}"])
    return tell(call, otherwise)


def edit(call: Call, name: str, body: str | None, set: Sequence[str], unset: Sequence[str], if_hash: str) -> None:
    """Change the body or single properties; without options, the body in the person's editor."""
    pairs = dict(_pair(text) for text in set)
    with call.memory() as memory:
        if body is None and not pairs and not unset:
            before = memory.show(name)
            text = edited(call, before.body, before.header.name)
            if text == before.body:
                return call.say("Nothing changed.")
            with kept_if_refused(call, text):
                note = memory.edit(before.path, body=text, if_hash=if_hash or before.header.sha256)
        else:
            new = None if body is None else given_text(call, body, "the new body")
            note = memory.edit(name, body=new, set=pairs, unset=unset, if_hash=if_hash or None)
    if call.json:
        return call.document(shapes.header(note.header))
    return call.lines([f"changed {render.one_line(note.header.path)}"])


def rename(call: Call, name: str, new: str) -> None:
    """Rename a note and its file; links follow."""
    with call.memory() as memory:
        done = memory.rename(name, new)
    if call.json:
        return call.document(shapes.renamed(done))
    links = f"; links changed in {render.count(len(done.links_changed), 'note')}" if done.links_changed else ""
    return call.lines([f"renamed {render.one_line(done.old_path)} → {render.one_line(done.path)}{links}"])


def forget(call: Call, name: str, reason: str) -> None:
    """Move a note to the archive."""
    with call.memory() as memory:
        done = memory.forget(name, reason)
    if call.json:
        return call.document(shapes.forgotten(done))
    call.lines([f"forgot {render.one_line(done.path)} → {render.one_line(done.archived)}"])
    return call.say(f"`mdmem restore {done.name}` brings it back.")


def restore(call: Call, name: str) -> None:
    """Bring a forgotten note back."""
    with call.memory() as memory:
        note = memory.restore(name)
    if call.json:
        return call.document(shapes.header(note.header))
    return call.lines([f"restored {render.one_line(note.header.path)}"])


def _pair(text: str) -> tuple[str, object]:
    """`importance=0.9` → ("importance", 0.9); the value is read as a property's value is."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise UserError(f"--set wants KEY=VALUE, for example --set importance=0.9, not {text!r}.")
    return key.strip(), property_value(value)


def property_value(text: str) -> object:
    """What the plain word means as a property: a truth value, a number, a list `[a, b]`, else text.

    A number counts as one only when it is written the way it would be written back: 1.10 and 0755 stay text.
    """
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [property_value(part) for part in text[1:-1].split(",") if part.strip()]
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if str(number) == text:
            return number
    return text


def undo(call: Call, entry: str, list: bool, dry_run: bool) -> None:
    """Take an operation back, or show which ones could be."""
    with call.memory() as memory:
        if list:
            operations = memory.operations.list()
            if call.json:
                return call.document({"operations": [shapes.operation(one) for one in operations]})
            rows = [(one.id, render.when(one.time), one.agent, one.kind, one.text) for one in operations]
            return call.table(("id", "when", "by", "what", "of"), rows)
        done = memory.undo(entry, dry_run=dry_run)
    if call.json:
        return call.document(shapes.undone(done))
    what = f"{done.operation.kind} of {render.one_line(done.operation.text)}, {render.when(done.operation.time)}"
    call.say(f"{'Would take' if dry_run else 'Took'} back: {what}.")
    return call.lines(f"{became} {render.one_line(path)}" for path, became in done.files)
