"""The MCP server: eleven tools, four kinds of resource and three prompts over one vault, for one principal.

It answers its first request before it touches the vault, which is opened by the first tool that needs it. The
handlers are coroutines that do not wait for anything, so one call is done before the next begins and the open vault
needs no lock; the files have theirs. What goes wrong in an expected way is a tool error with the sentence that a
person would see. The principal and the scope are bound when the server is started; no argument changes them.

Importing the SDK takes half a second, so nothing but `mdmem serve` imports this module.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import Tool, ToolAnnotations
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
from markdown_memory.sessions import AgentSession

if TYPE_CHECKING:
    from markdown_memory.memory import Memory

LONGEST_VALUE = 200_000
Text = Annotated[str, Field(max_length=LONGEST_VALUE)]
Line = Annotated[str, Field(max_length=4000)]
Name = Annotated[str, Field(min_length=1, max_length=500)]
Lines = Annotated[tuple[Line, ...], Field(max_length=50)]
Limit = Annotated[int, Field(ge=1, le=100)]
Offset = Annotated[int, Field(ge=0, le=10_000_000)]
LEFT_OUT = ("title", "maxLength", "minLength", "maxItems")
Kind = Literal["decision", "fact", "failure-pattern", "preference", "correction"]

READING = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDING = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
REPLACING = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
REMOVING = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


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

    def close(self) -> None:
        """Let go of the vault."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None


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
    open_memory: "Callable[[], Memory]", *, recall: bool = True, restricted: Callable[[], bool] = lambda: False
) -> MCPServer[Any]:
    """The server. `recall=False` leaves out `memory_recall`, as access control wants it; so does `restricted`, which
    is asked when a client asks for the tools."""
    vault = Vault(open_memory)
    server = Server("markdown-memory", version=__version__, instructions=words.INSTRUCTIONS, log_level="WARNING")
    server.offers = lambda name: name != "memory_recall" or not restricted()
    _reading_tools(server, vault)
    if recall:
        _recall_tool(server, vault)
    _keeping_tools(server, vault)
    _log_tools(server, vault)
    from markdown_memory.frontends.mcp_server.resources import add_prompts, add_resources

    add_resources(server, vault)
    add_prompts(server)
    return server


def _reading_tools(server: MCPServer[Any], vault: Vault) -> None:
    @server.tool(description=words.CONTEXT, annotations=READING)
    async def context(query: Line = "", limit: Annotated[int, Field(ge=1000, le=50_000)] = 6000) -> str:
        with vault.memory() as memory:
            return AgentSession(memory).begin(query=query, limit=limit).text

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
            return DoneAnswer(path=note.path, status=note.header.status)

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
            return DoneAnswer(path=proposal.path, status=proposal.state, note=proposal.note)

    @server.tool(description=words.DECIDE, annotations=ADDING)
    async def decide(decision: Line, because: Line) -> DoneAnswer:
        with vault.memory() as memory:
            proposal = AgentSession(memory).decide(decision, because)
            return DoneAnswer(path=proposal.path, status=proposal.state)

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
            return DoneAnswer(path=saved.path, status="checkpoint")


def _log_tools(server: MCPServer[Any], vault: Vault) -> None:
    @server.tool(description=words.APPEND, annotations=ADDING)
    async def log_append(text: Line, kind: Line = "note", ack: Lines = (), refs: Lines = ()) -> EntryAnswer:
        with vault.memory() as memory:
            entry = memory.log.append(text, kind=kind, ack=ack, refs=refs)
            return EntryAnswer(id=entry.id, time=entry.time)

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
