"""Which project and branch somebody works in, and which scopes are seen from there.

1. What is said outright (`--project`, `--branch`) counts.
2. Else the project is the one in the settings that has a remote of the repository, or the one that the repository was
   linked to. A repository that holds nothing but the vault belongs to the vault's own project, as do folders outside
   any repository.
3. Any other repository sees the global notes only, and one line says how to link it; except that a vault whose
   settings tell no projects apart by remotes knows one project, its own, and everything belongs to that.
4. The branch is git's; without a repository, in the vault's own, and in one that is known to be another project, the
   default branch. With a detached head there is none: reading falls back to the default branch, and writing asks for
   `--branch`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from markdown_memory.core.layout import GLOBAL_TYPES
from markdown_memory.core.names import slug
from markdown_memory.core.scope import Scope, encode_name, parse_namespace
from markdown_memory.core.settings import DEFAULT_BRANCH, Settings
from markdown_memory.errors import UserError

NO_TYPES = ("", "private", "archive", "inbox", "checkpoints", "log")


class Checkout(NamedTuple):
    """A code repository as far as a scope depends on it: its remotes, the branch (None: detached), and whether the
    vault is the whole of it."""

    remotes: Sequence[str] = ()
    branch: str | None = None
    is_the_vault: bool = False


class Located(NamedTuple):
    """Where somebody works.

    `scope.branch` is "" when no scoped note can be written; `seen` are the scopes that are read, nearest first; `line`
    says what a person can do about it, and is "" when all is well.
    """

    scope: Scope
    seen: tuple[Scope, ...]
    linked: bool
    line: str = ""


def locate(
    settings: Settings,
    checkout: Checkout | None = None,
    linked_to: str = "",
    project: str | None = None,
    branch: str | None = None,
) -> Located:
    """The scope of a session; `linked_to` is the project's name given to `mdmem link`."""
    name = _own_as_empty(project, settings) if project is not None else _project(settings, checkout, linked_to)
    if name is None:
        if branch:
            return _at(Scope("", branch), settings)
        return Located(Scope("", ""), (), False, NOT_LINKED)
    if branch:
        return _at(Scope(name, branch), settings)
    if checkout is None or checkout.is_the_vault or _known(settings, checkout, linked_to) not in (name, None):
        return _at(Scope(name, settings.default_branch(name)), settings)
    if checkout.branch is None:
        fallback = Scope(name, settings.default_branch(name))
        return Located(Scope(name, ""), _seen(fallback, settings), True, DETACHED)
    return _at(Scope(name, checkout.branch), settings)


NOT_LINKED = (
    "This repository is not linked to the vault, so only notes that are seen everywhere count here; "
    "`mdmem link --project NAME` links it."
)
DETACHED = "Git's head is detached, so the default branch is read; to write, say which branch with --branch."


def scope_for(type: str, namespace: str | None, own: Scope, line: str) -> Scope | None:
    """Where a note of that type goes; None = everywhere. `line` says why there is no scope when `own` has no branch."""
    if slug(type) != type or type in NO_TYPES:
        raise UserError(f"{type!r} cannot be a type: use user, feedback, project, reference, or one word of your own.")
    if type in GLOBAL_TYPES:
        if namespace not in (None, "", "user", "global"):
            raise UserError(f"A {type} note is seen everywhere; leave the namespace out, or store it as `project`.")
        return None
    scope = parse_namespace(namespace, own) if namespace else own
    if scope is None:
        raise UserError(f"A {type} note belongs to a project and branch; in the namespace `user` use type `user`.")
    if not scope.branch:
        raise UserError(line)
    return scope


def _at(scope: Scope, settings: Settings) -> Located:
    encode_name(scope.branch)
    if scope.project:
        encode_name(scope.project)
    return Located(scope, _seen(scope, settings), True)


def _seen(scope: Scope, settings: Settings) -> tuple[Scope, ...]:
    default = settings.default_branch(scope.project)
    inherited = (default if one == DEFAULT_BRANCH else one for one in settings.inherit)
    return tuple(dict.fromkeys((scope, *(Scope(scope.project, one) for one in inherited))))


def _project(settings: Settings, checkout: Checkout | None, linked_to: str) -> str | None:
    """The project's name, "" for the vault's own, None when nothing tells."""
    if checkout is None or checkout.is_the_vault:
        return ""
    known = _known(settings, checkout, linked_to)
    if known is None and not any(project.remotes for project in settings.projects):
        return ""
    return known


def _known(settings: Settings, checkout: Checkout, linked_to: str) -> str | None:
    """The project that a repository is known to be, by its remotes or its link."""
    for remote in checkout.remotes:
        for project in settings.projects:
            if remote in project.remotes:
                return "" if project.own else project.name
    return _own_as_empty(linked_to, settings) if linked_to else None


def _own_as_empty(name: str, settings: Settings) -> str:
    return "" if name == settings.own_project.name else name
