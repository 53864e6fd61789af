"""Snapshots: the memory of a vault as one file that another copy opens, works in, and that is merged back.

    Snapshots(workspace, person_present)
      .make(path, namespaces=()) -> Snapshot              writes the file and its signature, nothing in the vault
      .open(path, folder) -> OpenedCopy                   unpacks it as a copy of the vault, not trusted yet
      .diff(source, strategy="merge") -> MergeReport       what a merge would do; writes nothing
      .merge(source, strategy="merge") -> MergeReport      all of it, or nothing

A source is a snapshot's file, or the folder of another copy of the vault.
"""

from markdown_memory.features.snapshots.desk import Snapshots
from markdown_memory.features.snapshots.values import Change, MergeReport, OpenedCopy, Snapshot

__all__ = ["Change", "MergeReport", "OpenedCopy", "Snapshot", "Snapshots"]
