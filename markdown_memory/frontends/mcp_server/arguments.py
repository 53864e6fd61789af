"""What the tools' arguments may be, and what the tools may do: limits and hints that several tools share."""

from typing import Annotated, Literal

from mcp.types import ToolAnnotations
from pydantic import Field

LONGEST_VALUE = 200_000
Text = Annotated[str, Field(max_length=LONGEST_VALUE)]
Line = Annotated[str, Field(max_length=4000)]
Name = Annotated[str, Field(min_length=1, max_length=500)]
Lines = Annotated[tuple[Line, ...], Field(max_length=50)]
Limit = Annotated[int, Field(ge=1, le=100)]
Offset = Annotated[int, Field(ge=0, le=10_000_000)]
Kind = Literal["decision", "fact", "failure-pattern", "preference", "correction"]

READING = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDING = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
REPLACING = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
REMOVING = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
