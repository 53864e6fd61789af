"""Writers of log entries for tests: real keys from fixed seeds, real lines, and no disk."""

from collections.abc import Mapping, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from markdown_memory.core.entry import FIRST, Entry, Head, entry_hash, free_hash, render, signed
from markdown_memory.core.log_layout import LogFile, fingerprint_of, header, log_path, writer_id
from markdown_memory.core.log_text import b64, encode_data, escape
from markdown_memory.rules.chain import Chain, join
from markdown_memory.rules.log_lines import Lines, read_lines
from markdown_memory.storage.keys import verify

VAULT = "vault-of-tests"


class Scribe:
    """One writer with a key; `write` makes the next entry of a chain in memory."""

    def __init__(self, agent: str, seed: int = 1, vault: str = VAULT) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        line = self._private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
        self.public = line.decode()
        self.key = fingerprint_of(self.public)
        self.agent = agent
        self.id = writer_id(agent, self.key)
        self.vault = vault
        self.chains: dict[str, list[Entry]] = {}

    def write(
        self,
        text: str = "",
        log: str = "live-context",
        *,
        time: str = "2026-11-30T02:13:04",
        kind: str = "note",
        seen: Sequence[Head] = (),
        ack: Sequence[str] = (),
        data: Mapping[str, object] | None = None,
        after: Entry | None = None,
        keep: bool = True,
    ) -> Entry:
        """The next entry, or another one `after` a given entry (equivocation)."""
        chain = self.chains.setdefault(log, [])
        before = after or (chain[-1] if chain else None)
        seq = before.seq + 1 if before else 1
        text = text or f"entry {seq} of {self.agent}"
        salt, facts = b64(bytes([seq % 256]) * 16), encode_data(data or {})
        draft = Entry(
            self.vault, log, self.id, self.key, seq, entry_hash(before) if before else FIRST, time, self.agent, "test",
            kind, text, tuple(sorted(seen)), tuple(ack), free_hash(salt, escape(text), facts), salt, facts,
        )  # fmt: skip
        entry = self.sign(draft)
        if keep:
            chain.append(entry)
        return entry

    def sign(self, draft: Entry) -> Entry:
        """The entry with this scribe's signature, whatever it says."""
        return draft._replace(sig=b64(self._private.sign(signed(draft))))

    def introduce(self, kind: str = "introduce", role: str = "agent") -> Entry:
        """The scribe's first entry in the keys log."""
        return self.write("hello", "keys", kind=kind, data={"writer": self.id, "key": self.public, "role": role})

    def file(
        self, entries: Sequence[Entry], month: str = "2026-11", log: str = "live-context"
    ) -> tuple[LogFile, bytes]:
        """A month's file with these entries."""
        lines = "".join(f"{render(entry)}\n" for entry in entries)
        path = log_path(log, self.id, month)
        return LogFile(path, log, self.id, month), (header(log, self.id, month) + lines).encode()


def read(file: LogFile, data: bytes, *scribes: Scribe, thorough: bool = False) -> Lines:
    """What a file holds, with these scribes' keys known."""
    keys = {scribe.id: scribe.public for scribe in scribes}
    return read_lines(file, data, VAULT, keys, verify, thorough=thorough)


def joined(
    scribe: Scribe, files: Sequence[tuple[LogFile, bytes]], remembered: Head | None = None, *others: Scribe
) -> Chain:
    """The chain that these files of a scribe make."""
    lines = [read(file, data, scribe, *others) for file, data in files]
    return join(files[0][0].log if files else "live-context", scribe.id, lines, remembered)
