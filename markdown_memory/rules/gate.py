"""The gate: what waits for a person, and who may let it through.

What an agent wants to keep for good (`core`) becomes a proposal, unless the settings say `direct`; its notes of a day
or a conversation go straight in. Accepting is a person's act. What comes from outside (`external`) is never taken
without one, whatever the settings say.
"""

from collections.abc import Sequence

from markdown_memory.core.settings import Policy
from markdown_memory.errors import UserError

BY_POLICY = "policy"
KINDS = {
    "decision": "project",
    "fact": "project",
    "failure-pattern": "reference",
    "preference": "user",
    "correction": "feedback",
}
PASSING = ("daily", "conversation")


def check_kind(kind: str) -> str:
    """The kind, unchanged; UserError when there is none of that name."""
    if kind not in KINDS:
        raise UserError(f"There is no kind {kind!r}; the kinds are {', '.join(KINDS)}.")
    return kind


def type_of_kind(kind: str) -> str:
    """The type of note that an accepted proposal of this kind becomes."""
    return KINDS.get(kind, "project")


def waits(agent: str, category: str, store: str, trust: str = "") -> bool:
    """Whether what this principal stores must wait; `agent` "" is the person, `store` the vault's setting."""
    if not agent:
        return False
    if trust == "external":
        return True
    return category not in PASSING and store != "direct"


def policy_for(policies: Sequence[Policy], kind: str, agent: str, trust: str, nearest: float) -> int:
    """The number, from 1, of the first policy that lets a proposal through without a person; 0 when none does.

    `nearest` is the similarity of what is most like it. What comes from outside never passes.
    """
    trust = trust or "agent"
    if trust == "external":
        return 0
    for number, policy in enumerate(policies, 1):
        wanted = ((policy.kinds, kind), (policy.agents, agent), (policy.trust, trust))
        if all(not allowed or value in allowed for allowed, value in wanted) and nearest < policy.similarity_below:
            return number
    return 0


def may_decide(agent: str, person_present: bool) -> bool:
    """Whether this principal may accept or reject: a person who is there."""
    return not agent and person_present
