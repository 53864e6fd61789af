"""From what a person or program asks to be shown, to the filter that an index understands."""

from collections.abc import Iterable, Sequence

from markdown_memory.search.port import Filter


def filter_for(
    asked: Iterable[tuple[str, str]],
    *,
    statuses: Iterable[str],
    scopes: Sequence[str],
    reader: str,
    own_project: str,
    dates: tuple[str, str],
) -> Filter:
    """The filter for (key, value) pairs; values of one key are alternatives.

    Without a project or branch among them, the reader sees what is global and its own scopes; `statuses`
    count where none is asked for; an agent sees what is shared or its own, and a person ("") everything.
    """
    wanted: dict[str, set[str]] = {}
    for key, value in asked:
        wanted.setdefault(key, set()).add(value)
    projects = {"" if own_project and one == own_project else one for one in wanted.get("project", ())}
    anywhere = "project" in wanted or "branch" in wanted
    return Filter(
        statuses=frozenset(wanted.get("status") or statuses),
        scopes=None if anywhere else frozenset(["", *scopes]),
        owners=frozenset(["", reader]) if reader else None,
        types=_folded(wanted.get("type", ())),
        categories=_folded(wanted.get("category", ())),
        tags=_folded(tag.lstrip("#") for tag in wanted.get("tag", ())),
        agents=_folded(wanted.get("agent", ())),
        projects=frozenset(projects) or None,
        branches=frozenset(wanted.get("branch", ())) or None,
        kinds=_folded(wanted.get("kind", ())),
        names=frozenset(wanted.get("name", ())) or None,
        after=dates[0],
        before=dates[1],
    )


def _folded(values: Iterable[str]) -> frozenset[str] | None:
    return frozenset(value.casefold() for value in values) or None
