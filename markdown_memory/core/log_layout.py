"""Where the files of the signed logs lie, what they begin with, and how writers are named after their keys.

    nexus/log/<log>/<YYYY-MM>/<log>-<writer>-<YYYY-MM>.md                       one writer's entries of a month
    nexus/log/<log>/<YYYY-MM>/<log>-<slug>-unsigned-<YYYY-MM>.md                lines of an agent without this package
    memory/private/<agent>/log/<YYYY-MM>/private-<agent>-<writer>-<YYYY-MM>.md  the ledger of private notes

A file begins with `# <log> · <writer> · <YYYY-MM>` and an empty line. A writer is called after its agent and the first
characters (four or more, so that the id is new in the vault) of its key's SHA-256 fingerprint in lower-case base32.
"""

import hashlib
import re
from binascii import Error as Base64Error
from binascii import a2b_base64
from typing import NamedTuple

from markdown_memory.core.layout import LOG_FOLDER, PRIVATE_FOLDER
from markdown_memory.core.log_names import PRIVATE, is_log
from markdown_memory.core.log_text import b64
from markdown_memory.errors import FormatError

SHORTEST = 4
_FILE = re.compile(r"(.+)/([0-9]{4}-(?:0[1-9]|1[0-2]))/([a-z0-9-]+)-\2\.md")
_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
_WIRE = b"\0\0\0\x0bssh-ed25519\0\0\0\x20"  # RFC 4253 string, then RFC 8709's 32 bytes


class LogFile(NamedTuple):
    """What a path says: whose entries of which log and month. `unsigned` files have a slug in place of a writer."""

    path: str
    log: str
    writer: str
    month: str
    unsigned: bool = False


def log_folder(log: str) -> str:
    """The folder that holds a log's months."""
    return f"{PRIVATE_FOLDER}/{log.removeprefix(PRIVATE)}/log" if log.startswith(PRIVATE) else f"{LOG_FOLDER}/{log}"


def log_path(log: str, writer: str, month: str) -> str:
    """The file of one writer, log and month."""
    return f"{log_folder(log)}/{month}/{log}-{writer}-{month}.md"


def header(log: str, writer: str, month: str) -> str:
    """What such a file begins with."""
    return f"# {log} · {writer} · {month}\n\n"


def file_at(path: str) -> LogFile | None:
    """What a vault-relative path says, or None when no log file is called like that."""
    match = _FILE.fullmatch(path)
    if match is None:
        return None
    folder, month, name = match.groups()
    log = _log_in(folder)
    if not is_log(log) or not name.startswith(f"{log}-"):
        return None
    writer = name[len(log) + 1 :]
    slug = writer.removesuffix("-unsigned")
    return LogFile(path, log, slug, month, slug != writer)


def _log_in(folder: str) -> str:
    if folder.startswith(f"{LOG_FOLDER}/"):
        return folder[len(LOG_FOLDER) + 1 :]
    if folder.startswith(f"{PRIVATE_FOLDER}/") and folder.endswith("/log"):
        return PRIVATE + folder[len(PRIVATE_FOLDER) + 1 : -4]
    return ""


def fingerprint_of(public: str) -> str:
    """`SHA256:…`, as `ssh-keygen -l` prints it, of a line `ssh-ed25519 AAAA…`; FormatError for any other."""
    raw = raw_key(public)
    return "SHA256:" + b64(hashlib.sha256(_WIRE + raw).digest())


def raw_key(public: str) -> bytes:
    """The 32 bytes of an OpenSSH Ed25519 public key written in its one canonical way."""
    kind, _, encoded = public.partition(" ")
    try:
        wire = a2b_base64(encoded, strict_mode=True)
    except (Base64Error, ValueError):
        wire = b""
    if kind != "ssh-ed25519" or len(wire) != len(_WIRE) + 32 or not wire.startswith(_WIRE):
        raise FormatError(f"{public[:40]!r} is no Ed25519 public key of the form `ssh-ed25519 AAAA…`.")
    return wire[len(_WIRE) :]


def writer_id(agent: str, fingerprint: str, length: int = SHORTEST) -> str:
    """The writer's name: its agent, and so many characters of its key's fingerprint."""
    digest = a2b_base64(fingerprint.removeprefix("SHA256:") + "=")
    bits = int.from_bytes(digest) << 4  # 256 bits are 51 characters and one of a single bit
    characters = (_BASE32[(bits >> shift) & 31] for shift in range(255, -1, -5))
    return f"{agent}-{''.join(characters)[:length]}"


def names_key(writer: str, agent: str, fingerprint: str) -> bool:
    """Whether a writer may have that name: it must be made of its agent and its own key."""
    length = len(writer) - len(agent) - 1
    return length >= SHORTEST and writer == writer_id(agent, fingerprint, length)
