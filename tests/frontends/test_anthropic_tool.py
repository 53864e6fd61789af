"""Our memory tool beside the SDK's own, and in a whole loop against a model that a local server plays."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("anthropic", reason="the extra `anthropic` is not installed")

from anthropic import Anthropic, AsyncAnthropic
from anthropic.tools import BetaLocalFilesystemMemoryTool, ToolError

from markdown_memory import AnthropicMemoryTool, AsyncAnthropicMemoryTool
from markdown_memory.memory import Memory, Places

pytestmark = pytest.mark.filterwarnings("default")
M = "/memories"
STORY: list[dict[str, object]] = [
    {"command": "create", "path": f"{M}/a.md", "file_text": "one\ntwo\nthree\nfour\nfive\nsix\n"},
    {"command": "create", "path": f"{M}/a.md", "file_text": "again"},
    {"command": "create", "path": f"{M}/no-end.txt", "file_text": "no line feed"},
    {"command": "create", "path": f"{M}/deep/er/file.md", "file_text": "x" * 1536},
    {"command": "create", "path": f"{M}/deep/er/and/deeper.md", "file_text": "below"},
    {"command": "create", "path": f"{M}/deep/empty.md", "file_text": ""},
    {"command": "create", "path": f"{M}/deep/.hidden", "file_text": "not listed"},
    {"command": "create", "path": M, "file_text": "x"},
    {"command": "view", "path": f"{M}/a.md"},
    {"command": "view", "path": f"{M}/no-end.txt"},
    {"command": "view", "path": f"{M}/deep/empty.md"},
    {"command": "view", "path": f"{M}/a.md", "view_range": [2, 4]},
    {"command": "view", "path": f"{M}/a.md", "view_range": [5, -1]},
    {"command": "view", "path": f"{M}/a.md", "view_range": [0, 99]},
    {"command": "view", "path": f"{M}/deep"},
    {"command": "view", "path": f"{M}/nowhere.md"},
    {"command": "str_replace", "path": f"{M}/a.md", "old_str": "four", "new_str": "4\n4b"},
    {"command": "str_replace", "path": f"{M}/a.md", "old_str": "one", "new_str": "1"},
    {"command": "str_replace", "path": f"{M}/a.md", "old_str": "absent", "new_str": "x"},
    {"command": "str_replace", "path": f"{M}/a.md", "old_str": "t", "new_str": "T"},
    {"command": "str_replace", "path": f"{M}/a.md", "old_str": "ee\n4", "new_str": "EE\n4"},
    {"command": "str_replace", "path": f"{M}/nowhere.md", "old_str": "a", "new_str": "b"},
    {"command": "str_replace", "path": f"{M}/deep", "old_str": "a", "new_str": "b"},
    {"command": "insert", "path": f"{M}/a.md", "insert_line": 0, "insert_text": "zero\n"},
    {"command": "insert", "path": f"{M}/a.md", "insert_line": 8, "insert_text": "last\n\n"},
    {"command": "insert", "path": f"{M}/no-end.txt", "insert_line": 1, "insert_text": "more"},
    {"command": "insert", "path": f"{M}/deep/empty.md", "insert_line": 0, "insert_text": "first"},
    {"command": "insert", "path": f"{M}/a.md", "insert_line": 99, "insert_text": "x"},
    {"command": "insert", "path": f"{M}/a.md", "insert_line": -1, "insert_text": "x"},
    {"command": "insert", "path": f"{M}/nowhere.md", "insert_line": 0, "insert_text": "x"},
    {"command": "insert", "path": f"{M}/deep", "insert_line": 0, "insert_text": "x"},
    {"command": "view", "path": f"{M}/a.md"},
    {"command": "view", "path": f"{M}/no-end.txt"},
    {"command": "rename", "old_path": f"{M}/a.md", "new_path": f"{M}/b/c.md"},
    {"command": "rename", "old_path": f"{M}/a.md", "new_path": f"{M}/d.md"},
    {"command": "rename", "old_path": f"{M}/no-end.txt", "new_path": f"{M}/b/c.md"},
    {"command": "rename", "old_path": f"{M}/deep", "new_path": f"{M}/low"},
    {"command": "rename", "old_path": M, "new_path": f"{M}/x"},
    {"command": "view", "path": f"{M}/low"},
    {"command": "delete", "path": f"{M}/b/c.md"},
    {"command": "delete", "path": f"{M}/b/c.md"},
    {"command": "delete", "path": f"{M}/low"},
    {"command": "delete", "path": M},
    {"command": "view", "path": "/etc/passwd"},
    {"command": "delete", "path": f"{M}/../secret"},
]


@pytest.fixture
def vault(tmp_path: Path, places: Places, clock: Callable[[], float]) -> Path:
    """A new vault in the places that `open_as` uses."""
    root = tmp_path / "vault"
    Memory.init(str(root), agents=["lyra", "ella"], person="ana", places=places, clock=clock).close()
    return root


def said(tool: Any, command: dict[str, object]) -> str:
    """The answer, or the error; a folder's size is the file system's business."""
    try:
        text = str(tool.call(command))
    except ToolError as error:
        text = f"error: {error}"
    folders = re.sub(r"^[\d.]+[BKMG]\t(\S*/)$", r"SIZE\t\1", text, flags=re.MULTILINE)
    return re.sub(r"(hidden items:\n)[\d.]+[BKMG]", r"\1SIZE", folders)


def test_it_says_what_the_tool_of_the_sdk_says(lyra: Memory, tmp_path: Path) -> None:
    theirs, ours = BetaLocalFilesystemMemoryTool(str(tmp_path / "sdk")), AnthropicMemoryTool(lyra)
    for number, command in enumerate(STORY):
        assert said(ours, command) == said(theirs, command), (number, command)


def test_the_tool_names_itself_as_the_model_knows_it(lyra: Memory) -> None:
    tool = AnthropicMemoryTool(lyra, cache_control={"type": "ephemeral"})
    assert tool.to_dict() == {
        "type": "memory_20250818",
        "name": "memory",
        "cache_control": {"type": "ephemeral"},
    }
    assert tool.clear_all_memory() == "All memory cleared"


@pytest.mark.parametrize("input", [None, "view", [], {"command": None}, {"path": 3}])
def test_nonsense_is_an_error_that_the_model_reads(lyra: Memory, input: object) -> None:
    with pytest.raises(ToolError, match="Unknown command"):
        AnthropicMemoryTool(lyra).call(input)


SCRIPT = [
    {"command": "view", "path": M},
    {"command": "create", "path": f"{M}/progress.md", "file_text": "# Progress\n- step 1 done\n"},
    {"command": "str_replace", "path": f"{M}/progress.md", "old_str": "step 1", "new_str": "step 2"},
    {"command": "view", "path": "/etc/passwd"},
]


@contextmanager
def model() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server that plays the model: it asks for the commands of `SCRIPT` in turn, then it is done."""
    asked: list[dict[str, Any]] = []

    class Model(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            turn = len(asked) - 1
            if turn < len(SCRIPT):
                content = [{"type": "tool_use", "id": f"toolu_{turn}", "name": "memory", "input": SCRIPT[turn]}]
            else:
                content = [{"type": "text", "text": "Done."}]
            reason = "tool_use" if turn < len(SCRIPT) else "end_turn"
            answer: dict[str, object] = {
                "id": f"msg_{turn}",
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": content,
            }
            answer |= {"stop_reason": reason, "usage": {"input_tokens": 1, "output_tokens": 1}}
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Model)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()
    thread.join(timeout=30)


