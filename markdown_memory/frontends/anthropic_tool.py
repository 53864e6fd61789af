"""The memory tool for programs on Anthropic's SDK: `beta.messages.tool_runner(…, tools=[AnthropicMemoryTool(memory)])`.

What the tool does, and what it answers, is in features/memory_tool; here an expected failure becomes the SDK's
`ToolError`, so that the model reads the sentence. Importing the SDK takes a second and more; nothing but a program that
wants this class does it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from anthropic.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from markdown_memory.errors import MarkdownMemoryError

if TYPE_CHECKING:
    from markdown_memory.memory import Memory


def _answer(memory: "Memory", command: object) -> str:
    """What the tool says; every command of the SDK is a model that gives its fields."""
    given = command if isinstance(command, Mapping) else getattr(command, "__dict__", {})
    try:
        return memory.memory_tool.run(given)
    except MarkdownMemoryError as error:
        raise ToolError(str(error)) from None


class AnthropicMemoryTool(BetaAbstractMemoryTool):
    """The memory tool over an open `Memory`, for the synchronous client. Its agent is the memory's."""

    def __init__(self, memory: "Memory", *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._memory = memory

    def call(self, input: object) -> str:
        """Carry out what the model asked for, whatever it sent."""
        return _answer(self._memory, input)

    def execute(self, command: object) -> str:
        """Carry out one command of the SDK."""
        return _answer(self._memory, command)

    view = create = str_replace = insert = delete = rename = execute

    def clear_all_memory(self) -> str:
        """Archive every file of this agent's own."""
        return self._memory.memory_tool.clear()


class AsyncAnthropicMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for the asynchronous client; a command takes milliseconds and is carried out on the spot."""

    def __init__(self, memory: "Memory", *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._memory = memory

    async def call(self, input: object) -> str:
        """Carry out what the model asked for, whatever it sent."""
        return _answer(self._memory, input)

    async def execute(self, command: object) -> str:
        """Carry out one command of the SDK."""
        return _answer(self._memory, command)

    view = create = str_replace = insert = delete = rename = execute

    async def clear_all_memory(self) -> str:
        """Archive every file of this agent's own."""
        return self._memory.memory_tool.clear()
