"""From a folder to an open vault: find it, read its settings, work out who is there and in which scope."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from markdown_memory.core import layout, settings
from markdown_memory.core.names import check_agent
from markdown_memory.core.scope import Scope
from markdown_memory.storage import files
from markdown_memory.storage.catalog import Catalog
from markdown_memory.storage.places import Places, vault_folder
from markdown_memory.workspace import Workspace

if TYPE_CHECKING:
    from markdown_memory.core.settings import Settings


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
) -> Workspace:
    """The workspace for the vault at `path`, or for the one that belongs to `cwd`."""
    root = os.path.realpath(path or cwd)
    if agent:
        check_agent(agent)
    data = files.read(root, layout.SETTINGS)
    parsed = settings.parse(data)
    folder = vault_folder(places.cache, parsed.vault_id, root)
    catalog = Catalog(os.path.join(folder, "catalog.sqlite"), root)
    scope = Scope(project or "", branch or parsed.settings.default_branch(project or ""))
    return Workspace(
        root,
        places=places,
        vault_id=parsed.vault_id,
        settings=parsed.settings,
        settings_problems=parsed.problems,
        catalog=catalog,
        clock=clock,
        principal=agent,
        person="ana",
        scope=scope,
        scopes=seen_from(scope, parsed.settings),
        via=via,
    )


def seen_from(scope: Scope, chosen: "Settings") -> Sequence[Scope]:
    """The scope itself, then what the settings say is inherited."""
    default = chosen.default_branch(scope.project)
    branches = [default if one == settings.DEFAULT_BRANCH else one for one in chosen.inherit]
    return tuple(dict.fromkeys([scope, *(Scope(scope.project, one) for one in branches)]))
