"""A backup of a vault's private keys: one file, sealed with a passphrase.

    mdmem keys 1
    <salt, base64>
    <Fernet token of a JSON document: the vault's id, the pinned roots, and each writer with its OpenSSH private key>

The token's key is scrypt (RFC 7914: N = 2^16, r = 8, p = 1) of the passphrase and the salt. Fernet is authenticated, so
a changed file, roots included, does not open.
"""

import json
import os

from markdown_memory.errors import FormatError, StorageError, UserError
from markdown_memory.storage.keys import KeyChest, Writer, opened, sealed
from markdown_memory.storage.places import reason

HEADER = "mdmem keys 1"
SHORTEST_PASSPHRASE = 8
LARGEST = 10_000_000


def write(chest: KeyChest, vault_id: str, path: str, passphrase: str) -> list[Writer]:
    """Seal every key of the vault that lies on this account into a new file; the writers that are in it."""
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise UserError(f"The passphrase needs {SHORTEST_PASSPHRASE} characters or more; nothing was written.")
    writers = chest.writers()
    held = [{**writer._asdict(), "private": chest.private_text(writer)} for writer in writers]
    document = json.dumps({"vault": vault_id, "roots": chest.pinned(), "writers": held})
    salt, token = sealed(document.encode(), passphrase)
    _write_new(path, f"{HEADER}\n{salt}\n{token}\n")
    return writers


def restore(chest: KeyChest, vault_id: str, path: str, passphrase: str) -> list[Writer]:
    """Bring back the keys that are missing here; those writers. A key that is here already stays as it is."""
    document = json.loads(opened(*_parts(path), passphrase, path))
    if document["vault"] != vault_id:
        raise UserError(f"{path} holds the keys of the vault {document['vault']}, and this one is {vault_id}.")
    here = {writer.id for writer in chest.writers()}
    missing = [one for one in document["writers"] if one["id"] not in here]
    restored = [chest.put_back(Writer(**{key: one[key] for key in Writer._fields}), one["private"]) for one in missing]
    for fingerprint in document["roots"]:
        chest.pin(fingerprint)
    return restored


def _parts(path: str) -> tuple[str, str]:
    try:
        with open(path, encoding="ascii") as file:
            lines = file.read(LARGEST).split("\n")
    except OSError as error:
        raise StorageError(f"{path} cannot be read ({reason(error)}).") from error
    except UnicodeDecodeError:
        lines = []
    if len(lines) < 3 or lines[0] != HEADER:
        raise FormatError(f"{path} is no backup of keys; `mdmem keys export` writes one.")
    return lines[1], lines[2]


def _write_new(path: str, text: str) -> None:
    """Write a file that its owner alone may read; an existing one is never replaced, it may be the only copy."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="ascii", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise UserError(f"{path} exists already; a backup never replaces a file, so choose another name.") from None
    except OSError as error:
        raise StorageError(f"{path} cannot be written ({reason(error)}).") from error
