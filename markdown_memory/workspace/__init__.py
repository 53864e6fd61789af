"""The open vault: a view to read through, and the one way to change a file."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_memory.workspace.edits import Edit
    from markdown_memory.workspace.view import View
    from markdown_memory.workspace.writing import UNDER_WAY, Workspace

__all__ = ["UNDER_WAY", "Edit", "View", "Workspace"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from markdown_memory.workspace import view, writing

        return getattr(view if name == "View" else writing, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
