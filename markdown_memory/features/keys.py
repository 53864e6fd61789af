"""Who may sign in a vault, and what a person says about it: confirm, rotate, retire, revoke, accept a loss.

A writer that neither another key of its agent nor a person has vouched for signs all the same: what it writes is shown
as unconfirmed until a person confirms it here. All these acts are entries of the `keys` log.

- **Rotate**: this machine's writer of an agent gets a new key; the old one vouches for it and retires.
- **Retire**: a writer writes nothing more; what it has written stays trusted. For a machine that is given away.
- **Revoke**: what a writer has written after a given point is not its owner's. For a machine that was lost.
- **Move here**: this machine takes the place of the one that a copied home folder came from, keys and all. Only when
  that machine never writes again: two that continue one chain contradict each other, and every reader notices.
- **Export, import**: all keys of this vault on this account, sealed with a passphrase, and back again. On the machine
  that they were made on they go on as before; on another one a new writer signs until one of them is moved here.
- **Accept a roll-back**: what this machine remembers beyond the present ends of the logs was lost, and that is known.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core.entry import Entry, Head
from markdown_memory.core.log_names import SHORTS, writer_of_id
from markdown_memory.core.names import near
from markdown_memory.errors import AccessError, NotFound, UserError

if TYPE_CHECKING:
    from markdown_memory.rules.chain import Chain
    from markdown_memory.rules.standing import Standing
    from markdown_memory.storage.keys import Writer
    from markdown_memory.workspace import Workspace

LOG = "keys"
ENDED = ("retired", "revoked")


class Key(NamedTuple):
    """A writer: `state` is root, confirmed, unconfirmed, retired or revoked; `here`: its private key is here."""

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


def confirm(space: "Workspace", writer: str, person_present: bool) -> Entry | None:
    """Confirm a writer with the person's key; None when it was confirmed before."""
    one = _known(space, writer)
    _need_person(person_present, f"confirm {writer}")
    if one.state in ENDED:
        raise AccessError(f"{writer} is {one.state}, and stays so; the agent gets a new writer with its next entry.")
    if one.trusted:
        return None
    return _say(space, "confirm", f"{one.writer} may sign", writer=one.writer, key=one.fingerprint, role=one.role)


def rotate(space: "Workspace", agent: str = "") -> "Writer":
    """Give an agent ("" = the person) a new key on this machine; the old one vouches for it and retires."""
    space.found.check_meant()
    logs = space.logs
    role = "agent" if agent else "person"
    old = logs.writer(agent or space.person, role)
    logs.introduce(old, space.via)
    new = logs.mint(old.agent, role)
    logs.introduce(new, space.via)
    logs.confirm(old, new, space.via)
    if role == "person" and old.fingerprint in logs.chest.pinned():
        logs.chest.pin(new.fingerprint)
    heads = [str(head) for head in _heads(space, old.id)]
    facts = {"writer": old.id, "key": old.fingerprint, "heads": heads}
    logs.append(old, LOG, channel=space.via, kind="retire", text=f"{old.id} gives way to {new.id}", data=facts)
    return new


def retire(space: "Workspace", writer: str, person_present: bool) -> Entry:
    """Say, as a person, that a writer writes nothing more."""
    one = _known(space, writer)
    _need_person(person_present, f"retire {writer}")
    _refuse_last_root(space, one)
    return _end(space, "retire", one, _heads(space, writer), f"{writer} writes nothing more")


def revoke(space: "Workspace", writer: str, person_present: bool, after: Sequence[str] = ()) -> Entry:
    """Say, as a person, that a writer is not trusted after the entries `after` (one for each log that is to count).

    Without `after`, everything of it that is here now stays trusted, and nothing that arrives later.
    """
    one = _known(space, writer)
    _need_person(person_present, f"revoke {writer}")
    _refuse_last_root(space, one)
    heads = _heads(space, writer)
    if after:
        heads = [_head_of(space, writer, name) for name in after]
    return _end(space, "revoke", one, heads, f"{writer} is not trusted any more")


