"""snapshot: make, open, diff, merge."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from markdown_memory import outside
from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.progress import Progress

if TYPE_CHECKING:
    from markdown_memory.memory import MergeReport

SHOWN = 50  # changes; --json lists all
WORDS = {"take": "new", "update": "changed", "remove": "removed", "rename": "renamed"}
VERDICTS = {
    "merged": "",
    "local": "ours stands",
    "remote": "theirs stands",
    "both": "both are kept",
    "asked": "a person decides: `mdmem review`",
}


def make(call: Call, file: str, namespace: Sequence[str]) -> None:
    """Write the vault into one file."""
    with call.memory() as memory, Progress(call, "Packing") as progress:
        made = memory.snapshots.make(file, namespaces=namespace, progress=progress)
    if call.json:
        return call.document({**made._asdict(), "left_out": list(made.left_out)})
    for line in made.left_out:
        call.say(f"Left out: {line}.")
    call.lines([f"{made.path}: {render.count(made.files, 'file')}, {made.bytes:,} bytes, signed by {made.writer}"])
    return call.say(f"Its signature is {made.signature}; send the two together.")


def open_(call: Call, file: str, folder: str) -> None:
    """Unpack a snapshot as a copy of the vault."""
    with Progress(call, "Unpacking") as progress:
        opened = outside.open_snapshot(call.places(), file, folder, progress)
    if call.json:
        return call.document(opened._asdict())
    call.lines([f"{opened.folder}: {render.count(opened.files, 'file')}, signed by {opened.writer}"])
    return call.say(f"Look at it, then say that it may guide your agents: `mdmem trust {opened.folder}`.")


def diff(call: Call, source: str, strategy: str, namespace: Sequence[str], key: str) -> None:
    """Say what a merge would do."""
    with call.memory() as memory, Progress(call, "Comparing") as progress:
        report = memory.snapshots.diff(source, strategy=strategy, namespaces=namespace, key=key, progress=progress)
    _show(call, report, "would be")


def merge(
    call: Call, source: str, strategy: str, namespace: Sequence[str], key: str, allow_removals: bool, dry_run: bool
) -> None:
    """Merge, and say what was done."""
    if dry_run:
        return diff(call, source, strategy, namespace, key)
    with call.memory() as memory, Progress(call, "Merging") as progress:
        report = memory.snapshots.merge(
            source,
            strategy=strategy,
            namespaces=namespace,
            key=key,
            allow_removals=allow_removals,
            progress=progress,
        )
    return _show(call, report, "was")


def _show(call: Call, report: "MergeReport", tense: str) -> None:
    if call.json:
        return call.document(shapes.merge_report(report))
    for notice in report.notices:
        call.complain(render.one_line(notice))
    guiding = len(report.guiding)
    for number, change in enumerate(report.changes[: max(SHOWN, guiding)]):
        if guiding and number in (0, guiding):
            call.lines(["What guides agents:" if number < guiding else "Everything else:"])
        call.lines(_lines(call, change))
    if len(report.changes) > max(SHOWN, guiding):
        call.lines(
            [f"… and {render.count(len(report.changes) - max(SHOWN, guiding), 'more change')}; --json lists all."]
        )
    counted = ", ".join(_counted(what, number) for what, number in report.counts.items() if number)
    against = {"": "with nothing known in common", "ledger": "by the ledgers"}.get(report.base, "against their base")
    summary = f"This {tense} merged {against}: {counted}."
    return call.lines([summary if report.changes else _nothing(report)])


def _counted(what: str, number: int) -> str:
    if what in ("conflicts", "log_entries"):
        return render.count(number, *{"conflicts": ("conflict",), "log_entries": ("log entry", "log entries")}[what])
    return f"{number:,} {what}"


def _nothing(report: "MergeReport") -> str:
    entries = report.counts["log_entries"]
    came = f"No note differs; {render.count(entries, 'log entry', 'log entries')} came."
    return came if entries else "Nothing is new."


def _lines(call: Call, change: Any) -> list[str]:
    word = "conflict" if change.conflicts else WORDS.get(change.verb, "merged")
    moved = f"{change.old_path} → " if change.old_path else ""
    colour = (render.RED,) if change.conflicts else (render.BOLD,)
    lines = [f"{call.paint(word, *colour)}  {render.one_line(moved + change.path)}  ({change.reason})"]
    lines += [f"    {render.one_line(sentence)}" for sentence in change.conflicts]
    if change.conflicts and VERDICTS.get(change.verdict):
        lines.append(f"    {VERDICTS[change.verdict]}")
    return lines + [f"    kept as {render.one_line(path)}" for path in change.kept]
