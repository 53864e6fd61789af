"""The signed logs of one copy of a vault: append to one's own chains, read everybody's.

An append is: the writer's lock → where its chain ends → what others have written meanwhile → sign → one write at the
end of its own file → fsync → remember the head. Locks and memory lie in the state folder, keyed by the vault's id: a
second clone of the vault on this machine finds the memory of the first, and does not continue a chain that went on
there.

    LogStore(root, vault_id, places, clock)
      .writer(agent, role="agent") -> Writer                  loads or makes the key on this machine
      .append(writer, log, channel=…, kind=…, text=…, ack=(), data=None) -> Entry
      .read(log, months=None) -> Reading(entries, unsigned, problems)      entries in reading order
      .chest: KeyChest     .notices: sentences that a person should see (a new writer was made, …)
"""

import os
from collections.abc import Callable, Mapping, Sequence

from markdown_memory.core import times
from markdown_memory.core.entry import (
    FIRST,
    Entry,
    Head,
    b64,
    check_slug,
    check_text,
    encode_data,
    escape,
    free_hash,
    render,
    signed,
)
from markdown_memory.rules.standing import INTRODUCING, Standings
from markdown_memory.storage import log_tip
from markdown_memory.storage.keys import KeyChest, Writer
from markdown_memory.storage.log_files import Memory
from markdown_memory.storage.log_heads import Heads
from markdown_memory.storage.log_reading import Reader, Reading
from markdown_memory.storage.log_tip import Behind, Chain, Tip
from markdown_memory.storage.places import Places, vault_folder
from markdown_memory.storage.writer_lock import writer_lock

PATIENCE = 60.0  # seconds to wait for another process of the same writer


class LogStore:
    """The logs of the vault at `root`; `clock` gives seconds since 1970."""

    def __init__(self, root: str, vault_id: str, places: Places, clock: Callable[[], float], machine: str = "") -> None:
        self.root = root
        self.vault_id = vault_id
        self.clock = clock
        self.chest = KeyChest(places, vault_id, machine)
        self.notices: list[str] = []
        self._memory = os.path.join(places.state, "heads", vault_id)
        memory = Memory(vault_folder(places.state, vault_id, root), self._memory)
        self._reader = Reader(root, vault_id, memory, self.chest.pinned, self._now)
        self._heads = Heads(root, vault_id, self._reader.key_of, self._now)
        self._introduced: set[str] = set()

    def writer(self, agent: str, role: str = "agent") -> Writer:
        """The agent's (or person's) writer on this machine; its key is made when there is none."""
        return self.chest.writer(agent, role, created=self._now(), taken=self._reader.authority().publics)

    def append(
        self,
        writer: Writer,
        log: str,
        *,
        channel: str,
        kind: str,
        text: str,
        ack: Sequence[str] = (),
        data: Mapping[str, object] | None = None,
    ) -> Entry:
        """Sign an entry and put it at the end of the writer's chain; when this returns it is on the disk.

        The entry's writer is another one, of the same agent, when this copy is behind what the given one has written.
        """
        draft = Entry(
            self.vault_id, log, writer.id, writer.fingerprint, 0, FIRST, "", writer.agent,
            check_slug(channel, "channel"), check_slug(kind, "kind"), check_text(text),
            ack=tuple(dict.fromkeys(ack)), data=encode_data(data or {}),
        )  # fmt: skip
        try:
            return self._signed(writer, draft)
        except Behind as behind:
            return self._by_another(writer, draft, behind)

    def read(self, log: str, months: int | None = None, *, thorough: bool = False) -> Reading:
        """All entries of a log, or those of the newest `months` months, in reading order, with what is wrong.

        `thorough` checks every signature, also of what was found valid before.
        """
        return self._reader.read(log, months, thorough=thorough)

    def remembered(self) -> dict[str, Head]:
        """The newest heads that this machine has seen or written, by `<log>/<writer>`; empty on a fresh one."""
        return self._reader.remembered()

    def standings(self) -> Standings:
        """Every writer that has been introduced, and whether it is known to be who it says."""
        return self._reader.authority().standings

    def root_person(self, person: str, channel: str = "api") -> Writer:
        """Make that person's key the root of the `keys` log (when the vault is made) and trust it here."""
        writer = self.writer(person, "person")
        if writer.id not in self._reader.authority().publics:
            self._introduce(writer, "root", channel)
        self.chest.pin(writer.fingerprint)
        return writer

    def introduce(self, writer: Writer, channel: str = "api") -> None:
        """Publish the writer's key in the `keys` log, unless it is there."""
        if writer.id in self._introduced:
            return
        if writer.id not in self._reader.authority().publics:
            self._introduce(writer, "introduce", channel)
        self._introduced.add(writer.id)

    def confirm(self, by: Writer, writer: Writer, channel: str = "api") -> Entry:
        """Say with `by`'s key that the writer is who it says."""
        facts = {"writer": writer.id, "key": writer.fingerprint, "role": writer.role}
        return self.append(by, "keys", channel=channel, kind="confirm", text=f"{writer.id} may sign", data=facts)

    def _introduce(self, writer: Writer, kind: str, channel: str) -> None:
        facts = {"writer": writer.id, "key": writer.public, "role": writer.role}
        text = f"{writer.agent} signs as {writer.id} from here on"
        self.append(writer, "keys", channel=channel, kind=kind, text=text, data=facts)
        self._introduced.add(writer.id)

    def _by_another(self, writer: Writer, draft: Entry, behind: Behind) -> Entry:
        for other in self.chest.writers():
            if other.id != writer.id and self.chest.here(other) and other[1:3] == writer[1:3]:
                try:
                    return self._signed(other, draft._replace(writer=other.id, key=other.fingerprint))
                except Behind:
                    continue
        new = self.chest.mint(writer.agent, writer.role, created=self._now(), taken=self._reader.authority().publics)
        self.notices.append(
            f"{behind} {writer.agent} signs here as {new.id}; `mdmem keys confirm {new.id}` confirms it."
        )
        return self._signed(new, draft._replace(writer=new.id, key=new.fingerprint))

    def _signed(self, writer: Writer, draft: Entry) -> Entry:
        if not (draft.log == "keys" and draft.kind in INTRODUCING):
            self.introduce(writer)
        chain = self._chain(writer, draft.log)
        with writer_lock(f"{self._memory}/{writer.id}.lock", f"The log of {writer.id}", PATIENCE):
            tip = log_tip.load(chain)
            entry = self._complete(writer, draft, tip)
            month = max(entry.time[:7], tip.month)
            log_tip.append(chain, tip, entry, render(entry), month)
        return entry

    def _complete(self, writer: Writer, draft: Entry, tip: Tip) -> Entry:
        salt = b64(os.urandom(16))
        entry = draft._replace(
            seq=tip.seq + 1,
            prev=tip.hash,
            time=self._now(),
            seen=self._heads.unseen(draft.log, writer.id, tip.seen),
            salt=salt,
            free=free_hash(salt, escape(draft.text), draft.data),
        )
        return entry._replace(sig=self.chest.sign(writer, signed(entry)))

    def _chain(self, writer: Writer, log: str) -> Chain:
        return Chain(self.root, self.vault_id, log, writer, f"{self._memory}/{log}/{writer.id}.json")

    def _now(self, ahead: float = 0.0) -> str:
        return times.utc(self.clock() + ahead)
