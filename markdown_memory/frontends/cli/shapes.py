"""What `--json` prints: one JSON document per call, with stable keys.

Keys are only ever added; a reader ignores what it does not know. Unknown text is "", an unknown number is
null. Paths are relative to the vault, with "/". Times are UTC, "2026-11-30T02:13:04". Scores order the hits
of one answer and mean nothing else. A call that fails prints {"error": …} and ends with an exit code of
`mdmem help exit-codes`.

  note      {"name", "path", "type", "status", "scope": {"project", "branch"} | null, "owner", "category",
             "kind", "description", "importance", "pinned", "created", "updated", "agent", "source", "trust",
             "tags": [], "aliases": [], "sha256", "problems": [problem]}
  problem   {"code", "path", "line", "message", "remedy"}; line 0 is the whole file
  proposal  {"ref", "path", "sha256", "name", "kind", "type", "description", "text", "agent", "source",
             "trust", "target", "created", "accept", "reject", "state", "note", "similar": [], "snoozed_until"}
  decision  {"ref", "decision", "path", "note", "exit_code"}; what a batch could not do is "refused"
  neighbour {"path", "sha256", "name", "status", "relation", "similarity", "why", "diff"}; the relation is
            updates, contradicts, same, near, rejected or forgotten
  operation {"id", "time", "agent", "kind", "text", "paths": [], "decided"}
  branch    {"project", "branch", "notes", "proposals", "default", "current", "in_git", "updated"}
  entry     {"id", "time", "agent", "channel", "kind", "text", "writer", "seq", "ack": [], "refs": []}

  context               {"text", "bytes", "limit", "left_out": [],
                         "parts": [{"name", "bytes", "text", "truncated"}]}
  search                {"query", "considered", "matched", "truncated", "degraded": [], "hints": [],
                         "index_age", "mode", "hits": [{"name", "path", "line", "score", "relevance", "near": [],
                         "snippet", "marks": [[start, end]], "parts": {}, "description", "type", "status",
                         "project", "branch", "agent", "source", "trust", "tags": [], "updated",
                         "superseded_by", "valid_from", "valid_until", "expired", "early", "same_as": [],
                         "similar": [], "attestation", "attested_by", "vault"}]}; "near" holds [path, how]; in "parts",
                         what begins with × is multiplied, the rest added
  show                  {"note": note, "body", "text"}
  list                  {"notes": [note]}; with several --vault, each note has its "vault", too
  where                 {"vault", "vault_id", "found_by", "trusted", "project", "branch", "repository",
                         "agent", "person", "config", "state", "cache", "skipped": [], "hint"}
  retain                {"proposal": proposal}
  retain --from-client  {"client", "brought": [{"name", "source", "state", "path", "note"}]}
  retain --from-transcript
                        {"facts": [{"kind", "text", "trust", "source", "rule", "state", "path", "note"}],
                         "turns", "broken", "left_out", "before"}
  review list           {"proposals": [proposal]}
  review show           {"proposal": proposal, "beside": [neighbour]}
  review edit, snooze   {"proposal": proposal}
  review accept, merge, supersede, reject, withdraw, undo
                        {"decisions": [decision]}
  log append, adopt     {"entry": entry}
  log read              {"entries": [entry + {"mark", "concurrent": [], "open", "own", "digest", "path"}]}
  log follow            one such entry a line, on one line, as they arrive
  project show, edit    {"project", "path", "text", "sha256"}; the last two "" when there is no state yet
  store, edit, restore  note
  conflicts             {"conflicts": [{"newer", "newer_path", "older", "older_path", "what", "says", "said"}]}
  undo                  {"operation": operation, "files": [[path, "restored" | "archived" | "removed"]], "entry"}
  undo --list           {"operations": [operation]}
  supersede             {"newer_path", "older_path"}; conflicts --keep likewise
  rename                {"name", "old_path", "path", "links_changed": []}
  forget                {"name", "path", "archived"}
  branch list           {"branches": [branch]}
  branch show           {"branch": branch, "seen": [{"project", "branch"}], "notes": [note]}
  branch diff           {"differences": [{"state", "name", "type", "path", "other_path", "diff"}]}
  branch merge          {"merges": [{"source", "into", "done", "proposals": [], "links_changed": [],
                         "steps": [{"action", "name", "type", "source_path", "path", "archived"}]}]}
  project list          {"projects": [{"name", "own", "default_branch", "remotes": [], "branches", "notes",
                         "in_settings"}]}
  project rename        {"name", "new", "paths": [[old, new]], "links_changed": []}
  branch delete, rename {"name", "new", "paths": [[old, new]], "links_changed": []}
  sync                  {"remote", "branch", "committed", "received", "merged", "pushed", "tries", "commit",
                         "conflicts": [{"path", "kept", "sentence"}]}
  verify                {"sound", "counts": {}, "problems": [problem], "notices": [problem],
                         "unknown": [], "files": [{…}]}
  doctor                {"problems": [problem]}
  install, uninstall    {"client", "changes": [{"file", "diff"}], "done", "backups": []}
  keys list             {"writers": [{"writer", "agent", "role", "fingerprint", "state", "here"}]}
  keys confirm, rotate, retire, revoke, move-here, accept-rollback
                        {"writer", "entry"}
  keys export, import   {"writers": [writer]}
  approve               {"approved": [path]}
  audit list            {"operations": [{"time", "id", "principal", "via", "tool", "key", "category", "result", "why"}]}
  audit verify          {"sound", "entries", "problems": [problem]}
  redact                {"entries": [], "paths": [], "unreachable": []}
  init                  {"root", "vault_id", "created": [], "present": [], "agents": [], "person",
                         "is_default", "around", "notices": []}
  link                  {"known_by", "root", "vault_id", "project", "replaced", "hint"}
  join                  {"root", "vault_id", "writer", "confirmed", "agents": [], "is_default"}
  trust                 {"root", "vault_id", "root_key", "root_person", "new", "copies": []}
  index                 {"indexed", "memory_index_changed"}
  snapshot make         {"path", "signature", "sha256", "tree", "files", "bytes", "writer", "left_out": []}
  snapshot open         {"folder", "vault_id", "files", "writer"}
  snapshot diff, merge  {"source", "strategy", "maker", "base", "counts": {}, "entry", "notices": [],
                         "changes": [{"verb", "path", "reason", "old_path", "verdict", "conflicts": [],
                         "kept": []}]}
  embeddings status, enable, disable, refresh
                        {"embeddings": {"enabled", "provider", "model", "file", "notes"}}
  stats                 {"notes", "by_status": {}, "by_type": {}, "by_category": {}, "by_scope": {},
                         "by_agent": {}, "by_month": {}}
  checkpoint            {"path"}
  decide                {"proposal": proposal}
  install, uninstall    {"client", "changes": [], "done", "backups": []}
  demo                  {"vault", "home", "commands": [{"command", "exit", "output"}]}
  help                  {"topic", "text"}
  version               {"version", "python"}
  error                 {"error": {"kind", "exit", "message", "near"?: [], "candidates"?: []}}
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_memory.memory import (
        Answer,
        Context,
        Contradiction,
        Decision,
        Entry,
        Forgotten,
        Header,
        LogLine,
        MergeReport,
        Moved,
        Neighbour,
        Operation,
        Problem,
        Proposal,
        Renamed,
        Report,
        Retained,
        Scope,
        StoredNote,
        Superseded,
        Undone,
    )

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


def moved(value: "Moved") -> Shape:
    """Notes that went somewhere else."""
    pairs = [list(pair) for pair in value.paths]
    return {**value._asdict(), "paths": pairs, "links_changed": list(value.links_changed)}


def proposal(value: "Proposal") -> Shape:
    """A fact that waits for a person, or what became of it."""
    return {**value._asdict(), "similar": list(value.similar)}


def neighbour(value: "Neighbour") -> Shape:
    """A note beside a proposal."""
    return dict(value._asdict())


def contradiction(value: "Contradiction") -> Shape:
    """Two notes that cannot both hold."""
    return dict(value._asdict())


def superseded(value: "Superseded") -> Shape:
    """The two notes that were settled."""
    return dict(value._asdict())


def operation(value: "Operation") -> Shape:
    """Something that was done to files."""
    return {**value._asdict(), "paths": list(value.paths)}


def undone(value: "Undone") -> Shape:
    """What was taken back."""
    return {"operation": operation(value.operation), "files": [list(one) for one in value.files], "entry": value.entry}


def retained(value: "Retained") -> Shape:
    """What a transcript gave."""
    return {**value._asdict(), "facts": [dict(fact._asdict()) for fact in value.facts]}


def decision(value: "Decision") -> Shape:
    """What was decided, and where the text is now."""
    return dict(value._asdict())


def context(value: "Context", limit: int) -> Shape:
    """The block for a session's start, and its parts."""
    parts = [dict(part._asdict()) for part in value.parts]
    return {
        "text": value.text,
        "bytes": value.bytes,
        "limit": limit,
        "parts": parts,
        "left_out": list(value.left_out),
    }


