"""Names: of notes, of their files, of agents; and which known names come near a mistyped one."""

from collections.abc import Iterable

from markdown_memory.errors import UserError

MAX_CHARS = 80
MAX_BYTES = 200
_FORBIDDEN = frozenset('/\\:*?"<>|#^[]%')
_DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))))
_AGENT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def nfc_key(path: str) -> str:
    """The form in which paths and names are compared; files are opened by the bytes that they have."""
    if path.isascii():
        return path
    from unicodedata import normalize

    return normalize("NFC", path)


def slug(text: str) -> str:
    """Letters and digits of any script in lower case, joined by single hyphens; "" when there are none."""
    folded = nfc_key(text).casefold()
    words = "".join(char if char.isalnum() else " " for char in folded).split()
    return "-".join(words)


def file_name(name: str) -> str:
    """A file name for a note's name that every system and Obsidian's links can take, with `.md` added."""
    kept = "".join("-" if char in _FORBIDDEN or not char.isprintable() else char for char in nfc_key(name))
    stem = _shorten(" ".join(kept.split()).strip(". ")).strip(". ")
    if not any(char.isalnum() or ord(char) > 0x2000 for char in stem):
        stem = "note"
    if stem.partition(".")[0].casefold() in _DEVICES:
        stem = f"note-{stem}"
    return f"{stem}.md"


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
    close = get_close_matches(wanted, known, n=n, cutoff=0.6)
    close += [key for key in sorted(known) if wanted and wanted in key and key not in close]
    return tuple(known[key] for key in close[:n])


def _shorten(stem: str) -> str:
    cut = stem[:MAX_CHARS]
    while len(cut.encode("utf-8", "surrogateescape")) > MAX_BYTES:
        cut = cut[:-1]
    return cut
