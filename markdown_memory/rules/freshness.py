"""How long what a process knows of the files may be believed before it looks at all of them again.

A whole scan asks the disk about every file. Where that is done in a moment it is done before every search. In a large
vault one process repeats it when twenty times its cost have gone by, and after ten seconds at the latest: so scanning
takes a twentieth of the time at most. Between two scans only the folders are looked at, which shows every file that was
made, removed, renamed or replaced; a file that was written in place is seen when it is a hit, or by the next scan.
"""

AT_ONCE = 0.005
SHARE = 20
LONGEST = 10.0


def believed_for(cost: float) -> float:
    """Seconds for which a scan that took `cost` seconds of processor time is believed."""
    return 0.0 if cost < AT_ONCE else min(LONGEST, SHARE * cost)