def answer(value: "Answer", query: str) -> Shape:
    """Ranked hits, and how far the answer can be trusted."""
    return {"query": query, **value._asdict(), "hits": [dict(hit._asdict()) for hit in value.hits]}


def entry(value: "Entry") -> Shape:
    """A signed entry as it was written."""
    refs = value.values().get("refs")
    return {
        "id": value.id,
        "time": value.time,
        "agent": value.agent,
        "channel": value.channel,
        "kind": value.kind,
        "text": value.text,
        "writer": value.writer,
        "seq": value.seq,
        "ack": list(value.ack),
        "refs": refs if isinstance(refs, list) else [],
    }


def log_line(value: "LogLine") -> Shape:
    """An entry, or a hand-written line, as a reader sees it."""
    return dict(value._asdict())


def merge_report(value: "MergeReport") -> Shape:
    """What a merge of two copies did, or would do."""
    changes = [{**one._asdict(), "conflicts": list(one.conflicts), "kept": list(one.kept)} for one in value.changes]
    return {**value._asdict(), "notices": list(value.notices), "counts": dict(value.counts), "changes": changes}


def report(value: "Report") -> Shape:
    """What a check of logs and files found."""
    return {
        "sound": value.sound,
        "counts": dict(value.counts),
        "problems": [problem(one) for one in value.problems],
        "notices": [problem(one) for one in value.notices],
        "unknown": list(value.unknown),
        "files": [dict(one._asdict()) for one in value.files],
    }
