"""A process of its own that works in a vault, and that can be told to die at a step of a change.

python -m tests.system.worker ROOT HOME AGENT STEP ACTION [WORD …]      STEP 0 = live on
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from markdown_memory.errors import ConflictError, NotFound
from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places

MOMENT = 1796004784.0


def open_vault(root: str, home: str, agent: str = "") -> Memory:
    """The vault with the tests' clock."""
    return Memory.open(root, agent=agent, places=default_places(home), clock=lambda: MOMENT, cwd=root)


def dying_at(step: int) -> Callable[[str], None]:
    """Kills the process, as `kill -9` would, when the change comes to that step."""
    left = step

    def stop(_: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return stop


def until_stopped(flag: str, again: Callable[[], object]) -> None:
    """The same again and again, as a watcher does, until there is a file of that name; then once more."""
    while not os.path.exists(flag):
        again()
    again()


def decide_all(memory: Memory) -> None:
    """Accept or reject what waits, as it was shown; what somebody else has decided or changed is left to them."""
    for proposal in memory.inbox.list():
        with suppress(NotFound, ConflictError):
            if sum(map(ord, proposal.name)) % 2:
                memory.inbox.accept(proposal.path, if_hash=proposal.sha256)
            else:
                memory.inbox.reject(proposal.path, "in the queue")


def act(memory: Memory, action: str, words: list[str]) -> None:
    """One thing that changes the vault."""
    if action in ("carry", "decide"):
        until_stopped(words[0], memory.inbox.carry_out if action == "carry" else lambda: decide_all(memory))
        return
    for_once(memory, action, words)


def for_once(memory: Memory, action: str, words: list[str]) -> None:
    """What is done once, or once for each word."""
    if action == "store":
        for word in words:
            memory.store(word, f"All about {word}.")
    elif action == "retain":
        for word in words:
            memory.retain(f"The fact of {word}.")
    elif action == "accept":
        for word in words:
            memory.inbox.accept(word)
    elif action == "rename":
        memory.rename(*words)
    elif action == "undo":
        memory.inbox.undo()
    elif action == "merge":
        memory.snapshots.merge(words[0], strategy="ask", key=words[1])


def main() -> None:
    """Do what the command line says."""
    root, home, agent, step, action, *words = sys.argv[1:]
    with open_vault(root, home, agent) as memory:
        memory.workspace.step = dying_at(int(step))
        act(memory, action, words)


if __name__ == "__main__":
    main()
