"""The tools that `mdmem serve --tools all` adds: they are asked for seldom, and every tool in the list costs tokens."""

from typing import TYPE_CHECKING, Annotated, Any

from mcp.server import MCPServer
from pydantic import BaseModel, Field

from markdown_memory.core.note import one_line
from markdown_memory.frontends.mcp_server import words
from markdown_memory.frontends.mcp_server.answers import BUDGET, DoneAnswer
from markdown_memory.frontends.mcp_server.arguments import READING, REMOVING, Limit, Line, Name, Offset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_memory.frontends.mcp_server.server import Vault
    from markdown_memory.memory import Header

LONGEST_TEXT = 1000


class NoteLine(BaseModel):
    """A note without its text."""

    name: str
    path: str
    type: str
    status: str
    description: str
    branch: str


class NotesAnswer(BaseModel):
    notes: list[NoteLine]
    total: int
    next_offset: int = 0


class LinksAnswer(BaseModel):
    path: str
    links: list[NoteLine]
    backlinks: list[NoteLine]
    backlinks_total: int
    nowhere: list[str]
    next_offset: int = 0


class ConflictLine(BaseModel):
    """Two notes that cannot both hold."""

    newer_path: str
    older_path: str
    what: str
    says: str
    said: str


class ConflictsAnswer(BaseModel):
    conflicts: list[ConflictLine]
    total: int
    next_offset: int = 0


class ProposalLine(BaseModel):
    """One of the agent's own proposals."""

    ref: str
    path: str
    name: str
    kind: str
    text: str
    created: str
    target: str
    note: str = ""


class ProposalsAnswer(BaseModel):
    proposals: list[ProposalLine]
    total: int
    next_offset: int = 0


def add_more_tools(server: MCPServer[Any], vault: "Vault") -> None:
    """`list`, `links`, `conflicts`, `proposals` and `withdraw`."""

    @server.tool(name="list", description=words.LIST, annotations=READING)
    async def list_notes(
        type: Line = "",
        category: Line = "",
        tag: Line = "",
        status: Line = "",
        everywhere: Annotated[bool, Field(description="other branches and projects, too")] = False,
        max_results: Limit = 50,
        offset: Offset = 0,
    ) -> NotesAnswer:
        with vault.memory() as memory:
            found = memory.list(
                type=_one(type), category=_one(category), tag=_one(tag), status=_one(status), all=everywhere
            )
            shown = _page(found, offset, max_results)
            return NotesAnswer(notes=shown, total=len(found), next_offset=_next(offset, len(shown), len(found)))

    @server.tool(name="links", description=words.LINKS, annotations=READING)
    async def links(key: Name, max_results: Limit = 50, offset: Offset = 0) -> LinksAnswer:
        with vault.memory() as memory:
            found = memory.links.of(key)
            shown = _page(found.by, offset, max_results)
            return LinksAnswer(
                path=found.note.path,
                links=_page(found.to, 0, 100) if not offset else [],
                backlinks=shown,
                backlinks_total=len(found.by),
                nowhere=[] if offset else [one_line(target)[:200] for target in found.nowhere[:20]],
                next_offset=_next(offset, len(shown), len(found.by)),
            )

    @server.tool(name="conflicts", description=words.CONFLICTS, annotations=READING)
    async def conflicts(key: Line = "", max_results: Limit = 20, offset: Offset = 0) -> ConflictsAnswer:
        with vault.memory() as memory:
            found = memory.conflicts.of(key) if key else memory.conflicts.scan()
            shown = [
                ConflictLine(**{name: one_line(getattr(one, name))[:300] for name in ConflictLine.model_fields})
                for one in found[offset : offset + min(max_results, 20)]
            ]
            return ConflictsAnswer(conflicts=shown, total=len(found), next_offset=_next(offset, len(shown), len(found)))

    @server.tool(name="proposals", description=words.PROPOSALS, annotations=READING)
    async def proposals(max_results: Limit = 20, offset: Offset = 0) -> ProposalsAnswer:
        with vault.memory() as memory:
            waiting = memory.inbox.list()
            shown: list[ProposalLine] = []
            room = BUDGET
            for one in waiting[offset : offset + max_results]:
                text = one.text if len(one.text) <= LONGEST_TEXT else one.text[:LONGEST_TEXT] + "…"
                fields = {key: getattr(one, key) for key in ProposalLine.model_fields} | {"text": text}
                room -= sum(map(len, fields.values())) + 100
                if shown and room < 0:
                    break
                shown.append(ProposalLine(**fields))
            total = len(waiting)
            return ProposalsAnswer(proposals=shown, total=total, next_offset=_next(offset, len(shown), total))

    @server.tool(name="withdraw", description=words.WITHDRAW, annotations=REMOVING)
    async def withdraw(ref: Name) -> DoneAnswer:
        with vault.memory() as memory:
            done = memory.inbox.withdraw(ref)
            return DoneAnswer(path=done.path, status=done.decision, note=done.note)


def _one(word: str) -> tuple[str, ...]:
    """A filter for the word, or none."""
    return (word,) if word else ()


def _page(headers: "Sequence[Header]", offset: int, most: int) -> list[NoteLine]:
    """As many of them as fit into the budget."""
    shown: list[NoteLine] = []
    room = BUDGET
    for header in headers[offset : offset + most]:
        line = NoteLine(
            name=header.name,
            path=header.path,
            type=header.type,
            status=header.status,
            description=header.description,
            branch=header.scope.branch if header.scope else "",
        )
        room -= sum(len(str(value)) for _, value in line) + 80
        if shown and room < 0:
            break
        shown.append(line)
    return shown


def _next(offset: int, shown: int, total: int) -> int:
    """Where the next page begins; 0 means that there is none."""
    return offset + shown if shown and offset + shown < total else 0
