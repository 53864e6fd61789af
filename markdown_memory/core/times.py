"""Points in time: seconds since 1970 as numbers, and Obsidian's date-and-time form in files, always UTC."""

import time
from functools import lru_cache
from math import isnan

_EARLIEST, _LATEST = -30_610_224_000.0, 253_402_300_799.0  # the years that have four digits


def utc(seconds: float) -> str:
    """`2026-11-30T02:13:04`; a clock that is wrong beyond all years gives the nearest moment that can be written."""
    moment = 0.0 if isnan(seconds) else min(max(seconds, _EARLIEST), _LATEST)
    return _written(int(moment // 1))


@lru_cache(maxsize=16)
def _written(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))


def parse(text: str) -> float | None:
    """Seconds for a date, a date and time, or one with an offset or `Z`; None when it is no point in time."""
    from calendar import timegm
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return timegm(moment.utctimetuple()) + moment.microsecond / 1e6
    except OverflowError:
        return None
