"""Blanking what was redacted: every host replaces the lines that a person's `redact` entries name by the same bytes.

It is the one reason for which a log file is ever rewritten. A line keeps its number, hashes and signature and loses
text, salt and data; so every chain still verifies, and copies that were blanked on two hosts are equal.
"""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager

from markdown_memory.core.entry import REDACTED, Head, NotAnEntry, entry_hash, parse, render
from markdown_memory.core.log_layout import LogFile, fingerprint_of
from markdown_memory.core.log_names import is_log
from markdown_memory.storage import files
from markdown_memory.storage.log_files import list_log, read_log_file

Lock = Callable[[str], AbstractContextManager[None]]
"""Keeps a writer of this machine from appending meanwhile: lock(writer id)."""


def blank(root: str, vault: str, heads: Collection[Head], key_of: Callable[[str], str], lock: Lock) -> list[str]:
    """Blank these entries wherever they stand; the paths of the files that were rewritten."""
    wanted = {(head.log, head.writer) for head in heads}
    changed = []
    for log in sorted({log for log, _ in wanted if is_log(log)}):
        for file in list_log(root, log).files:
            if not file.unsigned and (log, file.writer) in wanted:
                with lock(file.writer):
                    if _blank_file(root, vault, file, heads, key_of(file.writer)):
                        changed.append(file.path)
    return changed


def _blank_file(root: str, vault: str, file: LogFile, heads: Collection[Head], public: str) -> bool:
    before, unreadable = read_log_file(root, file.path)
    if unreadable or not public:
        return False
    key = fingerprint_of(public)
    after = b"\n".join(_blanked(line, vault, file, heads, key) for line in before.split(b"\n"))
    if after == before:
        return False
    files.write_durable(root, file.path, after)
    return True


def _blanked(line: bytes, vault: str, file: LogFile, heads: Collection[Head], key: str) -> bytes:
    end = b"\r" if line.endswith(b"\r") else b""
    try:
        entry = parse(line.removesuffix(end).decode(), vault, file.log, key)
    except (NotAnEntry, UnicodeDecodeError):
        return line
    if entry.redacted or Head(file.log, entry.writer, entry.seq, entry_hash(entry)) not in heads:
        return line
    return render(entry._replace(text=REDACTED, salt="", data="")).encode() + end
