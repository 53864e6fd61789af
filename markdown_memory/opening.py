"""From a folder to an open vault: find it, read its settings, work out who is there and in which scope."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from markdown_memory.core.names import check_agent
from markdown_memory.rules.standpoint import Surroundings, standpoint
from markdown_memory.storage import vaults
from markdown_memory.storage.places import Places
from markdown_memory.workspace import Workspace

if TYPE_CHECKING:
    from markdown_memory.storage.git import Repo


def open_workspace(
    path: str | None,
    *,
    agent: str,
    project: str | None,
    branch: str | None,
    cwd: str,
    places: Places,
    clock: Callable[[], float],
    via: str,
    untrusted: bool = False,
) -> Workspace:
    """The workspace for the vault at `path`, or for the one that belongs to `cwd`."""
    if agent:
        check_agent(agent)
    found = vaults.find(places, cwd, option=path or "", untrusted=untrusted)
    catalog = vaults.open_catalog(places, found.vault_id, found.root)
    parsed = vaults.read_settings(found.root, catalog)
    here = _surroundings(found.repo, found.root) if found.repo else None
    seen = standpoint(parsed.settings, here, linked=found.project, project=project, branch=branch)
    return Workspace(
        found,
        places=places,
        parsed=parsed,
        catalog=catalog,
        clock=clock,
        principal=agent,
        standpoint=seen,
        via=via,
    )


def _surroundings(repo: "Repo", root: str) -> Surroundings:
    inside = root == repo.worktree or root.startswith(repo.worktree + os.sep)
    return Surroundings(repo.remotes, repo.branch or "", inside, root == repo.worktree)
