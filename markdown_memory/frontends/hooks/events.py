"""What Claude Code, Codex and Gemini CLI hand to a hook, as one kind of event, and the form in which each takes
context.

Contracts: Claude Code 2.1 and Codex 0.171 send one JSON object on standard input with `session_id`, `cwd` and
`hook_event_name`; Gemini CLI likewise. Claude Code takes JSON `additionalContext` at session start and with a
prompt, at most 10,000 characters. Codex checks its answers against strict schemas, so it gets nothing but what they
name; plain text with a prompt reaches its model. Gemini accepts JSON only. Fields and events that are not known are
ignored: clients grow.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple

CLIENTS = ("claude-code", "codex", "gemini")
EVENTS = ("session-start", "prompt", "pre-compact", "stop", "session-end")
GUARD = "guard"
"""Before a tool is used; wired only where a person wants it."""
LONGEST = 1_000_000
"""Bytes of an event that are read; prompts with pasted files can be long."""

_HUMAN_SOURCES = ("", "user", "sdk")
_NAMES = {
    "claude-code": {"session-start": "SessionStart", "prompt": "UserPromptSubmit"},
    "codex": {"session-start": "SessionStart", "prompt": "UserPromptSubmit"},
    "gemini": {"session-start": "SessionStart", "prompt": "BeforeAgent"},
}
_RESUMED = ("resume", "compact", "fork")


class Event(NamedTuple):
    """One call of a hook; text is "" where the client says nothing."""

    client: str
    name: str
    session: str = ""
    cwd: str = ""
    prompt: str = ""
    last_message: str = ""
    transcript: str = ""
    """Where the client keeps what was said."""
    resumed: bool = False
    """The session goes on from earlier: only what is new should be shown."""
    compacted: bool = False
    """The client has just folded the conversation: what was shown before is no longer in its context."""
    by_machine: bool = False
    """Nobody typed this: a subagent, a wake-up call, or a hook that keeps the agent going."""
    tool: str = ""
    given: Mapping[str, object] | None = None
    """What the tool is about to be called with."""


def parse(client: str, name: str, data: bytes) -> Event:
    """The event in the bytes of standard input. Raises ValueError for what is no such event."""
    if client not in CLIENTS:
        raise ValueError(f"the client {client!r} is not known; known are {', '.join(CLIENTS)}")
    if name not in (*EVENTS, GUARD):
        raise ValueError(f"the event {name!r} is not known; known are {', '.join((*EVENTS, GUARD))}")
    fields = json.loads(data.decode("utf-8", "replace"))
    if not isinstance(fields, dict):
        raise ValueError("standard input holds no JSON object")
    source = _text(fields, "source")
    return Event(
        client,
        name,
        session=_text(fields, "session_id"),
        cwd=_text(fields, "cwd"),
        prompt=_text(fields, "prompt"),
        last_message=_text(fields, "last_assistant_message") or _text(fields, "prompt_response"),
        transcript=_text(fields, "transcript_path"),
        resumed=name == "session-start" and source in _RESUMED,
        compacted=name == "session-start" and source in ("compact", "clear"),
        by_machine=_by_machine(name, fields, source),
        tool=_text(fields, "tool_name"),
        given=given if isinstance(given := fields.get("tool_input"), dict) else None,
    )


def context_answer(event: Event, text: str) -> str:
    """What goes to standard output so that the model reads `text`."""
    name = _NAMES[event.client].get(event.name)
    if not text or name is None:
        return quiet_answer(event)
    if event.client == "codex" and event.name == "prompt":
        return text
    answer = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    return json.dumps(answer, ensure_ascii=False)


def deny_answer(event: Event, reason: str) -> str:
    """What goes to standard output so that the tool is not called and the model reads why."""
    if not reason:
        return quiet_answer(event)
    if event.client == "gemini":
        return json.dumps({"decision": "deny", "reason": reason}, ensure_ascii=False)
    decided = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **decided}}, ensure_ascii=False)


def quiet_answer(event: Event) -> str:
    """What goes to standard output when there is nothing to say: Gemini wants JSON even then."""
    return "{}" if event.client == "gemini" else ""


def _by_machine(name: str, fields: Mapping[str, object], source: str) -> bool:
    if fields.get("agent_id") or fields.get("stop_hook_active") is True:
        return True
    return name == "prompt" and source not in _HUMAN_SOURCES


def _text(fields: Mapping[str, object], key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""
