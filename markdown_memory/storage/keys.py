"""The private keys of this account, outside the vault, and the one place that knows `cryptography`.

    <config>/keys/<vault id>/<writer>.key     OpenSSH private key, mode 0600
    <config>/keys/<vault id>/<writer>.json    agent, role, machine, public key, when it was made
    <config>/keys/<vault id>/root             fingerprints of the persons' keys that root the `keys` log here

Rules:

1. A key signs only on the machine that it was made on. In a copied home folder or on a cloned disk the machine differs,
   and a new writer is made: two hosts must never continue one chain.
2. The public half stands beside the private one, so that listing writers needs no cryptography.
3. Keys leave this folder only in a backup that a person seals; what the vault gets is `ssh-ed25519 AAAA…` in an entry
   of the `keys` log.

API: `KeyChest(places, vault_id).writers() -> list[Writer]`, `.mint(agent, role)`, `.sign(writer, message)`,
`.here(writer)`, `.pin(fingerprint)`, `.pinned()`; `verify(public, signature, message) -> bool`.
"""

import json
import os
from collections.abc import Collection
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core.log_layout import SHORTEST, fingerprint_of, raw_key, writer_id
from markdown_memory.core.log_names import check_slug, check_vault_id
from markdown_memory.core.log_text import b64, unb64
from markdown_memory.errors import FormatError, IntegrityError, StorageError
from markdown_memory.storage.places import Places, make_private, read_private, reason, write_private

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ROLES = ("agent", "person")


class Writer(NamedTuple):
    """Somebody who signs: an agent or a person, on one machine, with one key."""

    id: str
    agent: str
    role: str
    fingerprint: str
    public: str
    machine: str
    created: str


class KeyChest:
    """The keys of one vault on this account."""

    def __init__(self, places: Places, vault_id: str, machine: str = "") -> None:
        self.folder = os.path.join(places.config, "keys", check_vault_id(vault_id))
        self._state = places.state
        self._named = machine
        self._private: dict[str, Ed25519PrivateKey] = {}
        self._listed: tuple[int, list[Writer]] = (0, [])

    def writers(self) -> list[Writer]:
        """All writers whose keys lie here, from whatever machine, oldest first."""
        try:
            stamp = os.stat(self.folder).st_mtime_ns
            if self._listed[0] != stamp:
                names = sorted(name for name in os.listdir(self.folder) if name.endswith(".json"))
                found = [writer for name in names if (writer := self._described(name))]
                self._listed = (stamp, sorted(found, key=lambda writer: (writer.created, writer.id)))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise StorageError(f"The keys in {self.folder} cannot be read ({reason(error)}).") from error
        return list(self._listed[1])

    def mint(self, agent: str, role: str, *, created: str = "", taken: Collection[str] = ()) -> Writer:
        """Make a key and its writer; its id is longer when a shorter one is `taken` in the vault."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        check_slug(agent, "agent")
        private = Ed25519PrivateKey.generate()
        public = _public_line(private)
        fingerprint = fingerprint_of(public)
        known = {*taken, *(writer.id for writer in self.writers())}
        length = SHORTEST
        while (name := writer_id(agent, fingerprint, length)) in known:
            length += 1
        writer = Writer(name, agent, role, fingerprint, public, self._machine, created)
        self._keep(writer, private)
        return writer

    def sign(self, writer: Writer, message: bytes) -> str:
        """The signature, as base64 without padding."""
        private = self._private.get(writer.id)
        if private is None:
            private = self._private[writer.id] = self._load(writer)
        return b64(private.sign(message))

    def here(self, writer: Writer) -> bool:
        """Whether the writer's key was made on this machine."""
        return writer.machine == self._machine

    @cached_property
    def _machine(self) -> str:
        from markdown_memory.storage.machine import machine_id

        return self._named or machine_id(self._state)

    def lasts(self) -> bool:
        """Whether a key that is made now can be kept."""
        folder = self.folder
        while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
            folder = os.path.dirname(folder)
        return os.path.isdir(folder) and os.access(folder, os.W_OK)

    def adopt(self, writer: Writer) -> Writer:
        """Take a key that was made on another machine for one of this machine, because that one writes no more."""
        self._load(writer)
        here = writer._replace(machine=self._machine)
        self._describe(here)
        return here

    def private_text(self, writer: Writer) -> str:
        """The private key in OpenSSH's format, as it is on disk, for a backup that seals it."""
        self._load(writer)
        return read_private(os.path.join(self.folder, f"{writer.id}.key"))

    def put_back(self, writer: Writer, private: str) -> Writer:
        """Keep a key from a backup; the machine that it was made on stays the one that it names."""
        self._write_key(writer, private)
        self._load(writer)
        self._describe(writer)
        return writer

    def pin(self, fingerprint: str) -> None:
        """Trust that person's key as a root of this vault's `keys` log, from now on and on this account."""
        known = self.pinned()
        if fingerprint not in known:
            write_private(os.path.join(self.folder, "root"), "".join(f"{one}\n" for one in (*known, fingerprint)))

    def pinned(self) -> tuple[str, ...]:
        """The fingerprints of the persons' keys that this account trusts as roots."""
        try:
            with open(os.path.join(self.folder, "root"), encoding="utf-8") as file:
                return tuple(file.read().split())
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StorageError(f"{self.folder}/root cannot be read ({reason(error)}).") from error

    def _described(self, name: str) -> Writer | None:
        try:
            with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                return Writer(name.removesuffix(".json"), **json.load(file))
        except (OSError, ValueError, TypeError):
            return None  # a half-copied key is no key: another one is made

    def _keep(self, writer: Writer, private: "Ed25519PrivateKey") -> None:
        self._write_key(writer, _openssh(private))
        self._describe(writer)
        self._private[writer.id] = private

    def _write_key(self, writer: Writer, text: str) -> None:
        make_private(self.folder)
        write_private(os.path.join(self.folder, f"{writer.id}.key"), text)

    def _describe(self, writer: Writer) -> None:
        facts = {key: value for key, value in writer._asdict().items() if key != "id"}
        write_private(os.path.join(self.folder, f"{writer.id}.json"), json.dumps(facts, indent=1) + "\n")
        self._listed = (0, [])

    def _load(self, writer: Writer) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_ssh_private_key

        path = os.path.join(self.folder, f"{writer.id}.key")
        try:
            with open(path, "rb") as file:
                private = load_ssh_private_key(file.read(), None)
        except (OSError, ValueError) as error:
            raise IntegrityError(
                f"The key of {writer.id} cannot be read from {path} ({error}); move it and its .json away "
                "and a new writer is made."
            ) from error
        if not isinstance(private, Ed25519PrivateKey) or _public_line(private) != writer.public:
            raise IntegrityError(f"{path} does not hold the key of {writer.id}; restore it from your backup.")
        return private


