"""Where everything outside the vault lives: config (keys, links, the user's settings), state (pins, cursors, heads,
what is trusted) and cache (catalog, indexes).

The folders are those that platformdirs names. Importing it takes longer than a whole `mdmem show` may, so on Linux
the same answer is worked out here from the XDG variables; a test compares the two. Nothing is made by asking where
it would be: a folder comes into being with the first file that is written to it, readable by its owner only.
"""

import os
import sys
from typing import NamedTuple

from markdown_memory.errors import StorageError

APP = "mdmem"
PRIVATE = 0o700
_BLOCK = 512
_OVER = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_flush_data = getattr(os, "fdatasync", os.fsync)


class Places(NamedTuple):
    """Absolute folders for configuration, lasting state, and what can be deleted at any time."""

    config: str
    state: str
    cache: str


def default_places(home: str | None = None) -> Places:
    """The user's folders; with `home` (from $MDMEM_HOME) all three below that one folder."""
    if home:
        base = os.path.abspath(os.path.expanduser(home))
        return Places(*(os.path.join(base, part) for part in Places._fields))
    places = _xdg() if sys.platform.startswith("linux") else _platformdirs()
    if not all(map(os.path.isabs, places)):
        raise StorageError("Your home folder is not known: set HOME, or set MDMEM_HOME to a folder of your own.")
    return places


def _xdg() -> Places:
    """Freedesktop's base directory specification; an empty or relative variable counts as unset there."""
    return Places(
        _base("XDG_CONFIG_HOME", "~/.config"),
        _base("XDG_STATE_HOME", "~/.local/state"),
        _base("XDG_CACHE_HOME", "~/.cache"),
    )


def _base(variable: str, default: str) -> str:
    chosen = os.environ.get(variable, "")
    return os.path.join(chosen if os.path.isabs(chosen) else os.path.expanduser(default), APP)


def _platformdirs() -> Places:
    from platformdirs import PlatformDirs

    dirs = PlatformDirs(APP, appauthor=False)
    return Places(dirs.user_config_dir, dirs.user_state_dir, dirs.user_cache_dir)


def vault_folder(base: str, vault_id: str, root: str) -> str:
    """The folder below `base` for one vault at one path: copies share the id, so the real path is part of the name."""
    return os.path.join(base, "vaults", f"{vault_id or 'unnamed'}-{path_key(root)}")


def path_key(path: str) -> str:
    """A short name for a real path, the same for every way to write it."""
    from zlib import crc32

    real = os.fsencode(os.path.normcase(os.path.realpath(path)))
    return f"{crc32(real):08x}{crc32(real[::-1]):08x}"


def make_private(folder: str) -> str:
    """Make the folder and its missing parents with mode 0700; the folder."""
    try:
        _make(folder)
    except OSError as error:
        raise StorageError(
            f"The folder {folder} cannot be made ({reason(error)}); set MDMEM_HOME to a folder that you may write to."
        ) from error
    return folder


def _make(folder: str) -> None:
    try:
        os.mkdir(folder, PRIVATE)
    except FileNotFoundError:
        above = os.path.dirname(folder)
        if above in ("", folder) or os.path.isdir(above):  # a file system that is not for folders, such as /proc
            raise
        _make(above)
        _make(folder)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise


def working_folder() -> str:
    """The folder that this process is in; StorageError when somebody has removed it."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise StorageError("The folder that you are in is gone; `cd` to one that exists.") from None


def reason(error: OSError) -> str:
    """The system's own words for an error, to stand inside a sentence."""
    words = error.strerror or str(error)
    return words[:1].lower() + words[1:]


def write_private(path: str, text: str) -> None:
    """Replace a small file of ours outside the vault, durably, readable by its owner only."""
    make_private(os.path.dirname(path))
    staged = f"{path}.{os.getpid()}.tmp"
    try:
        handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(staged, path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written ({reason(error)}).") from error


def overwrite_private(path: str, text: str, *, durable: bool = False) -> None:
    """Write a small file of ours over the old one, in one go; blanks fill it up.

    Cutting or replacing a file is slow. What a power cut has torn is a mixture of both texts.
    """
    size = len(data := text.encode("utf-8", "surrogateescape"))
    data = data.ljust(-(-size // _BLOCK) * _BLOCK)
    try:
        handle = os.open(path, _OVER, 0o600)
    except FileNotFoundError:
        make_private(os.path.dirname(path))
        handle = os.open(path, _OVER, 0o600)
    try:
        os.write(handle, data.ljust(os.fstat(handle).st_size))
        if durable:
            _flush_data(handle)
    finally:
        os.close(handle)


def read_private(path: str) -> str:
    """The text of a small file of ours; "" when there is none."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise StorageError(f"{path} cannot be read ({reason(error)}).") from error
