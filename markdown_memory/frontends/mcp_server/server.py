"""The MCP server: eleven tools, four kinds of resource and three prompts over one vault, for one principal.

It answers its first request before it touches the vault, which is opened by the first tool that needs it. The
handlers are coroutines that do not wait for anything, so one call is done before the next begins and the open vault
needs no lock; the files have theirs. What goes wrong in an expected way is a tool error with the sentence that a
person would see. The principal and the scope are bound when the server is started; no argument changes them.

Importing the SDK takes half a second, so nothing but `mdmem serve` imports this module.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import Tool
from pydantic import Field

from markdown_memory import __version__
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.frontends.mcp_server import answers, words
from markdown_memory.frontends.mcp_server.answers import (
    DoneAnswer,
    EntryAnswer,
    HitsAnswer,
    LogAnswer,
    NoteAnswer,
)
from markdown_memory.frontends.mcp_server.arguments import (
    ADDING,
    READING,
    REMOVING,
    REPLACING,
    Kind,
    Limit,
    Line,
    Lines,
    Name,
    Offset,
    Text,
)
from markdown_memory.sessions import AgentSession

if TYPE_CHECKING:
    from markdown_memory.memory import Memory

LEFT_OUT = ("title", "maxLength", "minLength", "maxItems")


class Vault:
    """The vault behind the server: opened when it is first needed, and again after it was moved."""

    def __init__(self, open_memory: "Callable[[], Memory]") -> None:
        self._open = open_memory
        self._memory: Memory | None = None

    @contextmanager
    def memory(self) -> "Iterator[Memory]":
        """The open vault; an expected failure becomes the tool error that the model reads."""
        try:
            if self._memory is None or not self._memory.still_there():
                self.close()
                self._memory = self._open()
            yield self._memory
        except MarkdownMemoryError as error:
            raise ToolError(str(error)) from None
        except OSError as error:
            raise ToolError(f"The disk stands in the way: {error.strerror or error}; try again.") from error

    def close(self) -> None:
        """Let go of the vault."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None


def unplaced(memory: "Memory") -> str:
    """A sentence on which project is served, for a server that was started outside all that the vault knows."""
    if memory.workspace.found.repo is not None or memory.scope.project:
        return ""
    others = [project.name for project in memory.projects.list() if not project.own]
    if not others:
        return ""
    served = memory.workspace.project_name(memory.scope)
    named = f"{', '.join(others[:-1])} and {others[-1]}" if len(others) > 1 else others[0]
    return (
        f"This server was started outside any repository and serves the project {served}; for the projects {named} "
        "start it in their folder, or with --project NAME."
    )


class Server(MCPServer[Any]):
    """The SDK's server with a shorter list of tools, since every session pays for it.

    Titles repeat the names; lengths are checked here whether or not a model is told of them.
    """

    offers: Callable[[str], bool] = staticmethod(lambda _: True)
    """Whether a tool is there for this principal."""

    async def list_tools(self) -> list[Tool]:
        """The tools with what a model needs to call them."""
        tools = [tool for tool in await super().list_tools() if self.offers(tool.name)]
        for tool in tools:
            tool.input_schema = _short(tool.input_schema)
            tool.output_schema = tool.output_schema and _short(tool.output_schema)
        return tools


def told(memory: "Memory", note: str = "") -> str:
    """The note of an answer, with what the write has to say beside it: that a secret was masked."""
    notices = memory.workspace.notices
    said = " ".join(part for part in (note, *notices) if part)
    notices.clear()
    return said


