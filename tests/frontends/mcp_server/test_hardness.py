"""`mdmem serve` as a process under hostile calls, under several clients at once, and with the vault moving under it."""

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

from mcp import Client, StdioServerParameters

from tests.frontends.conftest import Shell
from tests.frontends.mcp_server.test_server import anyio_backend, call

__all__ = ["anyio_backend"]
pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("default")]

HUGE = "x" * 10_000_000
NAMES = [
    "../../etc/passwd",
    "..\\..\\etc\\passwd",
    "/etc/passwd",
    "C:\\Windows\\win.ini",
    "file:///etc/passwd",
    "~/.ssh/id_ed25519",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "memory/../../secret.md",
    "memory/project/main/../../../../secret.md",
    "a\0b",
    "con",
    "nul.md",
    "memory/project/main/evil.md",
    "memory/project/main/loop.md",
    "memory/project/main/pipe.md",
    "memory/private/ella/project/main/hers.md",
    "inbox/ella/hers-too.md",
    ".mdmem/lock",
    ".obsidian/app.json",
    "",
    " ",
    "x" * 501,
    HUGE,
]
Case = tuple[str, dict[str, object]]
NAMED = (("memory_get", "key"), ("memory_forget", "key"), ("links", "key"), ("withdraw", "ref"))
AMONG_NAMES: list[Case] = [(tool, {argument: name}) for tool, argument in NAMED for name in NAMES]
CASES: list[Case] = [
    *AMONG_NAMES,
    ("memory_get", {"key": ["a"]}),
    ("memory_get", {}),
    ("memory_get", {"key": "tea", "offset": -1}),
    ("memory_get", {"key": "tea", "offset": 10**30}),
    ("memory_get", {"key": "tea", "offset": "next"}),
    ("memory_store", {"key": "../../x", "value": "", "category": "daily"}),
    ("memory_store", {"key": "a\nb", "value": "x", "category": "daily"}),
    ("memory_store", {"key": "a\u202eb", "value": "x", "category": "daily"}),
    ("memory_store", {"key": "tea", "value": HUGE, "category": "daily"}),
    ("memory_store", {"key": "tea", "value": "other words", "category": "daily"}),
    ("memory_store", {"key": "tea", "value": "x", "category": "daily", "if_hash": "0" * 64}),
    ("memory_store", {"key": "tea", "value": "x", "category": "x" * 5_000}),
    ("memory_store", {"key": HUGE, "value": "x"}),
    ("memory_search", {"query": HUGE}),
    ("memory_search", {"query": "tea", "offset": -5}),
    ("memory_search", {"query": "tea", "max_results": 10**12}),
    ("memory_search", {"query": {"$ne": ""}}),
    ("memory_recall", {"query": HUGE}),
    ("retain", {"text": HUGE}),
    ("retain", {"text": "\u200b \n"}),
    ("retain", {"text": "x", "kind": "../decision"}),
    ("retain", {"text": "x", "source": HUGE}),
    ("decide", {"decision": HUGE, "because": "x"}),
    ("decide", {"decision": "x", "because": ""}),
    ("log_append", {"text": HUGE}),
    ("log_append", {"text": ""}),
    ("log_append", {"text": "x", "kind": "../../x"}),
    ("log_append", {"text": "x", "ack": ["../../etc/passwd"]}),
    ("log_append", {"text": "x", "ack": ["x"] * 51}),
    ("log_read", {"since": "yesterday-ish"}),
    ("log_read", {"tail": -1}),
    ("checkpoint", {"goal": HUGE}),
    ("checkpoint", {"goal": "x", "files": [HUGE]}),
    ("context", {"limit": 10**9}),
    ("context", {"limit": 1}),
    ("context", {"query": HUGE}),
    ("proposals", {"offset": -1}),
    ("list", {"max_results": 0}),
    ("no_such_tool", {}),
]


def parameters(shell: Shell, *more: str, cwd: Path | str | None = None, **env: str) -> StdioServerParameters:
    words = ["-m", "markdown_memory", "serve", "--agent", "lyra", "--tools", "all", *more]
    return StdioServerParameters(
        command=sys.executable, args=words, env=shell.env | env, cwd=str(cwd or shell.cwd), encoding="utf-8"
    )


