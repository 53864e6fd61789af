"""The inbox: agents propose, a person decides."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_memory.features.inbox.desk import Inbox
    from markdown_memory.features.inbox.values import Carried, Decision, Proposal

__all__ = ["Carried", "Decision", "Inbox", "Proposal"]


def __getattr__(name: str) -> Any:
    if name == "Inbox":
        from markdown_memory.features.inbox.desk import Inbox

        return Inbox
    if name in __all__:
        from markdown_memory.features.inbox import values

        return getattr(values, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
