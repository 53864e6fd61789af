"""What a ledger entry says about files: which bytes were there, which are there now, and how they got there.

Up to 16 files stand in the entry's data, more in a manifest file that the entry names with its digest:

    {"files":{"memory/user/tea.md":["<old>","<new>","<tmp>","<from>"]}, …}     trailing empty strings are left out
    {"manifest":"nexus/log/ledger/2026-11/manifest-lyra-k7f3-<first 12 of digest>.md","digest":"<sha-256>", …}

`old` and `new` are SHA-256 of the raw bytes in lower-case hex; an empty `old` means that there was no such file, an
empty `new` that it was removed. `tmp` is the durable temporary file that is renamed into place, `from` the path that
the bytes had before. A manifest is Markdown, because that travels with every sync tool: a heading, an empty line, and
one line `- ["<path>","<old>","<new>","<tmp>","<from>"]` for each file, in the order of the change.

    ledger_data(changes, **more) -> dict        the data of an entry with at most INLINE files
    manifest(changes) -> bytes                  the manifest file for more
    manifest_path(month, writer, digest) -> str where it lies (a private ledger's: beside that)
    manifest_data(path, digest, **more) -> dict the data of the entry that names it
    manifest_of(data) -> (path, digest) | None
    parse_ledger(data, manifest=None) -> tuple[FileChange, ...]      FormatError when it is none of these
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markdown_memory.core.log_layout import log_folder
from markdown_memory.errors import FormatError

INLINE = 16
DIGEST = re.compile(r"[0-9a-f]{64}")


class FileChange(NamedTuple):
    """One file of a change. Hashes are SHA-256 in hex; "" stands for "no such file"."""

    path: str
    old: str
    new: str
    tmp: str = ""
    move_from: str = ""


def ledger_data(changes: Sequence[FileChange], **more: object) -> dict[str, object]:
    """The data of a ledger entry that lists its files itself; ValueError when a manifest is needed."""
    if len(changes) > INLINE:
        raise ValueError(f"{len(changes)} files need a manifest; an entry lists at most {INLINE}.")
    return {"files": {change.path: _trimmed(change[1:]) for change in changes}, **more}


def manifest(changes: Sequence[FileChange]) -> bytes:
    """The bytes of a manifest file."""
    rows = [json.dumps(_trimmed(change), ensure_ascii=False, separators=(",", ":")) for change in changes]
    text = "".join([f"# manifest · {len(rows)} files\n\n", *(f"- {row}\n" for row in rows)])
    return text.encode("utf-8", "backslashreplace")  # a byte that is no UTF-8 in a name is \udcXX to JSON, too


def manifest_path(month: str, writer: str, digest: str, log: str = "ledger") -> str:
    """Where the manifest of that digest lies; `month` is YYYY-MM."""
    return f"{log_folder(log)}/{month}/manifest-{writer}-{digest[:12]}.md"


def manifest_data(path: str, digest: str, **more: object) -> dict[str, object]:
    """The data of a ledger entry that names a manifest by path and SHA-256."""
    return {"manifest": path, "digest": digest, **more}


def manifest_of(data: Mapping[str, object]) -> tuple[str, str] | None:
    """Path and SHA-256 of the manifest that an entry names, if it does."""
    path, digest = data.get("manifest"), data.get("digest")
    return (path, digest) if isinstance(path, str) and isinstance(digest, str) else None


def parse_ledger(data: Mapping[str, object], manifest: bytes | None = None) -> tuple[FileChange, ...]:
    """The files that an entry speaks of; those of its manifest when `manifest` holds that file's bytes."""
    if manifest is not None:
        return _from_manifest(manifest)
    files = data.get("files", {})
    if not isinstance(files, Mapping):
        raise FormatError("The entry's `files` is not a table of paths.")
    return tuple(_change([path, *_strings(rest)]) for path, rest in files.items())


def _from_manifest(manifest: bytes) -> tuple[FileChange, ...]:
    try:
        heading, empty, *rows = manifest.decode().split("\n")
        if not heading.startswith("# manifest") or empty:
            raise FormatError("The file does not begin as a manifest does.")
        return tuple(_change(_strings(json.loads(row.removeprefix("- ")))) for row in rows if row)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"The manifest cannot be read: {error}.") from None


def _trimmed(values: Iterable[str]) -> list[str]:
    found = list(values)
    while found and not found[-1]:
        found.pop()
    return found


def _strings(values: object) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise FormatError("A file of the entry is not described by a list of strings.")
    return values


def _change(values: Sequence[str]) -> FileChange:
    if not 1 <= len(values) <= 5:
        raise FormatError("A file of the entry has too few or too many parts.")
    change = FileChange(*[*values, *[""] * (5 - len(values))])
    for digest in (change.old, change.new):
        if digest and not DIGEST.fullmatch(digest):
            raise FormatError(f"The entry names no proper SHA-256 for {change.path}.")
    return change
