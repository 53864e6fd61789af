"""The gate: what waits for a person, and who may let it through.

What an agent wants to keep for good (`core`) becomes a proposal, unless the settings say `direct`; its notes of a day
or a conversation go straight in. Accepting is a person's act. What comes from outside (`external`) is never taken
without one, whatever the settings say.
"""

from markdown_memory.errors import UserError

KINDS = {
    "decision": "project",
    "fact": "project",
    "failure-pattern": "reference",
    "preference": "user",
    "correction": "feedback",
}
TRUSTS = ("user", "agent", "tool", "external")
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


def may_decide(agent: str, person_present: bool) -> bool:
    """Whether this principal may accept or reject: a person who is there."""
    return not agent and person_present
