"""From a caller's words to a draft: who writes it, when, and in which scope."""

from typing import TYPE_CHECKING, Any

from markdown_memory.core import times
from markdown_memory.rules.proposals import Draft

if TYPE_CHECKING:
    from markdown_memory.workspace import Workspace


PRIVATE = "private"
"""The namespace for a note of one's own in the present scope."""


def draft(
    space: "Workspace", name: str, body: str, type: str, namespace: str | None, private: bool, **known: Any
) -> Draft:
    """The draft of a note of that type in that namespace; `private` says the same as the namespace of that name."""
    private = private or namespace == PRIVATE
    scope = space.scope_for(type, None if namespace == PRIVATE else namespace)
    known |= {key: space.masked(known[key]) for key in ("description", "source") if known.get(key)}
    name, body = space.masked(name), space.masked(body)
    known |= {"agent": space.principal, "created": times.utc(space.clock()), "owner": space.author if private else ""}
    return Draft(name, body, type, scope=scope, **known)
