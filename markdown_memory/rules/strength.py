"""How strong a note still is: importance × 2^(−age / half-life), computed when it is read and stored nowhere.

What is kept for good (`core`, or no category) does not fade, and neither does a pinned note. A category of one's own
fades as `daily` does.
"""

from typing import NamedTuple

HALF_LIVES = {"daily": 168.0, "conversation": 72.0}  # hours
LASTING = ("", "core")


class Strength(NamedTuple):
    """The terms of a strength: hours, and None for the half-life of a note that does not fade."""

    value: float
    importance: float
    age: float
    half_life: float | None


def of(
    importance: float, category: str, now: float, changed: float, accessed: float | None = None, *, pinned: bool = False
) -> Strength:
    """The strength at `now`; times in seconds since the epoch, and a time that is still to come counts as now."""
    last = changed if accessed is None else max(changed, accessed)
    age = max(0.0, now - last) / 3600
    half_life = None if pinned or category in LASTING else HALF_LIVES.get(category, HALF_LIVES["daily"])
    kept = 1.0 if half_life is None else 2.0 ** (-age / half_life)
    return Strength(importance * kept, importance, age, half_life)
