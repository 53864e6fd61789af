"""What git knows about a folder: the repository, the branch, and the address that tells the project.

Read from git's own files, as gitrepository-layout(5) describes them: starting git takes longer than reading a note may.
git itself is asked, for five seconds at most, only for what the files do not tell: a branch kept in a reftable, and
remotes that an included config file defines. Rules:

1. A project is known by its normalised remote address, or by the common dir that all its worktrees share.
2. During a rebase the branch is the one being rebased. A detached head has no branch.
3. GIT_DIR and its like are not looked at: git sets them for hooks, where they tell of another repository.
4. A file that is too large, no regular file, or nonsense means: no repository here. Nothing is ever executed that a
   repository's config names.
"""

import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from markdown_memory.errors import StorageError

TIME_LIMIT = 5.0  # seconds
_POINTER = 4096  # bytes of HEAD, .git, commondir
_CONFIG = 1_000_000
_IN_REFTABLE = "refs/heads/.invalid"
_USUAL = ("main", "master", "trunk", "develop")
_OPERATIONS = {
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "index.lock": "command",
}


class Repo(NamedTuple):
    """A repository as seen from one folder. Paths are absolute and free of links.

    `branch` is None when the head is detached. `remotes` are normalised addresses, the one that names the project
    first; addresses on this disk are not among them.
    """

    common_dir: str
    git_dir: str
    worktree: str
    main_worktree: str
    branch: str | None
    remotes: tuple[str, ...]
    rebasing: bool = False

    @property
    def remote(self) -> str:
        """The address that names the project, "" when there is none."""
        return self.remotes[0] if self.remotes else ""


def repo(cwd: str) -> Repo | None:
    """The repository that a folder lies in."""
    worktree, git_dir = _discover(os.path.realpath(cwd))
    if not git_dir:
        return None
    shared = _pointer(os.path.join(git_dir, "commondir"))
    common_dir = os.path.realpath(os.path.join(git_dir, shared)) if shared else git_dir
    branch, rebasing = _branch(git_dir, worktree)
    remotes = _remotes(common_dir, worktree, branch)
    return Repo(common_dir, git_dir, worktree, _main(common_dir, git_dir, worktree), branch, remotes, rebasing)


def operation(cwd: str) -> str:
    """The git operation that is half done in a folder's repository (merge, rebase …), "" when none is."""
    _, git_dir = _discover(os.path.realpath(cwd))
    if not git_dir:
        return ""
    return next((name for mark, name in _OPERATIONS.items() if os.path.lexists(os.path.join(git_dir, mark))), "")


def default_branch(of: Repo) -> str:
    """What a repository calls its main line: what its origin says, else the first usual name that it has."""
    head = _pointer(os.path.join(of.common_dir, "refs", "remotes", "origin", "HEAD"))
    if head.startswith("ref: refs/remotes/origin/"):
        return head.removeprefix("ref: refs/remotes/origin/")
    packed = _text(os.path.join(of.common_dir, "packed-refs"), _CONFIG).split()
    for name in _USUAL:
        if f"refs/heads/{name}" in packed or os.path.exists(os.path.join(of.common_dir, "refs", "heads", name)):
            return name
    return of.branch if of.branch in _USUAL else _USUAL[0]


def make_repository(folder: str) -> None:
    """`git init`, where the folder is no repository of its own yet."""
    here = repo(folder)
    if here and here.worktree == os.path.realpath(folder):
        return
    if ask(folder, "init", "--quiet") is None:
        raise StorageError(f"git could not make a repository in {folder}: is git installed? Try `git init` there.")


def normalise_remote(url: str) -> str:
    """`host/owner/name` for every way to write a repository's address; "" for a path on this disk.

    User, password, default ports, a trailing `.git` and slashes go; the host is in lower case. The path's case stays,
    since servers differ there.
    """
    url = url.strip()
    if len(url) > _POINTER or not url.isprintable():
        return ""
    scheme, mark, rest = url.partition("://")
    if mark:
        host, path = _split_address(scheme.lower(), rest)
    else:
        host, colon, path = _scp_parts(url)
        if not colon:
            return ""
    path = path.strip("/").removesuffix(".git").rstrip("/")
    return f"{host}/{path}" if host and path else ""


_PORTS = {"ssh": "22", "git+ssh": "22", "ssh+git": "22", "https": "443", "http": "80", "git": "9418"}


def _split_address(scheme: str, rest: str) -> tuple[str, str]:
    if scheme not in _PORTS and scheme not in ("ftp", "ftps"):
        return "", ""

    authority, _, path = rest.partition("/")
    host = _host(authority)
    name, colon, port = host.rpartition(":")
    if colon and port in ("", _PORTS.get(scheme)):
        host = name
    return host, _unquoted(path.partition("?")[0].partition("#")[0])


def _unquoted(path: str) -> str:
    if "%" not in path:
        return path
    from urllib.parse import unquote

    return unquote(path)


def _scp_parts(url: str) -> tuple[str, str, str]:
    """`[user@]host:path`; a colon after a slash belongs to a path, a letter is a drive, `x::` a helper."""
    before, bracket, after = url.partition("]")
    if bracket and "[" in before and after.startswith(":"):
        return _host(before.replace("[", "")), ":", after[1:]
    head, colon, path = url.partition(":")
    if not colon or path.startswith(":") or "/" in head or "\\" in head or len(head) < 2:
        return "", "", ""
    return _host(head), ":", path


