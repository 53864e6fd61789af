"""Which branches a repository has, and which ones its last merge brought in.

What git's files do not tell (a reftable) is asked of git, for five seconds at most, as in storage/git.py. A branch
counts as merged only when git says so by its name, in the reflog or in the subjects of merge commits: a branch without
commits of its own is an ancestor of everything, and has been merged nowhere.
"""

import os
import re

from markdown_memory.storage.git import Repo, ask

_MERGE = re.compile(
    r"Merge (?:remote-tracking )?branch(?:es)? '(?P<branch>[^']+)'"
    r"|Merge pull request \S+ from (?:[^/\s]+/)?(?P<pull>\S+)"
    r"|Merged in (?P<bucket>\S+) \(pull request"
)
_MOST = 500  # merge commits that one pull may bring


def branches(of: Repo) -> frozenset[str]:
    """Short names of the repository's own branches and of those that it knows of its remotes."""
    listed = ask(of.worktree, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes")
    refs = listed.split("\n") if listed is not None else _from_files(of)
    names = {_short(ref) for ref in refs}
    return frozenset(names - {"", "HEAD"})


def just_merged(of: Repo) -> tuple[str, ...]:
    """The branches that the merge or pull which has just ended brought in, as far as their names are told."""
    said = ask(of.worktree, "reflog", "-1", "--format=%gs", "HEAD") or ""
    action, _, _ = said.partition(":")
    words = action.split()
    found = [word for word in words[1:] if not word.startswith("-")] if words[:1] == ["merge"] else []
    if words[:1] in (["merge"], ["pull"]):
        span = ["ORIG_HEAD..HEAD"] if ask(of.worktree, "rev-parse", "-q", "--verify", "ORIG_HEAD") else ["-1"]
        subjects = ask(of.worktree, "log", "--merges", f"--max-count={_MOST}", "--format=%s", *span) or ""
        found += [name for subject in subjects.split("\n") for name in merge_names(subject)]
    known = {remote for remote in (ask(of.worktree, "remote") or "").split("\n") if remote}
    names = (_without_remote(name, known) for name in found)
    return tuple(dict.fromkeys(name for name in names if name and name != of.branch))


def merge_names(subject: str) -> tuple[str, ...]:
    """The branch that a merge commit's subject names: git's own words, and those of forges."""
    match = _MERGE.match(subject)
    return tuple(name for name in match.groups() if name) if match else ()


def _short(ref: str) -> str:
    """`feature/auth` for refs/heads/feature/auth and for refs/remotes/origin/feature/auth."""
    if ref.startswith("refs/heads/"):
        return ref.removeprefix("refs/heads/")
    return ref.removeprefix("refs/remotes/").partition("/")[2] if ref.startswith("refs/remotes/") else ""


def _without_remote(name: str, remotes: set[str]) -> str:
    name = name.removeprefix("refs/heads/").removeprefix("refs/remotes/")
    first, _, rest = name.partition("/")
    return rest if rest and first in remotes else name


def _from_files(of: Repo) -> list[str]:
    """The refs as files, where git is not installed."""
    found = []
    for kind in ("heads", "remotes"):
        base = os.path.join(of.common_dir, "refs", kind)
        for folder, _, names in os.walk(base):
            inner = os.path.relpath(folder, of.common_dir).replace(os.sep, "/")
            found += [f"{inner}/{name}" for name in names]
    try:
        with open(os.path.join(of.common_dir, "packed-refs"), encoding="utf-8", errors="surrogateescape") as file:
            found += [line.split()[1] for line in file if line[:1] not in "#^" and len(line.split()) == 2]
    except OSError:
        pass
    return found