def results(asked: list[dict[str, Any]]) -> list[tuple[bool, str]]:
    """What the model was told of each of its calls, whether the SDK repeats the conversation or goes on with it."""
    found = {}
    for message in (message for question in asked for message in question["messages"]):
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block["type"] == "tool_result":
                content = block["content"]
                text = content if isinstance(content, str) else "".join(part["text"] for part in content)
                found[block["tool_use_id"]] = (bool(block.get("is_error")), text)
    return list(found.values())


def check(open_as: Callable[..., Memory], asked: list[dict[str, Any]]) -> None:
    assert asked[0]["tools"][0]["type"] == "memory_20250818" and len(asked) == len(SCRIPT) + 1
    errors, texts = zip(*results(asked), strict=True)
    assert errors == (False, False, False, True)
    assert "MEMORY.md" in texts[0] and "created successfully" in texts[1]
    assert "step 2 done" in texts[2] and "must start with /memories" in texts[3]
    (waiting,) = open_as().inbox.list()
    assert waiting.text == "# Progress\n- step 2 done" and waiting.agent == "lyra"


def test_a_whole_loop_of_the_sdk(open_as: Callable[..., Memory]) -> None:
    with model() as (address, asked), Anthropic(api_key="none", base_url=address) as client:
        last = client.beta.messages.tool_runner(
            model="claude-test",
            max_tokens=100,
            messages=[{"role": "user", "content": "Go on."}],
            tools=[AnthropicMemoryTool(open_as("lyra"))],
        ).until_done()
    assert last.stop_reason == "end_turn"
    check(open_as, asked)


def test_a_whole_loop_of_the_asynchronous_sdk(open_as: Callable[..., Memory]) -> None:
    async def loop(address: str) -> None:
        async with AsyncAnthropic(api_key="none", base_url=address) as client:
            await client.beta.messages.tool_runner(
                model="claude-test",
                max_tokens=100,
                messages=[{"role": "user", "content": "Go on."}],
                tools=[AsyncAnthropicMemoryTool(open_as("lyra"))],
            ).until_done()

    with model() as (address, asked):
        asyncio.run(loop(address))
    check(open_as, asked)
