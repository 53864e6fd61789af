"""Setting up and looking after a vault: init, link, trust, verify, doctor, index, stats."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.progress import Progress

if TYPE_CHECKING:
    from markdown_memory.memory import Header, Made, Problem

PROBLEMS_FOUND = 1
NOTICES = 10  # shown; what a person edits by hand is no reason to nag
COUNTED = ("accepted", "proposal", "page")


def init(call: Call, folder: str, agents: Sequence[str], person: str, inside: str, git: bool) -> None:
    """Make a vault and say what to do next."""
    from markdown_memory.memory import Memory

    names = [name.strip() for given in agents for name in given.split(",") if name.strip()]
    made = Memory.make(
        folder,
        agents=names,
        person=person,
        inside=inside or None,
        places=call.places(),
        clock=call.here.clock,
        git=git,
        via="cli",
    )
    if call.json:
        return call.document(
            {key: list(value) if isinstance(value, tuple) else value for key, value in made._asdict().items()}
        )
    for notice in made.notices:
        call.say(notice)
    if not made.created:
        return call.lines([f"{render.one_line(made.root)} is a vault already; nothing was changed."])
    call.lines([f"made the vault {render.one_line(made.root)} with {render.count(len(made.created), 'file')}"])
    if made.around:
        call.say(f"It is a folder of your Obsidian vault {made.around}; nothing else in there was touched.")
    return _what_next(call, made)


def _what_next(call: Call, made: "Made") -> None:
    if made.is_default:
        call.say("It is your default vault: every command uses it where no other one is named or linked.")
    else:
        call.say(
            f"Your default vault is another one: name this one with --vault {made.root} or `mdmem link` a repository."
        )
    agent = f" --agent {made.agents[0]}" if made.agents else ""
    call.say(f"Next: `mdmem store`, `mdmem search`, and for an agent's session `mdmem context{agent}`.")


def link(call: Call) -> None:
    """Tie the repository here to the vault."""
    with call.memory() as memory:
        done = memory.link(call.project or "")
    if call.json:
        return call.document(dict(done._asdict()))
    if done.hint:
        call.say(done.hint)
    what = "linked again" if done.replaced else "linked"
    return call.lines([render.one_line(f"{what} {done.known_by} to {done.root} as project {done.project}")])


def trust(call: Call, folder: str, key: str) -> None:
    """Trust a vault from elsewhere."""
    from markdown_memory.memory import Memory

    done = Memory.trust(
        folder, places=call.places(), clock=call.here.clock, person_present=call.person_present, key=key
    )
    if call.json:
        return call.document({**done._asdict(), "copies": list(done.copies)})
    for copy in done.copies:
        call.say(f"You trust another copy of the same vault at {copy}.")
    root = f", rooted in the key {done.root_key} of {done.root_person}" if done.root_key else ""
    return call.lines([render.one_line(f"{'trusted' if done.new else 'trusted already:'} {done.root}{root}")])


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


def doctor(call: Call) -> int:
    """List what a person should put right; exit code 1 when there is something."""
    with call.memory() as memory:
        problems = memory.doctor()
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
    head = f"{call.paint(place, render.BOLD)}: {render.one_line(problem.message)} [{problem.code}]"
    return [head, f"  {call.paint(render.one_line(problem.remedy), render.DIM)}"] if problem.remedy else [head]


def index(call: Call) -> None:
    """Build what is derived from the files anew."""
    with call.memory() as memory, Progress(call, "Indexing") as progress:
        notes, changed = memory.rebuild(progress)
    if call.json:
        return call.document({"indexed": notes, "memory_index_changed": changed})
    return call.lines(
        [f"indexed {render.count(notes, 'note')}; MEMORY.md {'was brought up to date' if changed else 'is up to date'}"]
    )


def stats(call: Call) -> None:
    """Count notes by what they are."""
    with call.memory() as memory:
        notes = [*memory.list(all=True, status=COUNTED), *memory.list(all=True, archived=True)]
    facts = _statistics(notes)
    if call.json:
        return call.document({"notes": len(notes), **facts})
    rows = [
        (key.removeprefix("by_"), what or "–", str(number))
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
