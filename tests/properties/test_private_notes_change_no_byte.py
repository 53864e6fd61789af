"""Whatever lies in one agent's private folder: what another one gets from any door is the same, byte for byte.

A vault is made once, with its home; for every example it is laid out anew at the same path, one agent's private notes
are put into it, by hand or through the package, and every door is asked as somebody else. Then the private notes are
replaced by others, and every door says the same again.
"""

import asyncio
import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.frontends.cli.app import run
from markdown_memory.frontends.cli.surroundings import Surroundings
from markdown_memory.memory import Memory
from markdown_memory.memory.parts import Parts
from markdown_memory.storage.places import default_places
from tests.frontends.test_help import commands
from tests.properties.doors import ASIDE, CALLS, DOING, LOOKING, PARTS

NOW = 1796004784.0
LAWS = int(os.environ.get("MDMEM_LAWS", "2"))
"""Examples of each law; they take seconds each, so none is made smaller."""
UNSHRUNK = (Phase.explicit, Phase.generate)
NAMES = ["plan", "Plan", "plam", "zebra", "tea time"]
WORDS = st.sampled_from(["zebra", "okapi", "plan", "[[plan]]", "tea", "#zebra", "[[zebra|x]]", "secret"])
BODIES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
FOLDERS = ["project/main", "user", "archive/project/main", "inbox", "checkpoints", "project/@shop/main", "log/2026-11"]
HEADS = ["", "---\nname: plan\n---\n", "---\nname: [broken\n---\n", "\0", "---\naccept: true\nname: zebra\n---\n"]


class Private(NamedTuple):
    """One private note: where, its head and body; `stored` through the package, else written by hand."""

    folder: str
    name: str
    head: str
    body: str
    stored: bool


PRIVATE = st.builds(
    Private, st.sampled_from(FOLDERS), st.sampled_from(NAMES), st.sampled_from(HEADS), BODIES, st.booleans()
)
SETS = st.lists(PRIVATE, max_size=5)
CROWD = [Private("user", f"n{number}", "", "zebra", False) for number in range(12)]
MANY = st.builds(lambda some, more: [*some, *more], SETS, st.sampled_from([[], CROWD]))


class Site:
    """A vault with its home at one path, which can be laid out anew."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.first = folder / "site", folder / "first"
        self.vault = self.folder / "vault"
        self.places = default_places(str(self.folder / "home"))
        self.folder.mkdir()
        Memory.init(
            str(self.vault), agents=["lyra", "ella"], person="ana", places=self.places, clock=lambda: NOW
        ).close()
        with self.open("") as ana:
            ana.store("plan", "The shared plan for the zebra.")
            ana.store("okapi", "See [[plan]] and [[zebra]].", type="reference")
        for agent in ("lyra", "ella"):
            with self.open(agent) as memory:
                memory.log.append(f"{agent} is here")
                memory.search("zebra")
        (self.vault / "memory/private/ella").mkdir(parents=True)
        shutil.copytree(self.folder, self.first)

    def open(self, agent: str, person_present: bool | None = None, via: str = "api") -> Memory:
        return Memory.open(
            str(self.vault), agent=agent, places=self.places, clock=lambda: NOW, cwd=str(self.vault),
            person_present=person_present, via=via,
        )  # fmt: skip

    def lay_out(self, controlled: bool) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(self.first, self.folder, copy_function=shutil.copy2)
        if controlled:
            settings = self.vault / "Settings.md"
            settings.write_text(settings.read_text().replace("\nstore = ", "\nacl_enabled = true\nstore = "))

    def fill(self, notes: Sequence[Private]) -> None:
        """Replace ella's private notes by these; their signed ledger stays, or she would need a new key."""
        home = self.vault / "memory/private/ella"
        for file in home.rglob("*.md"):
            if not file.name.startswith("private-ella-"):
                file.unlink()
        for note in notes:
            if not note.stored:
                file = home / note.folder / f"{note.name}.md"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(note.head + note.body)
        if any(note.stored for note in notes):
            with self.open("ella") as ella:
                for number, note in enumerate(note for note in notes if note.stored):
                    ella.store(f"{note.name}{number}", note.body, category="daily", private=True)
                ella.search("zebra")

    def ask(self, agent: str, words: Sequence[str]) -> str:
        """Exit code and everything that a command prints."""
        places = {"out": self.folder / "out.mdmem", "opened": self.folder / "opened"}
        words = [word.format(**places) for word in words]
        if words[:2] == ["snapshot", "make"]:
            places["out"].unlink(missing_ok=True)
        here = Surroundings(
            vault=str(self.vault), agent=agent, home=str(self.folder / "home"), cwd=str(self.vault),
            clock=lambda: NOW,
        )  # fmt: skip
        out, err = _Stream(), _Stream()
        with redirect_stdout(out), redirect_stderr(err):
            code = run([*words, "--json"], here)
        return f"$ {' '.join(words)}\n{code}\n{out.text()}\n{err.text()}"

    def everything(self, agent: str) -> list[str]:
        """What every door that only looks says."""
        return [*(self.ask(agent, words) for words in LOOKING), *(self._api(agent) if agent else ())]

    def _api(self, agent: str) -> list[str]:
        """What only programs ask."""
        asked: Sequence[Callable[[Memory], object]] = (
            lambda memory: memory.memory_tool.run({"command": "view", "path": "/memories"}),
            lambda memory: memory.links.of("plan"),
            lambda memory: memory.links.of("okapi"),
            lambda memory: memory.like("zebra plan", ""),
            lambda memory: memory.index(),
        )
        said = []
        for ask in asked:
            try:
                with self.open(agent) as memory:
                    said.append(repr(ask(memory)))
            except MarkdownMemoryError as error:
                said.append(str(error))
        return said

    def acts(self, agent: str) -> list[str]:
        """What doors that write say, what an MCP client gets, and what is shared on the disk then."""
        said = [self.ask(agent, words) for words in DOING]
        said += asyncio.run(self._tools(agent))
        return said + [f"{path}\n{data}" for path, data in self._shared()]

    async def _tools(self, agent: str) -> list[str]:
        pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
        from mcp import Client

        from markdown_memory.frontends.mcp_server.server import build

        def opened() -> Memory:
            return self.open(agent, person_present=False, via="mcp")

        async with Client(build(opened, everything=True)) as client:
            said = [_dumped(await client.list_tools()), _dumped(await client.list_resources())]
            said += [_dumped(await client.list_prompts()), _dumped(await client.list_resource_templates())]
            for name, arguments in CALLS:
                said.append(_dumped(await client.call_tool(name, arguments)))
            for address in ("memory://index", "memory://log", "memory://identity/ella", "memory://note/plan"):
                said.append(_dumped(await client.read_resource(address)))
        return said

    def _shared(self) -> Iterator[tuple[str, str]]:
        """What is on the disk outside private folders, without the entries of this run (salted)."""
        for path in sorted(self.vault.rglob("*.md")):
            name = path.relative_to(self.vault).as_posix()
            if not name.startswith(("memory/private/", "nexus/log/")):
                yield name, path.read_text(errors="replace")


