"""Appending to the signed logs.

An append is: the writer's lock → where its chain ends → what others have written meanwhile → sign → one write at the
end of its own file → fsync → remember the head.

A writer that has just been made introduces itself in the `keys` log before it writes anything else. In a copy of the
vault that is behind what a writer has written, another one of the same agent signs, or a new one, for whom the others
vouch.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

from markdown_memory.core.entry import FIRST, Entry, free_hash, render, signed
from markdown_memory.core.log_names import check_slug
from markdown_memory.core.log_text import b64, check_text, encode_data, escape
from markdown_memory.rules.standing import INTRODUCING, Standings
from markdown_memory.storage import log_tip
from markdown_memory.storage.keys import KeyChest, Writer
from markdown_memory.storage.log_files import Choices
from markdown_memory.storage.log_heads import Heads
from markdown_memory.storage.log_reading import Reader
from markdown_memory.storage.log_tip import Behind, Chain, Tip
from markdown_memory.storage.writer_lock import writer_lock

KEYS = "keys"
PATIENCE = 60.0  # seconds to wait for another process of the same writer


class Pen:
    """Appends entries of this machine's writers. `folders` keep what is remembered of this copy, and of all copies."""

    def __init__(
        self,
        root: str,
        vault: str,
        chest: KeyChest,
        reader: Reader,
        folders: tuple[str, str],
        now: Callable[[], str],
    ) -> None:
        self.notices: list[str] = []
        self._root, self._vault = root, vault
        self._chest, self._reader, self._now = chest, reader, now
        self._choices = Choices(os.path.join(folders[0], "writers.json"))
        self._memory = folders[1]
        self._heads = Heads(root, vault, reader.key_of, now)
        self._introduced: set[str] = set()

    def append(
        self,
        writer: Writer,
        log: str,
        channel: str,
        kind: str,
        text: str,
        ack: Sequence[str] = (),
        data: Mapping[str, object] | None = None,
    ) -> Entry:
        """Sign an entry and put it at the end of the writer's chain, or of another one's of the same agent."""
        draft = self._draft(writer, log, channel, kind, text, data)._replace(ack=tuple(dict.fromkeys(ack)))
        try:
            return self._signed(writer, draft)
        except Behind as behind:
            return self._by_another(writer, draft, behind)

    def introduce(self, writer: Writer, channel: str, kind: str = "introduce") -> None:
        """Publish the writer's key in the `keys` log, unless it is there."""
        if writer.id in self._introduced:
            return
        if writer.id not in self._reader.authority().publics:
            with self.lock(f"introduce-{writer.id}"):
                self._introduce(writer, channel, kind)
        self._introduced.add(writer.id)

    def confirm(self, by: Writer, writer: Writer, channel: str) -> Entry:
        """Say with `by`'s key that the writer is who it says."""
        return self.append(by, KEYS, channel, "confirm", f"{writer.id} may sign", data=_subject(writer))

    def prefer(self, writer: Writer) -> None:
        """Let the agent use that one of its writers in this copy from now on."""
        self._choices.keep(writer.agent, writer.role, writer.id)

    def lock(self, writer: str) -> AbstractContextManager[None]:
        """Keep every process of this machine from appending as that writer."""
        return writer_lock(f"{self._memory}/{writer}.lock", f"The log of {writer}", PATIENCE)

    def usable(self, agent: str, role: str) -> list[Writer]:
        """The writers of this machine that have not been retired or revoked; the one that this copy used last first."""
        standings = self._standings().writers
        found = [
            writer
            for writer in self._chest.writers()
            if (writer.agent, writer.role) == (agent, role) and self._chest.here(writer)
            if writer.id not in standings or standings[writer.id].state not in ("retired", "revoked")
        ]
        return sorted(found, key=lambda writer: writer.id != self._choices.get(agent, role))

    def first(self, agent: str, role: str) -> Writer:
        """The agent's first writer; of two processes that want one at the same moment, only one makes it."""
        with self.lock(f"new-{role}-{agent}"):
            usable = self.usable(agent, role)
            return usable[0] if usable else self.mint(agent, role)

    def mint(self, agent: str, role: str) -> Writer:
        """A new writer with a new key."""
        return self._chest.mint(agent, role, created=self._now(), taken=self._reader.authority().publics)

    def _by_another(self, writer: Writer, draft: Entry, behind: Behind) -> Entry:
        """Sign with another writer of the same agent that fits this copy; with a new one when there is none."""
        others = [other for other in self.usable(writer.agent, writer.role) if other.id != writer.id]
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
        known = self._standings().writers.get(other.id)
        if known is None or not known.trusted or not self._chest.here(other):
            return False
        try:
            self._signed(other, self._draft(other, KEYS, channel, "confirm", f"{new.id} may sign", _subject(new)))
        except Behind:
            return False
        return True

    def _introduce(self, writer: Writer, channel: str, kind: str) -> None:
        if writer.id in self._reader.authority().publics:
            return  # another process has done it meanwhile
        facts = {"writer": writer.id, "key": writer.public, "role": writer.role}
        text = f"{writer.agent} signs as {writer.id} from here on"
        self._signed(writer, self._draft(writer, KEYS, channel, kind, text, facts))

    def _signed(self, writer: Writer, draft: Entry) -> Entry:
        if not (draft.log == KEYS and draft.kind in INTRODUCING):
            self.introduce(writer, draft.channel)
        chain = self._chain(writer, draft.log)
        with self.lock(writer.id):
            tip = log_tip.load(chain)
            entry = self._complete(writer, draft, tip)
            month = max(entry.time[:7], tip.month)
            log_tip.append(chain, tip, entry, render(entry), month)
        return entry

    def _draft(
        self, writer: Writer, log: str, channel: str, kind: str, text: str, data: Mapping[str, object] | None
    ) -> Entry:
        return Entry(
            self._vault, log, writer.id, writer.fingerprint, 0, FIRST, "", writer.agent,
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
        return entry._replace(sig=self._chest.sign(writer, signed(entry)))

    def _chain(self, writer: Writer, log: str) -> Chain:
        return Chain(self._root, self._vault, log, writer, f"{self._memory}/{log}/{writer.id}.json")

    def _standings(self) -> Standings:
        return self._reader.authority().standings


def _subject(writer: Writer) -> dict[str, object]:
    return {"writer": writer.id, "key": writer.fingerprint, "role": writer.role}
