"""A change of several files on disk: staged beside their targets, then published, then what goes is removed.

Every step can be repeated. `finish` looks at hashes alone and brings a change that was cut off to its end, as far as
nobody has written to its files since. Removing waits for everything that is added: as long as a new file cannot be put
in its place, what was to go stays.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from markdown_memory.core.ledger import FileChange
from markdown_memory.errors import ConflictError, MarkdownMemoryError
from markdown_memory.storage import files
from markdown_memory.storage.inside import real_path

Step = Callable[[str], None]


def plan(root: str, path: str, old: str, new: bytes | None, token: str, move_from: str = "") -> FileChange:
    """What happens to one file; `new` None removes it."""
    if new is None:
        return FileChange(path, old, "")
    folder, slash, name = real_path(root, path).rpartition("/")
    return FileChange(path, old, files.digest(new), folder + slash + files.temporary_name(name, token), move_from)


def stage(root: str, items: Sequence[FileChange], contents: Mapping[str, bytes], token: str, step: Step) -> None:
    """Write every new file beside its target; on failure nothing is left."""
    leaving = tuple(one.path for one in items if not one.new)
    try:
        for one in items:
            if one.new:
                files.stage(root, one.path, contents[one.path], token, leaving)
                step(f"staged {one.path}")
    except BaseException:
        drop(root, items)
        raise


def check_unchanged(root: str, items: Sequence[FileChange]) -> None:
    """ConflictError when somebody has written to one of the files since they were compared."""
    for one in items:
        if one.old and _hash(root, one.path) != one.old:
            raise ConflictError(f"{one.path} was changed this very moment; read it again.")


def publish(root: str, items: Sequence[FileChange], step: Step) -> None:
    """Rename every staged file into place, and only then remove what goes; never what was written to meanwhile."""
    for one in items:
        if one.new:
            check_unchanged(root, [one])
            files.publish(root, one.tmp, one.path)
            step(f"published {one.path}")
    for one in items:
        if not one.new:
            _remove(root, one, items)
            step(f"removed {one.path}")


def finish(root: str, items: Sequence[FileChange]) -> tuple[FileChange, ...]:
    """Complete a change that was cut off; returns the items that somebody else has written to since."""
    for one in items:
        if one.new and not _finished(root, one) and _can_finish(root, one):
            files.publish(root, one.tmp, one.path)
    if all(_finished(root, one) for one in items if one.new):
        for one in items:
            if not one.new and _can_finish(root, one):
                with suppress(ConflictError):  # written to just now: it stays, and the change did not come to its end
                    _remove(root, one, items)
    unfinished = tuple(one for one in items if not _finished(root, one))
    drop(root, items)
    return unfinished


def drop(root: str, items: Sequence[FileChange]) -> None:
    """Remove the temporary files that are left."""
    for one in items:
        if one.tmp and os.path.lexists(os.path.join(root, one.tmp)):
            files.remove(root, one.tmp)


def _finished(root: str, one: FileChange) -> bool:
    return _hash(root, one.path) == one.new


def _can_finish(root: str, one: FileChange) -> bool:
    return _hash(root, one.path) == one.old and (not one.new or _hash(root, one.tmp) == one.new)


def _hash(root: str, path: str) -> str | None:
    """SHA-256 of what is there, "" when nothing is, None when it cannot be read."""
    try:
        return files.digest_of(root, path) or ""
    except MarkdownMemoryError:
        return None


def _remove(root: str, one: FileChange, items: Sequence[FileChange]) -> None:
    """Remove a file, unless a new spelling of its name is the same file on a disk that ignores case."""
    for other in items:
        if other.new and other.path != one.path and files.same_file(root, one.path, other.path):
            os.rename(os.path.join(root, one.path), os.path.join(root, other.path))
            return
    if one.old and files.digest_of(root, one.path) is not None:
        files.remove_exactly(root, one.path, one.old)
    else:
        files.remove(root, one.path)
