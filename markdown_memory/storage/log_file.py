"""The signed logs of one copy of a vault: append to one's own chains, read everybody's.

Locks and memory lie in the state folder, keyed by the vault's id: a second clone of the vault on this machine finds the
memory of the first, and does not continue a chain that went on there.

    LogStore(root, vault_id, places, clock)
      .writer(agent, role="agent") -> Writer                  loads or makes the key on this machine
      .append(writer, log, channel=…, kind=…, text=…, ack=(), data=None) -> Entry
      .read(log, months=None) -> Reading(entries, unsigned, problems)      entries in reading order
      .chest: KeyChest     .notices: sentences that a person should see (a new writer was made, …)
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from markdown_memory.core import times
from markdown_memory.core.entry import Entry, Head
from markdown_memory.rules.standing import Standings
from markdown_memory.storage.keys import KeyChest, Writer
from markdown_memory.storage.log_files import Memory
from markdown_memory.storage.log_news import Asked
from markdown_memory.storage.log_reading import Reader
from markdown_memory.storage.log_values import Reading
from markdown_memory.storage.places import Places, vault_folder

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from markdown_memory.storage.log_copies import Copy
    from markdown_memory.storage.log_writing import Pen


class LogStore:
    """The logs of the vault at `root`; `clock` gives seconds since 1970."""

    def __init__(self, root: str, vault_id: str, places: Places, clock: Callable[[], float], machine: str = "") -> None:
        self.root = root
        self.vault_id = vault_id
        self.clock = clock
        self.chest = KeyChest(places, vault_id, machine)
        self._copy_folder = vault_folder(places.state, vault_id, root)
        self._heads_folder = os.path.join(places.state, "heads", vault_id)
        memory = Memory(self._copy_folder, self._heads_folder)
        self._reader = Reader(root, vault_id, memory, self.chest.pinned, self._now)

    # writing

    @property
    def notices(self) -> list[str]:
        """Sentences that a person should see after appending, such as that a new writer was made."""
        return self._pen.notices

    def writer(self, agent: str, role: str = "agent") -> Writer:
        """The agent's (or person's) writer on this machine, for this copy; its key is made when there is none."""
        usable = self._pen.usable(agent, role)
        return usable[0] if usable else self._pen.first(agent, role)

    def mint(self, agent: str, role: str) -> Writer:
        """A new writer with a new key."""
        return self._pen.mint(agent, role)

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
        return self._pen.append(writer, log, channel, kind, text, ack, data)

    def prefer(self, writer: Writer) -> None:
        """Let the agent use that one of its writers in this copy from now on."""
        self._pen.prefer(writer)

    def root_person(self, person: str, channel: str = "api") -> Writer:
        """Make that person's key the root of the `keys` log (when the vault is made) and trust it here."""
        writer = self.writer(person, "person")
        self._pen.introduce(writer, channel, "root")
        self.chest.pin(writer.fingerprint)
        return writer

    def introduce(self, writer: Writer, channel: str = "api") -> None:
        """Publish the writer's key in the `keys` log, unless it is there."""
        self._pen.introduce(writer, channel)

    def confirm(self, by: Writer, writer: Writer, channel: str = "api") -> Entry:
        """Say with `by`'s key that the writer is who it says."""
        return self._pen.confirm(by, writer, channel)

    def lock(self, writer: str) -> "AbstractContextManager[None]":
        """Keep every process of this machine from appending as that writer."""
        return self._pen.lock(writer)

    def blank_redacted(self) -> list[str]:
        """Blank, in the files here, whatever persons have redacted; the paths of the files that were rewritten."""
        from markdown_memory.storage.log_blanking import blank

        redacted = self._reader.authority().redacted
        return blank(self.root, self.vault_id, redacted, self._reader.key_of, self._pen.lock)

    def fold_copies(self, logs: Iterable[str]) -> "list[Copy]":
        """Put what copies made by sync tools hold beyond their originals back there; what was done with each."""
        from markdown_memory.storage.log_copies import fold

        authority = self._reader.authority()
        return fold(self.root, self.vault_id, logs, authority, self._pen.lock)

    @cached_property
    def _pen(self) -> "Pen":
        """What appends; loaded when somebody writes."""
        from markdown_memory.storage.log_writing import Pen

        return Pen(
            self.root, self.vault_id, self.chest, self._reader, (self._copy_folder, self._heads_folder), self._now
        )

    # reading

    def read(self, log: str, months: int | None = None, *, thorough: bool = False) -> Reading:
        """All entries of a log, or those of the newest `months` months, in reading order, with what is wrong.

        `thorough` checks every signature, also of what was found valid before.
        """
        return self._reader.read(log, months, thorough=thorough)

    def news(self, log: str, months: int, asked: Asked) -> Reading:
        """What is unread in the newest months, for little; see `Reading`."""
        return self._reader.news(log, months, asked)

    def standings(self) -> Standings:
        """Every writer that has been introduced, and whether it is known to be who it says."""
        return self._reader.authority().standings

    def remembered(self) -> dict[str, Head]:
        """The newest heads that this machine has seen or written, by `<log>/<writer>`; empty on a fresh one."""
        return self._reader.remembered()

    def lost(self, log: str) -> list[Head]:
        """The present ends of the chains that this machine remembers to have been longer (seq 0: nothing is left)."""
        return self._reader.lost(log)

    def _now(self, ahead: float = 0.0) -> str:
        return times.utc(self.clock() + ahead)
