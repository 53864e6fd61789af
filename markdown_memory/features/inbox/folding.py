"""Proposals that would be too many, folded into one: nothing is lost, and a person reads one page instead of twenty.

What an agent proposes beyond its quota is added to one proposal of the day. What nobody has looked at for 30 days since
this host first saw it is put into one summary for each agent, the originals go to archive/, and undoing brings them
back. Summaries are made from the files alone, so that two hosts that fold the same write the same bytes.
"""

import json
from collections.abc import Iterable, Sequence

from markdown_memory.core import frontmatter, layout, times
from markdown_memory.core.note import Header, StoredNote
from markdown_memory.core.scope import folder_of
from markdown_memory.errors import MarkdownMemoryError
from markdown_memory.features.inbox import deciding
from markdown_memory.features.inbox.deciding import Undo
from markdown_memory.features.inbox.values import Decision
from markdown_memory.rules import proposals
from markdown_memory.rules.file_decisions import Known
from markdown_memory.rules.proposals import Draft
from markdown_memory.rules.quota import Made, exceeded, worth_keeping
from markdown_memory.storage.files import digest
from markdown_memory.workspace import Edit, Workspace

MEMORY = "proposed.json"
WEEK = 7 * 86_400.0
DAY = 86_400.0
AT_LEAST, AT_MOST = 2, 20
"""How many a summary holds: one by itself is left, and more make the next one."""


def over_quota(space: Workspace, session: str) -> str:
    """Which limit one more proposal of this agent would break, "" when none; a person has none."""
    if not space.principal:
        return ""
    settings = space.settings
    now = times.utc(space.clock())
    made = _made(space).get(space.principal, [])
    return exceeded(made, now, session, settings.proposals_per_session, settings.proposals_per_day)


def count(space: Workspace, session: str) -> None:
    """Remember that this agent has made one more."""
    if space.principal:
        made, since = _made(space), times.utc(space.clock() - WEEK)
        made.setdefault(space.principal, []).append(Made(times.utc(space.clock()), session))
        kept = {agent: worth_keeping(ones, since) for agent, ones in sorted(made.items())}
        space.write_state(MEMORY, json.dumps({agent: [list(one) for one in ones] for agent, ones in kept.items()}))


def add_to_the_days(space: Workspace, draft: Draft) -> str:
    """Put a draft into the agent's summary of the day; the path of that."""
    day = times.utc(space.clock())[:10]
    name = f"more-from-{space.author}-{day}"
    folder = layout.inbox_folder(space.author, draft.owner)
    there = [
        one
        for one in space.headers()
        if one.status == "proposal" and one.name == name and one.path.startswith(f"{folder}/")
    ]
    stored = space.read(there[0].path) if there else None
    item = proposals.item(draft.name, draft.kind or draft.type, _scope(draft), draft.source, draft.trust, draft.body)
    if stored is None:
        path = space.free_path(folder, name)
        head = f"Proposed by {space.author} on {day} beyond its quota:\n\n{item}"
        whole = draft._replace(
            name=name, body=head, kind="fact", description=f"More from {space.author}, {day}", tags=()
        )
        edit = Edit(path, None, proposals.proposal_bytes(whole))
    else:
        path = stored.path
        new = frontmatter.set_body(stored.data, f"{frontmatter.split(stored.data).body.rstrip()}\n{item}\n")
        if draft.trust == "external":
            new = frontmatter.set_key(new, "trust", "external")
        edit = Edit(path, stored.header.sha256, new)
    facts = {"trust": draft.trust} if draft.trust else {}
    space.change([edit], kind="retain", text=f"{name}: {draft.name}", data=facts)
    return path


def fold(space: Workspace, known: dict[str, Known], later: Iterable[str]) -> list[Decision]:
    """Fold what nobody has looked at for too long; what is snoozed was looked at."""
    done = []
    for headers in _stale(space, known, set(later)):
        try:
            done.append(_folded(space, headers))
        except MarkdownMemoryError:  # one file that cannot be read waits as it is
            continue
    return done


def due(space: Workspace, known: dict[str, Known]) -> bool:
    """Whether there is anything to fold."""
    return bool(_stale(space, known, set()))


def _stale(space: Workspace, known: dict[str, Known], later: set[str]) -> list[list[Header]]:
    days = space.settings.fold_after_days
    if not days:
        return []
    groups: dict[str, list[Header]] = {}
    for header in space.all_headers():
        seen = known[header.path].seen if header.path in known else 0.0
        made = times.parse(header.created) if header.created else None
        old = seen and made is not None and space.clock() - max(seen, made) > days * DAY
        if header.status == "proposal" and old and header.path not in later and not (header.accept or header.reject):
            groups.setdefault(header.path.rpartition("/")[0], []).append(header)
    ordered = [sorted(group, key=lambda one: (one.created, one.path)) for _, group in sorted(groups.items())]
    return [group[:AT_MOST] for group in ordered if len(group) >= AT_LEAST]


def _folded(space: Workspace, headers: Sequence[Header]) -> Decision:
    stored = [space.read(header.path) for header in headers]
    folder, agent = stored[0].path.rpartition("/")[0], headers[0].owner or headers[0].agent
    first, last = headers[0].created[:10], headers[-1].created[:10]
    name = f"unreviewed-{agent}-{first}-to-{last}"
    path = space.free_path(folder, name)
    data = proposals.proposal_bytes(_summary(stored, name, agent, first, last))
    edits: list[Edit] = [Edit(path, None, data)]
    undo: Undo = [[path, digest(data), ""]]
    for one in stored:
        away, back = deciding.into_the_archive(space, one)
        edits, undo = [*edits, *away], [*undo, *back]
    what = f"{len(stored)} proposals of {agent} into {name}"
    facts = {"name": name, "proposal": path, "note": path, "undo": undo}
    space.change(edits, kind="fold", text=what, data=facts, by_file=True)
    return Decision(name, "folded", path, f"{len(stored)} proposals that nobody looked at are one now.")


def _summary(stored: Sequence[StoredNote], name: str, agent: str, first: str, last: str) -> Draft:
    items = []
    for one in stored:
        header = one.header
        text = proposals.bare(one.body)
        kind = header.kind or header.type
        items.append(proposals.item(header.name, kind, header.target, header.source, header.trust, text))
    head = f"{len(stored)} proposals of {agent} from {first} to {last}; each is whole in archive/.\n\n"
    trust = "external" if any(one.header.trust == "external" for one in stored) else ""
    description = f"{len(stored)} proposals of {agent} that nobody has reviewed, {first} to {last}"
    body = head + "\n".join(items)
    return Draft(name, body, kind="fact", description=description, agent=agent, trust=trust)


def _scope(draft: Draft) -> str:
    return folder_of(draft.scope) if draft.scope else ""


def _made(space: Workspace) -> dict[str, list[Made]]:
    try:
        kept = json.loads(space.read_state(MEMORY) or "{}")
        return {str(agent): [Made(str(one[0]), str(one[1])) for one in ones] for agent, ones in kept.items()}
    except (ValueError, TypeError, AttributeError, LookupError):
        return {}
