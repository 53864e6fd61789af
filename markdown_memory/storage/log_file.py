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
from contextlib import AbstractContextManager

from markdown_memory.core import times
from markdown_memory.core.entry import FIRST, Entry, Head, free_hash, render, signed
from markdown_memory.core.log_names import check_slug
from markdown_memory.core.log_text import b64, check_text, encode_data, escape
from markdown_memory.rules.standing import INTRODUCING, Standings
from markdown_memory.storage import log_tip
from markdown_memory.storage.keys import KeyChest, Writer
from markdown_memory.storage.log_files import Choices, Memory
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
        copy = vault_folder(places.state, vault_id, root)
        memory = Memory(copy, self._memory)
        self._choices = Choices(os.path.join(copy, "writers.json"))
        self._reader = Reader(root, vault_id, memory, self.chest.pinned, self._now)
        self._heads = Heads(root, vault_id, self._reader.key_of, self._now)
        self._introduced: set[str] = set()

    def writer(self, agent: str, role: str = "agent") -> Writer:
        """The agent's (or person's) writer on this machine, for this copy; its key is made when there is none."""
        usable = self._usable(agent, role)
        return usable[0] if usable else self.mint(agent, role)

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
        draft = self._draft(writer, log, channel, kind, text, data)._replace(ack=tuple(dict.fromkeys(ack)))
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

    def lost(self, log: str) -> list[Head]:
        """The present ends of the chains that this machine remembers to have been longer (seq 0: nothing is left)."""
        return self._reader.lost(log)

    def blank_redacted(self) -> list[str]:
        """Blank, in the files here, whatever persons have redacted; the paths of the files that were rewritten."""
        from markdown_memory.storage.log_blanking import blank

        authority = self._reader.authority()
        return blank(self.root, self.vault_id, authority.redacted, self._reader.key_of, self._lock)

    def prefer(self, writer: Writer) -> None:
        """Let the agent use that one of its writers in this copy from now on."""
        self._choices.keep(writer.agent, writer.role, writer.id)

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
        return self.append(
            by, "keys", channel=channel, kind="confirm", text=f"{writer.id} may sign", data=_subject(writer)
        )

    def _introduce(self, writer: Writer, kind: str, channel: str) -> None:
        facts = {"writer": writer.id, "key": writer.public, "role": writer.role}
        text = f"{writer.agent} signs as {writer.id} from here on"
        self._signed(writer, self._draft(writer, "keys", channel, kind, text, facts))
        self._introduced.add(writer.id)

    def _usable(self, agent: str, role: str) -> list[Writer]:
        """The writers of this machine that have not been retired or revoked; the one that this copy used last first."""
        standings = self.standings().writers
        found = [
            writer
            for writer in self.chest.writers()
            if (writer.agent, writer.role) == (agent, role) and self.chest.here(writer)
            if writer.id not in standings or standings[writer.id].state not in ("retired", "revoked")
        ]
        return sorted(found, key=lambda writer: writer.id != self._choices.get(agent, role))

    def mint(self, agent: str, role: str) -> Writer:
        """A new writer with a new key."""
        return self.chest.mint(agent, role, created=self._now(), taken=self._reader.authority().publics)

    def _by_another(self, writer: Writer, draft: Entry, behind: Behind) -> Entry:
        """Sign with another writer of the same agent that fits this copy; with a new one when there is none."""
        others = [other for other in self._usable(writer.agent, writer.role) if other.id != writer.id]
        for other in others:
            try:
                entry = self._signed(other, draft._replace(writer=other.id, key=other.fingerprint))
            except Behind:
                continue
            self.prefer(other)
            return entry
        new = self.mint(writer.agent, writer.role)
        self.introduce(new, draft.channel)
        vouched = any(self._vouches(other, new, draft.channel) for other in (writer, *others))
        rest = "" if vouched else f"; `mdmem keys confirm {new.id}` confirms it"
        self.notices.append(f"{behind} {writer.agent} signs here as {new.id} from now on{rest}.")
        self.prefer(new)
        return self._signed(new, draft._replace(writer=new.id, key=new.fingerprint))

    def _vouches(self, other: Writer, new: Writer, channel: str) -> bool:
        """Whether another writer of the agent, on this machine and known in the vault, has confirmed the new one."""
        known = self.standings().writers.get(other.id)
        if known is None or not known.trusted or not self.chest.here(other):
            return False
        try:
            self._signed(other, self._draft(other, "keys", channel, "confirm", f"{new.id} may sign", _subject(new)))
        except Behind:
            return False
        return True

    def _signed(self, writer: Writer, draft: Entry) -> Entry:
        if not (draft.log == "keys" and draft.kind in INTRODUCING):
            self.introduce(writer)
        chain = self._chain(writer, draft.log)
        with self._lock(writer.id):
            tip = log_tip.load(chain)
            entry = self._complete(writer, draft, tip)
            month = max(entry.time[:7], tip.month)
            log_tip.append(chain, tip, entry, render(entry), month)
        return entry

    def _draft(
        self, writer: Writer, log: str, channel: str, kind: str, text: str, data: Mapping[str, object] | None
    ) -> Entry:
        return Entry(
            self.vault_id, log, writer.id, writer.fingerprint, 0, FIRST, "", writer.agent,
            check_slug(channel, "channel"), check_slug(kind, "kind"), check_text(text), data=encode_data(data or {}),
        )  # fmt: skip

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

    def _lock(self, writer: str) -> AbstractContextManager[None]:
        return writer_lock(f"{self._memory}/{writer}.lock", f"The log of {writer}", PATIENCE)

    def _chain(self, writer: Writer, log: str) -> Chain:
        return Chain(self.root, self.vault_id, log, writer, f"{self._memory}/{log}/{writer.id}.json")

    def _now(self, ahead: float = 0.0) -> str:
        return times.utc(self.clock() + ahead)


def _subject(writer: Writer) -> dict[str, object]:
    return {"writer": writer.id, "key": writer.fingerprint, "role": writer.role}
