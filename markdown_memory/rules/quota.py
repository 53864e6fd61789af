"""How many proposals an agent may put before a person: so many in a session, so many in a day (UTC)."""

from collections.abc import Sequence
from typing import NamedTuple


class Made(NamedTuple):
    """One proposal that was made: when, as `2026-11-30T02:13:04`, and in which session ("" = unknown)."""

    time: str
    session: str


def exceeded(made: Sequence[Made], now: str, session: str, per_session: int, per_day: int) -> str:
    """Which limit one more proposal would break, as a phrase; "" when none. A limit of 0 is none."""
    in_session = sum(one.session == session for one in made) if session else 0
    today = sum(one.time[:10] == now[:10] for one in made)
    if per_session and in_session >= per_session:
        return f"{in_session} proposals in this session"
    if per_day and today >= per_day:
        return f"{today} proposals today"
    return ""


def worth_keeping(made: Sequence[Made], since: str) -> list[Made]:
    """Those that still count for a session or a day."""
    return [one for one in made if one.time >= since]
