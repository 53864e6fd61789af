"""From a file's bytes to its bytes with our entries, and back. Decides; reads and writes nothing.

Whose an entry is: ours is what equals an entry of the manifest, and a hook whose command is this program's `hook` for
that client, whatever a person has changed around it. Everything else stays where it is, byte for byte.
"""

import shlex
from collections.abc import Sequence
from typing import Any, NamedTuple

from markdown_memory.core.yaml_core import BrokenYamlError, mapping
from markdown_memory.errors import FormatError
from markdown_memory.frontends.wiring import blocks, json_text
from markdown_memory.frontends.wiring.clients import JSON, MARKDOWN, SERVER, TOML, YAML, Entry, Piece

BOM = "\ufeff"
Path = tuple[str, ...]


class Owned(NamedTuple):
    """What is ours in one file: entries, and the objects and lists that were made for them."""

    file: str
    form: str
    entries: tuple[Entry, ...] = ()
    made: tuple[Path, ...] = ()
    new: bool = False
    """The file itself was made for them."""


class Change(NamedTuple):
    """A file before and after (None: there is none), and what is ours in it then."""

    file: str
    before: bytes | None
    after: bytes | None
    owned: Owned


def install(piece: Piece, client: str, before: bytes | None, earlier: Owned | None) -> Change:
    """The file with the piece in it; FormatError with what to put in by hand where that cannot be done safely."""
    made: tuple[Path, ...] = ()
    try:
        bom, text = _decoded(before)
        if piece.form == JSON:
            after, made = _into_json(text, piece.entries, client, earlier)
        else:
            after = _into_lines(text, piece)
        _check(piece.form, after)
    except (ValueError, FormatError) as error:
        raise FormatError(_by_hand(piece, str(error))) from None
    if earlier:
        made = tuple(dict.fromkeys((*earlier.made, *made)))
    new = before is None or (earlier is not None and earlier.new)
    changed = before is None or after != text
    owned = Owned(piece.file, piece.form, piece.entries, made, new)
    return Change(piece.file, before, (bom + after).encode() if changed else before, owned)


def uninstall(owned: Owned, client: str, before: bytes | None) -> Change:
    """The file without what is ours in it; a file that was made for us goes when nothing else is in it."""
    if before is None:
        return Change(owned.file, None, None, owned)
    try:
        bom, text = _decoded(before)
        after = _out_of_json(text, owned, client) if owned.form == JSON else blocks.remove(text, _marks(owned.form))
    except (ValueError, FormatError) as error:
        raise FormatError(f"{owned.file}: {error}. Take our entries out by hand: {_names(owned)}.") from None
    if after == text:
        return Change(owned.file, before, before, owned)
    emptied = owned.new and after.strip() in ("", "{}")
    return Change(owned.file, before, None if emptied else (bom + after).encode(), owned)


def is_hook_of(command: object, client: str) -> bool:
    """Whether a shell line starts this program's hook for the client."""
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return False
    at = next((at for at in range(len(words) - 1) if words[at : at + 2] == ["hook", client]), 0)
    return any("mdmem" in word or "markdown_memory" in word for word in words[:at])


# JSON


def _into_json(text: str, entries: Sequence[Entry], client: str, earlier: Owned | None) -> tuple[str, tuple[Path, ...]]:
    for old in earlier.entries if earlier else ():
        if old not in entries:
            text = _without(text, old, client)
    made: list[Path] = []
    for entry in entries:
        document = json_text.parse(text)
        made += [
            entry.path[:depth]
            for depth in range(1, len(entry.path) + entry.listed)
            if json_text.get(document, entry.path[:depth]) is None
        ]
        text = _with(text, document, entry, client)
    return text, tuple(made)


def _with(text: str, document: dict[str, Any], entry: Entry, client: str) -> str:
    present = json_text.get(document, entry.path)
    if not entry.listed:
        return text if present == entry.value else json_text.put(text, entry.path, entry.value)
    if isinstance(present, list) and present.count(entry.value) == 1 and len(_ours(present, client)) == 1:
        return text
    return json_text.append(_without(text, entry, client), entry.path, entry.value)


def _out_of_json(text: str, owned: Owned, client: str) -> str:
    for entry in owned.entries:
        text = _without(text, entry, client)
    for path in sorted(owned.made, key=len, reverse=True):
        if json_text.get(json_text.parse(text), path) in ({}, []):
            text = json_text.remove(text, path)
    return text


