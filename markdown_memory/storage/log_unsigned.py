"""Lines of an agent that has no lasting key: a file of its own beside the signed ones, for somebody to adopt.

    nexus/log/<log>/<YYYY-MM>/<log>-<slug>-unsigned-<YYYY-MM>.md

A session in a throw-away container would else leave a writer behind that nobody can confirm.
"""

import os

from markdown_memory.core.log_layout import header, log_path
from markdown_memory.storage import files
from markdown_memory.storage.inside import failure

_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def append(root: str, log: str, agent: str, month: str, line: str) -> str:
    """Put a line at the end of the agent's unsigned file of that month, durably; the file's path."""
    writer = f"{agent}-unsigned"
    path = log_path(log, writer, month)
    files.make_folder(root, path.rpartition("/")[0])
    try:
        handle = os.open(os.path.join(root, path), _APPEND, 0o644)
        try:
            start = "" if os.fstat(handle).st_size else header(log, writer, month)
            os.write(handle, f"{start}{line}\n".encode())
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise failure(path, "was not written", error) from error
    return path
