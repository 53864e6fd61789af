"""Who may see a file, change it, and act as whom: the one policy, asked at every door.

What lies in `memory/private/<agent>/` is its owner's and the person's; everything else is shared. An agent sees of the
inbox its own proposals. It may change its own notes of a day or a conversation, its own pages below agents/, and the
project's state; what was accepted for good is a person's to change, unless the settings let agents store directly.

With access control (`acl_enabled`) two rules are added. Ownership counts: also where agents store directly, an agent
changes what it wrote itself and nothing else. And nobody is believed who they are for a word on the command line: an
agent is the one that the server's, the hook's or the shell's configuration names, and a person is somebody at a
terminal; whoever is neither sees what is shared.
"""

from typing import NamedTuple

from markdown_memory.core.layout import private_owner
from markdown_memory.core.note import Header
from markdown_memory.rules.gate import PASSING

LASTING = ("accepted", "archived")


class Access(NamedTuple):
    """Who asks, and by which rules.

    `agent` "" is the person, or a program that acts for one; `attended` is False where nobody vouches for that. `on` is
    the setting `acl_enabled`, `store` the setting of that name.
    """

    agent: str = ""
    on: bool = False
    store: str = "review"
    attended: bool = True

    def may_know(self, path: str) -> bool:
        """Whether this principal may learn that there is a file at a path, or anything that hangs on it."""
        return self.may_know_of(private_owner(path))

    def may_know_of(self, owner: str) -> bool:
        """The same for everything in the private folder of `owner`; "" is what is shared."""
        if not owner or owner == self.agent:
            return True
        return not self.agent and (self.attended or not self.on)

    def may_see(self, header: Header) -> bool:
        """Whether this principal is shown a file: also a proposal is its author's until a person decides."""
        return self.may_know(header.path) and (not self.agent or header.owner in ("", self.agent))

    def may_change(self, header: Header) -> bool:
        """Whether it may change, rename or forget a file without asking a person."""
        if not self.agent or header.owner == self.agent:
            return self.may_know(header.path)
        if header.owner:
            return False
        if header.status in LASTING:
            mine = header.agent == self.agent
            if header.category in PASSING or self.on:
                return mine and (header.category in PASSING or self.store == "direct")
            return self.store == "direct"
        return header.status == "state" or header.path.startswith(f"agents/{self.agent}/")


class Claim(NamedTuple):
    """Who a command line says that it is (`agent`), and what its surroundings say: the agent that they name, and
    whether a person sits there."""

    agent: str
    surroundings: str = ""
    attended: bool = False


def objection(claim: Claim) -> str:
    """Why access control does not believe a command line that names an agent; "" when something vouches for it."""
    if not claim.agent or claim.attended or claim.agent == claim.surroundings:
        return ""
    who = f"this shell is {claim.surroundings}'s" if claim.surroundings else "nothing here says who runs this"
    return (
        f"With access control --agent {claim.agent} does not count, since {who}: set MDMEM_AGENT in the configuration "
        f"of what starts that agent, or start its server or hook with --agent."
    )
