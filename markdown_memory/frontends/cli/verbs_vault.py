"""Looking after a vault: verify, approve, redact, doctor, index, stats."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from markdown_memory import upkeep
from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes, verbs_wiring
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.progress import Progress

if TYPE_CHECKING:
    from markdown_memory.memory import Header, Problem

PROBLEMS_FOUND = 1
NOTICES = 10  # shown; what a person edits by hand is no reason to nag
NOTHING_SAID = {"by_scope": "everywhere", "by_agent": "a person", "by_type": "undecided"}
COUNTED = ("accepted", "proposal", "page")


def verify(call: Call, quick: bool) -> int:
    """Check logs and files; exit code 1 when something does not hold."""
    with call.memory(untrusted=True) as memory:
        report = memory.verify(whole=not quick)
    if call.json:
        call.document(shapes.report(report))
        return 0 if report.sound else PROBLEMS_FOUND
    call.lines(line for problem in report.problems for line in problem_lines(call, problem))
    call.lines(line for notice in report.notices[:NOTICES] for line in problem_lines(call, notice))
    if len(report.notices) > NOTICES:
        call.lines([f"… and {render.count(len(report.notices) - NOTICES, 'more notice')}; --json lists all."])
    sound = call.paint("All is sound", render.GREEN)
    verdict = sound if report.sound else call.paint("Not sound", render.RED, render.BOLD)
    call.lines([f"{verdict}: {_counted(report.counts)}."])
    for sentence in report.unknown:
        call.say(f"Cannot be known here: {sentence}")
    return 0 if report.sound else PROBLEMS_FOUND


def _counted(counts: Mapping[str, int]) -> str:
    """`310 entries of 3 writers, 131 files (128 attested, 3 edited by hand)`."""
    logs = f"{render.count(counts['entries'], 'entry', 'entries')} of {render.count(counts['writers'], 'writer')}"
    states = [
        f"{number:,} {what.removeprefix('files ')}" for what, number in counts.items() if what.startswith("files ")
    ]
    files = f", {render.count(counts['files'], 'file')}" if "files" in counts else ""
    detail = f" ({', '.join(states)})" if states else ""
    return logs + files + detail


def approve(call: Call, names: Sequence[str], all: bool) -> None:
    """Sign files as they are."""
    with call.memory() as memory:
        paths = upkeep.approve(memory, names, all)
    if call.json:
        return call.document({"approved": list(paths)})
    if not paths:
        call.say("Nothing is unsigned.")
    return call.lines(f"approved {render.one_line(path)}" for path in paths)


def redact(call: Call, names: Sequence[str], apply: bool) -> None:
    """Take text out of logs and notes, so that nothing of it is left here."""
    with call.memory() as memory:
        if apply:
            paths = upkeep.apply_redactions(memory)
            return call.document({"entries": [], "paths": list(paths)}) if call.json else call.lines(paths)
        done = upkeep.redact(memory, names)
    if call.json:
        return call.document(dict(done._asdict()))
    call.lines(f"redacted {render.one_line(name)}" for name in (*done.entries, *done.paths))
    for sentence in done.unreachable:
        call.say(sentence)
    return None


def doctor(call: Call, fix: bool) -> int:
    """List what a person should put right; exit code 1 when there is something."""
    with call.memory() as memory:
        if fix and upkeep.catch_up(memory):
            call.say("MEMORY.md was brought up to date.")
        for copy in memory.fold_copies() if fix and not call.agent else ():
            call.say(render.one_line(f"{copy.path} {copy.what}."))
        problems = [*memory.doctor(), *verbs_wiring.problems(call)]
    if call.json:
        call.document({"problems": [shapes.problem(one) for one in problems]})
    elif problems:
        call.lines(line for problem in problems for line in problem_lines(call, problem))
        call.say(f"{render.count(len(problems), 'problem')}.")
    else:
        call.lines(["Nothing to put right."])
    return PROBLEMS_FOUND if problems else 0


def problem_lines(call: Call, problem: "Problem") -> list[str]:
    """`path:line: message [code]`, and the remedy below it."""
    place = render.one_line(f"{problem.path}{f':{problem.line}' if problem.line else ''}")
    message = render.one_line(problem.message.removeprefix(f"{problem.path} "))
    head = f"{call.paint(place, render.BOLD)}: {message} [{problem.code}]"
    return [head, f"  {call.paint(render.one_line(problem.remedy), render.DIM)}"] if problem.remedy else [head]


def index(call: Call) -> None:
    """Build what is derived from the files anew."""
    with call.memory() as memory, Progress(call, "Indexing") as progress:
        done = upkeep.rebuild(memory, progress)
    if call.json:
        return call.document(dict(done._asdict()))
    fresh = "MEMORY.md was brought up to date" if done.memory_index_changed else "MEMORY.md is up to date"
    return call.lines([f"indexed {render.count(done.indexed, 'note')}; {fresh}"])


def stats(call: Call) -> None:
    """Count notes by what they are."""
    with call.memory() as memory:
        notes = [*memory.list(all=True, status=COUNTED), *memory.list(all=True, archived=True)]
    facts = _statistics(notes)
    if call.json:
        return call.document({"notes": len(notes), **facts})
    rows = [
        (key.removeprefix("by_"), what or NOTHING_SAID.get(key, "–"), str(number))
        for key, counts in facts.items()
        for what, number in counts.items()
    ]
    call.table(("by", "what", "notes"), rows)
    return call.say(f"{render.count(len(notes), 'note')} in all.")


def _statistics(notes: Sequence["Header"]) -> dict[str, dict[str, int]]:
    return {
        "by_status": _tally(note.status for note in notes),
        "by_type": _tally(note.type for note in notes),
        "by_category": _tally(note.category for note in notes),
        "by_scope": _tally(render.scope_name(*note.scope) if note.scope else "" for note in notes),
        "by_agent": _tally(note.agent for note in notes),
        "by_month": _tally(note.created[:7] for note in notes),
    }


def _tally(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0])))
