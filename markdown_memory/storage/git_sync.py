"""git as the engine of synchronisation: commits, trees and blobs of a vault's repository, and one branch of a remote.

Rules:

1. git's own working-tree commands are not used: a merge that was killed half-way would leave a state that nobody can
   read. Files are written by the caller; here are objects, refs, and an index of our own (`<git dir>/mdmem-index`), so
   that what a person has staged stays as it is until a commit is made.
2. No command asks anything, opens an editor, runs a commit hook or signs; line ends are never converted.
3. Nothing is ever pushed by force.
4. A command that takes too long is ended: a minute for what is on this disk, two for what crosses a network.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from markdown_memory.errors import StorageError, UserError
from markdown_memory.storage import git
from markdown_memory.storage.git import Repo

LOCAL, NETWORK = 60.0, 120.0  # seconds
EXCLUDED = (".obsidian", ".mdmem", "memory/private", "nexus/live-context.md")
"""What never goes in and never comes in: programs' settings, this machine's, one agent's, and what is derived."""
_KEPT = ("GIT_SSH", "GIT_ASKPASS", "GIT_CONFIG", "GIT_AUTHOR", "GIT_COMMITTER", "GIT_TRACE", "GIT_PROXY")
_FILES = (b"100644", b"100755")
_NO_LOCK_AFTER = 3.0  # seconds for another git command to end


class Failed(StorageError):
    """git refused; `said` is what it said."""

    def __init__(self, sentence: str, said: str) -> None:
        super().__init__(sentence)
        self.said = said


class Remote(NamedTuple):
    """Where a branch is kept for others: the remote's name, the branch there, and whether git tracks it."""

    name: str
    branch: str
    tracked: bool


class Committed(NamedTuple):
    """A change of a file between two trees: "A", "M" or "D"."""

    letter: str
    path: str


def excluded(path: str) -> bool:
    """Whether a path neither goes in nor comes in."""
    return any(path == one or path.startswith(f"{one}/") for one in EXCLUDED)


