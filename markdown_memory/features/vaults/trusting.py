"""`mdmem trust`: a person says that a vault from elsewhere may guide the agents of this account.

What is trusted is one vault at one real path, with the person's key that roots its logs at this moment. The key is
pinned: when the files later claim another root, `verify` says so.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import times
from markdown_memory.errors import AccessError, NotFound, UserError
from markdown_memory.storage.places import Places
from markdown_memory.storage.registry import Registry, Trusted
from markdown_memory.storage.vaults import id_of, person_slug, read_config, vault_at

if TYPE_CHECKING:
    from markdown_memory.storage.log_file import LogStore


class Trust(NamedTuple):
    """What is trusted now: the vault, the pinned key ("" when no person's key roots its logs) and whose it is, and
    where copies of the same vault are trusted."""

    root: str
    vault_id: str
    root_key: str
    root_person: str
    new: bool
    copies: tuple[str, ...]


def trust(
    path: str, *, places: Places, clock: Callable[[], float], person_present: bool = True, key: str = ""
) -> Trust:
    """Trust the vault at a path. `key` says which fingerprint is meant where several persons' keys claim the root."""
    from markdown_memory.core.log_names import check_vault_id
    from markdown_memory.storage.log_file import LogStore

    root = vault_at(path)
    if not root:
        raise NotFound(f"{path} is no vault, so there is nothing to trust; `mdmem init {path}` would make one.")
    if not person_present:
        raise AccessError(f"Only a person trusts a vault: run `mdmem trust {root}` yourself, in a terminal.")
    vault_id = check_vault_id(id_of(root))
    logs = LogStore(root, vault_id, places, clock)
    fingerprint, owner = root_of(root, logs, key)
    if fingerprint:
        logs.chest.pin(fingerprint)
    registry = Registry(places)
    before = registry.entry(vault_id, root)
    person = (before.person if before else "") or person_slug(read_config(places).person)
    registry.trust(Trusted(vault_id, root, fingerprint, person, times.utc(clock())))
    copies = tuple(path for path in registry.copies_of(vault_id) if path != root)
    return Trust(root, vault_id, fingerprint, owner, before is None, copies)


def distrust(path: str, *, places: Places) -> bool:
    """Trust the vault at a path no more; whether it was trusted. The pinned key stays known."""
    return Registry(places).distrust(vault_at(path) or os.path.realpath(path))


def root_of(root: str, logs: "LogStore", key: str = "") -> tuple[str, str]:
    """Fingerprint and person of the key that roots a vault's logs, "" when none does; `key` says which of several."""
    return _root(root, _roots(logs), key)


def _roots(logs: "LogStore") -> dict[str, str]:
    """Fingerprints of the keys that claim to root the `keys` log, with their persons, oldest first."""
    return {entry.key: entry.agent for entry in logs.read("keys").entries if entry.kind == "root"}


def _root(root: str, claims: dict[str, str], key: str) -> tuple[str, str]:
    if key:
        if key not in claims:
            raise NotFound(f"No key with the fingerprint {key} roots the logs of {root}.", claims)
        return key, claims[key]
    if len(claims) > 1:
        listed = ", ".join(f"{fingerprint} ({person})" for fingerprint, person in claims.items())
        raise UserError(
            f"Several keys claim to root the logs of {root}: {listed}. Ask the vault's owner which is right, and name "
            "it with --key."
        )
    return next(iter(claims.items()), ("", ""))
