"""Plain-Markdown memory for AI agents.

The public names are imported when they are first used, so that `import markdown_memory` costs next to nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_memory.frontends.anthropic_tool import AnthropicMemoryTool, AsyncAnthropicMemoryTool
    from markdown_memory.memory import Memory

__all__ = ["AnthropicMemoryTool", "AsyncAnthropicMemoryTool", "Memory", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name == "Memory":
        from markdown_memory.memory import Memory

        return Memory
    if name in ("AnthropicMemoryTool", "AsyncAnthropicMemoryTool"):
        from markdown_memory.frontends import anthropic_tool

        return getattr(anthropic_tool, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
