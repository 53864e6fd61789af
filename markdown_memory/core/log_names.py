"""Names in the signed logs: of logs, vaults, agents, channels, kinds, writers and entries."""

import re

from markdown_memory.errors import FormatError, UserError

SHORTS = {"live-context": "live", "decisions": "dec", "ledger": "led", "keys": "key"}
PRIVATE = "private-"  # log `private-lyra`: the ledger of lyra's private notes
AUDIT = "audit"  # what was done on a host; it lies outside the vault, so no log of the vault has that name
MARKERS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")  # what git leaves of a conflict
MAX_SLUG = 40
SLUG = r"[a-z0-9]+(?:-[a-z0-9]+)*"
SEQ = r"[1-9][0-9]{0,14}"
VAULT_ID = r"[A-Za-z0-9][A-Za-z0-9_-]{3,63}"


def ledger_of(owner: str) -> str:
    """The log that vouches for the files of a private folder's owner, and for shared ones where owner is ""."""
    return PRIVATE + owner if owner else "ledger"


def short(log: str) -> str:
    """The word for a log in block ids."""
    if log == AUDIT:
        return "aud"
    return "prv" if log.startswith(PRIVATE) else SHORTS[log]


def is_log(log: str) -> bool:
    """Whether this is the name of a log of the format."""
    return log in SHORTS or log == AUDIT or (log.startswith(PRIVATE) and is_slug(log[len(PRIVATE) :]))


def is_slug(text: str) -> bool:
    """Lower-case letters, digits and single inner hyphens; at most 40 characters."""
    return len(text) <= MAX_SLUG and re.fullmatch(SLUG, text) is not None


def check_slug(text: str, what: str) -> str:
    """The text, if it can stand in a line as agent, channel or kind; UserError otherwise."""
    if is_slug(text):
        return text
    raise UserError(
        f"{text!r} cannot be the {what} of a log entry: use lower-case letters, digits and single hyphens, "
        f"at most {MAX_SLUG} characters."
    )


def check_vault_id(vault: str) -> str:
    """The id, if it can be signed and can name a folder; FormatError otherwise."""
    if re.fullmatch(VAULT_ID, vault):
        return vault
    raise FormatError(
        f"Settings.md gives the vault the id {vault[:80]!r}; an id has 4 to 64 letters, digits, hyphens and "
        "underscores. Put the id back that the vault had."
    )


def writer_of_id(entry_id: str) -> tuple[str, int]:
    """Writer and number of `lyra-k7f3-42`; a leading `^` and the log's short word are understood too."""
    bare = entry_id.removeprefix("^")
    for word in (*SHORTS.values(), "prv", "aud"):
        if bare.count("-") > 2:
            bare = bare.removeprefix(f"{word}-")
    match = re.fullmatch(rf"({SLUG})-({SEQ})", bare)
    if match is None:
        raise UserError(f"{entry_id!r} names no log entry; an entry is named like lyra-k7f3-42.")
    return match[1], int(match[2])


def is_entry_id(name: str) -> bool:
    """Whether a name has the form of an entry's: a writer, with a key's characters, and a number."""
    return re.fullmatch(rf"\^?{SLUG}-[a-z2-7]{{4,}}-{SEQ}", name) is not None