def move_here(space: "Workspace", writer: str, person_present: bool) -> "Writer":
    """Let this machine continue a writer whose key came here in a copied home folder."""
    _need_person(person_present, f"move-here {writer}")
    chest = space.logs.chest
    mine = {one.id: one for one in chest.writers()}
    if writer not in mine:
        raise NotFound(f"The key of {writer} does not lie on this machine.", near(writer, mine))
    moved = chest.adopt(mine[writer])
    space.logs.prefer(moved)
    return moved


def export(space: "Workspace", path: str, passphrase: str, person_present: bool) -> "list[Writer]":
    """Write a sealed backup of the vault's keys on this account into a new file; whose keys are in it."""
    from markdown_memory.storage import key_backup

    _need_person(person_present, "export FILE")
    return key_backup.write(space.logs.chest, space.vault_id, path, passphrase)


def bring_back(space: "Workspace", path: str, passphrase: str, person_present: bool) -> "list[Writer]":
    """Bring back the keys of a backup that are missing here; whose keys they are."""
    from markdown_memory.storage import key_backup

    _need_person(person_present, "import FILE")
    return key_backup.restore(space.logs.chest, space.vault_id, path, passphrase)


def accept_rollback(space: "Workspace", person_present: bool) -> Entry | None:
    """Say, as a person, that what this machine remembers beyond the logs' present ends is lost; None if nothing is."""
    _need_person(person_present, "accept-rollback")
    lost = [head for log in SHORTS for head in space.logs.lost(log)]
    if not lost:
        return None
    names = ", ".join(f"{head.writer} ({head.log})" for head in lost)
    text = f"An older copy was restored: {names}"[:1000]
    entry = _say(space, "accept-rollback", text, heads=[str(head) for head in lost])
    if not space.logs.standings().trusts(entry, "person"):
        space.logs.chest.pin(entry.key)  # the backup is older than the person's own last word in this log
    return entry


def _end(space: "Workspace", kind: str, one: "Standing", heads: Iterable[Head], text: str) -> Entry:
    return _say(space, kind, text, writer=one.writer, key=one.fingerprint, heads=[str(head) for head in heads])


def _say(space: "Workspace", kind: str, text: str, **data: object) -> Entry:
    space.found.check_meant()
    person = space.logs.writer(space.person, "person")
    return space.logs.append(person, LOG, channel=space.via, kind=kind, text=text, data=data)


def _heads(space: "Workspace", writer: str) -> list[Head]:
    """The newest entries of a writer that are here, one for each log."""
    chains = (_chain(space, log, writer) for log in SHORTS)
    return [chain.head for chain in chains if chain and chain.head]


def _head_of(space: "Workspace", writer: str, name: str) -> Head:
    """The head that an entry's name with its log's word means: `live-lyra-k7f3-42`."""
    word = name.removeprefix("^").partition("-")[0]
    log = next((log for log, short in SHORTS.items() if short == word), "live-context")
    owner, seq = writer_of_id(name)
    chain = _chain(space, log, writer)
    found = next((one for one in (chain.placed if chain else ()) if one.entry.seq == seq), None)
    if owner != writer or found is None:
        raise UserError(
            f"{name} is no entry of {writer} that is here; name the last one that is right, like live-{writer}-42."
        )
    return Head(log, writer, seq, found.hash)


def _chain(space: "Workspace", log: str, writer: str) -> "Chain | None":
    return space.logs.read(log).chains.get(writer)


def _refuse_last_root(space: "Workspace", one: "Standing") -> None:
    others = [other for other in _standings(space).values() if other.state == "root" and other.writer != one.writer]
    if one.state == "root" and not others:
        raise AccessError(
            f"{one.writer} is the only root of this vault's keys; `mdmem keys rotate` gives it a successor first."
        )


def _need_person(present: bool, act: str) -> None:
    if not present:
        raise AccessError(f"Only a person does that: run `mdmem keys {act}` yourself, in a terminal.")


def _known(space: "Workspace", writer: str) -> "Standing":
    known = _standings(space)
    if writer not in known:
        raise NotFound(
            f"There is no writer {writer!r} in this vault; `mdmem keys list` shows them.", near(writer, known)
        )
    return known[writer]


def _standings(space: "Workspace") -> "dict[str, Standing]":
    return dict(space.logs.standings().writers)
