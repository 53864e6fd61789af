"""The start of a session: what the person decided by touching files is carried out, and the block is put together."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory.core.layout import LIVE_CONTEXT
from markdown_memory.errors import StorageError
from markdown_memory.features import context as blocks
from markdown_memory.features.inbox.looking import something_new

if TYPE_CHECKING:
    from markdown_memory.features.context import Context
    from markdown_memory.features.log import LogLine
    from markdown_memory.memory.vault import Memory

RELEVANT = 5


def context(memory: "Memory", query: str, limit: int, delivered: bool) -> "Context":
    """The block for a session; with `delivered` the log entries in it count as read."""
    unread, withheld = _unread(memory)
    sources = blocks.Sources(
        lambda: list(unread),
        lambda words: _relevant(memory, words),
        lambda: memory.workspace.serving.sentence(withheld),
    )
    with memory.workspace.standing_still():
        _look_at_files(memory)
        built = blocks.build(memory.workspace, sources, query=query, limit=limit, session=memory.session)
    if delivered:
        shown = {line for part in built.parts if part.name == "log" for line in part.text.split("\n")}
        memory.log.mark_read([line for brief, line in unread.items() if brief in shown])
    return built


def _look_at_files(memory: "Memory") -> None:
    """Carry out what a person decided in an editor; a vault that cannot be written is read all the same.

    Where integrity is strict an agent's session leaves that to the person's own: what was done by file waits for one.
    """
    if memory.workspace.serving.strict:
        return
    try:
        if something_new(memory.workspace):
            memory.inbox.carry_out()
    except StorageError:
        return


def _unread(memory: "Memory") -> "tuple[dict[str, LogLine], int]":
    """What the session has not read of the live context, the newest first, by the line that shows it.

    And how many lines are withheld.

    As long as nobody has written to the log since nothing was unread, no entry is read and no signature checked.
    """
    space = memory.workspace
    strict = space.serving.strict
    stamp = repr((space.log_stamp("live-context"), space.log_stamp("keys"), space.hash_of(LIVE_CONTEXT), strict))
    place = f"nothing unread {space.author} {memory.session}"
    before, _, withheld = space.catalog.meta(place).rpartition("\n")
    if before == stamp:
        return {}, int(withheld)
    lines = memory.log.read(unread=True)
    if not lines:
        space.catalog.set_meta(place, f"{stamp}\n{memory.log.withheld}")
    return {blocks.brief(memory.log.brief(line)): line for line in reversed(lines)}, memory.log.withheld


def _relevant(memory: "Memory", query: str) -> Sequence[str]:
    hits = memory.search(query, limit=RELEVANT).hits
    return [f"- {hit.told()}" for hit in hits]