def _without(text: str, entry: Entry, client: str) -> str:
    """The text without one entry of ours; of a hook's group only our handler when somebody added others to it."""
    document = json_text.parse(text)
    present = json_text.get(document, entry.path)
    if not entry.listed:
        return json_text.remove(text, entry.path) if present is not None else text
    for at in reversed(_ours(present, client)):
        own = [number for number, one in enumerate(_handlers(present[at])) if is_hook_of(one.get("command"), client)]
        if len(own) == len(_handlers(present[at])):
            text = json_text.remove(text, (*entry.path, at))
        else:
            for number in reversed(own):
                text = json_text.remove(text, (*entry.path, at, "hooks", number))
    return text


def _ours(groups: Any, client: str) -> list[int]:
    """Which groups of hooks hold a handler of ours."""
    return [
        at
        for at, group in enumerate(groups if isinstance(groups, list) else [])
        if any(is_hook_of(one.get("command"), client) for one in _handlers(group))
    ]


def _handlers(group: Any) -> list[dict[str, Any]]:
    found = group.get("hooks") if isinstance(group, dict) else None
    return [one if isinstance(one, dict) else {} for one in found] if isinstance(found, list) else []


# lines


def _into_lines(text: str, piece: Piece) -> str:
    marks = _marks(piece.form)
    if piece.form != YAML:
        if piece.form == TOML:
            _refuse_foreign(_toml(blocks.remove(text, marks)))
        return blocks.put(text, piece.block, marks)
    return _into_yaml(text, piece.block, marks)


def _into_yaml(text: str, block: str, marks: blocks.Marks) -> str:
    """Below `mcp_servers:`, in the indentation of its items; with that line where there is none."""
    rest = blocks.remove(text, marks)
    settings = _yaml(rest)
    _refuse_foreign(settings)
    at = 0
    for line in rest.splitlines(keepends=True):
        at += len(line)
        if line.split("#")[0].rstrip() == "mcp_servers:":
            following = (one for one in rest[at:].splitlines() if one.strip() and not one.lstrip().startswith("#"))
            item = next(following, "")
            indent = item[: len(item) - len(item.lstrip())] or "  "
            return blocks.put(rest, block, marks, at, indent)
    if "mcp_servers" in settings:
        raise FormatError("its `mcp_servers` is not written as a block of lines")
    lines = "\n".join(f"  {line}" for line in block.splitlines())
    return blocks.put(rest, f"mcp_servers:\n{lines}", marks)


def _refuse_foreign(settings: dict[str, Any]) -> None:
    servers = settings.get("mcp_servers")
    if isinstance(servers, dict) and SERVER in servers:
        raise FormatError(f"it has a server {SERVER!r} already, outside the lines that we marked")


def _marks(form: str) -> blocks.Marks:
    return blocks.HTML if form == MARKDOWN else blocks.HASH


# reading


def _decoded(data: bytes | None) -> tuple[str, str]:
    """A byte order mark or "", and the text behind it."""
    try:
        text = (data or b"").decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"it is no UTF-8 text (byte {error.start})") from None
    return (BOM, text[1:]) if text.startswith(BOM) else ("", text)


def _check(form: str, text: str) -> None:
    """ValueError when the text is not what its form says."""
    {JSON: json_text.parse, TOML: _toml, YAML: _yaml}.get(form, len)(text)


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text)


def _yaml(text: str) -> dict[str, Any]:
    try:
        return mapping(text)
    except BrokenYamlError as error:
        raise ValueError(f"line {error.line}: {error}") from None


def _by_hand(piece: Piece, why: str) -> str:
    if piece.form == JSON:
        document: dict[str, Any] = {}
        for entry in piece.entries:
            at = document
            for key in entry.path[:-1]:
                at = at.setdefault(key, {})
            at[entry.path[-1]] = [entry.value] if entry.listed else entry.value
        lines = json_text.shown(document)
        why += " (comments and commas at the end are not for plain JSON, so we do not rewrite them)"
    else:
        lines = piece.block
    shown = "".join(f"\n  {line}" for line in lines.splitlines())
    return f"{piece.file} was left alone: {why}. Correct it, or put this in by hand:{shown}"


def _names(owned: Owned) -> str:
    return ", ".join(".".join(entry.path) for entry in owned.entries) or f"the lines between our marks, {SERVER}"
