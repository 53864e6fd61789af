"""Accept, reject, undo: one change each, with what undoing needs written into its ledger entry.

`undo` in an entry's data is a list of [path, hash that must be there ("" = no file), path of the copy to bring back
("" = remove)], and where a fourth word stands, that key is taken out of the file instead. Carrying out a decision uses
no clock and no chance, so that two hosts that do it write the same bytes.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from markdown_memory.core import layout
from markdown_memory.core.names import name_key
from markdown_memory.core.note import Header, StoredNote
from markdown_memory.errors import AccessError, ConflictError, NotFound
from markdown_memory.features.inbox.queue import target_of, type_of
from markdown_memory.features.inbox.values import Decision
from markdown_memory.rules import proposals
from markdown_memory.rules.resolve import stem
from markdown_memory.storage.files import digest
from markdown_memory.workspace import Edit, Workspace

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry

DECISIONS = ("accept", "reject", "merge", "supersede", "fold")
PAST = {
    "accept": "accepted",
    "reject": "rejected",
    "merge": "merged",
    "supersede": "accepted",
    "fold": "folded",
    "withdraw": "withdrawn",
}
Undo = list[list[str]]


def past(kind: str) -> str:
    """`accept` → `accepted`."""
    return PAST.get(kind, kind)


def accept(
    space: Workspace, header: Header, *, replace: bool = False, over: str = "", by_file: bool = False, via: str = ""
) -> Decision:
    """Move a proposal into memory/; `over` is the hash of the note that the person saw it replace."""
    stored = space.read(header.path)
    if by_file and "external" in (stored.header.trust, proposed_trust(space, header.path)):
        raise AccessError(
            f"{header.path} comes from outside: read it and accept it in a terminal, with `mdmem review`."
        )
    type = type_of(stored.header)
    folder = target_of(space, stored.header)
    new = proposals.accepted_bytes(stored.data, stored.header, type)
    standing = _standing(space, folder, header.name)
    if standing and _says_the_same(standing, new):
        return _put_away(space, stored, "accept", f"{header.name}: already in {standing.header.path}", by_file)
    if standing and not replace:
        raise ConflictError(
            f"{standing.header.path} has the same name and other content; accept with --replace to put the proposal "
            f"in its place (the old text goes to archive/), or rename one of them first."
        )
    if standing:
        _check_target(space, stored, standing.header, over)
    edits, undo = into_the_archive(space, stored)
    if standing:
        path = standing.header.path
        kept = space.free_file(layout.archive_path(path))
        edits = [Edit(path, standing.header.sha256, new), Edit(kept, None, standing.data), *edits]
        undo = [[path, digest(new), kept], [kept, standing.header.sha256, ""], *undo]
    else:
        path = space.free_path(folder, header.name)
        edits = [Edit(path, None, new, move_from=header.path), *edits]
        undo = [[path, digest(new), ""], *undo]
    return record(space, "accept", f"{header.name} ({path})", edits, undo, stored, path, by_file, via=via)


def _check_target(space: Workspace, stored: StoredNote, target: Header, over: str) -> None:
    """ConflictError when the note to be replaced is not the one that the proposal, or the person, has seen."""
    if over and not target.sha256.startswith(over):
        raise ConflictError(f"{target.path} was changed since it was shown; look at it again before you replace it.")
    seen = proposed_against(space, stored.path).get(target.path)
    if not over and seen and seen != target.sha256:
        raise ConflictError(
            f"{target.path} was changed after {stored.name!r} was proposed, and what is newer is not replaced unseen: "
            f"`mdmem review show {stored.name}` shows both; then merge it, or say --over {target.sha256[:12]}."
        )


def proposed_trust(space: Workspace, path: str) -> str:
    """The trust with which a proposal was made, whatever its file says now."""
    trusts = [str(data.get("trust", "")) for data in _retained(space, path)]
    return "external" if "external" in trusts else next(iter(trusts), "")


def proposed_against(space: Workspace, path: str) -> dict[str, str]:
    """The hashes of the notes that a proposal would replace, as they were when it was made."""
    found = next((data.get("against") for data in _retained(space, path)), None)
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _retained(space: Workspace, path: str) -> Iterator[dict[str, Any]]:
    """What the ledger says about how the proposal at a path was made, newest first."""
    for entry in reversed(space.ledger()):
        data = entry.values()
        files = data.get("files")
        if entry.kind == "retain" and isinstance(files, dict) and path in files:
            yield data


def adopt(space: Workspace, header: Header, origin: str) -> Decision:
    """A proposal that a person moved into memory/ by hand: take its question keys off."""
    stored = space.read(header.path)
    new = proposals.accepted_bytes(stored.data, stored.header, header.type)
    kept = space.free_file(layout.archive_path(origin or header.path))
    edits = [Edit(header.path, header.sha256, new), Edit(kept, None, stored.data, move_from=origin)]
    undo = [[header.path, digest(new), ""], [kept, header.sha256, ""]]
    if origin:
        undo.insert(0, [origin, "", kept])
    return record(space, "accept", f"{header.name} ({header.path})", edits, undo, stored, header.path, True)


def reject(space: Workspace, header: Header, reason: str = "", *, by_file: bool = False, twin: str = "") -> Decision:
    """Move a proposal to archive/, and with it its `twin`: the note that somebody else had accepted out of it."""
    return _put_away(space, space.read(header.path), "reject", reason, by_file, twin)


def bury(space: Workspace, path: str, name: str, text: str) -> Decision:
    """A proposal that a person deleted: a rejection; its last known text goes to archive/."""
    data = text.encode("utf-8", "surrogateescape")
    kept = space.free_file(layout.archive_path(path))
    undo = [[path, "", kept], [kept, digest(data), ""]]
    facts = {"name": name, "proposal": path, "note": kept, "reason": "deleted", "undo": undo}
    edit = Edit(kept, None, data, move_from=path)
    space.change([edit], kind="reject", text=f"{name}: deleted", data=facts, by_file=True)
    return Decision(name, "rejected", kept, "The file was deleted from the inbox.")


def undo(space: Workspace, ref: str = "") -> Decision:
    """Put back every file of the last decision, or of that about `ref`, as it was; ticked boxes come back empty."""
    entry, data = _last(space, ref)
    try:
        edits = [_backwards(space, *step) for step in data["undo"]]
    except ConflictError as error:
        before = next((one["name"] for other, one in decisions(space) if _older(other, entry)), "")
        hint = f" `mdmem review undo {before}` takes back the decision before it." if before and not ref else ""
        raise ConflictError(f"{past(entry.kind).capitalize()} was {data['name']!r}: {error}{hint}") from error
    what = f"{entry.kind} of {data['name']}"
    space.change(edits, kind="undo", text=what, data={"undoes": entry.id, "name": data["name"]})
    return Decision(data["name"], "undone", data["proposal"], f"Took back: {what}.")


def decided_before(space: Workspace, ref: str, kind: str) -> Decision | None:
    """The decision that was made about `ref` already, when it was the same one."""
    for entry, data in decisions(space):
        if ref in (data["name"], data["proposal"], stem(data["proposal"])) and entry.kind == kind:
            return Decision(ref, past(kind), data["note"], f"It was {past(kind)} before, on {entry.time[:10]}.")
    return None


def rejected_because(space: Workspace, archived: str) -> str | None:
    """The reason of the rejection that put the file into archive/ ("" = nobody said); None when none stands."""
    for entry, data in decisions(space):
        if data["note"] == archived and entry.kind == "reject":
            return str(data.get("reason", ""))
    return None


def forgotten_because(space: Workspace, archived: str) -> str | None:
    """The reason for which the file in archive/ was forgotten ("" = nobody said); None when it was not."""
    for entry in reversed(space.ledger()):
        data = entry.values()
        files = data.get("files")
        if entry.kind == "forget" and isinstance(files, dict) and archived in files:
            return str(data.get("reason", ""))
    return None


def withdraw(space: Workspace, header: Header) -> Decision:
    """An agent takes its own proposal back; what it said stays in archive/."""
    return _put_away(space, space.read(header.path), "withdraw", "", False)


def _put_away(space: Workspace, stored: StoredNote, kind: str, reason: str, by_file: bool, twin: str = "") -> Decision:
    edits, undo = into_the_archive(space, stored)
    if twin:
        more, back = into_the_archive(space, space.read(twin))
        edits, undo = [*edits, *more], [*undo, *back]
    text = f"{stored.header.name}: {reason}" if reason and kind == "reject" else reason or stored.header.name
    return record(space, kind, text, edits, undo, stored, edits[0].path, by_file, reason)


def into_the_archive(space: Workspace, stored: StoredNote) -> tuple[list[Edit], Undo]:
    path, sha256 = stored.header.path, stored.header.sha256
    kept, data = space.free_file(layout.archive_path(path)), proposals.unticked(stored.data)
    edits = [Edit(kept, None, data, move_from=path), Edit(path, sha256, None)]
    return edits, [[path, "", kept], [kept, digest(data), ""]]


def record(
    space: Workspace,
    kind: str,
    text: str,
    edits: list[Edit],
    undo: Undo,
    stored: StoredNote,
    now_at: str,
    by_file: bool = False,
    reason: str = "",
    via: str = "",
) -> Decision:
    facts = {"name": stored.header.name, "proposal": undo_path(undo, stored), "note": now_at, "undo": undo}
    facts["sha256"] = digest(proposals.unticked(stored.data))
    if reason:
        facts["reason"] = reason
    space.change(edits, kind=kind, text=text, data=facts, by_file=by_file, via=via)
    return Decision(stored.header.name, past(kind), now_at)


def undo_path(undo: Undo, stored: StoredNote) -> str:
    """The path in the inbox that undoing brings back."""
    return next((path for path, *_ in undo if layout.place_of(path).area == "inbox"), stored.header.path)


def check_name_free(space: Workspace, folder: str, name: str) -> None:
    """ConflictError when a note of that name stands in the folder."""
    if standing := _standing(space, folder, name):
        raise ConflictError(
            f"{standing.header.path} has the same name; merge the proposal into it, or accept it with --replace."
        )


def _standing(space: Workspace, folder: str, name: str) -> StoredNote | None:
    wanted = name_key(name)
    for header in space.headers():
        if header.status == "accepted" and name_key(header.name) == wanted and header.path.startswith(folder + "/"):
            return space.read(header.path)
    return None


def _says_the_same(standing: StoredNote, new: bytes) -> bool:
    from markdown_memory.core import frontmatter

    return proposals.same_text(standing.body, frontmatter.read(new)[1])


def _backwards(space: Workspace, path: str, there: str, copy: str, key: str = "") -> Edit:
    now = space.hash_of(path)
    if (now or "") != there:
        raise ConflictError(f"{path} was changed after that decision, so it cannot be taken back; change it by hand.")
    if key:
        from markdown_memory.core import frontmatter

        return Edit(path, now, frontmatter.remove_key(space.read(path).data, key))
    if not copy:
        return Edit(path, now, None)
    data = space.read(copy).data
    return Edit(path, now, proposals.unticked(data) if layout.place_of(path).area == "inbox" else data)


def _last(space: Workspace, ref: str = "") -> tuple["Entry", dict[str, Any]]:
    for entry, data in decisions(space):
        if not ref or ref in (data["name"], data["proposal"], data["note"], stem(data["proposal"]), entry.id):
            return entry, data
    raise NotFound(f"There is no decision about {ref!r} to take back." if ref else "There is no decision to take back.")


def _older(one: "Entry", other: "Entry") -> bool:
    return one.id != other.id and one.time <= other.time


def decisions(space: Workspace) -> Iterator[tuple["Entry", dict[str, Any]]]:
    """Decisions that stand, newest first."""
    entries = [(entry, entry.values()) for entry in space.ledger() if entry.kind in (*DECISIONS, "undo", "void")]
    gone = {(entry.log, str(data.get("undoes") or data.get("void") or "")) for entry, data in entries}
    for entry, data in reversed(entries):
        if entry.kind in DECISIONS and (entry.log, entry.id) not in gone and "undo" in data:
            yield entry, data
