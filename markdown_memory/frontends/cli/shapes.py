"""What `--json` prints: one JSON document per call, with stable keys.

Keys are only ever added; a reader ignores what it does not know. Unknown text is "", an unknown number is
null. Paths are relative to the vault, with "/". Times are UTC, "2026-11-30T02:13:04". Scores order the hits
of one answer and nothing else. A call that fails prints {"error": …} and ends with the exit code of `mdmem
help exit-codes`.

  note      {"name", "path", "type", "status", "scope": {"project", "branch"} | null, "owner", "category", "kind",
             "description", "importance", "pinned", "created", "updated", "agent", "source", "trust", "tags": [],
             "aliases": [], "sha256", "problems": [problem]}
  problem   {"code", "path", "line", "message", "remedy"}; line 0 is the whole file
  entry     {"id", "log", "writer", "agent", "seq", "time", "channel", "kind", "text", "ack": [], "refs": [],
             "standing", "signed", "concurrent_with": []}

  context               {"text", "bytes", "limit", "parts": [{"name", "bytes"}], "left_out": []}
  search                {"query", "hits": [{"name", "path", "line", "score", "parts": {}, "snippet", "type", "scope",
                         "status", "description", "agent", "trust", "tags"}], "considered", "truncated", "degraded",
                         "hints": []}
  show                  {"note": note, "body", "text"}
  list                  {"notes": [note]}
  where                 {"vault", "vault_id", "found_by", "trusted", "project", "branch", "agent", "config", "state", "cache"}
  retain                {"proposal": {"ref", "path", "name", "kind", "text", "agent", "source", "trust", "target",
                         "created", "similar": []}}
  review list           {"proposals": [proposal]}
  review show           {"proposal": proposal}
  review accept|reject  {"decisions": [{"ref", "decision", "path"}]}
  log append            {"entry": entry}
  log read              {"entries": [entry], "problems": [problem]}
  store, edit, restore  note
  rename                {"name", "old_path", "path", "links_changed": []}
  forget                {"name", "path", "archived"}
  verify                {"sound", "counts": {}, "problems": [problem], "unknown": []}
  doctor                {"problems": [problem]}
  keys list             {"writers": [{"writer", "agent", "role", "fingerprint", "standing", "here"}]}
  stats                 {"notes", "by_status": {}, "by_type": {}, "by_category": {}, "by_scope": {}, "by_agent": {},
                         "by_month": {}}
  version               {"version", "python"}
  error                 {"error": {"kind", "exit", "message", "near"?: [], "candidates"?: []}}
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_memory.memory import Forgotten, Header, Problem, Renamed, Scope, StoredNote

Shape = dict[str, Any]


def scope(value: "Scope | None") -> Shape | None:
    """Project and branch; null for a global note."""
    return None if value is None else {"project": value.project, "branch": value.branch}


def problem(value: "Problem") -> Shape:
    """A finding about one file."""
    return dict(value._asdict())


def header(value: "Header") -> Shape:
    """All that is known about a note without its text."""
    return {
        "name": value.name,
        "path": value.path,
        "type": value.type,
        "status": value.status,
        "scope": scope(value.scope),
        "owner": value.owner,
        "category": value.category,
        "kind": value.kind,
        "description": value.description,
        "importance": value.importance,
        "pinned": value.pinned,
        "created": value.created,
        "updated": value.updated,
        "agent": value.agent,
        "source": value.source,
        "trust": value.trust,
        "tags": list(value.tags),
        "aliases": list(value.aliases),
        "sha256": value.sha256,
        "problems": [problem(one) for one in value.problems],
    }


def stored(value: "StoredNote") -> Shape:
    """A note with its text."""
    return {"note": header(value.header), "body": value.body, "text": value.text}


def renamed(value: "Renamed") -> Shape:
    """Where a note went, and which notes link to it."""
    return dict(value._asdict())


def forgotten(value: "Forgotten") -> Shape:
    """Where a forgotten note is kept."""
    return dict(value._asdict())
