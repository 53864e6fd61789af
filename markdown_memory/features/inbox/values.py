"""What the inbox hands out."""

from typing import NamedTuple

from markdown_memory.core.problem import Problem


class Proposal(NamedTuple):
    """One fact that waits for a person, or what became of it."""

    ref: str
    """Its number in the list; "" when it does not wait."""
    path: str
    sha256: str
    name: str
    kind: str
    type: str
    description: str
    text: str
    agent: str
    source: str
    trust: str
    target: str
    """The folder that acceptance puts it into."""
    created: str
    accept: bool = False
    reject: bool = False
    state: str = "waiting"
    """waiting, accepted or rejected."""
    note: str = ""
    """One sentence on what the package noticed."""
    similar: tuple[str, ...] = ()
    snoozed_until: str = ""
    """It is not shown before that moment, unless its text changes; "" when it waits as usual."""


class Decision(NamedTuple):
    """What was decided, and where the text is now."""

    ref: str
    decision: str
    """accepted, merged, superseded, rejected, withdrawn, folded or undone; refused when a batch could not do it."""
    path: str
    note: str = ""
    exit_code: int = 0
    """Of what was refused: the code that the refusal by itself would have ended with."""


class Carried(NamedTuple):
    """What the files said and what was done about it."""

    decisions: tuple[Decision, ...] = ()
    questions: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    held: tuple[str, ...] = ()
    """Ticked proposals that somebody is still editing; a later call carries them out."""
