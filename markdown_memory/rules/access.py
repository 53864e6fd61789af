"""Who may see a file, and who may change it without asking a person. A principal of "" is the person, who may do both.

An agent sees what is shared and what is its own: its private notes and its proposals. It may change its own notes of a
day or a conversation, its own pages below agents/, and the project's state; what was accepted for good is a person's to
change, unless the settings let agents store directly.
"""

from markdown_memory.core.note import Header
from markdown_memory.rules.gate import PASSING


def may_see(header: Header, principal: str) -> bool:
    """Whether a file is shared, or this principal's."""
    return not header.owner or header.owner == principal or not principal


def may_change(header: Header, principal: str, store: str) -> bool:
    """Whether the principal may change, rename or forget a file; `store` is the vault's setting."""
    if not principal or header.owner == principal:
        return True
    if header.status in ("accepted", "archived"):
        mine = header.agent == principal and header.category in PASSING
        return mine or store == "direct"
    return header.status == "state" or header.path.startswith(f"agents/{principal}/")
