"""The copies of a vault that are compared: this one, the folder of another one, a snapshot."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core import layout
from markdown_memory.core.scope import Scope, parse_namespace
from markdown_memory.errors import AccessError, ConflictError, MarkdownMemoryError, NotFound, UserError
from markdown_memory.rules.bundle_names import needed, refused, travels, within
from markdown_memory.storage import bundle_reading, bundle_signature, files
from markdown_memory.storage.bundle import tree_of
from markdown_memory.storage.lineage import Lineage
from markdown_memory.storage.registry import Registry
from markdown_memory.storage.scan import scan
from markdown_memory.storage.vaults import id_of, vault_at
from markdown_memory.workspace import Workspace

if TYPE_CHECKING:
    from markdown_memory.storage.bundle_signature import Maker

Progress = Callable[[int, int], None]
Scopes = frozenset[Scope | None]


class Copy(NamedTuple):
    """A copy of the vault: its listing, how its files are read, the trees that it came from, and what it has of them.

    `base` gives a text by its hash; `base_files` are listings by tree. `maker` has signed it (None: a folder here).
    """

    name: str
    files: Mapping[str, str]
    read: Callable[[str], bytes]
    tree: str
    ancestors: tuple[str, ...] = ()
    base_files: Mapping[str, Mapping[str, str]] = {}
    base: Callable[[str], bytes | None] = lambda _: None
    maker: "Maker | None" = None
    namespaces: tuple[str, ...] = ()
    left_out: frozenset[str] = frozenset()


def scopes_of(space: Workspace, namespaces: tuple[str, ...]) -> Scopes:
    """What the names of namespaces mean here."""
    found = [parse_namespace(name, space.scope) for name in namespaces]
    own = space.settings.own_project.name
    return frozenset(scope._replace(project="") if scope and scope.project == own else scope for scope in found)


def chosen(path: str, scopes: Scopes) -> bool:
    """Whether a file is one of those that were asked for; without namespaces all are."""
    return not scopes or within(path, scopes) or needed(path)


def here(space: Workspace, progress: Progress | None = None) -> Copy:
    """This copy, as of now."""
    known = {header.path: header.sha256 for header in space.all_headers()}
    listed = listing(space.root, known, progress)
    return Copy(space.name, listed, reader(space.root), "")


def reader(root: str) -> Callable[[str], bytes]:
    """Reads the files of a folder by path."""
    return lambda path: files.read(root, path, None)


def paths(root: str) -> list[str]:
    """All that travels, in order."""
    return sorted(stat.path for stat in scan(root, "") if travels(stat.path))


def listing(root: str, known: Mapping[str, str], progress: Progress | None = None) -> dict[str, str]:
    """Path → SHA-256 of all that travels; `known` saves reading what has not changed."""
    found = {}
    listed = paths(root)
    for number, path in enumerate(listed, 1):
        sha256 = known.get(path) or _digest(root, path)
        if sha256:
            found[path] = sha256
        if progress is not None and not number % 100:
            progress(number, len(listed))
    return found


def _digest(root: str, path: str) -> str:
    try:
        return files.digest_of(root, path) or ""
    except MarkdownMemoryError:
        return ""  # one bad file never stops the rest


@contextmanager
def source(space: Workspace, path: str, progress: Progress | None = None) -> Iterator[Copy]:
    """The copy at a path: a snapshot's file, or the folder of another copy of the same vault."""
    import os

    if os.path.isdir(path):
        yield _folder(space, path, progress)
        return
    with bundle_reading.opened(path, progress, whole=False) as opened:
        facts = opened.facts
        if facts.vault != space.vault_id:
            raise ConflictError(_other_vault(path, facts.vault, space))
        maker = bundle_signature.check(path, opened.sha256, space.vault_id)
        yield Copy(
            path,
            facts.files,
            opened.read,
            facts.tree,
            facts.ancestors,
            {facts.base_tree: facts.base} if facts.base_tree else {},
            opened.base,
            maker,
            facts.namespaces,
            frozenset(facts.left_out),
        )


def _folder(space: Workspace, path: str, progress: Progress | None) -> Copy:
    root = vault_at(path)
    if not root:
        raise NotFound(f"{path} is neither a snapshot nor the folder of a vault.")
    if root == space.root:
        raise UserError(f"{path} is this vault itself; name another copy of it, or a snapshot.")
    if id_of(root) != space.vault_id:
        raise ConflictError(_other_vault(path, id_of(root), space))
    if Registry(space.places).entry(space.vault_id, root) is None:
        raise AccessError(f"{root} is not trusted on this account; `mdmem trust {root}` does that.")
    everything = listing(root, {}, progress)
    listed = {name: sha for name, sha in everything.items() if not refused(name)}
    known = Lineage(space.places, space.vault_id, root)
    return Copy(
        root,
        listed,
        reader(root),
        tree_of(listed),
        known.trees(),
        base=known.text,
        left_out=frozenset(paths(root)) - listed.keys(),
    )


def _other_vault(path: str, found: str, space: Workspace) -> str:
    return (
        f"{path} comes from another vault ({found or 'without an id'}) than {space.root} ({space.vault_id}); "
        "only copies of one vault can be merged. Nothing was changed."
    )


def is_log(path: str) -> bool:
    """Whether a file belongs to the signed logs, which are joined and not merged."""
    return path.startswith(f"{layout.LOG_FOLDER}/")
