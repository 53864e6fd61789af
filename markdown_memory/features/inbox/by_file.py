"""Decisions made by touching files, carried out once."""

import json
from collections.abc import Callable, Collection, Iterable

from markdown_memory.core.note import Header
from markdown_memory.core.problem import Problem
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.features.inbox import deciding, folding, opposed
from markdown_memory.features.inbox.looking import MEMORY, everybodys, known_to
from markdown_memory.features.inbox.snoozing import snoozed
from markdown_memory.features.inbox.values import Carried, Decision
from markdown_memory.rules import proposals
from markdown_memory.rules.file_decisions import AT_ONCE, QUIET, FileDecisions, Known, decide
from markdown_memory.workspace import Workspace


def carry_out(space: Workspace, confirmed: bool) -> Carried:
    """Do what the files say, and remember what was seen."""
    decisions: list[Decision] = []
    problems: list[Problem] = []
    with space.writing():
        known, _ = known_to(space)
        headers, now = everybodys(space), space.clock()
        held = _being_edited(space, known, headers)
        said = decide(known, headers, now, busy=space.git_is_busy(), confirmed=confirmed, editing=held)
        for step in _steps(space, said, known):
            try:
                decisions.append(step())
            except MarkdownMemoryError as error:
                problems.append(Problem("decision-not-carried-out", "", 0, str(error), "Decide with `mdmem review`."))
        if not space.principal and not space.git_is_busy():
            decisions += opposed.reopen(space)
        remember(space, held)
        if not space.git_is_busy() and (folded := folding.fold(space, known, (path for path, _ in snoozed(space)))):
            decisions += folded
            remember(space)
    problems += [_both_ticked(header.path) for header in said.undecided]
    return Carried(tuple(decisions), _questions(said), tuple(problems), tuple(sorted(held)))


def remember(space: Workspace, held: Collection[str] = ()) -> None:
    """Write down the proposals that are there now, and those that are gone without an explanation."""
    before, others = known_to(space)
    headers = everybodys(space)
    gone = decide(before, headers, space.clock(), busy=True).waiting
    seen = {path: before[path]._replace(gone_since=since) for path, since in gone.items()}
    for header in headers:
        if header.status == "proposal":
            one = _as_known(space, header, before.get(header.path))
            seen[header.path] = one._replace(held=space.clock() if header.path in held else one.held)
    if seen != before:
        kept = sorted({**others, **seen}.items())
        space.write_state(MEMORY, json.dumps({path: list(proposal) for path, proposal in kept}))


def _as_known(space: Workspace, header: Header, before: Known | None) -> Known:
    if before is not None and before.sha256 == header.sha256:
        return before._replace(gone_since=0.0)
    stored = space.read_quietly(header.path)
    text = stored.data.decode("utf-8", "surrogateescape") if stored else ""
    seen = before.seen if before is not None and before.seen else space.clock()
    return Known(header.sha256, header.name, header.created, text, seen=seen)


def _being_edited(space: Workspace, known: "dict[str, Known]", headers: Iterable[Header]) -> frozenset[str]:
    """Ticked proposals whose text somebody changed a moment ago, too."""
    return frozenset(
        header.path
        for header in headers
        if header.status == "proposal"
        and header.accept != header.reject
        and _just_written(space, header.path)
        and not _only_ticked(space, header, known.get(header.path))
    )


def _just_written(space: Workspace, path: str) -> bool:
    from os import stat

    try:
        age = space.clock() - stat(f"{space.root}/{path}").st_mtime
    except OSError:
        return False
    return -1 < age < QUIET


def _only_ticked(space: Workspace, header: Header, before: Known | None) -> bool:
    """Whether nothing but the boxes is other than when the file was last seen."""
    if before is None or 0 <= space.clock() - before.held < QUIET:
        return False
    now = space.read_quietly(header.path)
    then = before.text.encode("utf-8", "surrogateescape")
    return now is not None and proposals.without_ticks(now.data) == proposals.without_ticks(then)


def _steps(space: Workspace, said: FileDecisions, known: "dict[str, Known]") -> "list[Callable[[], Decision]]":
    from functools import partial

    steps: list[Callable[[], Decision]] = []
    steps += [partial(deciding.accept, space, header, by_file=True) for header in said.accept]
    steps += [
        partial(deciding.reject, space, header, by_file=True, twin=opposed.twin(space, header))
        for header in said.reject
    ]
    steps += [partial(deciding.adopt, space, header, origin) for header, origin in said.moved]
    steps += [partial(deciding.bury, space, path, known[path].name, known[path].text) for path in said.deleted]
    return steps


def _reject(space: Workspace, header: Header) -> Decision:
    return deciding.reject(space, header, by_file=True, twin=opposed.twin(space, header))


def _questions(said: FileDecisions) -> tuple[str, ...]:
    if not said.ask:
        return ()
    sentence = (
        f"{len(said.waiting)} proposals have disappeared from the inbox. More than {AT_ONCE} at once may be a sync "
        "that is not finished; if you deleted them, say so when `mdmem review` asks."
    )
    return (sentence,)


def _both_ticked(path: str) -> Problem:
    return Problem(
        "both-ticked", path, 0, "Both accept and reject are ticked, so nothing was decided.", "Untick one of them."
    )
