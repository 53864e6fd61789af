"""Making a snapshot of the vault, and unpacking one as a copy of it."""

import os
from collections.abc import Iterator, Mapping

from markdown_memory.errors import ConflictError, UserError
from markdown_memory.features.snapshots import copies
from markdown_memory.features.snapshots.copies import Copy, Progress
from markdown_memory.features.snapshots.values import OpenedCopy, Snapshot
from markdown_memory.rules.bundle_names import MANIFEST, refused, twins
from markdown_memory.storage import bundle, bundle_reading, bundle_signature, files
from markdown_memory.storage.bundle import Facts
from markdown_memory.storage.inside import failure
from markdown_memory.storage.lineage import MADE, MERGED, OPENED, Lineage
from markdown_memory.storage.places import Places
from markdown_memory.workspace import Workspace


def make(space: Workspace, path: str, namespaces: tuple[str, ...], progress: Progress | None) -> Snapshot:
    """Write the snapshot and its signature; the vault is only read."""
    target = _target(space, path)
    known = Lineage(space.places, space.vault_id, space.root)
    scopes = copies.scopes_of(space, namespaces)
    contents, left_out = _contents(space, scopes, progress)
    facts = _facts(space, known, contents, namespaces)._replace(left_out=tuple(left_out))
    tree = facts.tree
    base = dict(_base_texts(facts, known))
    digest = bundle.write(target, facts, contents.items(), base)
    writer = space.logs.writer(space.principal) if space.principal else space.logs.writer(space.person, "person")
    signature = bundle_signature.sign(target, digest, space.logs.chest, space.vault_id, writer)
    known.keep(target, tree)
    if tree not in known.trees():
        known.note(tree, MADE)
    size = os.path.getsize(target)
    return Snapshot(
        target,
        signature,
        digest,
        tree,
        len(facts.files),
        size,
        writer.id,
        tuple(f"{one} {why}" for one, why in left_out.items()),
    )


def _target(space: Workspace, path: str) -> str:
    target = os.path.abspath(os.path.expanduser(path))
    inside = os.path.realpath(os.path.dirname(target)) + os.sep
    if inside.startswith(space.root + os.sep):
        raise UserError(f"{target} lies in the vault, and a snapshot changes nothing there; name a file elsewhere.")
    if os.path.isdir(target):
        raise UserError(f"{target} is a folder; name the file that the snapshot goes into.")
    if os.path.exists(target) and not os.path.isfile(target):
        raise UserError(f"{target} is a pipe or device; name the file that the snapshot goes into.")
    return target


def _contents(
    space: Workspace, scopes: copies.Scopes, progress: Progress | None
) -> tuple[dict[str, bytes], dict[str, str]]:
    """The files by name in order, and those that stay behind, each with the reason."""
    paths = [path for path in copies.paths(space.root) if copies.chosen(path, scopes)]
    contents: dict[str, bytes] = {}
    left_out = {path: why for path in paths if (why := refused(path))}
    paths = [path for path in paths if path not in left_out]
    for number, (path, data) in enumerate(files.read_all(space.root, paths), 1):
        if data is None or len(data) > bundle_reading.LARGEST:
            left_out[path] = "cannot be read"
        else:
            contents[path] = data
        if progress is not None and not number % 100:
            progress(number, len(paths))
    while pair := twins(contents):
        left_out[pair[1]] = f"would be one file with {pair[0]} on some disks"
        del contents[pair[1]]
    return contents, left_out


def _facts(space: Workspace, known: Lineage, contents: Mapping[str, bytes], namespaces: tuple[str, ...]) -> Facts:
    listed = {path: files.digest(data) for path, data in contents.items()}
    tree = bundle.tree_of(listed)
    ancestors = tuple(one for one in known.trees() if one != tree)
    arrived = [one for one in known.trees(OPENED, MERGED) if one != tree]
    base = next(((one, found) for one in reversed(arrived) if (found := known.files(one)) is not None), ("", {}))
    return Facts(space.vault_id, listed, tuple(namespaces), ancestors, base[0], base[1])


def _base_texts(facts: Facts, known: Lineage) -> Iterator[tuple[str, bytes]]:
    """The texts that the base had of what has changed or is gone since; logs only grow."""
    here = set(facts.files.values())
    for path, sha256 in facts.base.items():
        if facts.files.get(path) != sha256 and sha256 not in here and not copies.is_log(path):
            data = known.text(sha256)
            if data is not None:
                yield sha256, data


def keep_folder(space: Workspace, theirs: Copy, known: Lineage) -> None:
    """Keep what was merged from a folder, as one keeps what was merged from a file."""
    facts = Facts(space.vault_id, theirs.files)
    contents = ((path, theirs.read(path)) for path in sorted(theirs.files))
    bundle.write(known.place_for(theirs.tree), facts, contents, {})


def unpack(places: Places, path: str, folder: str, progress: Progress | None) -> OpenedCopy:
    """Write the files of a snapshot into a new folder, which is a vault then."""
    root = os.path.abspath(os.path.expanduser(folder))
    if os.path.lexists(root) and (not os.path.isdir(root) or os.listdir(root)):
        raise ConflictError(f"{root} exists and is not empty, so nothing was unpacked; name a new folder.")
    with bundle_reading.opened(path, progress) as opened:
        facts = opened.facts
        maker = bundle_signature.check(path, opened.sha256, facts.vault)
        staged = f"{root}.{os.getpid()}.part"
        _write_all(staged, opened, progress)
        try:
            if os.path.isdir(root):
                os.rmdir(root)
            os.rename(staged, root)
        except OSError as error:
            raise failure(root, "was not made", error) from error
    known = Lineage(places, facts.vault, os.path.realpath(root))
    known.keep(path, facts.tree)
    known.note(facts.tree, OPENED)
    return OpenedCopy(os.path.realpath(root), facts.vault, len(facts.files), maker.writer)


def _write_all(staged: str, opened: bundle_reading.Bundle, progress: Progress | None) -> None:
    """All files below a folder that is not there yet; on failure nothing is left."""
    from shutil import rmtree

    names = sorted(opened.files)
    try:
        os.makedirs(os.path.join(staged, ".mdmem"))
        for number, name in enumerate(names, 1):
            _write(os.path.join(staged, *name.split("/")), opened.read(name))
            if progress is not None and not number % 100:
                progress(number, len(names))
        _write(os.path.join(staged, *MANIFEST.split("/")), bundle.encode(opened.facts))
        _write(os.path.join(staged, ".mdmem", ".gitignore"), b"*\n")
    except OSError as error:
        rmtree(staged, ignore_errors=True)
        raise failure(staged, "was not written", error) from error


def _write(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "xb") as file:
        file.write(data)
