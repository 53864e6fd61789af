"""The MCP server: its start, each tool, notes written one by one, many clients at once, and the size of its list.

It is spoken to as a client does, by lines of JSON over its standard input and output, so that no client's own time is
in the figures. The start is compared with importing the SDK alone, which is most of it.
"""

import json
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, Any

from tests.benchmarks.harness import Command, Result, Skipped, clean_environment, in_turn, program, seconds
from tests.benchmarks.workshop import PYTHON, Workshop

if TYPE_CHECKING:
    from tests.benchmarks.peers import Peer

SIZES = (1_000, 10_000)
WRITTEN = 200
WRITERS = (4, 8)
EACH = 25
SMALL = 1_000
GOALS = {"write": 0.02, "p95": 0.2, "list": 8_000.0}
CALLS: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("context", {}),
    ("memory_get", {"key": "NAME"}),
    ("memory_search", {"query": "QUERY"}),
    ("memory_recall", {"query": "QUERY"}),
    ("log_read", {"unread": False, "tail": 20}),
    ("log_append", {"text": "Watched the queue for ten minutes"}),
)


class Caller:
    """A client on a server of its own."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], cwd: str) -> None:
        self._number = 0
        self.process = subprocess.Popen(
            words,
            env=clean_environment(environment),
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> "Caller":
        who = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
        self.request("initialize", who)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(timeout=30)

    def request(self, method: str, params: object) -> Any:
        """The answer to one request."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self.process.stdout
        while line := self.process.stdout.readline():
            answer = json.loads(line)
            if answer.get("id") == self._number:
                return answer["result"]
        raise Skipped("the server ended before it answered")

    def call(self, tool: str, given: Mapping[str, object]) -> tuple[float, bool]:
        """Seconds that a tool took, and whether it did its work."""
        started = time.perf_counter()
        answer = self.request("tools/call", {"name": tool, "arguments": given})
        return time.perf_counter() - started, not answer.get("isError")

    def _send(self, message: object) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


def serve(shop: Workshop) -> Iterator[Result]:
    """Start to the first list of tools beside importing the SDK, p50 and p95 of each tool, and writers at once."""
    if find_spec("mcp") is None:
        raise Skipped("the extra `mcp` is not installed")
    yield from _start(shop)
    for notes in SIZES:
        yield from _tools(shop, notes)
    yield from _one_by_one(shop)
    for writers in WRITERS:
        yield from _at_once(shop, writers)
    for peer in shop.peers:
        yield from _neighbour(shop, peer)


def _neighbour(shop: Workshop, peer: "Peer") -> Iterator[Result]:
    """The same of a neighbour's server, over a copy of the vault, since it may write there."""
    vault, state = shop.vault(SMALL), shop.peer_state(peer, SMALL)
    copy = os.path.join(state, "vault")
    shutil.copytree(vault.root, copy)
    seconds(peer.build(copy, state))
    words, environment, _ = peer.serve(copy, state)
    started = time.perf_counter()
    with Caller(words, environment, copy) as caller:
        caller.request("tools/list", {})
        yield Result("mcp", f"start to first tools/list, {peer.name}", time.perf_counter() - started)
        found = [caller.call(*peer.search(vault.queries[n % len(vault.queries)].words)) for n in range(shop.rounds(20))]
        if all(done for _, done in found):
            yield _spread(f"search, {SMALL:,} notes, {peer.name}", [took for took, _ in found[1:]])
        if peer.write is None:
            return
        written = [caller.call(*peer.write(f"single-{number}")) for number in range(shop.rounds(20))]
        yield _spread(f"a note, written, {peer.name}", [took for took, _ in written])
    write = peer.write

    def one(who: int) -> list[tuple[float, bool]]:
        with Caller(words, environment, copy) as caller:
            return [caller.call(*write(f"w{who}-{number}")) for number in range(shop.rounds(10))]

    with ThreadPoolExecutor(WRITERS[0]) as pool:
        answers = [each for answered in pool.map(one, range(WRITERS[0])) for each in answered]
    refused = sum(not done for _, done in answers)
    note = f"{refused} of {len(answers)} refused"
    yield Result(
        "mcp", f"p95 with {WRITERS[0]} writers at once, {peer.name}", _p95([took for took, _ in answers]), note=note
    )


