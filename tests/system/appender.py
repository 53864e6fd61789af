"""A process that appends to the live context and says on its standard output what was acknowledged to it.

`python -m tests.system.appender ROOT HOME VAULT AGENT FIRST COUNT`: texts `AGENT/FIRST` and so on. A line is printed
after each append has returned.
"""

import os
import sys
import time

from markdown_memory.storage.log_file import LogStore
from markdown_memory.storage.places import default_places


def main(root: str, home: str, vault: str, agent: str, first: int, count: int) -> None:
    logs = LogStore(root, vault, default_places(home), time.time)
    writer = logs.writer(agent)
    for number in range(first, first + count):
        entry = logs.append(writer, "live-context", channel="test", kind="note", text=f"{agent}/{first}/{number}")
        os.write(1, f"{entry.id} {agent}/{first}/{number}\n".encode())


if __name__ == "__main__":
    root_, home_, vault_, agent_, first_, count_ = sys.argv[1:]
    main(root_, home_, vault_, agent_, int(first_), int(count_))