def verify(public: str, signature: str, message: bytes) -> bool:
    """Whether that key signed that message."""
    from cryptography.exceptions import InvalidSignature

    try:
        _loaded(public).verify(unb64(signature), message)
    except (InvalidSignature, FormatError):
        return False
    return True


@lru_cache(maxsize=1024)
def _loaded(public: str) -> "Ed25519PublicKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        return Ed25519PublicKey.from_public_bytes(raw_key(public))
    except ValueError as error:
        raise FormatError(f"{public[:40]!r} is no Ed25519 public key.") from error


def sealed(data: bytes, passphrase: str) -> tuple[str, str]:
    """Salt and token, both ASCII, from which `opened` gets the bytes back with the same passphrase."""
    from base64 import urlsafe_b64encode

    from cryptography.fernet import Fernet

    salt = os.urandom(16)
    return urlsafe_b64encode(salt).decode(), Fernet(_stretched(passphrase, salt)).encrypt(data).decode()


def opened(salt: str, token: str, passphrase: str, path: str) -> bytes:
    """What was sealed; IntegrityError when the passphrase or a byte of the file at `path` is another."""
    from base64 import urlsafe_b64decode

    from cryptography.fernet import Fernet, InvalidToken

    try:
        return Fernet(_stretched(passphrase, urlsafe_b64decode(salt))).decrypt(token)
    except (InvalidToken, ValueError) as error:
        raise IntegrityError(f"{path} does not open: the passphrase is another one, or the file is damaged.") from error


def _stretched(passphrase: str, salt: bytes) -> bytes:
    from base64 import urlsafe_b64encode

    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return urlsafe_b64encode(Scrypt(salt=salt, length=32, n=2**16, r=8, p=1).derive(passphrase.encode()))


def _openssh(private: "Ed25519PrivateKey") -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode()


def _public_line(private: "Ed25519PrivateKey") -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
