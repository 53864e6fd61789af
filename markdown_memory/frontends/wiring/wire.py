"""Wiring a client: plan every file, show the plan, and only then write.

The plan is whole or it is not at all: one file that cannot be changed safely stops the client before anything is
written. The manifest comes first, so that nothing of ours stands anywhere unlisted.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory import outside
from markdown_memory.core.names import near
from markdown_memory.errors import MarkdownMemoryError, NotFound
from markdown_memory.frontends.wiring import clients, manifest, merge
from markdown_memory.frontends.wiring.clients import Client, Homes, Start
from markdown_memory.frontends.wiring.manifest import Wired

if TYPE_CHECKING:
    from markdown_memory.memory import Places


class Plan(NamedTuple):
    """The files to change, and the manifest before they are written and after."""

    changes: tuple[merge.Change, ...]
    first: tuple[Wired, ...]
    last: tuple[Wired, ...]

    @property
    def open(self) -> tuple[merge.Change, ...]:
        """Those changes that change something."""
        return tuple(one for one in self.changes if one.before != one.after)


class Stale(NamedTuple):
    """A client that starts a program which is not there any more."""

    client: str
    file: str
    program: str


def plan_install(of: Client, at: Homes, start: Start, places: "Places") -> Plan:
    """What wiring the client would change."""
    known = manifest.parse(outside.read_kept(places, manifest.FILE))
    earlier = {one.key: one.owned for one in known}
    changes = []
    for piece in clients.pieces(of, at, start):
        mine = earlier.get((of.slug, at.project, piece.file))
        changes.append(merge.install(piece, of.slug, outside.read(piece.file), mine))
    ours = [Wired(of.slug, at.project, start.program, start.agent, one.owned) for one in changes]
    wired = tuple(manifest.put(known, ours))
    return Plan(tuple(changes), wired, wired)


def has_guard(slug: str, project: str, places: "Places") -> bool:
    """Whether the client was wired with the guard."""
    known = manifest.parse(outside.read_kept(places, manifest.FILE))
    event = clients.GUARDS[slug][0] if slug in clients.GUARDS else ""
    mine = [one.owned for one in known if (one.client, one.project) == (slug, project)]
    return any(entry.path == ("hooks", event) for owned in mine for entry in owned.entries)


def plan_uninstall(slug: str, places: "Places") -> Plan:
    """What taking out a client ("" = all of them) would change; NotFound when nothing of ours is there."""
    known = manifest.parse(outside.read_kept(places, manifest.FILE))
    gone = [one for one in known if slug in ("", one.client)]
    if not gone:
        slugs = sorted({one.client for one in known})
        listed = f"; wired are {', '.join(slugs)}" if slugs else ""
        raise NotFound(f"Nothing of ours is known in {slug or 'any client'}{listed}.", near(slug, slugs))
    return Plan(tuple(_taken_out(gone)), tuple(known), tuple(one for one in known if one not in gone))


def carry_out(plan: Plan, places: "Places", stamp: str) -> list[str]:
    """Write what the plan says; the backups that were made."""
    _keep(places, plan.first)
    backups = [outside.replace(one.file, one.before, one.after, stamp) for one in plan.open]
    _keep(places, plan.last)
    return [path for path in backups if path]


def preview(changes: Iterable[merge.Change]) -> list[str]:
    """What would change, as a unified diff of each file."""
    return [line for one in changes for line in _diff(one)]


def stale(places: "Places") -> list[Stale]:
    """The clients that start a program which is gone."""
    try:
        known = manifest.parse(outside.read_kept(places, manifest.FILE))
    except MarkdownMemoryError:
        return []
    return [
        Stale(one.client, one.owned.file, one.program[0])
        for one in known
        if not os.access(one.program[0], os.X_OK) and _present(one)
    ]


def _present(one: Wired) -> bool:
    """Whether our part is still in its file."""
    try:
        change = merge.uninstall(one.owned, one.client, outside.read(one.owned.file))
    except MarkdownMemoryError:
        return False
    return change.before != change.after


def _taken_out(gone: Sequence[Wired]) -> Iterator[merge.Change]:
    """One change for each file, also where it holds several parts of ours."""
    for file in dict.fromkeys(one.owned.file for one in gone):
        before = now = outside.read(file)
        parts = [one for one in gone if one.owned.file == file]
        new = any(one.owned.new for one in parts)
        for one in parts:
            change = merge.uninstall(one.owned._replace(new=new), one.client, now)
            now = change.after
        yield change._replace(before=before)


def _keep(places: "Places", wired: Sequence[Wired]) -> None:
    outside.write_kept(places, manifest.FILE, manifest.render(wired))


def _diff(one: merge.Change) -> Iterator[str]:
    from difflib import unified_diff

    before, after = (data.decode("utf-8", "replace").splitlines() if data else [] for data in (one.before, one.after))
    old = one.file if one.before is not None else "(no file)"
    new = one.file if one.after is not None else "(no file)"
    return unified_diff(before, after, old, new, lineterm="", n=1)
