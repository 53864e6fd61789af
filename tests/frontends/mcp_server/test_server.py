"""The MCP server as the official client sees it, in memory and over standard input and output."""

import json
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

from mcp import Client, StdioServerParameters

from markdown_memory.frontends.mcp_server.server import build
from markdown_memory.memory import Memory, Places

TOOLS = [
    "context", "memory_get", "memory_search", "memory_recall", "memory_store", "memory_forget", "retain", "decide",
    "checkpoint", "log_append", "log_read",
]  # fmt: skip
Open = Callable[..., Memory]

pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("default")]


@pytest.fixture
def vault(tmp_path: Path, places: Places, clock: Callable[[], float]) -> Path:
    """A new vault in the places that `open_as` uses."""
    root = tmp_path / "vault"
    Memory.init(str(root), agents=["lyra", "ella"], person="ana", places=places, clock=clock).close()
    return root


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def client(open_as: Open, mode: str = "auto") -> AsyncIterator[Client]:
    async with Client(build(lambda: open_as("lyra", via="mcp")), mode=mode) as connected:
        yield connected


async def call(connected: Client, tool: str, **arguments: object) -> Any:
    """What a tool returns, as a value; fails when it is an error."""
    answer = await connected.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    content: Any = answer.structured_content
    return content.get("result", content)


async def complaint(connected: Client, tool: str, **arguments: object) -> str:
    """The sentence of a tool that refuses."""
    answer = await connected.call_tool(tool, arguments)
    assert answer.is_error
    return str(getattr(answer.content[0], "text", ""))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_tools_are_eleven_told_apart_and_small(open_as: Open, mode: str) -> None:
    async with client(open_as, mode) as connected:
        tools = (await connected.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS
    dumped = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
    wire = json.dumps(dumped, separators=(",", ":"))
    assert len(wire) < 8_000
    reading = [tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint]
    assert reading == ["context", "memory_get", "memory_search", "memory_recall", "log_read"]


async def test_listing_comes_before_the_vault_is_touched() -> None:
    def never() -> Memory:
        raise AssertionError("the vault was opened")

    async with Client(build(never)) as connected:
        assert len((await connected.list_tools()).tools) == 11
        assert len((await connected.list_prompts()).prompts) == 3
    async with Client(build(never, recall=False)) as connected:
        assert "memory_recall" not in [tool.name for tool in (await connected.list_tools()).tools]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_day_of_an_agent(open_as: Open, vault: Path, mode: str) -> None:
    open_as("ella").log.append("Shipped the refresh fix", kind="fix")
    async with client(open_as, mode) as connected:
        assert "Shipped the refresh fix" in await call(connected, "context")
        stored = await call(connected, "memory_store", key="plan", value="Move to PostgreSQL 16", category="daily")
        assert (vault / stored["path"]).exists() and stored["status"] == "accepted"
        note = await call(connected, "memory_get", key="plan")
        assert "Move to PostgreSQL 16" in note["text"] and note["status"] == "accepted"
        found = await call(connected, "memory_search", query="postgresql")
        assert [hit["name"] for hit in found["hits"]] == ["plan"]
        recalled = await call(connected, "memory_recall", query="what about postgresql 16")
        assert [hit["name"] for hit in recalled["hits"]] == ["plan"]
        kept = await call(connected, "retain", text="pier-1 has 64 GB.", kind="fact", source="free -g")
        assert kept["status"] == "waiting"
        decided = await call(connected, "decide", decision="PostgreSQL 16", because="14 is end of life")
        assert decided["path"].startswith("inbox/lyra/")
        entry = await call(connected, "log_append", text="Read the plan", kind="note")
        assert entry["id"].startswith("lyra-")
        saved = await call(connected, "checkpoint", goal="Move", next=["dump"])
        assert "dump" in (vault / saved["path"]).read_text()
        assert (await call(connected, "checkpoint", finished=True))["status"] == "archived"
        gone = await call(connected, "memory_forget", key="plan")
        assert gone["path"].startswith("archive/")
    assert open_as().verify().sound


async def test_the_log_is_read_once(open_as: Open) -> None:
    open_as("ella").log.append("One")
    async with client(open_as) as connected:
        assert len((await call(connected, "log_read"))["entries"]) == 1
        assert (await call(connected, "log_read"))["entries"] == []
        assert len((await call(connected, "log_read", unread=False))["entries"]) == 1


async def test_what_an_agent_stores_as_core_waits(open_as: Open) -> None:
    async with client(open_as) as connected:
        stored = await call(connected, "memory_store", key="fact", content="It rains.")
        assert stored["status"] == "proposal" and stored["path"].startswith("inbox/lyra/")
        assert (await call(connected, "memory_get", key="fact"))["status"] == "proposal"


async def test_recall_of_something_unrelated_is_empty(open_as: Open) -> None:
    async with client(open_as) as connected:
        await call(connected, "memory_store", key="plan", value="Move to PostgreSQL 16", category="daily")
        assert (await call(connected, "memory_recall", query="moonlit mountains in a haiku"))["hits"] == []


async def test_long_answers_come_in_pages(open_as: Open) -> None:
    async with client(open_as) as connected:
        await call(connected, "memory_store", key="long", value="word " * 6_000, category="daily")
        first = await call(connected, "memory_get", key="long")
        rest = await call(connected, "memory_get", key="long", offset=first["next_offset"])
        assert len(first["text"]) == first["next_offset"] and rest["text"]
        for number in range(30):
            await call(connected, "memory_store", key=f"n{number}", value=f"walrus {number} " * 9, category="daily")
        page = await call(connected, "memory_search", query="walrus", max_results=20)
        more = await call(connected, "memory_search", query="walrus", max_results=20, offset=page["next_offset"])
        names = [hit["name"] for hit in (*page["hits"], *more["hits"])]
        assert len(names) == len(set(names)) == 30


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("memory_get", {"key": "no-such"}, "no note called 'no-such'"),
        ("memory_get", {"key": "../../etc/passwd"}, "no note"),
        ("memory_get", {"key": "/etc/passwd"}, "no note"),
        ("memory_get", {"key": "a\0b"}, "no note"),
        ("memory_get", {"key": ""}, "at least 1 character"),
        ("memory_get", {"key": "x" * 10_000}, "at most 500 characters"),
        ("memory_store", {"key": "x"}, "nothing to store"),
        ("memory_store", {"key": "a\nb", "value": "x", "category": "daily"}, "single line"),
        ("memory_store", {"key": "x", "value": "y" * 10_000_000}, "at most 200000 characters"),
        ("memory_search", {"query": "x", "max_results": 0}, "greater than or equal to 1"),
        ("memory_search", {"query": "x", "max_results": 10_000}, "less than or equal to 100"),
        ("retain", {"text": "x", "kind": "gossip"}, "'decision', 'fact'"),
        ("retain", {"text": "   "}, "text"),
        ("log_append", {"text": "x", "kind": "Not A Slug"}, "kind"),
        ("log_append", {"text": "x", "ack": ["nobody-1234-7"]}, "no entry nobody-1234-7"),
        ("checkpoint", {}, "needs a goal"),
        ("checkpoint", {"finished": True}, "no checkpoint"),
        ("decide", {"decision": "x", "because": " "}, "why"),
        ("memory_forget", {"key": "identity/lyra.md"}, "person"),
    ],
)
async def test_bad_arguments_get_the_sentence_that_a_person_would(
    open_as: Open, tool: str, arguments: dict[str, Any], words: str
) -> None:
    async with client(open_as) as connected:
        said = await complaint(connected, tool, **arguments)
        assert words in said and "Traceback" not in said
        assert len(said) < 2_000
        assert "agent lyra" in await call(connected, "context")


