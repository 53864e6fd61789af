"""How long it takes until all machines have seen what each has written; they share one bare repository."""

import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.benchmarks.harness import Result, Skipped
from tests.benchmarks.workshop import Workshop
from tests.system.swarm import Host, make_hosts

MACHINES = (2, 5, 10, 20)
RATES = (1, 10)
MOST = 60  # synchronisations of one machine; more would mean that some entry never arrives


def swarm(shop: Workshop) -> Iterator[Result]:
    """Every machine writes 1 or 10 log entries and synchronises at once with all others, until each has seen all."""
    if not shutil.which("git"):
        raise Skipped("git is not installed")
    least: dict[int, float] = {}
    for count in MACHINES:
        folder = Path(shop.folder) / f"swarm-{count}"
        hosts = make_hosts(folder, count)
        for rate in RATES:
            seconds, syncs = _until_all_have_seen_all(hosts, rate)
            least.setdefault(rate, seconds)
            what = f"{count} machines, {rate} {'entry' if rate == 1 else 'entries'} each"
            note = f"{syncs / count:.1f} synchronisations a machine"
            yield Result("swarm", what, seconds, f"{MACHINES[0]} machines", least[rate], note=note)


def _until_all_have_seen_all(hosts: list[Host], rate: int) -> tuple[float, int]:
    """Seconds from the first entry on, and how many synchronisations it took together."""
    wanted: set[str] = set()
    started = time.perf_counter()
    for host in hosts:
        host.now = time.time()
        with host.open("lyra") as lyra:
            wanted |= {lyra.log.append(f"entry {number} of {host.name}").id for number in range(rate)}
    with ThreadPoolExecutor(len(hosts)) as pool:
        syncs = sum(pool.map(lambda host: _until_it_has_seen(host, wanted), hosts))
    return time.perf_counter() - started, syncs


def _until_it_has_seen(host: Host, wanted: set[str]) -> int:
    for number in range(1, MOST + 1):
        host.now = time.time()
        with host.open() as memory:
            memory.sync()
            seen = {entry.id for entry in memory.workspace.logs.read("live-context").entries}
        if wanted <= seen:
            return number
    raise AssertionError(f"{host.name} has not seen {len(wanted - seen)} entries after {MOST} synchronisations")
