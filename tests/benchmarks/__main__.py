"""`python -m tests.benchmarks [NAME …] [--json] [--peers FOLDER] [--rounds N] [--notes N] [--keep FOLDER]`."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator

from tests.benchmarks import (
    appending,
    contradicting,
    extracting,
    harness,
    hooking,
    indexing,
    installing,
    notes,
    searching,
    serving,
    starting,
    syncing,
    teleporting,
    verifying,
    warm,
)
from tests.benchmarks.harness import Result, human
from tests.benchmarks.workshop import Workshop

BENCHMARKS: dict[str, Callable[[Workshop], Iterator[Result]]] = {
    "start": starting.start,
    "search": searching.search,
    "hooks": hooking.hooks,
    "warm": warm.warm,
    "swarm": syncing.swarm,
    "index": indexing.index,
    "refresh": indexing.refresh,
    "scan": indexing.scan,
    "append": appending.append,
    "verify": verifying.verify,
    "mcp": serving.serve,
    "install": installing.install,
    "teleport": teleporting.teleport,
    "notes": notes.notes,
    "transcripts": extracting.transcripts,
    "conflicts": contradicting.contradictions,
}


def main() -> int:
    """Run the benchmarks that were named, or all; exit code 1 when a goal was missed."""
    options = _options()
    harness.compile_package()
    with tempfile.TemporaryDirectory() as folder:
        shop = Workshop(options.keep or folder, options.peers, options.rounds, options.notes)
        results = [result for name in options.names or BENCHMARKS for result in _run(name, shop, quiet=options.json)]
    if options.json:
        print(json.dumps([result.as_json() for result in results], indent=2, ensure_ascii=False))
    return int(any(result.verdict == "MISSED" for result in results))


def _run(name: str, shop: Workshop, quiet: bool) -> Iterator[Result]:
    if not quiet:
        print(f"\n{name}: {BENCHMARKS[name].__doc__}", flush=True)
    try:
        for result in BENCHMARKS[name](shop):
            if not quiet:
                print(line(result), flush=True)
            yield result
    except harness.Skipped as reason:
        print(f"  skipped: {reason}", file=sys.stderr, flush=True)


def line(result: Result) -> str:
    """One figure as a line of text."""
    text = f"  {result.what:<36} {human(result.figure, result.unit):>9}"
    if result.peer:
        text += f"   {result.ratio:5.2f} × {result.peer} ({human(result.peer_figure, result.unit)})"
    if result.goal:
        text += f"   goal {result.goal:g}: {result.verdict}"
    return text + (f"   {result.note}" if result.note else "")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.benchmarks", description="Medians, and ratios within one run.")
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS], metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON document")
    parser.add_argument("--peers", default="", metavar="FOLDER", help="install neighbours there and measure them too")
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="how often each thing is measured")
    parser.add_argument("--notes", type=int, default=0, metavar="N", help="fewer notes, for `teleport`")
    parser.add_argument("--keep", default="", metavar="FOLDER", help="make the vaults there and leave them")
    options = parser.parse_args()
    options.peers, options.keep = (path and os.path.abspath(path) for path in (options.peers, options.keep))
    return options


if __name__ == "__main__":
    sys.exit(main())
