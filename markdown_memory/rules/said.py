"""The rules by which facts are found in what was said: English, German and French.

A rule looks at one sentence (with `needs` also at the next one). It says whose words it takes, what must occur, what
must not, and shows a sentence that it takes; `mdmem help transcript-rules` prints them all, and a test holds each
to its example. Patterns see lower case, straight apostrophes, and `…` in place of what stands in quotation marks.

A cause and a cure make a failure pattern: that takes several sentences, so the words for it stand apart (`Failure`).
"""

from typing import NamedTuple


class Rule(NamedTuple):
    """One way in which people say something that should be kept."""

    name: str
    kind: str
    who: str
    """user, agent or both."""
    pattern: str
    example: str
    needs: str = ""
    """What must occur as well, here or in the next sentence."""
    unless: str = ""
    """What must not stand in the sentence."""


class Failure(NamedTuple):
    """How a language speaks of what went wrong, why, and what helped."""

    language: str
    trouble: str
    because: str
    """A cause, if trouble is mentioned too."""
    cause: str
    """A cause that says so itself."""
    cure: str
    example: str
