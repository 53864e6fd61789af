"""Which machine this is: an opaque word that stays the same here and differs on any other machine.

The system's own identifier, hashed with our name as machine-id(5) asks; where there is none, a random word kept in the
state folder together with the number of its file, which a copy does not keep. Two clones of one virtual disk can share
all of that; then only the log itself shows that two hosts wrote as one (equivocation).
"""

import os
import sys

from markdown_memory.storage.places import read_private, write_private

_FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id")


def machine_id(state: str) -> str:
    """Twenty hex characters; `state` is the folder for what must last on this machine."""
    from hashlib import sha256

    return sha256(b"mdmem machine\0" + (_systems() or _kept(state)).encode()).hexdigest()[:20]


def _systems() -> str:
    for path in _FILES:
        try:
            with open(path, encoding="ascii") as file:
                found = file.read().strip()
        except (OSError, UnicodeDecodeError):
            continue
        if len(found) == 32:
            return found
    return _windows()


def _windows() -> str:
    if sys.platform == "win32":
        import winreg

        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography") as key:
                return str(winreg.QueryValueEx(key, "MachineGuid")[0])
        except OSError:
            pass
    return ""


def _kept(state: str) -> str:
    path = os.path.join(state, "machine")
    word = read_private(path).strip()
    if not word:
        word = os.urandom(16).hex()
        write_private(path, f"{word}\n")
    return f"{word} {os.stat(path).st_ino}"
