"""Which file a link means, and what a link becomes when its file moves.

A target with a slash is a path from the vault's root, else from the linking note's own folder, else the end of a path;
without one it is a file name that may lie anywhere. The nearest to the root and then the first in the alphabet wins, as
in Obsidian. Case does not matter; an alias is no target.
"""

import posixpath
from collections.abc import Iterable, Mapping
from typing import Any

from markdown_memory.core.frontmatter import read, split
from markdown_memory.core.markdown import rewrite_links
from markdown_memory.core.names import nfc_key


class Targets:
    """The files that links can mean."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths: dict[str, str] = {}
        self._stems: dict[str, list[str]] = {}
        for path in sorted(paths, key=lambda one: (one.count("/"), one)):
            key = _key(path)
            self._paths.setdefault(key, path)
            self._stems.setdefault(key.rpartition("/")[2], []).append(path)

    def find(self, target: str, source: str = "") -> str:
        """The path that a target in the file `source` means; "" when there is none. An empty target is the file."""
        if not target:
            return source
        key = _key(target.strip().removeprefix("/"))
        if "/" not in key:
            return next(iter(self._stems.get(key, ())), "")
        near = self._paths.get(_key(_joined(source.rpartition("/")[0], key)), "")
        if key.startswith(("./", "../")):
            return near
        return self._paths.get(key) or near or self._ending(key)

    def _ending(self, key: str) -> str:
        """The first file whose path ends so: Obsidian shortens paths from the left."""
        stem = key.rpartition("/")[2]
        return next((path for path in self._stems.get(stem, ()) if _key(path).endswith("/" + key)), "")

    def unique(self, stem: str) -> bool:
        """Whether a bare file name means one file only."""
        return len(self._stems.get(_key(stem), ())) <= 1


class Follow:
    """Lets links follow notes that move: `moves` gives the new path for an old one, also for one that went into a note
    that was there already."""

    def __init__(self, paths: Iterable[str], moves: Mapping[str, str]) -> None:
        before = tuple(paths)
        self._before = Targets(before)
        self._after = Targets({path for path in before if path not in moves} | set(moves.values()))
        self._moves = moves

    def __call__(self, path: str, data: bytes) -> bytes:
        """The bytes of the note at `path` with its links following; unchanged where none leads to the note."""
        document = split(data)
        head = self._in_properties(path, document.head)
        body = self._rewritten(path, document.body)
        if (head, body) == (document.head, document.body):
            return data
        edited = document._replace(body=body).bytes()
        fresh = document._replace(head=head, body=body).bytes()
        return fresh if head == document.head or self._says_the_same(path, data, fresh) else edited

    def _in_properties(self, path: str, head: str) -> str:
        """The block, line by line, since nothing in it is code."""
        if "[[" not in head and "](" not in head:
            return head
        return "\n".join(self._rewritten(path, f"\0{line}")[1:] for line in head.split("\n"))

    def _says_the_same(self, path: str, data: bytes, fresh: bytes) -> bool:
        """Whether the block still reads as it did but for the links; a name with a quote can break it."""
        before, _, problems = read(data)
        after, _, more = read(fresh)
        return not problems and not more and self._moved(path, before) == after

    def _moved(self, path: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._moved(path, one) for key, one in value.items()}
        if isinstance(value, list):
            return [self._moved(path, one) for one in value]
        return self._rewritten(path, value) if isinstance(value, str) else value

    def _rewritten(self, path: str, text: str) -> str:
        return rewrite_links(text, lambda target: self._is_old(path, target), lambda old: self._target(path, old))

    def _is_old(self, path: str, written: str) -> bool:
        """Whether a target would not lead where it led; one that is relative to a note that moves does not either."""
        found = self._before.find(written, path) if written else ""
        if found not in self._moves:
            return bool(found) and path in self._moves and written.startswith(("./", "../"))
        new = self._moves[found]
        same_name = "/" not in written and new.rpartition("/")[2] == found.rpartition("/")[2]
        return not (same_name and self._after.find(written) == new)

    def _target(self, path: str, written: str) -> str:
        """The new target in the manner of the old one: a bare name, a path from here, or a path from the root."""
        found = self._before.find(written, path)
        new = self._moves.get(found, found).removesuffix(".md")
        if "/" not in written:
            stem = new.rpartition("/")[2]
            return stem if self._after.unique(stem) else new
        if not written.startswith(("./", "../")):
            return new
        folder = self._moves.get(path, path).rpartition("/")[0]
        relative = posixpath.relpath(new, folder or ".")
        return relative if relative.startswith("../") else f"./{relative}"


def _key(path: str) -> str:
    folded = nfc_key(path).casefold()
    return folded[:-3] if folded.endswith(".md") else folded


def _joined(folder: str, relative: str) -> str:
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
