"""Branches and projects: what a vault remembers about each, and what happens to it when they merge, end or change
their names."""

from markdown_memory.features.scopes.branches import Branches
from markdown_memory.features.scopes.projects import Projects
from markdown_memory.features.scopes.values import Branch, Difference, Merged, Moved, ProjectMemory, Shown

__all__ = ["Branch", "Branches", "Difference", "Merged", "Moved", "ProjectMemory", "Projects", "Shown"]
