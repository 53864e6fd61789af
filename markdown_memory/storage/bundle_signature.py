"""The signature beside a snapshot, `<file>.sig`: whose key says that it made this very file.

It lies beside the file and not in it, so that the same vault gives the same file on every machine. It is JSON with the
writer, the public key, and an Ed25519 signature over `mdmem1 snapshot` NUL, the vault's id, the writer and the SHA-256.
"""

import json
import os
from typing import NamedTuple

from markdown_memory.core.log_layout import fingerprint_of, names_key
from markdown_memory.errors import FormatError, IntegrityError
from markdown_memory.storage import bundle, keys
from markdown_memory.storage.inside import failure
from markdown_memory.storage.keys import KeyChest, Writer

DOMAIN = b"mdmem1 snapshot\0"
LIMIT = 10_000  # bytes


class Maker(NamedTuple):
    """Who has signed: the writer, its public key line and the fingerprint of that."""

    writer: str
    public: str
    fingerprint: str


def beside(path: str) -> str:
    """Where the signature of a file lies."""
    return f"{path}.sig"


def sign(path: str, digest: str, chest: KeyChest, vault: str, writer: Writer) -> str:
    """Write the signature of a file; its path."""
    facts = {"mdmem_signature": 1, "vault": vault, "writer": writer.id, "key": writer.public, "sha256": digest}
    facts["sig"] = chest.sign(writer, _message(vault, writer.id, digest))
    at = beside(path)
    try:
        with open(at, "w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(facts, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise failure(at, "was not written", error) from error
    return at


def check(path: str, digest: str, vault: str) -> Maker:
    """Who signed a file; IntegrityError when there is no signature, or it is not one of this very file."""
    at = beside(path)
    try:
        with bundle.open_file(at) as file:
            facts = json.loads(file.read(LIMIT))
        writer, public, sig, signed = (str(facts[key]) for key in ("writer", "key", "sig", "sha256"))
        fingerprint = fingerprint_of(public)
    except FileNotFoundError:
        raise IntegrityError(
            f"{path} is not signed: its signature should lie beside it as {os.path.basename(at)}; "
            "send the two together. Nothing was changed."
        ) from None
    except OSError as error:
        raise failure(at, "cannot be read", error) from error
    except (ValueError, TypeError, KeyError, FormatError):
        raise IntegrityError(f"{at} is no signature of a snapshot; nothing was changed.") from None
    whole = signed == digest and names_key(writer, writer.rpartition("-")[0], fingerprint)
    if not whole or not keys.verify(public, sig, _message(vault, writer, digest)):
        raise IntegrityError(f"{path} is not the file that {at} was made for; nothing was changed.")
    return Maker(writer, public, fingerprint)


def _message(vault: str, writer: str, digest: str) -> bytes:
    return DOMAIN + f"vault {vault}\nwriter {writer}\nsha256 {digest}\n".encode()