@pytest.fixture
def trapped(shell: Shell, vault: Path, tmp_path: Path) -> Path:
    """A vault with a note, somebody's private one, and links and a pipe that lead astray."""
    shell.fine("store", "tea", "Green tea.")
    (tmp_path / "secret.md").write_text("the root password")
    for path, text in (("memory/private/ella/project/main/hers.md", "hers"), ("inbox/ella/hers-too.md", "hers")):
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_text(text)
    folder = vault / "memory/project/main"
    (folder / "evil.md").symlink_to(tmp_path / "secret.md")
    (folder / "loop.md").symlink_to("loop.md")
    subprocess.run(["mkfifo", str(folder / "pipe.md")], check=True)
    return vault


async def test_every_hostile_call_gets_a_short_refusal_and_changes_nothing(shell: Shell, trapped: Path) -> None:
    before = kept(trapped)
    wrong = []
    async with Client(parameters(shell)) as client:
        for tool, arguments in CASES:
            said = await refused(client, tool, arguments)
            shown = f"{tool} {str(arguments)[:90]}: {said[:300]}"
            if not said or len(said) > 2_500 or "Traceback" in said or "root password" in said:
                wrong.append(shown)
        assert "agent lyra" in await call(client, "context")
        assert "Green tea" in (await call(client, "memory_get", key="tea"))["text"]
    assert not wrong and len(CASES) >= 50
    assert kept(trapped) == before


async def test_a_server_in_a_clone_that_is_not_trusted_reads_and_refuses_to_write(shell: Shell) -> None:
    vault, clone = shell.cwd / "notes", shell.cwd / "clone"
    shell.fine("init", str(vault), "--agents", "lyra")
    shell.fine("store", "tea", "Green tea.")
    shutil.copytree(vault, clone)
    before = kept(vault) | kept(clone)
    writes: list[Case] = [
        ("memory_store", {"key": "cake", "value": "Cake.", "category": "daily"}),
        ("retain", {"text": "Cake is eaten at five."}),
        ("decide", {"decision": "Cake", "because": "We like it."}),
        ("log_append", {"text": "Had cake."}),
        ("checkpoint", {"goal": "Cake"}),
    ]
    async with Client(parameters(shell, cwd=clone)) as client:
        for tool, arguments in writes:
            said = await refused(client, tool, arguments)
            assert f"`mdmem trust {clone}`" in said and "say --vault" in said, (tool, said)
        assert "Green tea" in (await call(client, "memory_get", key="tea"))["text"]
    assert kept(vault) | kept(clone) == before
    assert not any("cake" in path.read_text().lower() for path in (vault / "nexus").rglob("*.md"))


def kept(vault: Path) -> dict[str, bytes]:
    """Every file of the vault; its logs may grow, and what is no file is none."""
    found = (path for path in vault.rglob("*") if path.is_file() and not path.is_symlink())
    texts = {path.relative_to(vault).as_posix(): path.read_bytes() for path in found}
    return {path: data for path, data in texts.items() if not path.startswith(("nexus/", ".mdmem/"))}


async def refused(client: Client, tool: str, arguments: dict[str, object]) -> str:
    """The sentence of the refusal; "" when the call went through."""
    answer: Any = await client.call_tool(tool, arguments)
    return str(answer.content[0].text) if answer.is_error else ""


async def test_a_strange_name_becomes_a_safe_file_or_is_refused(shell: Shell, vault: Path) -> None:
    async with Client(parameters(shell)) as client:
        for name in ("\x1b[2J", "a|b", "über \U0001f469", "a" * 190, "Aux", "..hidden", "a/b", "- x", "---", "../../x"):
            answer: Any = await client.call_tool("memory_store", {"key": name, "value": "x", "category": "daily"})
            if not answer.is_error:
                path = vault / answer.structured_content["path"]
                assert path.is_file() and path.parent == vault / "memory/project/main"
                assert (await call(client, "memory_get", key=answer.structured_content["path"]))["name"] == name
            else:
                assert "single line" in answer.content[0].text


