"""`mdmem sync`: the vault on many machines, through git and any remote, with nothing lost or silently overwritten."""

from markdown_memory.features.sync.running import Sync
from markdown_memory.features.sync.values import Conflict, Synced

__all__ = ["Conflict", "Sync", "Synced"]