def _short(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema without `LEFT_OUT`; properties of these names stay."""
    return {
        key: {name: _short(field) for name, field in value.items()}
        if key in ("properties", "$defs")
        else _short(value)
        if isinstance(value, dict)
        else value
        for key, value in schema.items()
        if key not in LEFT_OUT
    }


def build(
    open_memory: "Callable[[], Memory]",
    *,
    recall: bool = True,
    restricted: Callable[[], bool] = lambda: False,
    everything: bool = False,
) -> MCPServer[Any]:
    """The server; with `everything` it offers the tools that are asked for seldom, too.

    `recall=False` leaves out `memory_recall`, as access control wants it; so does `restricted`, which is asked when a
    client asks for the tools.
    """
    vault = Vault(open_memory)
    server = Server("markdown-memory", version=__version__, instructions=words.INSTRUCTIONS, log_level="WARNING")
    server.offers = lambda name: name != "memory_recall" or not restricted()
    _reading_tools(server, vault)
    if recall:
        _recall_tool(server, vault)
    _keeping_tools(server, vault)
    _log_tools(server, vault)
    if everything:
        from markdown_memory.frontends.mcp_server.more_tools import add_more_tools

        add_more_tools(server, vault)
    from markdown_memory.frontends.mcp_server.resources import add_prompts, add_resources

    add_resources(server, vault)
    add_prompts(server)
    return server


def _reading_tools(server: MCPServer[Any], vault: Vault) -> None:
    @server.tool(description=words.CONTEXT, annotations=READING)
    async def context(query: Line = "", limit: Annotated[int, Field(ge=1000, le=50_000)] = 6000) -> str:
        with vault.memory() as memory:
            where = unplaced(memory)
            room = len(where.encode()) + 1 if where else 0
            text = AgentSession(memory).begin(query=query, limit=limit - room).text
            return f"{text.rstrip()}\n{where}" if where else text

    @server.tool(description=words.GET, annotations=READING)
    async def memory_get(key: Name, offset: Offset = 0) -> NoteAnswer:
        with vault.memory() as memory:
            found = memory.show(key)
            header = found.header
            return answers.note_answer(header.name, header.path, header.sha256, header.status, found.text, offset)

    @server.tool(description=words.SEARCH, annotations=READING)
    async def memory_search(
        query: Line, category: Line = "", max_results: Limit = 20, offset: Offset = 0, expand: bool = False
    ) -> HitsAnswer:
        with vault.memory() as memory:
            wanted = (category,) if category else ()
            most = min(offset + max_results, 500)
            found = memory.search(query, limit=most, category=wanted, expand=expand, attested=True)
            return answers.hits_answer(found, offset, max_results)


def _recall_tool(server: MCPServer[Any], vault: Vault) -> None:
    @server.tool(description=words.RECALL, annotations=READING)
    async def memory_recall(query: Line, max_results: Limit = 20) -> HitsAnswer:
        with vault.memory() as memory:
            if memory.workspace.access.on:
                raise ToolError("Access control is on, and then there is no memory_recall; use memory_search.")
            return answers.hits_answer(AgentSession(memory).recall(query, limit=max_results), 0, max_results)


def _keeping_tools(server: MCPServer[Any], vault: Vault) -> None:
    @server.tool(description=words.STORE, annotations=ADDING)
    async def memory_store(
        key: Name,
        value: Text = "",
        category: Line = "core",
        content: Text = "",
        private: bool = False,
        if_hash: Line = "",
    ) -> DoneAnswer:
        text = value or content
        if not text.strip():
            raise ToolError("There is nothing to store: give the text as `value`.")
        with vault.memory() as memory:
            note = memory.store(key, text, category=category, private=private, if_hash=if_hash or None)
            return DoneAnswer(path=note.path, status=note.header.status, note=told(memory))

    @server.tool(description=words.FORGET, annotations=REMOVING)
    async def memory_forget(key: Name, reason: Line = "") -> DoneAnswer:
        with vault.memory() as memory:
            gone = memory.forget(key, reason)
            return DoneAnswer(path=gone.archived, status="archived")

    @server.tool(description=words.RETAIN, annotations=ADDING)
    async def retain(
        text: Text, kind: Kind = "fact", source: Line = "", external: bool = False, private: bool = False
    ) -> DoneAnswer:
        with vault.memory() as memory:
            trust = "external" if external else ""
            proposal = memory.retain(text, kind=kind, source=source, trust=trust, private=private)
            return DoneAnswer(path=proposal.path, status=proposal.state, note=told(memory, proposal.note))

    @server.tool(description=words.DECIDE, annotations=ADDING)
    async def decide(decision: Line, because: Line) -> DoneAnswer:
        with vault.memory() as memory:
            proposal = AgentSession(memory).decide(decision, because)
            return DoneAnswer(path=proposal.path, status=proposal.state, note=told(memory, proposal.note))

    @server.tool(description=words.CHECKPOINT, annotations=REPLACING)
    async def checkpoint(
        goal: Line = "",
        done: Lines = (),
        next: Lines = (),
        questions: Lines = (),
        files: Lines = (),
        finished: bool = False,
    ) -> DoneAnswer:
        with vault.memory() as memory:
            session = AgentSession(memory)
            if finished:
                return DoneAnswer(path=session.finish_checkpoint(), status="archived")
            saved = session.checkpoint(goal, done=done, next=next, questions=questions, files=files)
            return DoneAnswer(path=saved.path, status="checkpoint", note=told(memory))


def _log_tools(server: MCPServer[Any], vault: Vault) -> None:
    @server.tool(description=words.APPEND, annotations=ADDING)
    async def log_append(text: Line, kind: Line = "note", ack: Lines = (), refs: Lines = ()) -> EntryAnswer:
        with vault.memory() as memory:
            entry = memory.log.append(text, kind=kind, ack=ack, refs=refs)
            return EntryAnswer(id=entry.id, time=entry.time, note=told(memory))

    @server.tool(description=words.READ, annotations=READING)
    async def log_read(
        unread: bool = True,
        agent: Line = "",
        kind: Line = "",
        since: Line = "",
        tail: Annotated[int, Field(ge=0, le=500)] = 0,
    ) -> LogAnswer:
        with vault.memory() as memory:
            lines = memory.log.read(unread=unread, agent=agent, kind=kind, since=since, tail=tail)
            answer, given = answers.log_answer(lines, [memory.log.brief(line) for line in lines])
            memory.log.mark_read(given)
            return answer
