"""What a person and an agent said to each other, out of the transcripts that Claude Code and Codex keep.

Both write one JSON object a line, and most lines are not conversation. Taken is only what was typed or answered:

- Claude Code 2.1: `type` user or assistant, text out of `message.content`; not `isMeta`, `isCompactSummary`,
  `isSidechain`, and no block but `text`: tool results come as `user` lines, and thinking is no answer.
- Codex 0.171: `type` response_item whose payload is a `message` of the role user or assistant; `input_text` and
  `output_text` of it.

Inside such text, what programs put there is taken out again: tags around reminders, commands and their output, and our
own context, so that what was recalled is never proposed anew. Lines that are no JSON are counted, records that are not
known are skipped: both formats change without notice.
"""

import json
import re
from functools import cache
from typing import NamedTuple

USER, AGENT = "user", "agent"
LONGEST_TURN = 20_000
"""Characters of a turn that are looked at: what is longer was pasted."""


class Turn(NamedTuple):
    """One thing that was said: by `user` or `agent`, in which line of the file (1-based)."""

    who: str
    text: str
    line: int


class Line(NamedTuple):
    """A line of a transcript: what was said in it (None = nothing), and whether it could not be read."""

    turn: Turn | None
    broken: bool = False


def read_line(number: int, data: bytes) -> Line:
    """What is said in one line, which is the `number`th of its file."""
    if not data.strip():
        return Line(None)
    try:
        record = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return Line(None, broken=True)
    if not isinstance(record, dict):
        return Line(None)
    who, text = _from_claude_code(record) or _from_codex(record) or ("", "")
    said = spoken(text)
    return Line(Turn(who, said, number) if said else None)


def spoken(text: str) -> str:
    """The text without what programs put into it."""
    if text.lstrip().startswith(_WRITTEN_BY_PROGRAMS):
        return ""
    kept = _tags().sub("\n", text[:LONGEST_TURN]) if "<" in text else text[:LONGEST_TURN]
    return kept.strip()


def _from_claude_code(record: dict[str, object]) -> tuple[str, str] | None:
    message = record.get("message")
    if record.get("type") not in ("user", "assistant") or not isinstance(message, dict):
        return None
    if any(record.get(mark) for mark in ("isMeta", "isCompactSummary", "isSidechain", "toolUseResult")):
        return None
    if record["type"] == "user" and record.get("promptSource", "user") not in (None, "", "user", "typed", "sdk"):
        return None
    return (USER if record["type"] == "user" else AGENT), _text(message.get("content"), ("text",))


def _from_codex(record: dict[str, object]) -> tuple[str, str] | None:
    payload = record.get("payload")
    if record.get("type") != "response_item" or not isinstance(payload, dict) or payload.get("type") != "message":
        return None
    if payload.get("role") not in ("user", "assistant"):
        return None
    who = USER if payload["role"] == "user" else AGENT
    return who, _text(payload.get("content"), ("input_text", "output_text"))


def _text(content: object, kinds: tuple[str, ...]) -> str:
    """The text of a message; a message that carries a tool's result says nothing."""
    if isinstance(content, str):
        return content
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    if any(block.get("type") == "tool_result" for block in blocks):
        return ""
    said = [spoken(str(block.get("text", ""))) for block in blocks if block.get("type") in kinds]
    return "\n\n".join(text for text in said if text)


_WRITTEN_BY_PROGRAMS = (
    "# AGENTS.md instructions for ",
    "Caveat: The messages below were generated",
    "This session is being continued from a previous conversation",
    "[Request interrupted",
)


@cache
def _tags() -> re.Pattern[str]:
    """Tags with a hyphen or underscore in their name, and ours; one that is not closed reaches to the end."""
    names = r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+|memory|context|instructions|reminder"
    return re.compile(rf"<({names})(?: [^<>\n]{{0,200}})?>.*?(?:</\1>|\Z)", re.S | re.I)