class _Stream(io.TextIOWrapper):
    """A stream with the bytes beneath, as the standard ones have them."""

    def __init__(self) -> None:
        self.written = io.BytesIO()
        super().__init__(self.written, encoding="utf-8", errors="backslashreplace")

    def text(self) -> str:
        self.flush()
        return self.written.getvalue().decode()


def _dumped(answer: Any) -> str:
    return json.dumps(answer.model_dump(mode="json"), sort_keys=True)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        yield Site(Path(folder))


def _same(before: list[str], after: list[str]) -> None:
    for one, other in zip(before, after, strict=True):
        assert one == other


def test_every_door_of_the_program_is_asked_or_left_out_with_a_reason() -> None:
    asked = {" ".join(words[:size]) for words in (*LOOKING, *DOING) for size in (1, 2)}
    there = {" ".join(path) for path, _ in commands()}
    groups = {path.rpartition(" ")[0] for path in there}
    assert there - groups - asked - ASIDE.keys() == set()
    assert {name for name in dir(Parts) if not name.startswith("_")} - PARTS.keys() == set()
    assert {said for said in PARTS.values() if said not in ("", "api")} <= asked


async def _names() -> set[str]:
    from mcp import Client

    from markdown_memory.frontends.mcp_server.server import build

    def opened() -> Memory:
        raise AssertionError("The list of tools needs no vault.")

    async with Client(build(opened, everything=True)) as client:
        return {tool.name for tool in (await client.list_tools()).tools}


def test_every_tool_of_the_server_is_called() -> None:
    pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
    assert asyncio.run(_names()) == {name for name, _ in CALLS}


@pytest.mark.slow
@settings(max_examples=LAWS, phases=UNSHRUNK)
@given(one=MANY, other=MANY, controlled=st.booleans())
def test_replacing_an_agents_private_notes_changes_no_byte_that_another_agent_gets(
    site: Site, one: list[Private], other: list[Private], controlled: bool
) -> None:
    site.lay_out(controlled)
    site.fill(one)
    first = site.everything("lyra")
    site.fill(other)
    _same(first, site.everything("lyra"))


@settings(max_examples=-(-LAWS // 2), phases=UNSHRUNK)
@given(one=MANY, other=MANY, controlled=st.booleans())
def test_nor_a_byte_of_what_another_agents_acts_lead_to(
    site: Site, one: list[Private], other: list[Private], controlled: bool
) -> None:
    done = []
    for notes in (one, other):
        site.lay_out(controlled)
        site.fill(notes)
        done.append(site.acts("lyra"))
    _same(*done)


@settings(max_examples=-(-LAWS // 2), phases=UNSHRUNK)
@given(one=MANY, other=MANY)
def test_nor_a_byte_that_somebody_gets_whom_nobody_vouches_for(
    site: Site, one: list[Private], other: list[Private]
) -> None:
    site.lay_out(True)
    site.fill(one)
    first = site.everything("")
    site.fill(other)
    _same(first, site.everything(""))


def test_the_doors_do_tell_the_owner(site: Site) -> None:
    site.lay_out(True)
    site.fill([])
    nothing = site.everything("ella")
    site.fill([Private("project/main", "plan", "", "zebra", False)])
    assert sum(one != other for one, other in zip(nothing, site.everything("ella"), strict=True)) > 5
