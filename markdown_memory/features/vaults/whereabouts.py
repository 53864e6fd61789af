"""`mdmem where`: which vault this is, how it was found, and which scope counts here."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_memory.workspace import Workspace


class Where(NamedTuple):
    """The vault with how it was found, the scope with where it comes from, the principal and this account's folders.

    `project` is the vault's own project by its name; `skipped` and `hint` are sentences for a person.
    """

    vault: str
    vault_id: str
    found_by: str
    trusted: bool
    project: str
    branch: str
    repository: str
    agent: str
    person: str
    config: str
    state: str
    cache: str
    skipped: tuple[str, ...] = ()
    hint: str = ""


def where(workspace: "Workspace") -> Where:
    """The whereabouts of an open vault; it may be one that nobody has trusted."""
    found, places = workspace.found, workspace.places
    repo = found.repo
    return Where(
        workspace.root,
        workspace.vault_id,
        found.how_found,
        found.trusted,
        workspace.scope.project or workspace.settings.own_project.name,
        workspace.scope.branch,
        (repo.remote or repo.main_worktree) if repo else "",
        workspace.principal,
        found.person,
        *places,
        tuple(one.line for one in found.skipped),
        workspace.scope_line,
    )