def _host(authority: str) -> str:
    return authority.rpartition("@")[2].lower().rstrip(".")


# finding it


def _discover(folder: str) -> tuple[str, str]:
    """The working tree and the git dir that belong to a folder, by the nearest `.git` above it."""
    while True:
        marker = os.path.join(folder, ".git")
        git_dir = marker if os.path.isdir(marker) else _git_file(marker, folder)
        if git_dir and os.path.lexists(os.path.join(git_dir, "HEAD")):
            return folder, os.path.realpath(git_dir)
        above = os.path.dirname(folder)
        if above == folder:
            return "", ""
        folder = above


def _git_file(marker: str, folder: str) -> str:
    text = _pointer(marker)
    return os.path.join(folder, text.removeprefix("gitdir: ")) if text.startswith("gitdir: ") else ""


def _main(common_dir: str, git_dir: str, worktree: str) -> str:
    if common_dir == git_dir:
        return worktree
    if os.path.basename(common_dir) == ".git":
        return os.path.dirname(common_dir)
    named = next((value for name, value in _config(common_dir) if name == "core.worktree"), "")
    return os.path.realpath(os.path.join(common_dir, named)) if named else worktree


def _branch(git_dir: str, worktree: str) -> tuple[str | None, bool]:
    head = _head(git_dir)
    if head == _IN_REFTABLE:
        head = ask(worktree, "symbolic-ref", "--quiet", "HEAD") or ""
    if head.startswith("refs/heads/"):
        return head.removeprefix("refs/heads/"), False
    for folder in ("rebase-merge", "rebase-apply"):
        name = _pointer(os.path.join(git_dir, folder, "head-name"))
        if name.startswith("refs/heads/"):
            return name.removeprefix("refs/heads/"), True
    return None, False


def _head(git_dir: str) -> str:
    path = os.path.join(git_dir, "HEAD")
    if os.path.islink(path):  # as git made it long ago
        return os.readlink(path)
    return _pointer(path).removeprefix("ref:").strip()


def _remotes(common_dir: str, worktree: str, branch: str | None) -> tuple[str, ...]:
    settings = list(_config(common_dir))
    if any(name.startswith(("include.", "includeif.")) for name, _ in settings):
        settings = _asked_config(worktree) or settings
    urls: dict[str, str] = {}
    for name, value in settings:
        if name.startswith("remote.") and name.endswith(".url"):
            urls.setdefault(name[len("remote.") : -len(".url")], value)
    tracked = [value for name, value in settings if branch and name == f"branch.{branch}.remote"]
    names = dict.fromkeys(name for name in ("origin", *tracked, "upstream", *urls) if name in urls)
    return tuple(dict.fromkeys(filter(None, (normalise_remote(urls[name]) for name in names))))


def _asked_config(worktree: str) -> list[tuple[str, str]]:
    listed = ask(worktree, "config", "--list", "--null") or ""
    pairs = (item.partition("\n") for item in listed.split("\0") if item)
    return [(name, value) for name, _, value in pairs]


# reading git's files


def _pointer(path: str) -> str:
    """The one line of a small file, "" when there is none or it is anything else."""
    return _text(path, _POINTER).strip("\r\n")


def _text(path: str, limit: int) -> str:
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
            return ""
        with open(path, "rb") as file:
            return os.fsdecode(file.read(limit))
    except OSError:
        return ""


def _config(common_dir: str) -> Iterator[tuple[str, str]]:
    """`section.subsection.key` and value, as git-config(1) writes them; what is malformed is passed over."""
    section = ""
    lines = iter(_text(os.path.join(common_dir, "config"), _CONFIG).splitlines())
    for line in lines:
        text = line.strip()
        if text.startswith("["):
            section, text = _section(text)
        if not text or text[0] in "#;" or not section:
            continue
        while _continues(text):
            text = text[:-1] + next(lines, "")
        key, equals, value = text.partition("=")
        yield f"{section}.{key.strip().lower()}", _value(value) if equals else "true"


def _continues(text: str) -> bool:
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _section(text: str) -> tuple[str, str]:
    name, quote, rest = text[1:].partition('"')
    if not quote or "]" in name:
        name, _, rest = text[1:].partition("]")
        return name.strip().lower(), rest.strip()
    inner, at = "", 0
    while at < len(rest) and rest[at] != '"':
        at += rest[at] == "\\"
        inner += rest[at : at + 1]
        at += 1
    return f"{name.strip().lower()}.{inner}", rest[at:].partition("]")[2].strip()


def _value(text: str) -> str:
    out, quoted, at = "", False, 0
    text = text.strip()
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
            out += {"n": "\n", "t": "\t", "b": "\b"}.get(text[at : at + 1], text[at : at + 1])
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            out += char
        at += 1
    return out.rstrip()


def ask(folder: str, *words: str) -> str | None:
    """git's answer, or None when it fails, is missing or takes too long."""
    import subprocess

    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    command = ["git", "-c", "core.fsmonitor=false", "-C", folder, *words]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIME_LIMIT,
            env={**clean, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"},
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return os.fsdecode(done.stdout).strip("\r\n") if done.returncode == 0 else None
