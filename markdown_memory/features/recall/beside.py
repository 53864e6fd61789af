"""What stands beside a hit: in its source, and by links to and from it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_memory.core.answer import Hit
    from markdown_memory.search.indexes import Indexes
    from markdown_memory.search.port import Filter
    from markdown_memory.workspace import Workspace


def near(space: "Workspace", indexes: "Indexes", hit: "Hit", accept: "Filter") -> tuple[tuple[str, str], ...]:
    """(path, how) of what the principal may see of it."""
    from markdown_memory.core.markdown import links
    from markdown_memory.search.refresh import audience_of

    stem = hit.path.rpartition("/")[2].removesuffix(".md")
    found = dict(indexes.near(audience_of(hit.path), hit.path, (stem, hit.name), accept))
    for link in links(space.body(hit.path)):
        for header in space.catalog.by_name(link.target):
            seen = header.scope is None or header.scope in space.scopes
            if seen and space.may_see(header) and header.status in (accept.statuses or ()):
                found.setdefault(header.path, "linked")
    withheld = space.serving.hidden()
    return tuple((path, how) for path, how in found.items() if path != hit.path and path not in withheld)
