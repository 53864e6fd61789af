"""Resources, which a client may show or attach, and prompts, which a person may pick."""

from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer

if TYPE_CHECKING:
    from markdown_memory.frontends.mcp_server.server import Vault

MARKDOWN = "text/markdown"


def add_resources(server: MCPServer[Any], vault: "Vault") -> None:
    """`memory://index`, `memory://log`, `memory://identity/<agent>` and `memory://note/<path>`."""

    @server.resource("memory://index", name="Memory index", mime_type=MARKDOWN)
    async def index() -> str:
        with vault.memory() as memory:
            return memory.index()

    @server.resource("memory://log", name="Live context", mime_type=MARKDOWN)
    async def log() -> str:
        with vault.memory() as memory:
            return "\n".join(memory.log.brief(line) for line in memory.log.read(tail=50))

    @server.resource("memory://identity/{agent}", name="Identity", mime_type=MARKDOWN)
    async def identity(agent: str) -> str:
        with vault.memory() as memory:
            return memory.show(f"identity/{agent}.md").text

    @server.resource("memory://note/{+path}", name="Note", mime_type=MARKDOWN)
    async def note(path: str) -> str:
        with vault.memory() as memory:
            return memory.show(path).text


def add_prompts(server: MCPServer[Any]) -> None:
    """The three moments at which a person may want to say it."""

    @server.prompt(name="start-session", description="Begin: read the context and say what is new.")
    def start() -> str:
        return "Call `context`, then tell me in three sentences what is new since last time and where we stopped."

    @server.prompt(name="end-session", description="End: retain what lasts, log what was done.")
    def end() -> str:
        return (
            "Before we stop: `retain` each decision, non-obvious fact, failure with its fix and preference of this "
            "session, one fact each with its source; `log_append` one line on what was done; set or finish the "
            "`checkpoint`."
        )

    @server.prompt(name="review", description="Go through what waits for review.")
    def review() -> str:
        return (
            "Search with status:proposal and list what waits for my review, with what speaks for and against each. "
            "I decide with `mdmem review` or in Obsidian; do not decide for me."
        )
