"""The inbox: agents propose, a person decides."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_memory.features.inbox.beside import Neighbour
    from markdown_memory.features.inbox.desk import Inbox
    from markdown_memory.features.inbox.values import Carried, Decision, Proposal

__all__ = ["Carried", "Decision", "Inbox", "Neighbour", "Proposal"]
_HOMES = {"Inbox": "desk", "Neighbour": "beside"}


def __getattr__(name: str) -> Any:
    if name in __all__:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'values')}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
