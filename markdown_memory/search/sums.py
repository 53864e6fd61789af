"""Whether the files of an index are as they were written: a changed byte can hide notes without any error.

With a commit the size, time and digest of each file are kept. When an index is opened, a file of the same size and time
is believed; any other is read once and its digest compared. So damage that a disk, a sync tool or a person did is
noticed, and costs a few calls when there is none.
"""

import os
from collections.abc import Iterable

Sums = dict[str, list[str | int]]  # by file name: size, time (ns), digest


def sums(folder: str, segments: Iterable[str], known: Sums) -> Sums:
    """Of all files of these segments; what is `known` is not read again, since segments never change."""
    wanted = tuple(f"{segment}." for segment in segments)
    names = sorted(name for name in os.listdir(folder) if name.startswith(wanted))
    return {name: known.get(name) or _sum(os.path.join(folder, name)) for name in names} if wanted else {}


def sound(folder: str, kept: Sums) -> bool:
    """Whether the files are those that were written; FileNotFoundError when one has gone."""
    return all(_is_same(os.path.join(folder, name), one) for name, one in kept.items())


def _is_same(path: str, kept: list[str | int]) -> bool:
    found = os.stat(path)
    if [found.st_size, found.st_mtime_ns] == kept[:2]:
        return True
    return found.st_size == kept[0] and _sum(path)[2] == kept[2]


def _sum(path: str) -> list[str | int]:
    from hashlib import blake2b

    digest = blake2b(digest_size=16)
    with open(path, "rb") as file:
        found = os.fstat(file.fileno())
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return [found.st_size, found.st_mtime_ns, digest.hexdigest()]
