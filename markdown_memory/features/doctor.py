"""What a person should put right, in one list. Looking changes nothing; one bad file hides no other."""

from collections.abc import Iterable, Iterator

from markdown_memory.core import frontmatter, layout
from markdown_memory.core.log_names import SHORTS
from markdown_memory.core.markdown import links
from markdown_memory.core.note import Header, StoredNote
from markdown_memory.core.problem import Problem
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.rules import check, secrets
from markdown_memory.rules.links import Targets
from markdown_memory.storage.log_copies import copies
from markdown_memory.workspace import UNDER_WAY, Workspace

OURS = ("accepted", "proposal", "identity", "skill", "agent-note", "state", "checkpoint")


def problems(space: Workspace) -> list[Problem]:
    """Everything found, by path and line."""
    found = [*_of_the_vault(space)]
    headers = space.headers()
    for header in headers:
        found += header.problems
    found += check.same_names(headers)
    found += check.file_names(header.path for header in headers if header.status != "page")
    found += _of_the_texts(space, headers)
    found += _copies(space, headers)
    return sorted(set(found), key=lambda problem: (problem.path, problem.line, problem.code))


def _of_the_vault(space: Workspace) -> Iterator[Problem]:
    yield from (one for one in space.catalog.refresh().problems if space.access.may_know(one.path))
    yield from space.settings_problems
    if space.read_state(UNDER_WAY).strip():
        yield Problem(
            "change-cut-off",
            "",
            0,
            "A change was cut off.",
            "The next command that writes finishes it, or `mdmem verify`.",
        )
    if space.index_drift():
        yield Problem(
            "index-drift",
            layout.MEMORY_INDEX,
            0,
            "The memory index does not match the notes.",
            "It is rendered anew with the next change, or by `mdmem doctor --fix`.",
        )
    yield from _of_the_logs(space)


def _of_the_logs(space: Workspace) -> Iterator[Problem]:
    try:
        reading = space.logs.read("live-context")
    except MarkdownMemoryError as error:
        yield Problem("log-unreadable", layout.LOG_FOLDER, 0, str(error), "See `mdmem verify`.")
        return
    yield from reading.problems
    for line in reading.unsigned:
        yield Problem(
            "log-unsigned",
            line.path,
            line.line,
            f"Nobody has signed this line: {line.text[:80]}",
            "`mdmem log adopt` signs it, or remove it.",
        )


def _copies(space: Workspace, headers: Iterable[Header]) -> Iterator[Problem]:
    """What sync tools have made of files that were changed in two places."""
    what = "A sync tool made this copy because a file was changed in two places; it counts for nothing."
    remedy = "`mdmem doctor --fix` folds it in, and nothing of it is lost; or compare it with the original yourself."
    logs = (*SHORTS, *space.private_ledgers())
    paths = [*(one.path for one in headers if one.status == "copy"), *(path for path, _ in copies(space.root, logs))]
    for path in paths:
        yield Problem("conflict-copy", path, 0, what, remedy)


def _of_the_texts(space: Workspace, headers: Iterable[Header]) -> Iterator[Problem]:
    headers = list(headers)
    targets = Targets(header.path for header in headers)
    for header in headers:
        if header.status in OURS and not header.problems:
            stored = space.read_quietly(header.path)
            if stored is not None:
                yield from _of_one(stored, targets)


def _of_one(stored: StoredNote, targets: Targets) -> Iterator[Problem]:
    header, text = stored.header, stored.text
    for link in links(text):
        if not targets.find(link.target, header.path) and "." not in link.target.rpartition("/")[2]:
            line = text.count("\n", 0, link.start) + 1
            yield Problem(
                "link-nowhere",
                header.path,
                line,
                f"The link to {link.target!r} leads nowhere.",
                "Correct it or write that note.",
            )
    front, _, _ = frontmatter.read(stored.data)
    if header.status == "accepted" and not front.get("description"):
        yield Problem(
            "no-description",
            header.path,
            0,
            "There is no description, so the index shows the first sentence.",
            f'`mdmem edit {header.name} --set description="…"`',
        )
    if header.accept and header.reject:
        yield Problem("both-ticked", header.path, 0, "Both accept and reject are ticked.", "Untick one of them.")
    for secret in secrets.find(text):
        yield Problem(
            "secret",
            header.path,
            secret.line,
            f"This looks like {secret.what}.",
            "Take it out and change it where it was issued: what was stored may have been copied.",
        )
