"""From a caller's words to a draft: who writes it, when, and in which scope."""

from typing import TYPE_CHECKING, Any

from markdown_memory.core import times
from markdown_memory.rules.proposals import Draft

if TYPE_CHECKING:
    from markdown_memory.workspace import Workspace


def draft(space: "Workspace", name: str, body: str, type: str, namespace: str | None, **known: Any) -> Draft:
    """The draft of a note of that type in that namespace."""
    scope = space.scope_for(type, namespace)
    return Draft(name, body, type, scope=scope, agent=space.principal, created=times.utc(space.clock()), **known)
