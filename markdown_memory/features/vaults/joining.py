"""`mdmem join`: a person's further machine. The vault is there already, brought by git or a sync tool.

It is trusted and becomes the default vault where none is set; the person gets a writer here with a key of its own,
which vouches for a writer of each agent. One approval of the person's new writer, on a machine that the person used
before, confirms them all: keys are never copied from one machine to the other.
"""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from markdown_memory.core.log_names import check_vault_id, is_slug
from markdown_memory.errors import AccessError, NotFound
from markdown_memory.features.vaults.trusting import root_of, trust
from markdown_memory.storage.log_file import LogStore
from markdown_memory.storage.places import Places
from markdown_memory.storage.registry import Registry
from markdown_memory.storage.vaults import id_of, person_slug, read_config, set_default, vault_at


class Joined(NamedTuple):
    """The vault, the person's writer here, whether it is confirmed already, the agents' writers, and whether the vault
    became the default."""

    root: str
    vault_id: str
    writer: str
    confirmed: bool
    agents: tuple[str, ...]
    is_default: bool


def join(
    path: str, *, places: Places, clock: Callable[[], float], person_present: bool, person: str = "", key: str = ""
) -> Joined:
    """Set this machine up for the vault at a path; doing it again changes nothing. `key` as for `trust`."""
    root = vault_at(path)
    if not root:
        raise NotFound(f"{path} is no vault; bring it here first, with git or your sync tool.")
    if not person_present:
        raise AccessError(f"Only a person joins a vault: run `mdmem join {root}` yourself, in a terminal.")
    vault_id = check_vault_id(id_of(root))
    logs = LogStore(root, vault_id, places, clock)
    _, owner = root_of(root, logs, key)
    is_default = set_default(places, root, person or owner)
    trust(root, places=places, clock=clock, key=key)
    known = Registry(places).entry(vault_id, root)
    slug = known.person if known and known.person else person_slug(read_config(places).person)
    mine = logs.writer(slug, "person")
    logs.introduce(mine, "cli")
    writers = [logs.writer(agent) for agent in _agents(root)]
    for writer in writers:
        standing = logs.standings().writers.get(writer.id)
        if standing is None or not standing.introduced:
            logs.introduce(writer, "cli")
            logs.confirm(mine, writer, "cli")
    confirmed = logs.standings().writers[mine.id].trusted
    return Joined(root, vault_id, mine.id, confirmed, tuple(one.id for one in writers), is_default)


def _agents(root: str) -> Sequence[str]:
    """The agents that have an identity in the vault."""
    try:
        names = sorted(os.listdir(os.path.join(root, "identity")))
    except OSError:
        return ()
    return [name.removesuffix(".md") for name in names if name.endswith(".md") and is_slug(name.removesuffix(".md"))]
