"""Decisions made by touching files, carried out once."""

import json
from collections.abc import Callable

from markdown_memory.core.note import Header
from markdown_memory.core.problem import Problem
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.features.inbox import deciding
from markdown_memory.features.inbox.looking import MEMORY, everybodys, known_to
from markdown_memory.features.inbox.values import Carried, Decision
from markdown_memory.rules.file_decisions import AT_ONCE, FileDecisions, Known, decide
from markdown_memory.workspace import Workspace


def carry_out(space: Workspace, confirmed: bool) -> Carried:
    """Do what the files say, and remember what was seen."""
    decisions: list[Decision] = []
    problems: list[Problem] = []
    with space.writing():
        known, _ = known_to(space)
        said = decide(known, everybodys(space), space.clock(), busy=space.git_is_busy(), confirmed=confirmed)
        for step in _steps(space, said, known):
            try:
                decisions.append(step())
            except MarkdownMemoryError as error:
                problems.append(Problem("decision-not-carried-out", "", 0, str(error), "Decide with `mdmem review`."))
        remember(space)
    problems += [_both_ticked(header.path) for header in said.undecided]
    return Carried(tuple(decisions), _questions(said), tuple(problems))


def remember(space: Workspace) -> None:
    """Write down the proposals that are there now, and those that are gone without an explanation."""
    before, others = known_to(space)
    headers = everybodys(space)
    gone = decide(before, headers, space.clock(), busy=True).waiting
    seen = {path: before[path]._replace(gone_since=since) for path, since in gone.items()}
    for header in headers:
        if header.status == "proposal":
            seen[header.path] = _as_known(space, header, before.get(header.path))
    if seen != before:
        kept = sorted({**others, **seen}.items())
        space.write_state(MEMORY, json.dumps({path: list(proposal) for path, proposal in kept}))


def _as_known(space: Workspace, header: Header, before: Known | None) -> Known:
    if before is not None and before.sha256 == header.sha256:
        return before._replace(gone_since=0.0)
    stored = space.read_quietly(header.path)
    text = stored.data.decode("utf-8", "surrogateescape") if stored else ""
    return Known(header.sha256, header.name, header.created, text)


def _steps(space: Workspace, said: FileDecisions, known: "dict[str, Known]") -> "list[Callable[[], Decision]]":
    from functools import partial

    steps: list[Callable[[], Decision]] = []
    steps += [partial(deciding.accept, space, header, by_file=True) for header in said.accept]
    steps += [partial(deciding.reject, space, header, by_file=True) for header in said.reject]
    steps += [partial(deciding.adopt, space, header, origin) for header, origin in said.moved]
    steps += [partial(deciding.bury, space, path, known[path].name, known[path].text) for path in said.deleted]
    return steps


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
