"""`mdmem serve --http` as a process on a real port: the official client, and what a hostile page would send."""

import http.client
import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from markdown_memory.frontends.mcp_server.http import LOOPBACK
from tests.frontends.conftest import Shell

pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("default")]


class Served(NamedTuple):
    """A running server, and what it said when it started."""

    address: str
    token: str
    said: str


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def started(shell: Shell, *more: str) -> "tuple[subprocess.Popen[bytes], str, str]":
    """The process, its first line, and what it told beside that."""
    process = shell.start("serve", "--agent", "lyra", "--http", "--port", "0", *more)
    assert process.stdout and process.stderr
    address = process.stdout.readline().decode().strip()
    said = ""
    while address and "kept in" not in said:
        said += process.stderr.readline().decode()
    return process, address, said


def stopped(process: "subprocess.Popen[bytes]") -> bytes:
    """End it as Ctrl-C does; what it said last."""
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    return err


@pytest.fixture
def served(shell: Shell, vault: Path) -> Iterator[Served]:
    process, address, said = started(shell)
    token = (shell.home / "mdmem/config/serve-token").read_text().strip()
    yield Served(address, token, said)
    assert b"Traceback" not in stopped(process)


def answer(served: Served, **headers: str) -> int:
    """The status of one request with these headers beside those that every request has."""
    at = urlsplit(served.address)
    connection = http.client.HTTPConnection(at.hostname or "", at.port, timeout=30)
    who = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": who}
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST", at.path, json.dumps(message), usual | given)
    status = connection.getresponse().status
    connection.close()
    return status


def bearer(token: str) -> str:
    return f"Bearer {token}"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_with_the_token_works(served: Served, mode: str) -> None:
    async with httpx2.AsyncClient(headers={"Authorization": bearer(served.token)}, timeout=30) as web:
        async with Client(streamable_http_client(served.address, http_client=web), mode=mode) as client:
            assert len((await client.list_tools()).tools) == 11
            kept = await client.call_tool("memory_store", {"key": "port", "value": "It works.", "category": "daily"})
            assert not kept.is_error
            assert "agent lyra" in str((await client.call_tool("context", {})).content)


async def test_two_clients_are_served_at_once(served: Served) -> None:
    async with httpx2.AsyncClient(headers={"Authorization": bearer(served.token)}, timeout=30) as web:
        async with (
            Client(streamable_http_client(served.address, http_client=web)) as one,
            Client(streamable_http_client(served.address, http_client=web)) as other,
        ):
            await one.call_tool("log_append", {"text": "Hello from one"})
            assert "Hello from one" in str((await other.call_tool("log_read", {"tail": 5, "unread": False})).content)


def test_without_the_right_token_nothing_is_answered(served: Served) -> None:
    assert answer(served) == 401
    assert answer(served, Authorization="Bearer wrong") == 401
    assert answer(served, Authorization=f"Basic {served.token}") == 401
    assert answer(served, Authorization=bearer(served.token)) == 200


def test_a_foreign_page_is_refused_even_with_the_token(served: Served) -> None:
    known = bearer(served.token)
    port = urlsplit(served.address).port
    assert answer(served, Authorization=known, Origin="https://evil.example") == 403
    assert answer(served, Authorization=known, Origin=f"http://127.0.0.1.evil.example:{port}") == 403
    assert answer(served, Authorization=known, Origin="null") == 403
    assert answer(served, Authorization=known, Host="evil.example") == 421
    assert answer(served, Authorization=known, Host=f"localhost.evil.example:{port}") == 421
    assert answer(served, Authorization=known, Host=f"localhost:{port}", Origin=f"http://localhost:{port}") == 200


def test_the_token_is_shown_once_and_only_its_owner_may_read_it(shell: Shell, served: Served) -> None:
    assert served.token in served.said and len(served.token) >= 40
    assert (shell.home / "mdmem/config/serve-token").stat().st_mode & 0o777 == 0o600
    process, _, said = started(shell)
    stopped(process)
    assert served.token not in said and "serve-token" in said


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org", ""])
def test_no_other_machine_is_served(shell: Shell, vault: Path, host: str) -> None:
    done = shell("serve", "--agent", "lyra", "--http", "--host", host)
    assert done.code == 2 and all(name in done.sentence for name in LOOPBACK)


def test_a_port_that_is_taken_is_a_sentence(shell: Shell, served: Served) -> None:
    done = shell("serve", "--agent", "lyra", "--http", "--port", str(urlsplit(served.address).port))
    assert done.code == 8 and "--port" in done.sentence
