"""From a folder to an open vault: find it, read its settings, work out who is there and in which scope."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from markdown_memory.core.names import check_agent
from markdown_memory.rules.access import Access
from markdown_memory.rules.scoping import Checkout, locate
from markdown_memory.storage import vaults
from markdown_memory.storage.places import Places
from markdown_memory.workspace import Workspace

if TYPE_CHECKING:
    from markdown_memory.storage.vaults import Found


def open_workspace(
    path: str | None,
    *,
    environment: str = "",
    agent: str,
    project: str | None,
    branch: str | None,
    cwd: str,
    places: Places,
    clock: Callable[[], float],
    via: str,
    untrusted: bool = False,
    attended: bool = True,
) -> Workspace:
    """The workspace for the vault at `path`, or for the one that belongs to `cwd`.

    `attended` says that somebody vouches for the person.
    """
    if agent:
        check_agent(agent)
    found = vaults.find(places, cwd, option=path or "", environment=environment, untrusted=untrusted)
    catalog = vaults.open_catalog(places, found.vault_id, found.root)
    parsed = vaults.read_settings(found.root, catalog)
    pinned = vaults.read_config(places).integrity
    if pinned:
        parsed = parsed._replace(settings=parsed.settings._replace(integrity=pinned))
    located = locate(parsed.settings, checkout_of(found), found.project, project, branch)
    return Workspace(
        found,
        places=places,
        parsed=parsed,
        catalog=catalog,
        clock=clock,
        access=Access(agent, parsed.settings.acl_enabled, parsed.settings.store, attended),
        located=located,
        via=via,
    )


def checkout_of(found: "Found") -> Checkout | None:
    """What a scope depends on of the repository in which somebody works."""
    if found.repo is None:
        return None
    return Checkout(found.repo.remotes, found.repo.branch, found.repo_is_the_vault)
