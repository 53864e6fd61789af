"""Files outside the vault that belong to other programs, and what we keep outside it because of them.

Rules: a file is replaced durably, as a whole, and only while it holds the bytes that were read; before that, what it
held is written beside it. A link is followed, since people keep such files elsewhere and link to them.
"""

import os
from typing import TYPE_CHECKING

from markdown_memory.errors import ConflictError, StorageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_memory.features.snapshots import OpenedCopy
    from markdown_memory.memory import Places

LARGEST = 50_000_000


def read(path: str) -> bytes | None:
    """The bytes of a file, None when there is none."""
    from markdown_memory.storage import files

    real = os.path.realpath(path)
    if not os.path.lexists(real):
        return None
    return files.read(*_placed(real), limit=LARGEST)


def replace(path: str, before: bytes | None, after: bytes | None, stamp: str) -> str:
    """Put `after` where `before` stands; the path of the backup, "" where there was nothing to keep.

    `after` None removes the file, which the caller knows to hold nothing of anybody else.
    """
    from markdown_memory.storage import files

    if read(path) != before:
        raise ConflictError(f"{path} was changed meanwhile by another program; nothing was written, try again.")
    real = os.path.realpath(path)
    backup = _keep_beside(real, before, stamp) if before is not None and after is not None else ""
    if after is None:
        files.remove(*_placed(real))
    else:
        files.write_durable(*_placed(real), after)
    return backup


def read_kept(places: "Places", name: str) -> str:
    """The text of a file in the state folder; "" when there is none."""
    from markdown_memory.storage.places import read_private

    return read_private(os.path.join(places.state, name))


def write_kept(places: "Places", name: str, text: str) -> None:
    """Replace a file in the state folder, readable by its owner only."""
    from markdown_memory.storage.places import write_private

    write_private(os.path.join(places.state, name), text)


def state_file(places: "Places", name: str) -> str:
    """The path of a file in the state folder."""
    return os.path.join(places.state, name)


def config_file(places: "Places", name: str) -> str:
    """The path of a file in the config folder."""
    return os.path.join(places.config, name)


def token(places: "Places", name: str) -> tuple[str, bool]:
    """A secret word that is kept in the config folder, readable by its owner only; whether it was made just now."""
    from markdown_memory.storage.places import read_private, write_private

    path = config_file(places, name)
    if kept := read_private(path).strip():
        return kept, False
    from secrets import token_urlsafe

    new = token_urlsafe(32)
    write_private(path, new + "\n")
    return new, True


def open_snapshot(
    places: "Places", path: str, folder: str, progress: "Callable[[int, int], None] | None" = None
) -> "OpenedCopy":
    """Unpack a snapshot as a copy of its vault, where there need be no vault yet; nobody trusts it at first."""
    from markdown_memory.features.snapshots import making

    return making.unpack(places, path, folder, progress)


def _placed(real: str) -> tuple[str, str]:
    """The nearest folder above that exists, and the path from there: folders between are made when something is
    written."""
    base = os.path.dirname(real)
    while not os.path.isdir(base) and os.path.dirname(base) != base:
        base = os.path.dirname(base)
    return base, os.path.relpath(real, base).replace(os.sep, "/")


def _keep_beside(real: str, data: bytes, stamp: str) -> str:
    """A copy with the same mode bits under a name that is free."""
    wanted, number = f"{real}.mdmem-backup-{stamp}", 1
    path = wanted
    while os.path.lexists(path):
        number += 1
        path = f"{wanted}-{number}"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, os.stat(real).st_mode & 0o777)
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StorageError(f"The backup {path} cannot be written ({error.strerror}); nothing was changed.") from error
    return path
