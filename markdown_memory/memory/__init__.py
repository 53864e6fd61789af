"""The door for programs: `Memory`, and the types of what it hands out. Each is loaded when a program asks for it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_memory.core.answer import Answer, Hit
    from markdown_memory.core.entry import Entry
    from markdown_memory.core.note import Header, StoredNote
    from markdown_memory.core.problem import Problem
    from markdown_memory.core.scope import Scope
    from markdown_memory.features.conflicts import Conflicts, Contradiction, Superseded
    from markdown_memory.features.context import Context
    from markdown_memory.features.inbox import Carried, Decision, Inbox, Neighbour, Proposal
    from markdown_memory.features.log import Log, LogLine
    from markdown_memory.features.notes import Forgotten, Notes, Renamed
    from markdown_memory.features.operations import Operation, Operations, Undone
    from markdown_memory.features.project_state import State
    from markdown_memory.features.recall import Recall
    from markdown_memory.features.scopes import (
        Branch,
        Branches,
        Difference,
        Merged,
        Moved,
        ProjectMemory,
        Projects,
        Shown,
    )
    from markdown_memory.features.snapshots import MergeReport, OpenedCopy, Snapshot, Snapshots
    from markdown_memory.features.sync import Synced
    from markdown_memory.features.vaults import Made, Where
    from markdown_memory.features.verify import Report
    from markdown_memory.memory.from_transcript import Retained
    from markdown_memory.memory.vault import Memory
    from markdown_memory.rules.access import Claim
    from markdown_memory.rules.proposals import Draft
    from markdown_memory.storage.keys import Writer
    from markdown_memory.storage.places import Places, default_places
    from markdown_memory.workspace import Workspace

__all__ = [
    "Answer",
    "Branch",
    "Branches",
    "Carried",
    "Claim",
    "Conflicts",
    "Context",
    "Contradiction",
    "Decision",
    "Difference",
    "Draft",
    "Entry",
    "Forgotten",
    "Header",
    "Hit",
    "Inbox",
    "Log",
    "LogLine",
    "Made",
    "Memory",
    "MergeReport",
    "Merged",
    "Moved",
    "Neighbour",
    "Notes",
    "OpenedCopy",
    "Operation",
    "Operations",
    "Places",
    "Problem",
    "ProjectMemory",
    "Projects",
    "Proposal",
    "Recall",
    "Renamed",
    "Report",
    "Retained",
    "Scope",
    "Shown",
    "Snapshot",
    "Snapshots",
    "State",
    "StoredNote",
    "Superseded",
    "Synced",
    "Undone",
    "Where",
    "Workspace",
    "Writer",
    "default_places",
]

_HOMES = {
    "Answer": "core.answer",
    "Branch": "features.scopes",
    "Branches": "features.scopes",
    "Carried": "features.inbox",
    "Claim": "rules.access",
    "Conflicts": "features.conflicts",
    "Contradiction": "features.conflicts",
    "Superseded": "features.conflicts",
    "Context": "features.context",
    "Decision": "features.inbox",
    "Difference": "features.scopes",
    "Draft": "rules.proposals",
    "Entry": "core.entry",
    "Forgotten": "features.notes",
    "Header": "core.note",
    "Hit": "core.answer",
    "Inbox": "features.inbox",
    "Log": "features.log",
    "LogLine": "features.log",
    "Made": "features.vaults",
    "Merged": "features.scopes",
    "Moved": "features.scopes",
    "MergeReport": "features.snapshots",
    "Neighbour": "features.inbox",
    "Notes": "features.notes",
    "Operation": "features.operations",
    "Operations": "features.operations",
    "Undone": "features.operations",
    "OpenedCopy": "features.snapshots",
    "Problem": "core.problem",
    "ProjectMemory": "features.scopes",
    "Projects": "features.scopes",
    "Proposal": "features.inbox",
    "Recall": "features.recall",
    "Renamed": "features.notes",
    "Report": "features.verify",
    "Retained": "memory.from_transcript",
    "Scope": "core.scope",
    "Shown": "features.scopes",
    "Snapshot": "features.snapshots",
    "Snapshots": "features.snapshots",
    "State": "features.project_state",
    "StoredNote": "core.note",
    "Synced": "features.sync",
    "Where": "features.vaults",
    "Workspace": "workspace",
    "Writer": "storage.keys",
    "Memory": "memory.vault",
    "Places": "storage.places",
    "default_places": "storage.places",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"markdown_memory.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
