"""keys: who may sign in this vault."""

from markdown_memory.frontends.cli.call import Call

HEADS = ("writer", "role", "standing", "key", "")


def list_keys(call: Call) -> None:
    """All writers with their standing."""
    with call.memory(untrusted=True) as memory:
        found = memory.keys()
    if call.json:
        return call.document({"writers": [dict(one._asdict()) for one in found]})
    if not found:
        return call.say("No writer has signed anything here yet.")
    rows = [(one.writer, one.role, one.state, one.fingerprint, "on this host" if one.here else "") for one in found]
    return call.table(HEADS, rows)


def confirm(call: Call, writer: str) -> None:
    """Say, as a person, that a writer may sign."""
    with call.memory() as memory:
        entry = memory.confirm_key(writer)
    if call.json:
        return call.document({"writer": writer, "entry": entry.id if entry else ""})
    return call.lines([f"confirmed {writer}" if entry else f"{writer} was confirmed before"])
