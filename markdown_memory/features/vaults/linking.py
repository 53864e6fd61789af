"""`mdmem link`: tie the code repository here to a vault and to a project in it.

The link lies in the user's config and is found by the repository's remote address, or by its common dir when it has no
remote; so all worktrees and, with a remote, all clones share it. A project that the vault's settings do not know yet is
added there, as an entry of the ledger, so that others who use the vault need no link.
"""

import json
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import layout, times
from markdown_memory.core.scope import encode_name
from markdown_memory.core.settings import Project, parse
from markdown_memory.errors import UserError
from markdown_memory.storage import files, git
from markdown_memory.storage.places import Places
from markdown_memory.storage.registry import Link, Registry

if TYPE_CHECKING:
    from markdown_memory.workspace import Workspace


class Linked(NamedTuple):
    """The link: by which remote or folder the repository is known, the vault, and the project. `hint` says what a
    person may still do, for the others who use the vault."""

    known_by: str
    root: str
    vault_id: str
    project: str
    replaced: bool
    hint: str = ""


def link(workspace: "Workspace", *, cwd: str, project: str = "") -> Linked:
    """Tie the repository of `cwd` to the open vault; without a name the project is called after its remote."""
    here = git.repo(cwd)
    if here is None:
        raise UserError(f"{cwd} is in no git repository, so there is nothing to link; begin one with `git init`.")
    if here.worktree == workspace.root:
        raise UserError(f"{cwd} is the vault itself; go to a code repository and link that.")
    name = project or _name(here)
    encode_name(name)
    registry = Registry(workspace.places)
    before = registry.link_for(here.remotes, here.common_dir)
    common_dir = "" if here.remote else here.common_dir
    since = times.utc(workspace.clock())
    registry.link(Link(workspace.vault_id, workspace.root, name, here.remote, common_dir, since))
    hint = _add_to_settings(workspace, here, name)
    known_by = here.remote or here.main_worktree
    return Linked(known_by, workspace.root, workspace.vault_id, name, before is not None, hint)


def unlink(cwd: str, *, places: Places) -> Link | None:
    """Undo the link of the repository here; what it was, None when there was none."""
    here = git.repo(cwd)
    registry = Registry(places)
    found = registry.link_for(here.remotes, here.common_dir) if here else None
    if found:
        registry.unlink(found)
    return found


def with_project(data: bytes, project: Project) -> bytes | None:
    """Settings.md with a table for the project at the end of its TOML block; None where there is no such block."""
    lines = data.decode("utf-8", "surrogateescape").splitlines(keepends=True)
    begin = next((at for at, line in enumerate(lines) if line.strip().lower() == "```toml"), None)
    if begin is None:
        return None
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].strip() == "```"), None)
    if end is None:
        return None
    newline = "\r\n" if lines[begin].endswith("\r\n") else "\n"
    remotes = ", ".join(map(_toml, project.remotes))
    table = (
        "",
        f"[projects.{_toml(project.name)}]",
        f"default_branch = {_toml(project.default_branch)}",
        f"remotes = [{remotes}]",
    )
    lines[end:end] = [line + newline for line in table]
    return "".join(lines).encode("utf-8", "surrogateescape")


def _add_to_settings(workspace: "Workspace", here: git.Repo, name: str) -> str:
    """Make the project known to everybody who uses the vault; what a person has to do instead, or ""."""
    known = next((one for one in workspace.settings.projects if one.name == name), None)
    if known:
        if not here.remote or here.remote in known.remotes:
            return ""
        return f"So that others need no link: add {_toml(here.remote)} to the remotes of {name} in {layout.SETTINGS}."
    project = Project(name, here.remotes, git.default_branch(here))
    data = files.read(workspace.root, layout.SETTINGS)
    added = with_project(data, project)
    if added is None or len(parse(added).problems) > len(parse(data).problems):
        return f"{layout.SETTINGS} could not be extended; add the project {name} there for others who use this vault."
    from markdown_memory.workspace import Edit

    edit = Edit(layout.SETTINGS, files.digest(data), added)
    workspace.change([edit], kind="link", text=f"linked {here.remote or name} as project {name}")
    return ""


def _name(here: git.Repo) -> str:
    path = here.remote or here.main_worktree.replace("\\", "/")
    return path.rstrip("/").rpartition("/")[2]


def _toml(text: str) -> str:
    """A basic string; JSON writes it the same way but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