def _caller(shop: Workshop, notes: int) -> Caller:
    vault = shop.vault(notes)
    return Caller([*program(), "serve", "--agent", "lyra"], vault.environment, vault.root)


def _start(shop: Workshop) -> Iterator[Result]:
    importing = Command([*PYTHON, "from mcp.server import MCPServer"])
    times = []
    for _ in range(shop.rounds(7) + 1):
        started = time.perf_counter()
        with _caller(shop, SMALL) as caller:
            listed = caller.request("tools/list", {})["tools"]
            times.append(time.perf_counter() - started)
    (imported,) = in_turn([importing], shop.rounds(7), warm=1)
    taken = statistics.median(times[1:])
    yield Result("mcp", "start to first tools/list", taken, "import of the SDK", imported)
    size = len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False).encode())
    yield Result("mcp", f"list of {len(listed)} tools", size, "its bound", GOALS["list"], 1.0, unit="B")


def _tools(shop: Workshop, notes: int) -> Iterator[Result]:
    vault = shop.vault(notes)
    with _caller(shop, notes) as caller:
        for tool, given in CALLS:
            times = []
            for number in range(shop.rounds(30) + 3):
                query = vault.queries[number % len(vault.queries)].words
                words = {"NAME": vault.names[number % len(vault.names)], "QUERY": query}
                took, done = caller.call(tool, {key: words.get(str(value), value) for key, value in given.items()})
                if done:  # a name in another scope is refused, as it should be
                    times.append(took)
            if times:
                yield _spread(f"{tool}, {notes:,} notes", times[min(3, len(times) - 1) :])


def _one_by_one(shop: Workshop) -> Iterator[Result]:
    with _caller(shop, SMALL) as caller:
        times = []
        for number in range(WRITTEN if not shop.rounds(0) else shop.rounds(0) * 10):
            took, done = caller.call("memory_store", _note(f"single-{number}"))
            if not done:
                raise Skipped(f"note {number} was refused")
            times.append(took)
    p50 = statistics.median(times)
    note = f"p95 {_p95(times) * 1000:.3g} ms, {len(times)} notes, all there"
    yield Result("mcp", "a note, written durably", p50, "its bound", GOALS["write"], 1.0, note)


def _at_once(shop: Workshop, writers: int) -> Iterator[Result]:
    vault = shop.vault(SMALL)

    def write(who: int) -> list[tuple[float, bool]]:
        with _caller(shop, SMALL) as caller:
            return [caller.call("memory_store", _note(f"w{writers}-{who}-{number}")) for number in range(EACH)]

    with ThreadPoolExecutor(writers) as pool:
        answers = [one for answered in pool.map(write, range(writers)) for one in answered]
    refused = sum(not done for _, done in answers)
    folder = os.path.join(vault.root, "memory", "project", "main")
    there = sum(
        os.path.isfile(os.path.join(folder, f"w{writers}-{who}-{n}.md")) for who in range(writers) for n in range(EACH)
    )
    times = [took for took, _ in answers]
    note = f"p50 {statistics.median(times) * 1000:.3g} ms; {refused} refused, {len(answers) - refused - there} lost"
    yield Result("mcp", f"p95 with {writers} writers at once", _p95(times), "its bound", GOALS["p95"], 1.0, note)


def _note(name: str) -> dict[str, object]:
    return {"key": name, "value": f"Measured {name}: the queue is quiet.", "category": "daily"}


def _spread(what: str, times: Sequence[float]) -> Result:
    return Result("mcp", what, statistics.median(times), note=f"p95 {_p95(times) * 1000:.3g} ms")


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]
