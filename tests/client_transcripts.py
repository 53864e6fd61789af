"""Transcripts as Claude Code 2.1 and Codex 0.171 write them, with the lines around the conversation that they have."""

import json
from pathlib import Path

SESSION = "0f5c2a1e-77aa-4c1f-9b1e-2f8a9c3d4e5f"
Record = dict[str, object]
Said = tuple[str, str]
"""user or agent, and what was said."""


def claude(who: str, text: str, **more: object) -> Record:
    """A line of conversation: what was typed is a string, an answer is a list of blocks."""
    role = "user" if who == "user" else "assistant"
    content: object = text if who == "user" else [{"type": "text", "text": text}]
    common = {"parentUuid": None, "isSidechain": False, "sessionId": SESSION, "cwd": "/work/shop", "version": "2.1.332"}
    return {
        "type": role,
        "timestamp": "2026-11-30T02:13:04.000Z",
        "message": {"role": role, "content": content},
        **common,
    } | more


def tool_result(text: str) -> Record:
    """What a tool printed; Claude Code keeps it as a line of the user."""
    block = {"type": "tool_result", "tool_use_id": "toolu_1", "content": text}
    return claude("user", "") | {"message": {"role": "user", "content": [block]}, "toolUseResult": {"stdout": text}}


def thinking(text: str) -> Record:
    """A thought and a tool call of the model."""
    blocks = [{"type": "thinking", "thinking": text}, {"type": "tool_use", "name": "Bash", "input": {"command": text}}]
    return claude("agent", "") | {"message": {"role": "assistant", "id": "msg_1", "content": blocks}}


def codex(who: str, text: str) -> Record:
    """A message of a rollout."""
    kind = "input_text" if who in ("user", "developer") else "output_text"
    role = "assistant" if who == "agent" else who
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
    return {"timestamp": "2026-11-30T02:13:04.000Z", "ordinal": 1, "type": "response_item", "payload": payload}


AROUND_CLAUDE: tuple[Record, ...] = (
    {"type": "mode", "mode": "default"},
    {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": "We decided to use MySQL."}},
    {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}},
    {"type": "a-type-of-next-year", "message": "We decided to use MySQL."},
)
AROUND_CODEX: tuple[Record, ...] = (
    {"type": "session_meta", "payload": {"id": SESSION, "cwd": "/work/shop"}},
    {"type": "turn_context", "payload": {"model": "x"}},
    {"type": "event_msg", "payload": {"type": "item_completed", "text": "We decided to use MySQL."}},
    codex("user", "# AGENTS.md instructions for /work/shop\n\nWe decided to use MySQL."),
    codex("user", "<environment_context>\nWe decided to use MySQL.\n</environment_context>"),
    codex("developer", "We decided to use MySQL."),
    {"type": "response_item", "payload": {"type": "function_call_output", "output": "We decided to use MySQL."}},
)


def write(path: Path, *records: Record) -> Path:
    """The records, one a line."""
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
    return path


def claude_file(path: Path, *said: Said) -> Path:
    """A session of Claude Code; what was said begins in line 5."""
    return write(path, *AROUND_CLAUDE, *(claude(who, text) for who, text in said))


def codex_file(path: Path, *said: Said) -> Path:
    """A session of Codex; what was said begins in line 8."""
    return write(path, *AROUND_CODEX, *(codex(who, text) for who, text in said))
