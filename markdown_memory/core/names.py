"""Names: of notes, of their files, of agents; and which known names come near a mistyped one."""

from collections.abc import Iterable

from markdown_memory.errors import UserError

MAX_CHARS = 80
MAX_BYTES = 200
_FORBIDDEN = frozenset('/\\:*?"<>|#^[]%')
_JOINERS = "\u200c\u200d"  # they join emoji, and letters of Persian and Indic scripts
DEVICES = frozenset(
    (
        "con",
        "prn",
        "aux",
        "nul",
        "conin$",
        "conout$",
        *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"),
    )
)
_AGENT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def nfc_key(path: str) -> str:
    """The form in which paths and names are compared; files are opened by the bytes that they have."""
    if path.isascii():
        return path
    from unicodedata import normalize

    return normalize("NFC", path)


def folded(names: Iterable[str]) -> list[str]:
    """The forms of many file names that tell which of them differ only by case or accents; all in one go."""
    return nfc_key("\0".join(names)).casefold().split("\0")


def name_key(name: str) -> str:
    """The form in which names of notes are compared: blanks are squeezed as in every header, accents composed."""
    return nfc_key(" ".join(name.split()))


def slug(text: str) -> str:
    """Letters and digits of any script in lower case, joined by single hyphens; "" when there are none."""
    folded = nfc_key(text).casefold()
    words = "".join(char if char.isalnum() else " " for char in folded).split()
    return "-".join(words)


def file_name(name: str) -> str:
    """A file name for a note's name that every system and Obsidian's links can take, with `.md` added."""
    kept = "".join(char if _allowed(char) else "-" for char in nfc_key(name))
    stem = _shorten(" ".join(kept.split()).strip(". ")).strip(". ")
    if not any(char.isalnum() or ord(char) > 0x2000 for char in stem):
        stem = "note"
    if stem.partition(".")[0].casefold() in DEVICES:
        stem = f"note-{stem}"
    if conflict_copy(f"{stem}.md"):
        stem = "".join(char if char.isalnum() else "-" for char in stem)
    return f"{stem}.md"


def conflict_copy(path: str) -> bool:
    """Whether a sync tool made this file because two devices had changed the same one."""
    return bool(copied_from(path))


def copied_from(path: str) -> str:
    """The path of the file that a sync tool made this one of; "" when its name does not say so.

    Syncthing: `tea.sync-conflict-20261130-021304-ABCDEFG.md`. Dropbox, Obsidian Sync and Nextcloud: `tea (Ana's
    conflicted copy 2026-11-30).md`, in capitals or not, also with a number behind.
    """
    if "onflict" not in path and "ONFLICT" not in path:
        return ""
    folder, slash, name = path.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    low = "".join(char.lower() if char.isascii() else char for char in stem)
    end = low.rfind(".sync-conflict-")
    if end < 0 or not _syncthing(low[end:]):
        said = low.find("conflicted copy")
        end = low.rfind("(", 0, said) if said >= 0 and ")" in low[said:] else -1
    original = stem[:end].rstrip() if end > 0 else ""
    return f"{folder}{slash}{original}{dot}{suffix}" if original else ""


def numbered_from(path: str) -> str:
    """What the file was called that may have been copied to this name, which a person could have chosen as well.

    iCloud: `tea 2.md`. Google Drive: `tea (1).md`. OneDrive: `tea-LAPTOP.md`.
    """
    from re import fullmatch

    folder, slash, name = path.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    found = fullmatch(r"(.+?)(?: \d{1,3}| \(\d{1,3}\)|-[A-Z][A-Za-z0-9]*(?:-[A-Z0-9]+)*)", stem)
    return f"{folder}{slash}{found[1]}{dot}{suffix}" if found else ""


def _syncthing(name: str) -> bool:
    stamp = name.rpartition(".sync-conflict-")[2].split("-")
    return len(stamp) >= 2 and stamp[0].isdecimal() and len(stamp[0]) == 8 and stamp[1][:6].isdecimal()


def check_agent(text: str) -> str:
    """An agent's slug, unchanged.

    Raises UserError unless it is lower-case ASCII letters, digits and inner hyphens, at most 40 characters.
    """
    if text and len(text) <= 40 and _AGENT.issuperset(text) and text.strip("-") == text:
        return text
    raise UserError(
        f"{text!r} cannot be an agent's name: use lower-case letters, digits and hyphens, such as `lyra` or `ops-2`."
    )


def near(name: str, names: Iterable[str], n: int = 3) -> tuple[str, ...]:
    """Up to `n` of the names that a person may have meant, best first."""
    from difflib import get_close_matches

    known = {nfc_key(candidate).casefold(): candidate for candidate in names}
    wanted = nfc_key(name).casefold()
    close = get_close_matches(wanted, _likely(wanted, known), n=n, cutoff=0.6)
    close += [key for key in sorted(known) if wanted and wanted in key and key not in close]
    return tuple(known[key] for key in close[:n])


def _likely(wanted: str, known: Iterable[str], most: int = 300) -> list[str]:
    """Those that share the most pairs of letters with what is wanted: comparing closely is slow."""
    from heapq import nsmallest

    pairs = {wanted[at : at + 2] for at in range(len(wanted) - 1)}
    return nsmallest(most, known, key=lambda one: (-sum(pair in one for pair in pairs), abs(len(one) - len(wanted))))


def _allowed(char: str) -> bool:
    return (char.isprintable() and char not in _FORBIDDEN) or char in _JOINERS


def _shorten(stem: str) -> str:
    cut = stem[:MAX_CHARS]
    while len(cut.encode("utf-8", "surrogateescape")) > MAX_BYTES:
        cut = cut[:-1]
    return cut
