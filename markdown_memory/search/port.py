"""What a full-text index is to the rest of the package, and the values that go in and out.

An index holds the notes of one audience and is derived: it can be deleted at any time and is built again
from the files. `generation` is the catalog's, so that the next refresh knows what has changed since.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from markdown_memory.core.note import Header
    from markdown_memory.core.query import Query


class Doc(NamedTuple):
    """A note as it goes into the index; `text` is the whole file, decoded, frontmatter included."""

    header: "Header"
    text: str


class Filter(NamedTuple):
    """Which notes may be answered with: every set that is not None must hold the note's value.

    `scopes` are folder names as in `core.scope.folder_of`, "" standing for global notes; of `tags` and
    `types` any one suffices; of `names` all words of each must be in what a note is called. Dates are
    `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, both ends included.
    """

    statuses: frozenset[str] | None = None
    scopes: frozenset[str] | None = None
    owners: frozenset[str] | None = None
    types: frozenset[str] | None = None
    categories: frozenset[str] | None = None
    tags: frozenset[str] | None = None
    agents: frozenset[str] | None = None
    projects: frozenset[str] | None = None
    branches: frozenset[str] | None = None
    kinds: frozenset[str] | None = None
    names: frozenset[str] | None = None
    after: str = ""
    before: str = ""


class Match(NamedTuple):
    """One note that the index found.

    `score` orders the matches of one answer, and `parts` add up to it. `coverage` in 0..1 is absolute: the
    IDF-weighted share of the query's terms that the note holds. `similarity` is the raw cosine, where
    vectors are used; `around` are the neighbours in the same source with their distance, where they were
    asked for. `repeats`: so often at most the note says a word of the query again; -1 where nobody has counted.
    """

    path: str
    score: float
    coverage: float = 0.0
    parts: tuple[tuple[str, float], ...] = ()
    similarity: float = 0.0
    around: tuple[tuple[str, int], ...] = ()
    repeats: int = -1


class Matches(NamedTuple):
    """The best matches, how many notes were considered (after filters), how many matched at all."""

    hits: tuple[Match, ...] = ()
    considered: int = 0
    matched: int = 0
    notices: tuple[str, ...] = ()


Progress = Callable[[int, int], None]


class Change(NamedTuple):
    """What came and what went since a generation that the index held; with `since` -1, `docs` are all there are."""

    docs: Iterable[Doc]
    removed: tuple[str, ...]
    since: int
    generation: int
    progress: Progress | None = None


class Follower(Protocol):
    """What follows a catalog. Implementations raise StorageError when the disk stands in the way."""

    def generation(self) -> int:
        """The catalog generation that it holds; -1 when nothing usable is there and all must be built."""

    def apply(self, change: Change) -> bool:
        """Take a change over, all at once for whoever searches; False when it does not fit what is held now."""


class FullText(Follower, Protocol):
    """The port of a full-text index."""

    def search(self, query: "Query", limit: int, accept: Filter, also: Sequence[str] = ()) -> Matches:
        """The best matches. Without words, phrases and prefixes: all accepted notes, newest first.

        Accepted notes of the paths `also`, and their neighbours, are among the matches whatever their rank;
        then every match says what is around it.
        """

    def near(self, path: str, called: Sequence[str], accept: Filter) -> tuple[tuple[str, str], ...]:
        """(path, how) of accepted notes beside one: "before" and "after" it in its source, nearest first,
        and those
        that link to it by any of the names that it is `called`: "links here"."""

    def close(self) -> None:
        """Let go of all files."""