async def test_resources_are_the_files(open_as: Open) -> None:
    open_as().store("tea", "Green.", type="user")
    async with client(open_as) as connected:
        for uri, text in [
            ("memory://index", "[tea]"),
            ("memory://note/memory/user/tea.md", "Green."),
            ("memory://identity/lyra", "lyra"),
        ]:
            (content,) = (await connected.read_resource(uri)).contents
            assert text in getattr(content, "text", "")


async def test_a_moved_vault_is_said_and_a_returned_one_is_opened_again(open_as: Open, vault: Path) -> None:
    async with client(open_as) as connected:
        await call(connected, "context")
        aside = vault.rename(vault.with_name("aside"))
        assert "vault" in await complaint(connected, "memory_get", key="tea")
        aside.rename(vault)
        assert "agent lyra" in await call(connected, "context")


async def test_an_edit_by_hand_is_served_at_once(open_as: Open, vault: Path) -> None:
    async with client(open_as) as connected:
        await call(connected, "memory_store", key="plan", value="walrus", category="daily")
        (path,) = vault.glob("memory/project/*/plan.md")
        path.write_text(path.read_text().replace("walrus", "narwhal"))
        assert [hit["name"] for hit in (await call(connected, "memory_search", query="narwhal"))["hits"]] == ["plan"]
        assert "narwhal" in (await call(connected, "memory_get", key="plan"))["text"]


async def test_the_command_serves_over_standard_input_and_output(tmp_path: Path, vault: Path) -> None:
    env = {"MDMEM_HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    words = ["-m", "markdown_memory", "serve", "--vault", str(vault), "--agent", "lyra"]
    async with Client(StdioServerParameters(command=sys.executable, args=words, env=env)) as connected:
        assert [tool.name for tool in (await connected.list_tools()).tools] == TOOLS
        assert "agent lyra" in await call(connected, "context")
        await call(connected, "log_append", text="Over stdio")
    assert "Over stdio" in "".join(path.read_text() for path in vault.glob("nexus/log/live-context/*/*.md"))


@pytest.mark.parametrize("controlled", [False, True])
async def test_the_list_of_tools_is_there_before_the_vault_is_opened(
    controlled: bool, vault: Path, places: Places, tmp_path: Path
) -> None:
    if controlled:
        settings = vault / "Settings.md"
        settings.write_text(settings.read_text().replace("\nstore = ", "\nacl_enabled = true\nstore = "))
    shutil.rmtree(places.cache)
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "markdown_memory", "serve", "--vault", str(vault), "--agent", "lyra"],
        env={"MDMEM_HOME": str(Path(places.config).parent)},
        cwd=str(tmp_path),
    )
    async with Client(server) as connected:
        names = [tool.name for tool in (await connected.list_tools()).tools]
        assert ("memory_recall" in names) is not controlled
        assert not Path(places.cache).exists(), "the catalog is opened by what asks for notes"
        await call(connected, "log_read")
        assert Path(places.cache).exists()
