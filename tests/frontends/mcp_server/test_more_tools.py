"""The tools of `mdmem serve --tools all`, as the official client sees them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

from mcp import Client

from markdown_memory.frontends.mcp_server.server import build
from markdown_memory.memory import Memory
from tests.conftest import Note
from tests.frontends.mcp_server.test_server import TOOLS, anyio_backend, call, complaint, vault

__all__ = ["anyio_backend", "vault"]
Open = Callable[..., Memory]
MORE = ["list", "links", "conflicts", "proposals", "withdraw"]

pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("default")]


def serving(open_as: Open) -> Client:
    return Client(build(lambda: open_as("lyra", via="mcp"), everything=True))


async def test_they_come_after_the_eleven_with_types_and_hints(open_as: Open) -> None:
    async with serving(open_as) as connected:
        tools = (await connected.list_tools()).tools
    assert [tool.name for tool in tools] == [*TOOLS, *MORE]
    for tool in tools:
        assert tool.annotations and tool.annotations.open_world_hint is False and tool.output_schema
    hints = {tool.name: tool.annotations.read_only_hint for tool in tools if tool.annotations}
    assert [hints[name] for name in MORE] == [True, True, True, True, False]
    dumped = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
    assert len(json.dumps(dumped, separators=(",", ":"))) < 14_000


async def test_links_lead_both_ways(open_as: Open, note: Note) -> None:
    note("memory/project/main/a.md", "See [[b]], [[nowhere-at-all]] and [c](../../reference/main/c.md).")
    note("memory/project/main/b.md", "Back to [[a]].")
    note("memory/reference/main/c.md", "`[[a]]` is code.")
    note("memory/private/ella/project/main/d.md", "[[a]]")
    note("inbox/ella/e.md", "[[a]]")
    async with serving(open_as) as connected:
        found = await call(connected, "links", key="a")
        assert {one["name"] for one in found["links"]} == {"b", "c"}
        assert [one["name"] for one in found["backlinks"]] == ["b"]
        assert found["nowhere"] == ["nowhere-at-all"]
        note("memory/reference/main/c.md", "Now [[a]] is a link.")
        found = await call(connected, "links", key="a")
        assert [one["name"] for one in found["backlinks"]] == ["b", "c"]
        assert "no note called" in await complaint(connected, "links", key="../../etc/passwd")


async def test_conflicts_are_told_of_the_vault_and_of_one_note(open_as: Open, note: Note) -> None:
    note("memory/project/main/database-14.md", "---\nupdated: 2026-01-01\n---\n\nThe database is PostgreSQL 14.")
    note("memory/project/main/database-16.md", "---\nupdated: 2026-02-01\n---\n\nThe database is PostgreSQL 16.")
    note("memory/private/ella/project/main/database-12.md", "The database is PostgreSQL 12.")
    async with serving(open_as) as connected:
        found = await call(connected, "conflicts")
        assert [(one["newer_path"][-14:], one["what"]) for one in found["conflicts"]] == [
            ("database-16.md", "16, not 14")
        ]
        assert found["total"] == 1 and found == await call(connected, "conflicts", key="database-14")
        assert "no note called" in await complaint(connected, "conflicts", key="nobody")


async def test_backlinks_come_in_pages(open_as: Open, note: Note) -> None:
    note("memory/user/hub.md", "x")
    for number in range(150):
        note(f"memory/user/n{number}.md", "[[hub]] " + "word " * 40)
    async with serving(open_as) as connected:
        names: list[str] = []
        offset = 0
        while offset or not names:
            page = await call(connected, "links", key="hub", max_results=100, offset=offset)
            assert len(json.dumps(page)) < 20_000 and page["backlinks_total"] == 150
            names += [one["name"] for one in page["backlinks"]]
            offset = page["next_offset"]
    assert len(names) == len(set(names)) == 150


async def test_notes_are_listed_by_what_they_are_in_pages(open_as: Open, note: Note) -> None:
    for number in range(60):
        note(f"memory/user/u{number:02}.md", f"---\ndescription: {'long ' * 60}\ntags: [tea]\n---\nx\n")
    note("memory/project/other/o.md", "x")
    async with serving(open_as) as connected:
        page = await call(connected, "list", type="user")
        assert page["total"] == 60 and 0 < len(page["notes"]) < 60 and page["next_offset"]
        rest = await call(connected, "list", type="user", offset=page["next_offset"], max_results=1)
        assert rest["notes"][0]["name"] not in {one["name"] for one in page["notes"]}
        assert (await call(connected, "list", tag="tea", max_results=3))["total"] == 60
        assert (await call(connected, "list", type="project"))["notes"] == []
        (other,) = (await call(connected, "list", type="project", everywhere=True))["notes"]
        assert other["branch"] == "other"
        assert (await call(connected, "list", offset=9_999))["notes"] == []


async def test_an_agent_lists_its_own_proposals_and_takes_one_back(open_as: Open, vault: Path) -> None:
    open_as("ella").retain("Ella's fact.")
    async with serving(open_as) as connected:
        for number in range(3):
            await call(connected, "retain", text=f"Fact number {number}. " + "More. " * 400)
        waiting = await call(connected, "proposals")
        assert waiting["total"] == 3 and all(len(one["text"]) < 1100 for one in waiting["proposals"])
        first = waiting["proposals"][0]
        done = await call(connected, "withdraw", ref=first["path"])
        assert done["path"].startswith("archive/inbox/lyra/") and not (vault / first["path"]).exists()
        assert (await call(connected, "proposals"))["total"] == 2
        for ref in (first["path"], "99", "../../etc/passwd", "inbox/ella/ella-s-fact.md"):
            assert "No proposal" in await complaint(connected, "withdraw", ref=ref) or "no proposal" in await complaint(
                connected, "withdraw", ref=ref
            )
    assert [one.agent for one in open_as("ella").inbox.list()] == ["ella"]


async def test_an_answer_stays_within_its_budget(open_as: Open) -> None:
    async with serving(open_as) as connected:
        for number in range(40):
            await call(connected, "retain", text=f"Fact {number}. " + "word " * 300)
        page: Any = await call(connected, "proposals", max_results=100)
        assert page["next_offset"] and len(json.dumps(page)) < 20_000


async def test_a_model_is_told_once_that_a_secret_was_masked(open_as: Open) -> None:
    token = "ghp_" + "a1B2" * 10
    async with serving(open_as) as client:
        done = await call(client, "retain", text=f"The token is {token}.")
        assert "What looks like a GitHub token was masked" in done["note"]
        entry = await call(client, "log_append", text=f"Used {token}")
        assert "masked" in entry["note"]
        assert (await call(client, "retain", text="Something harmless."))["note"] == ""
