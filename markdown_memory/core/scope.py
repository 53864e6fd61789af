"""Scope: the project and branch that a note belongs to, and the folder that stands for it.

The folder is `[@<project>/]<branch>`; without `@…` it is the vault's own project. In a folder name `/` becomes `~`,
which git refuses in refs, and `~~XX` stands for one byte of UTF-8 that some system or Obsidian could not take. Reading
takes `~~XX` for an escape and any other `~` for a slash, so `~~~41` is a slash and then an escaped `A`.
"""

from typing import NamedTuple

from markdown_memory.core.names import DEVICES
from markdown_memory.errors import UserError

_ESCAPED = frozenset('"<>|#]%[^\\:*?~') | {chr(code) for code in (*range(32), 127)}
_HEX = frozenset("0123456789ABCDEF")


class Scope(NamedTuple):
    """A project ("" = the vault's own) and a branch."""

    project: str
    branch: str


def folder_of(scope: Scope) -> str:
    """`main`, or `@shop/feature~auth`."""
    branch = encode_name(scope.branch)
    return f"@{encode_name(scope.project)}/{branch}" if scope.project else branch


def scope_of(folder: str) -> Scope:
    """The scope of a folder; what lies deeper than the branch means nothing."""
    first, _, rest = folder.partition("/")
    if not first.startswith("@"):
        return Scope("", decode_name(first))
    return Scope(decode_name(first[1:]), decode_name(rest.partition("/")[0]))


def encode_name(name: str) -> str:
    """One folder name for a branch or project name, on every file system and in every link."""
    if not name:
        raise UserError("A branch or project needs a name, and this one is empty.")
    parts = [_escape(char) if char in _ESCAPED else "~" if char == "/" else char for char in name]
    if name[0] == "@" or name.partition(".")[0].casefold() in DEVICES:
        parts[0] = _escape(name[0])
    if name[-1] in ". ":
        parts[-1] = _escape(name[-1])
    return "".join(parts)


def decode_name(folder: str) -> str:
    """The branch or project name that a folder name stands for."""
    out = bytearray()
    at = 0
    while at < len(folder):
        if folder[at : at + 2] == "~~" and len(folder) >= at + 4 and _HEX.issuperset(folder[at + 2 : at + 4]):
            out.append(int(folder[at + 2 : at + 4], 16))
            at += 4
            continue
        out += b"/" if folder[at] == "~" else folder[at].encode("utf-8", "surrogateescape")
        at += 1
    return out.decode("utf-8", "surrogateescape")


def parse_namespace(text: str, own: Scope) -> Scope | None:
    """The scope that a namespace names; None for `user`, which is seen everywhere.

    `project` is the own scope, `project:feature/auth` a branch of the own project, `project:@shop:feature/auth` a
    branch of another one.
    """
    kind, _, rest = text.partition(":")
    if kind in ("user", "global") and not rest:
        return None
    if kind != "project":
        raise UserError(
            f"The namespace {text!r} is not known; use `user`, `project:<branch>` or `project:@<project>:<branch>`."
        )
    if not rest:
        return own
    if not rest.startswith("@"):
        return Scope(own.project, rest)
    project, _, branch = rest[1:].partition(":")
    if not project or not branch:
        raise UserError(f"The namespace {text!r} needs a project and a branch: `project:@<project>:<branch>`.")
    return Scope(project, branch)


def _escape(char: str) -> str:
    return "".join(f"~~{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))
