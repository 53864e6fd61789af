"""Which note is meant by a name.

A name is tried as a path, as `type/name`, as the exact name, as the file's stem, as an alias, and last without regard
to case and punctuation; the first of these that finds something decides. When it finds several, the own scope and the
global types win over inherited scopes, these over all others, and an accepted note wins over a proposal. What is still
several is ambiguous: the caller gets the candidates and no guess.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from markdown_memory.core.names import name_key, near, nfc_key, slug
from markdown_memory.core.scope import Scope
from markdown_memory.errors import Ambiguous, NotFound

if TYPE_CHECKING:
    from markdown_memory.core.note import Header

NOT_NAMED = ("archived", "page", "other", "copy")
"""Statuses that a bare name finds only when nothing else has it, what is archived only by its path, copies never."""
_STANDING = {"accepted": 0, "identity": 0, "skill": 0, "agent-note": 0, "state": 0, "checkpoint": 1, "proposal": 2}


def resolve(name: str, headers: Sequence["Header"], scopes: Sequence[Scope] = ()) -> "Header":
    """The one header that `name` means; `scopes` are the own scope and the inherited ones, nearest first."""
    if not name.strip():
        raise NotFound("A note's name is needed, and none was given.")
    for matches in _ladder(name):
        found = [header for header in headers if matches(header)]
        if found:
            return _nearest(name, found, scopes)
    names = sorted({header.name for header in headers if header.name})
    raise NotFound(f"There is no note called {name.strip()!r}.", near(name, names))


def meaning(name: str, seen: Sequence["Header"], scopes: Sequence[Scope], statuses: Sequence[str] = ()) -> "Header":
    """What a name means among all that is seen: a note of these statuses; else a current one, a page, or any path."""
    if statuses:
        return resolve(name, [header for header in seen if header.status in statuses], scopes)
    try:
        return resolve(name, [header for header in seen if header.status not in NOT_NAMED], scopes)
    except NotFound as missing:
        others = [header for header in seen if header.status in ("page", "other")]
        path = nfc_key(name.strip().removeprefix("./"))
        others += [header for header in seen if nfc_key(header.path) in (path, path + ".md")]
        try:
            return resolve(name, others, scopes)
        except NotFound:
            raise missing from None


def stem(path: str) -> str:
    """The file's name without folder and `.md`."""
    last = path.rsplit("/", 1)[-1]
    return last[:-3] if last.endswith(".md") else last


def _ladder(name: str) -> Iterable[Callable[["Header"], bool]]:
    path = nfc_key(name.strip().removeprefix("./"))
    yield lambda header: nfc_key(header.path) in (path, path + ".md")
    wanted = name_key(name)
    kind, slash, rest = wanted.partition("/")
    if slash:
        yield lambda header: header.type == kind and rest in (nfc_key(header.name), nfc_key(stem(header.path)))
        yield lambda header: nfc_key(header.path).endswith(("/" + path, "/" + path + ".md"))
    bare = wanted.removesuffix(".md")
    yield lambda header: nfc_key(header.name) == wanted
    yield lambda header: nfc_key(stem(header.path)) == bare
    yield lambda header: any(nfc_key(alias) == wanted for alias in header.aliases)
    loose = _loose(bare)
    yield lambda header: loose in map(_loose, (header.name, stem(header.path), *header.aliases))


def _loose(text: str) -> str:
    return slug(text) or nfc_key(text).casefold()


def _nearest(name: str, found: Sequence["Header"], scopes: Sequence[Scope]) -> "Header":
    ranks = [_rank(header, scopes) for header in found]
    best = [header for header, rank in zip(found, ranks, strict=True) if rank == min(ranks)]
    if len(best) == 1:
        return best[0]
    raise Ambiguous(
        f"{name.strip()!r} could be several notes; say which one by its path:",
        sorted(header.path for header in best),
    )


def _rank(header: "Header", scopes: Sequence[Scope]) -> tuple[int, int]:
    places: dict[Scope | None, int] = {None: 0} | {scope: at for at, scope in enumerate(scopes)}
    return places.get(header.scope, len(scopes) + 1), _STANDING.get(header.status, 3)
