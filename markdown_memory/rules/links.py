"""Which file a link means, and what a link becomes when its file moves.

A target with a slash is a path from the vault's root, or from the linking note's own folder; without one it is a file
name that may lie anywhere, the nearest to the root and then the first in the alphabet winning, as in Obsidian. Case
does not matter; an alias is no target.
"""

from collections.abc import Iterable

from markdown_memory.core.frontmatter import split
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
        folder = source.rpartition("/")[0]
        return self._paths.get(key) or self._paths.get(_key(_joined(folder, key)), "")

    def unique(self, stem: str) -> bool:
        """Whether a bare file name means one file only."""
        return len(self._stems.get(_key(stem), ())) <= 1


class Follow:
    """Lets links follow a note that moves from one path to another."""

    def __init__(self, paths: Iterable[str], old: str, new: str, old_name: str = "", new_name: str = "") -> None:
        before = tuple(paths)
        self._before = Targets(before)
        after = Targets([path for path in before if path != old] + [new])
        stem = new.rpartition("/")[2].removesuffix(".md")
        self._bare = stem if after.unique(stem) else new.removesuffix(".md")
        self._old, self._new = old, new

    def __call__(self, path: str, data: bytes) -> bytes:
        """The bytes of the note at `path` with its links following; unchanged where none leads to the note."""
        document = split(data)
        text = document.head + "\0" + document.body
        changed = self._rewritten(path, text)
        if changed == text:
            return data
        head, _, body = changed.partition("\0")
        return document._replace(head=head, body=body).bytes()

    def _rewritten(self, path: str, text: str) -> str:
        def bare(target: str) -> bool:
            return bool(target) and "/" not in target and self._before.find(target, path) == self._old

        def by_path(target: str) -> bool:
            return "/" in target and self._before.find(target, path) == self._old

        return rewrite_links(rewrite_links(text, bare, self._bare), by_path, self._new.removesuffix(".md"))


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