async def test_four_clients_writing_at_once_lose_nothing(shell: Shell, vault: Path) -> None:
    each = 12
    kept: list[str] = []

    async def write(who: int) -> None:
        async with Client(parameters(shell)) as client:
            for number in range(each):
                stored = await call(
                    client, "memory_store", key=f"n{who}-{number}", value=f"walrus {who} {number}", category="daily"
                )
                kept.append(stored["path"])
                if number % 3 == 0:
                    await call(client, "log_append", text=f"did {who} {number}")
                    await call(client, "retain", text=f"Fact {who} {number} holds.")

    async with anyio.create_task_group() as group:
        for who in range(4):
            group.start_soon(write, who)
    assert len(kept) == 4 * each == len(set(kept)) and all((vault / path).is_file() for path in kept)
    assert len(list((vault / "inbox/lyra").glob("*.md"))) == 16
    async with Client(parameters(shell)) as client:
        log = (await call(client, "log_read", unread=False, tail=100))["entries"]
        assert len([line for line in log if "did " in line]) == 16
        assert (await call(client, "list", category="daily", max_results=1))["total"] == 4 * each
    assert "All is sound" in shell.fine("verify")


async def test_an_edit_by_hand_is_served_within_a_second(shell: Shell, vault: Path) -> None:
    shell.fine("store", "animal", "It is a walrus.")
    (file,) = vault.glob("memory/project/*/animal.md")
    async with Client(parameters(shell)) as client:
        for word in ("narwhal", "beluga", "manatee"):
            assert not (await call(client, "memory_search", query=word))["hits"]
            file.write_text(f"---\nname: animal\n---\n\nIt is a {word}.\n")
            started = time.monotonic()
            hits: list[dict[str, object]] = []
            while not hits and time.monotonic() - started < 1:  # a slow scan is believed for some time
                hits = (await call(client, "memory_search", query=word))["hits"]
            assert [hit["name"] for hit in hits] == ["animal"]
            assert word in (await call(client, "memory_get", key="animal"))["text"]


async def test_the_server_outlives_a_vault_that_is_moved_and_one_that_is_put_in_its_place(
    shell: Shell, vault: Path
) -> None:
    shell.fine("store", "tea", "Green tea.")
    copy = vault.with_name("copy")
    subprocess.run(["cp", "-a", str(vault), str(copy)], check=True)
    (copy / "memory/project/main/tea.md").write_text("---\nname: tea\n---\n\nBlack tea.\n")
    async with Client(parameters(shell)) as client:
        await call(client, "log_append", text="before")
        assert "Green" in (await call(client, "memory_get", key="tea"))["text"]
        aside = vault.rename(vault.with_name("aside"))
        said = await refused(client, "memory_get", {"key": "tea"})
        assert "vault" in said and "Traceback" not in said and not vault.exists()
        copy.rename(vault)
        assert "Black" in (await call(client, "memory_get", key="tea"))["text"]
        assert "tea" in str((await call(client, "memory_search", query="black"))["hits"])
        vault.rename(copy)
        aside.rename(vault)
        assert "Green" in (await call(client, "memory_get", key="tea"))["text"]
        (vault / "Settings.md").write_text("no settings at all")
        said = await refused(client, "memory_store", {"key": "x", "value": "y", "category": "daily"})
        assert said and "Traceback" not in said


@pytest.fixture
def projects(shell: Shell, vault: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Two repositories, linked as two projects of the vault."""
    repositories = tmp_path / "shop", tmp_path / "blog"
    for repository in repositories:
        subprocess.run(["git", "init", "-q", "-b", "main", str(repository)], check=True)
        here = Shell(shell.home, repository)
        here.env |= shell.env
        here.fine("link", "--project", repository.name)
        here.fine("store", "deploys", f"How {repository.name} is deployed.")
    return repositories


async def test_the_server_says_which_project_it_serves(shell: Shell, projects: tuple[Path, Path]) -> None:
    shop, blog = projects
    for cwd, env, words in (
        ("/", {}, "project home"),
        (shop, {}, "project shop"),
        ("/", {"CLAUDE_PROJECT_DIR": str(shop)}, "project shop"),
        (blog, {"CLAUDE_PROJECT_DIR": str(shop)}, "project shop"),
        ("/", {"CLAUDE_PROJECT_DIR": "${CLAUDE_PROJECT_DIR}"}, "project home"),
    ):
        async with Client(parameters(shell, cwd=cwd, **env)) as client:
            context = await call(client, "context")
            assert words in context.splitlines()[1], (cwd, env)
            unplaced = words == "project home"
            assert ("the projects blog and shop" in context) == unplaced and len(context.encode()) <= 6000
