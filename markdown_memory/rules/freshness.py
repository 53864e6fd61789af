"""How long what a process knows of the files may be believed before it looks at all of them again.

A whole scan asks the disk about every file. Where that is done in a moment it is done before every question. In a large
vault one process repeats it when twenty times its cost have gone by, and after ten seconds at the latest: so scanning
takes a twentieth of the time at most. Between two scans only the folders are looked at, which shows every file that was
made, removed, renamed or replaced; a file that was written in place is seen when it is served, or by the next scan.

Two questions need no scan that is younger than that. The note of a name is found by a look at the folders and at the
files that bear the name, and by a whole scan when there is none, or more than one. A change of single notes compares
their hashes and makes do with a scan of the last ten seconds.
"""

AT_ONCE = 0.005
SHARE = 20
LONGEST = 10.0


def believed_for(cost: float) -> float:
    """Seconds for which a scan that took `cost` seconds of processor time is believed."""
    return 0.0 if cost < AT_ONCE else min(LONGEST, SHARE * cost)
