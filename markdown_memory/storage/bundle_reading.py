"""Reading a snapshot that came from anywhere: everything is checked before anything of it is used.

Rules, each of which refuses the file with one sentence:

1. Files are stored as they are. What is packed or encrypted is refused, so a small file cannot swell; the sizes
   together are no more than the file's own, and there are limits on each and on their number.
2. Names stay inside a vault and are one file each on every disk (rules/bundle_names.py). Links and folders are refused.
3. The list of files names exactly what is in it, and every file has the hash that stands there. A merge, which needs
   few of the files, checks those that it reads; the signature beside the snapshot is over all of it anyway.
"""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from markdown_memory.errors import FormatError, IntegrityError, NotFound
from markdown_memory.rules.bundle_names import BASE_FOLDER, MANIFEST, refused, travels, twins
from markdown_memory.storage import bundle, files
from markdown_memory.storage.bundle import Facts
from markdown_memory.storage.inside import failure

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

MOST_FILES = 500_000
LARGEST = 256_000_000  # bytes of one file, as of a log
MANIFEST_LIMIT = 128_000_000
Progress = Callable[[int, int], None]


class Bundle:
    """An open snapshot that has been found whole. `read` gives a file's bytes, `base` a text of its base.

    `sha256` is that of the very file that is open.
    """

    def __init__(self, path: str, zip: "ZipFile", facts: Facts, sha256: str) -> None:
        self.path = path
        self.facts = facts
        self.sha256 = sha256
        self._zip = zip

    @property
    def files(self) -> Mapping[str, str]:
        """Path → SHA-256."""
        return self.facts.files

    def read(self, path: str) -> bytes:
        """The bytes of a file, which has the hash that it was made with."""
        with _explained(self.path):
            return self._read(path, self.facts.files[path])

    def base(self, sha256: str) -> bytes | None:
        """A text that the base had, when the snapshot brings it."""
        name = BASE_FOLDER + sha256
        with _explained(self.path):
            return self._read(name, sha256) if name in self._zip.NameToInfo else None

    def _read(self, name: str, wanted: str) -> bytes:
        data = self._zip.read(name)
        if files.digest(data) != wanted:
            raise IntegrityError(f"{self.path} is refused: {name!r} is not what it was made with. Nothing was changed.")
        return data

    def check(self, progress: Progress | None = None) -> None:
        """Read everything once."""
        names = self._zip.namelist()
        for number, name in enumerate(names, 1):
            if name.startswith(BASE_FOLDER):
                self.base(name.removeprefix(BASE_FOLDER))
            elif name != MANIFEST:
                self.read(name)
            if progress is not None and not number % 100:
                progress(number, len(names))


@contextmanager
def opened(path: str, progress: Progress | None = None, whole: bool = True) -> Iterator[Bundle]:
    """The snapshot at a path; FormatError or IntegrityError says what is wrong with it.

    Without `whole` the files in it are checked when they are read.
    """
    from zipfile import ZipFile

    with _explained(path):
        file = bundle.open_file(path)  # closed two lines below, where errors of the caller's are not ours
    with file:
        with _explained(path):
            sha256 = bundle.digest_of_open(file)
            zip = ZipFile(file)
            found = Bundle(path, zip, _checked(path, zip), sha256)
        if whole:
            found.check(progress)
        yield found


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """What reading the archive runs into, as a sentence."""
    from zipfile import BadZipFile

    try:
        yield
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.") from None
    except (BadZipFile, EOFError, NotImplementedError, ValueError, OverflowError, KeyError) as error:
        raise FormatError(f"{path} is no whole snapshot ({_words(error)}); nothing was changed.") from None
    except OSError as error:
        raise failure(path, "cannot be read", error) from error


def _checked(path: str, zip: "ZipFile") -> Facts:
    infos = zip.infolist()
    if why := _shape(infos, os.path.getsize(path)):
        raise FormatError(f"{path} is refused: {why}. Nothing was changed.")
    names = {info.filename for info in infos}
    if MANIFEST not in names:
        raise FormatError(f"{path} is no snapshot: it has no {MANIFEST}. Nothing was changed.")
    try:
        facts = bundle.decode(zip.read(MANIFEST))
    except FormatError as error:
        raise FormatError(f"{path} is refused: {error}. Nothing was changed.") from None
    inside = {name for name in names if name != MANIFEST and not name.startswith(BASE_FOLDER)}
    for name in sorted(inside ^ facts.files.keys()):
        what = "is not in its list of files" if name in inside else "is in its list of files and not in it"
        raise IntegrityError(f"{path} is refused: {name!r} {what}. Nothing was changed.")
    return facts


def _shape(infos: "list[ZipInfo]", size: int) -> str:
    """What is wrong with the archive before a byte of its content is read."""
    if len(infos) > MOST_FILES:
        return f"it has {len(infos):,} files, and at most {MOST_FILES:,} are read"
    if sum(info.file_size for info in infos) > size:
        return "what it holds is larger than it is, so it would swell"
    for info in infos:
        if why := _entry(info):
            return f"{info.filename!r} {why}"
    names = [info.filename for info in infos]
    pair = twins(name for name in names if not name.startswith(".mdmem/"))
    doubled = len(set(names)) != len(names)
    if pair or doubled:
        one, other = pair or ("a name", "the same name")
        return f"{one!r} and {other!r} would be one file"
    return ""


def _entry(info: "ZipInfo") -> str:
    limit = MANIFEST_LIMIT if info.filename == MANIFEST else LARGEST
    if info.orig_filename != info.filename:
        return "has a name that is written in two ways"
    if why := refused(info.filename):
        return why
    if not info.filename.startswith(".mdmem/") and not travels(info.filename):
        return "is a file that never travels"
    mode = info.external_attr >> 16
    if info.is_dir() or stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "is a link or a folder, and a snapshot holds files only"
    if info.compress_type != 0 or info.flag_bits & 1 or info.compress_size != info.file_size:
        return "is packed or encrypted, and a snapshot stores files as they are"
    return f"has {info.file_size:,} bytes, and at most {limit:,} are read" if info.file_size > limit else ""


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or "it is damaged"
