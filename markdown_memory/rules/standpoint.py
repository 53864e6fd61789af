"""From where somebody looks at a vault: which project and branch are theirs, and which notes they see.

The project is the one that was named; else the one that `mdmem link` named for this repository; else the one whose
remotes the settings list. A vault that lies inside the repository, and one that is looked at from no repository at all,
is looked at as its own project. Any other repository is not linked: it sees what is seen everywhere, and nothing else.

With a detached head the default branch is read, and whoever writes a scoped note has to name a branch.
"""

from typing import NamedTuple

from markdown_memory.core.scope import Scope
from markdown_memory.core.settings import DEFAULT_BRANCH, Settings

NOT_LINKED = "This repository is not linked to the vault: `mdmem link` links it, or name a project with --project."
DETACHED = "There is no branch here (detached HEAD): say which one is meant with --branch."


class Surroundings(NamedTuple):
    """The repository that somebody works in; `remotes` are normalised, and a `branch` of "" is a detached head."""

    remotes: tuple[str, ...] = ()
    branch: str = ""
    holds_vault: bool = False
    """The vault lies in a folder of this repository."""
    is_vault: bool = False
    """The repository is the vault's own."""


class Standpoint(NamedTuple):
    """The scope that is worked in, the scopes that are seen (nearest first), and why a scoped write is not possible."""

    scope: Scope
    scopes: tuple[Scope, ...]
    no_writing: str = ""


def standpoint(
    settings: Settings,
    here: Surroundings | None,
    *,
    linked: str = "",
    project: str | None = None,
    branch: str | None = None,
) -> Standpoint:
    """Work out the scope; `linked` is the name that `mdmem link` gave to this repository."""
    found = _project(settings, here, linked) if project is None else project
    if found is None:
        home = Scope("", settings.default_branch(""))
        return Standpoint(home, (), NOT_LINKED)
    name = "" if found == settings.own_project.name else found
    default = settings.default_branch(name)
    branches_count = (
        here is not None and not here.is_vault and (project is None or _is_of(settings, here, name, linked))
    )
    current = branch or (here.branch if here and branches_count else default)
    scope = Scope(name, current or default)
    return Standpoint(scope, _seen(settings, scope, default), "" if current else DETACHED)


def _project(settings: Settings, here: Surroundings | None, linked: str) -> str | None:
    if linked:
        return linked
    if here is None:
        return ""
    for remote in here.remotes:
        for project in settings.projects:
            if remote in project.remotes:
                return project.name
    return "" if here.holds_vault or here.is_vault else None


def _is_of(settings: Settings, here: Surroundings, name: str, linked: str) -> bool:
    """Whether the repository is that project's, so that its branch means something for it."""
    found = _project(settings, here, linked)
    return found is not None and ("" if found == settings.own_project.name else found) == name


def _seen(settings: Settings, scope: Scope, default: str) -> tuple[Scope, ...]:
    inherited = [default if name == DEFAULT_BRANCH else name for name in settings.inherit]
    return tuple(dict.fromkeys([scope, *(Scope(scope.project, name) for name in inherited)]))
