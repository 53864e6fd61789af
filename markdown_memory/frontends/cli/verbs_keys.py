"""keys: who may sign in this vault, and a person's acts about it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory import outside, upkeep
from markdown_memory.errors import NotFound, UserError
from markdown_memory.frontends.cli.call import Call

if TYPE_CHECKING:
    from markdown_memory.memory import Entry, Writer

HEADS = ("writer", "role", "standing", "key", "")


def list_keys(call: Call) -> None:
    """All writers with their standing."""
    with call.memory(untrusted=True) as memory:
        found = upkeep.keys(memory)
    if call.json:
        return call.document({"writers": [dict(one._asdict()) for one in found]})
    if not found:
        return call.say("No writer has signed anything here yet.")
    rows = [(one.writer, one.role, one.state, one.fingerprint, "on this host" if one.here else "") for one in found]
    return call.table(HEADS, rows)


def confirm(call: Call, writer: str) -> None:
    """Say that a writer may sign."""
    with call.memory() as memory:
        entry = upkeep.confirm(memory, writer)
    return _said(call, writer, entry, f"confirmed {writer}" if entry else f"{writer} was confirmed before")


def rotate(call: Call) -> None:
    """Give this principal a new key here."""
    with call.memory() as memory:
        new = upkeep.rotate(memory)
    return _said(call, new.id, None, f"{new.agent} signs as {new.id} from now on")


def retire(call: Call, writer: str) -> None:
    """Say that a writer writes nothing more."""
    with call.memory() as memory:
        entry = upkeep.retire(memory, writer)
    return _said(call, writer, entry, f"retired {writer}")


def revoke(call: Call, writer: str, after: Sequence[str]) -> None:
    """Say that a writer is not trusted any more."""
    with call.memory() as memory:
        entry = upkeep.revoke(memory, writer, after)
    return _said(call, writer, entry, f"revoked {writer}")


def move_here(call: Call, writer: str) -> None:
    """Continue a writer from a copied home here."""
    with call.memory() as memory:
        upkeep.move_here(memory, writer)
    return _said(call, writer, None, f"{writer} goes on here")


def export(call: Call, file: str, passphrase_file: str) -> None:
    """Seal the keys of this vault into a file."""
    with call.memory() as memory:
        writers = upkeep.export_keys(memory, file, _passphrase(call, passphrase_file, again=True))
    return _backed_up(call, writers, f"wrote {file} with {len(writers)} keys; without its passphrase nobody can use it")


def bring_back(call: Call, file: str, passphrase_file: str) -> None:
    """Bring back the keys of a backup that are missing here."""
    with call.memory() as memory:
        writers = upkeep.import_keys(memory, file, _passphrase(call, passphrase_file, again=False))
        elsewhere = {one.writer for one in upkeep.keys(memory) if not one.here}
    count = f"{len(writers)} keys" if len(writers) != 1 else "one key"
    _backed_up(call, writers, f"brought back {count}" if writers else "All keys of this backup are here already.")
    for writer in writers:
        if writer.id in elsewhere:
            call.say(
                f"{writer.id} was made on another machine: `mdmem keys move-here {writer.id}` if that one is gone."
            )


def _passphrase(call: Call, path: str, *, again: bool) -> str:
    if path:
        found = outside.read(path)
        if found is None:
            raise NotFound(f"There is no file {path} with a passphrase.")
        return found.decode("utf-8", "surrogateescape").rstrip("\r\n")
    if not call.person_present:
        raise UserError("The passphrase is asked for in a terminal; elsewhere give it with --passphrase-file FILE.")
    from getpass import getpass

    first = getpass("Passphrase: ")
    if again and getpass("Once more: ") != first:
        raise UserError("The two passphrases differ; nothing was written.")
    return first


def _backed_up(call: Call, writers: "Sequence[Writer]", sentence: str) -> None:
    if call.json:
        return call.document({"writers": [writer.id for writer in writers]})
    return call.lines([sentence])


def accept_rollback(call: Call) -> None:
    """Say that an older copy was restored on purpose."""
    with call.memory() as memory:
        entry = upkeep.accept_rollback(memory)
    return _said(call, "", entry, "accepted: an older copy was restored" if entry else "Nothing is missing here.")


def _said(call: Call, writer: str, entry: "Entry | None", sentence: str) -> None:
    if call.json:
        return call.document({"writer": writer, "entry": entry.id if entry else ""})
    return call.lines([sentence])
