"""Who may sign in a vault, and a person's word for a writer that is new.

A writer that neither another key of its agent nor a person has vouched for signs all the same: what it writes is
shown as unconfirmed until a person confirms it here.
"""

from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core.names import near
from markdown_memory.errors import AccessError, NotFound

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.rules.standing import Standing
    from markdown_memory.workspace import Workspace

LOG = "keys"


class Key(NamedTuple):
    """A writer. `state` is root, confirmed, unconfirmed, retired or revoked; `here`: its key lies on this host."""

    writer: str
    agent: str
    role: str
    fingerprint: str
    state: str
    here: bool


def keys(space: "Workspace") -> list[Key]:
    """All writers that the vault's `keys` log introduces, by name."""
    chest = space.logs.chest
    mine = {writer.fingerprint for writer in chest.writers() if chest.here(writer)}
    return [
        Key(one.writer, one.agent, one.role, one.fingerprint, one.state, one.fingerprint in mine)
        for _, one in sorted(_standings(space).items())
    ]


def confirm(space: "Workspace", writer: str, person_present: bool) -> "Entry | None":
    """Confirm a writer with the person's key; None when it was confirmed before."""
    known = _standings(space)
    one = known.get(writer)
    if one is None:
        raise NotFound(
            f"There is no writer {writer!r} in this vault; `mdmem keys list` shows them.", near(writer, known)
        )
    if not person_present:
        raise AccessError(
            f"Only a person confirms a writer: run `mdmem keys confirm {writer}` yourself, in a terminal."
        )
    if one.state in ("retired", "revoked"):
        raise AccessError(f"{writer} is {one.state}, and stays so; the agent gets a new writer with its next entry.")
    if one.trusted:
        return None
    person = space.logs.writer(space.person, "person")
    facts = {"writer": one.writer, "key": one.fingerprint, "role": one.role}
    text = f"{one.writer} may sign"
    return space.logs.append(person, LOG, channel=space.via, kind="confirm", text=text, data=facts)


def _standings(space: "Workspace") -> "dict[str, Standing]":
    return dict(space.logs.read(LOG).standings.writers)
