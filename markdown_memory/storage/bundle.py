"""A snapshot on disk: one zip file whose bytes depend on nothing but what is in it, and its facts.

    <path of every file>           as in the vault, stored and not packed, in order, of 1 January 1980
    .mdmem/snapshot.json           the facts: format, vault, tree, namespaces, ancestors, base, left_out, files
    .mdmem/base/<SHA-256>          of what was changed or removed since the base: the text that it had there

Unpacked by any program it is a vault. `tree` is the SHA-256 of the listing, and so the name of what a copy of the vault
held at that moment; `ancestors` are the trees that this copy came from or has merged, `base` is the newest of them with
its listing. The signature lies beside the file (bundle_signature.py).
"""

import json
import os
import stat
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from types import MappingProxyType
from typing import BinaryIO, NamedTuple

from markdown_memory.core.layout import LOG_FOLDER, MEMORY_INDEX
from markdown_memory.errors import FormatError
from markdown_memory.rules.bundle_names import BASE_FOLDER, MANIFEST
from markdown_memory.storage import bundle_archive
from markdown_memory.storage.inside import failure

FORMAT = 1
_HEX = frozenset("0123456789abcdef")
Listing = Mapping[str, str]


class Facts(NamedTuple):
    """What a snapshot says about itself. Listings are path → SHA-256; `namespaces` () is the whole vault.

    `left_out` are files that are in the vault and could not travel.
    """

    vault: str
    files: Listing
    namespaces: tuple[str, ...] = ()
    ancestors: tuple[str, ...] = ()
    base_tree: str = ""
    base: Listing = MappingProxyType({})
    left_out: tuple[str, ...] = ()

    @property
    def tree(self) -> str:
        """The SHA-256 of the listing."""
        return tree_of(self.files)


def tree_of(files: Listing) -> str:
    """The name of a state: the SHA-256 over paths and hashes in order."""
    rows = "".join(f"{files[path]} {path}\n" for path in sorted(files))
    return sha256(rows.encode("utf-8", "surrogateescape")).hexdigest()


def encode(facts: Facts) -> bytes:
    """The manifest's bytes."""
    document = {
        "mdmem_snapshot": FORMAT,
        "vault": facts.vault,
        "tree": facts.tree,
        "namespaces": list(facts.namespaces),
        "ancestors": list(facts.ancestors),
        "base": {"tree": facts.base_tree, "files": dict(sorted(facts.base.items()))} if facts.base_tree else None,
        "left_out": list(facts.left_out),
        "files": dict(sorted(facts.files.items())),
    }
    text = json.dumps(document, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n"
    return text.encode("utf-8", "backslashreplace")  # a byte that is no UTF-8 in a name is \udcXX to JSON, too


def decode(data: bytes) -> Facts:
    """The facts in a manifest; FormatError for anything that `encode` does not give."""
    try:
        document = json.loads(data)
        base = document["base"] or {"tree": "", "files": {}}
        facts = Facts(
            _text(document["vault"]),
            _listing(document["files"]),
            tuple(map(_text, document["namespaces"])),
            tuple(map(_text, document["ancestors"])),
            _text(base["tree"]),
            _listing(base["files"]),
            tuple(map(_text, document["left_out"])),
        )
        version, tree = document["mdmem_snapshot"], document["tree"]
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError):
        raise FormatError("its list of files cannot be read") from None
    if version != FORMAT:
        raise FormatError(f"it is of format {version!r}, and this program reads format {FORMAT}; update mdmem")
    if tree != facts.tree or (facts.base_tree and tree_of(facts.base) != facts.base_tree):
        raise FormatError("its list of files is not the one that it was made with")
    return facts


def write(path: str, facts: Facts, contents: Iterable[tuple[str, bytes]], base: Mapping[str, bytes]) -> str:
    """Write the file durably; its SHA-256. `contents` are the files in the order of their names."""
    staged = f"{path}.{os.getpid()}.tmp"
    try:
        with open(staged, "wb") as out:
            digest = bundle_archive.write(out, _entries(facts, contents, base))
            out.flush()
            os.fsync(out.fileno())
        os.replace(staged, path)
        return digest
    except OSError as error:
        raise failure(path, "was not written", error) from error
    finally:
        if os.path.lexists(staged):
            os.unlink(staged)


def _entries(
    facts: Facts, contents: Iterable[tuple[str, bytes]], base: Mapping[str, bytes]
) -> Iterator[tuple[str, bytes]]:
    yield MANIFEST, encode(facts)
    for digest in sorted(base):
        yield BASE_FOLDER + digest, base[digest]
    yield from contents


def open_file(path: str) -> BinaryIO:
    """A file from anywhere, open for reading; FormatError for a pipe or device, which would be waited for."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FormatError(f"{path} is a pipe, folder or device, and no file; nothing was changed.")
    return os.fdopen(handle, "rb")


def manifest_of(path: str) -> bytes | None:
    """The manifest's bytes of a snapshot that this program wrote, without reading anything else of it; or None."""
    try:
        with open(path, "rb") as file:
            head = file.read(bundle_archive.LOCAL.size)
            *_, size, length, extra = bundle_archive.LOCAL.unpack(head)
            return file.read(size) if file.read(length) == MANIFEST.encode() and not extra else None
    except (OSError, struct.error):
        return None


def purge(path: str, hashes: Collection[str], logs: bool) -> None:
    """Write a kept snapshot anew without texts of these hashes, without logs, and without MEMORY.md, which shows the
    beginnings of notes; its list of files stays."""
    from zipfile import BadZipFile, ZipFile

    staged = f"{path}.{os.getpid()}.tmp"
    try:
        with ZipFile(path) as zip:
            facts = decode(zip.read(MANIFEST))
            names = [name for name in zip.namelist() if not _purged(name, facts, hashes, logs)]
            if len(names) == len(zip.namelist()):
                return
            with open(staged, "wb") as out:
                bundle_archive.write(out, ((name, zip.read(name)) for name in names))
                out.flush()
                os.fsync(out.fileno())
        os.chmod(staged, 0o600)
        os.replace(staged, path)
    except (BadZipFile, FormatError, KeyError, ValueError):
        os.unlink(path)  # of no use for a merge either
    except OSError as error:
        raise failure(path, "was not written", error) from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(staged)


def _purged(name: str, facts: Facts, hashes: Collection[str], logs: bool) -> bool:
    sha256 = facts.files.get(name) or name.removeprefix(BASE_FOLDER)
    return name == MEMORY_INDEX or sha256 in hashes or (logs and name.startswith(f"{LOG_FOLDER}/"))


def digest_of_open(file: BinaryIO) -> str:
    """The SHA-256 of an open file; it is at its beginning again then."""
    hashed = sha256()
    while chunk := file.read(1 << 20):
        hashed.update(chunk)
    file.seek(0)
    return hashed.hexdigest()


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _listing(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise TypeError(value)
    return {_text(path): _digest(_text(sha)) for path, sha in value.items()}


def _digest(text: str) -> str:
    if len(text) != 64 or not _HEX.issuperset(text):
        raise ValueError(text)
    return text