class Depot:
    """The repository of one vault."""

    def __init__(self, repo: Repo, when: float, who: str) -> None:
        self.root = repo.worktree
        self.branch = repo.branch or ""
        self._git_dir, self._common_dir = repo.git_dir, repo.common_dir
        self._index = os.path.join(repo.git_dir, "mdmem-index")
        self._when = f"@{int(when)} +0000"
        self._who = who
        self._identity: dict[str, str] | None = None

    # looking

    def head(self) -> str:
        """The commit that is checked out, "" before the first one."""
        return self._answer("rev-parse", "--quiet", "--verify", "HEAD^{commit}")

    def tree_of(self, commit: str) -> str:
        """The id of a commit's tree."""
        return self._answer("rev-parse", f"{commit}^{{tree}}") if commit else ""

    def files(self, commit: str) -> dict[str, str]:
        """Blob ids by path: regular files only, and none that is excluded."""
        if not commit:
            return {}
        found = {}
        for row in self._run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
            head, tab, path = row.partition(b"\t")
            mode, _, rest = head.partition(b" ")
            name = os.fsdecode(path)
            if tab and mode in _FILES and not excluded(name):
                found[name] = rest.split(b" ")[1].decode()
        return found

    def blobs(self, ids: Iterable[str]) -> dict[str, bytes]:
        """The contents of blobs."""
        wanted = [one for one in dict.fromkeys(ids) if one]
        if not wanted:
            return {}
        data = self._run("cat-file", "--batch", given="".join(f"{one}\n" for one in wanted).encode())
        found, at = {}, 0
        for one in wanted:
            end = data.index(b"\n", at)
            size = int(data[at:end].rpartition(b" ")[2])
            found[one] = data[end + 1 : end + 1 + size]
            at = end + 2 + size
        return found

    def merge_base(self, one: str, other: str) -> str:
        """The commit that both come from, "" when there is none."""
        return self._answer("merge-base", one, other)

    def changes(self, before: str, after: str) -> list[Committed]:
        """How two commits or trees differ; "" is nothing at all."""
        empty = self._run("hash-object", "-t", "tree", "--stdin").decode().strip()
        said = self._run("diff-tree", "-r", "-z", "--no-renames", "--name-status", before or empty, after)
        fields = [os.fsdecode(one) for one in said.split(b"\0")]
        return [Committed(letter[:1], path) for letter, path in zip(fields[::2], fields[1::2], strict=False)]

    def busy(self) -> str:
        """The git operation that is half done here, "" when none is."""
        return git.operation(self.root)

    def staged_and_changed(self) -> str:
        """A file that a person has staged and then changed again: the staged text lies nowhere else. "" when none."""
        for row in self._run("status", "--porcelain", "-z", "--untracked-files=no").split(b"\0"):
            if row[:1] not in (b"", b" ", b"?") and row[1:2] not in (b"", b" "):
                return os.fsdecode(row[3:])
        return ""

    # writing

    def stage_all(self, over: str) -> str:
        """The tree of all files as they are now; what is excluded is as in the commit `over`."""
        self._run("read-tree", *(("--reset", over) if over else ("--empty",)), own=True)
        self._exclude()
        self._run("add", "--all", own=True)
        self._leave_out(over)
        return self._run("write-tree", own=True).decode().strip()

    def _exclude(self) -> None:
        """Say to git, for this clone alone, what never goes in."""
        path = os.path.join(self._common_dir, "info", "exclude")
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                text = file.read()
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            text = ""
        missing = [line for line in (*(f"/{one}" for one in EXCLUDED), ".mdmem-*.tmp") if line not in text.split("\n")]
        if missing:
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write("\n".join([*text.rstrip("\n").split("\n"), *missing, ""]).lstrip("\n"))

    def _leave_out(self, over: str) -> None:
        """What is excluded and was committed all the same, by hand, stays as it was committed."""
        listed = self._run("ls-files", "-z", "--", *EXCLUDED, own=True).split(b"\0")
        there = self._run("ls-tree", "-r", "-z", "--full-tree", over, "--", *EXCLUDED).split(b"\0") if over else []
        kept = [row for row in there if row]
        names = {row.partition(b"\t")[2] for row in kept}
        gone = [b"0 " + b"0" * 40 + b"\t" + path for path in listed if path and path not in names]
        if kept or gone:
            self._run(
                "update-index", "-z", "--index-info", given=b"".join(row + b"\0" for row in (*kept, *gone)), own=True
            )

    def commit(self, tree: str, parents: Sequence[str], message: str, before: str) -> str:
        """Make a commit, and let the branch point to it, if it still points to `before`."""
        named = [word for parent in parents for word in ("-p", parent)]
        made = self._run("commit-tree", tree, *named, given=message.encode("utf-8", "backslashreplace"))
        return self.advance(made.decode().strip(), before)

    def advance(self, commit: str, before: str) -> str:
        """Let the branch point to a commit, if it still points to `before` ("" = to none)."""
        self._run("update-ref", "-m", "mdmem sync", "HEAD", commit, before or "0" * len(commit))
        return commit

    def settle_index(self) -> bool:
        """Let `git status` see what was committed; whether another git command at this moment did not prevent it."""
        try:
            self._run("read-tree", "--reset", "HEAD")
        except Failed:
            return not self.head()
        return True

    def take_over(self) -> None:
        """Clear up after a run that was killed: its locks, and an index that is behind what it committed."""
        import time

        lock = os.path.join(self._git_dir, "index.lock")
        deadline = time.monotonic() + _NO_LOCK_AFTER
        while os.path.lexists(lock) and time.monotonic() < deadline:
            time.sleep(0.05)
        for file in (lock, f"{self._index}.lock"):
            if os.path.lexists(file):
                os.unlink(file)
        self.settle_index()

    # the remote

    def remote(self) -> Remote | None:
        """Where this branch is kept for others, None when the repository has no remote."""
        name, branch = (self._answer("config", f"branch.{self.branch}.{key}") for key in ("remote", "merge"))
        if name and name != "." and branch.startswith("refs/heads/"):
            return Remote(name, branch.removeprefix("refs/heads/"), True)
        names = self._answer("remote").split()
        if not names:
            return None
        return Remote("origin" if "origin" in names else names[0], self.branch, False)

    def fetch(self, remote: Remote) -> str:
        """The newest commit of the remote's branch, "" when the remote has no such branch."""
        there = self._network(remote, "ls-remote", "--symref", remote.name, "HEAD", f"refs/heads/{remote.branch}")
        rows = [line.split("\t") for line in there.split("\n") if "\t" in line]
        refs = {row[1]: row[0] for row in rows if not row[0].startswith("ref: ")}
        commit = refs.get(f"refs/heads/{remote.branch}", "")
        if not commit:
            other = next((row[0].removeprefix("ref: refs/heads/") for row in rows if row[0].startswith("ref: ")), "")
            if "HEAD" in refs and not remote.tracked and other:
                raise UserError(
                    f"{remote.name} has a branch {other} and none called {remote.branch}; "
                    f"`git branch -m {other}` gives yours the same name."
                )
            return ""
        ref = f"refs/remotes/{remote.name}/{remote.branch}"
        self._network(remote, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", remote.name,
                      f"+refs/heads/{remote.branch}:{ref}")  # fmt: skip
        return self._answer("rev-parse", "--quiet", "--verify", ref)

    def push(self, remote: Remote, commit: str) -> str:
        """Offer a commit to the remote: "" when it took it, else what git said."""
        words = ["push", "--porcelain", *(() if remote.tracked else ("--set-upstream",)), remote.name]
        try:
            # --set-upstream wants the branch's name and not a commit
            source = commit if remote.tracked else f"refs/heads/{self.branch}"
            self._network(remote, *words, f"{source}:refs/heads/{remote.branch}")
        except Failed as refused:
            return refused.said or "it gave no reason"
        return ""

    # running git

    def _network(self, remote: Remote, *words: str) -> str:
        return os.fsdecode(self._run(*words, limit=NETWORK, what=f"the remote {remote.name}"))

    def _answer(self, *words: str) -> str:
        try:
            return os.fsdecode(self._run(*words)).strip()
        except Failed:
            return ""

    def _run(
        self, *words: str, given: bytes = b"", own: bool = False, limit: float = LOCAL, what: str = "the vault"
    ) -> bytes:
        import subprocess

        settings = ("core.fsmonitor=false", "core.autocrlf=false", "core.safecrlf=false", "gc.auto=0")
        flags = [word for one in settings for word in ("-c", one)]
        env = self._environment() | ({"GIT_INDEX_FILE": self._index} if own else {})
        try:
            done = subprocess.run(
                ["git", *flags, "-C", self.root, *words],
                input=given,
                capture_output=True,
                timeout=limit,
                env=env,
                check=False,
            )
        except FileNotFoundError:
            raise StorageError("git is not installed, and `mdmem sync` works through it; install git.") from None
        except subprocess.TimeoutExpired:
            raise Failed(
                f"git needed more than {limit:g} s for {what} ({words[0]}); nothing was lost, try again.", ""
            ) from None
        if done.returncode:
            said = os.fsdecode(done.stdout + done.stderr).strip()
            raise Failed(f"git could not {words[0]} for {what}: {_reason(said)}.", said)
        return done.stdout

    def _environment(self) -> dict[str, str]:
        if self._identity is None:
            clean = {
                key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key.startswith(_KEPT)
            }
            clean |= {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
            clean |= {"GIT_AUTHOR_DATE": self._when, "GIT_COMMITTER_DATE": self._when}
            self._identity = clean
            if not self._answer("var", "GIT_COMMITTER_IDENT"):
                name, address = self._who, f"{self._who}@localhost"
                self._identity |= {
                    "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": address,
                    "GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": address,
                }  # fmt: skip
        return self._identity


def _reason(said: str) -> str:
    """The line in which git says what is wrong."""
    lines = [line.strip() for line in said.split("\n") if line.strip() and not line.startswith(("hint:", "To "))]
    told = (
        [line for line in lines if line.startswith(("fatal:", "error:", "!", "ERROR"))]
        or lines
        or ["it gave no reason"]
    )
    return told[0].removeprefix("fatal: ").removeprefix("error: ").rstrip(".")[:300]


def contents(depot: Depot, *listings: Mapping[str, str], paths: Iterable[str]) -> Iterator[tuple[bytes | None, ...]]:
    """The bytes that each path has in each listing, None where it has none."""
    wanted = list(paths)
    data = depot.blobs(listing[path] for path in wanted for listing in listings if path in listing)
    for path in wanted:
        yield tuple(data[listing[path]] if path in listing else None for listing in listings)
