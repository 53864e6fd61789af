"""Search: a query goes in, ranked hits with their provenance come out, and the answer says how far it can
be trusted.

The catalog is brought up to the files and the index up to it before every search; then each hit's file is read,
so that no answer shows a note that is gone or words that it no longer holds. Shared and private notes lie
in separate indexes, and only a private note's owner has the second one opened: the rest of the answer
cannot depend on it.

Whoosh and the index files are opened when there is something to search.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core.answer import Answer
from markdown_memory.core.scope import folder_of
from markdown_memory.errors import UserError
from markdown_memory.features.recall.beside import near
from markdown_memory.features.recall.hits import Hits, Wish, facts
from markdown_memory.features.recall.looking import Looking
from markdown_memory.features.recall.signers import Signers
from markdown_memory.rules.ranking import Candidate, Ranked, rank

if TYPE_CHECKING:
    from markdown_memory.core.note import Header
    from markdown_memory.core.query import Query
    from markdown_memory.core.spoken_dates import Period
    from markdown_memory.search.embedders import Embedder
    from markdown_memory.search.embedding_config import Choice
    from markdown_memory.search.indexes import Asked, Indexes, Weights
    from markdown_memory.search.port import Filter, Match
    from markdown_memory.workspace import Workspace

POOL = 40
LIKE_WORDS = 40
MODES = ("auto", "text", "hybrid", "vector")
_FILTERS = ("type", "category", "tag", "project", "branch", "agent", "status", "name", "kind")


class _Wanted(NamedTuple):
    """A search in the terms of the indexes."""

    query: "Query"
    accept: "Filter"
    weights: "Weights"
    threshold: float
    pool: int
    again: bool = False


class _Found(NamedTuple):
    """An answer, and the paths of files that were not as the catalog knew them."""

    answer: Answer
    stale: list[str]


class Recall:
    """Search in one open vault, for its principal and scope. Keeps the indexes open between searches."""

    def __init__(
        self,
        workspace: "Workspace",
        progress: "Callable[[int, int], None] | None" = None,
    ) -> None:
        self._space = workspace
        self._progress = progress
        self._looking = Looking(workspace)
        self._signers = Signers(workspace)
        self._open: Indexes | None = None

    def search(
        self,
        text: str,
        *,
        limit: int = 20,
        mode: str = "auto",
        threshold: float = 0.0,
        filters: "dict[str, Sequence[str]] | None" = None,
        expand: bool = False,
        fold: bool = True,
        attested: bool = False,
    ) -> Answer:
        """The best notes for a query. Hits whose coverage and similarity are below `threshold` are left out.

        With `expand`, each hit says what stands beside it: in its source, and by links to and from it; with `attested`,
        who has signed it. Hits that say nearly the same are one, unless `fold` is off.
        """
        from markdown_memory.core.query import parse

        _check(limit, mode, threshold, filters or {})
        query = parse(text, self._space.clock())
        wanted = _Wanted(
            query, self._filter(query, filters or {}), self._weights(mode), threshold, max(POOL, 2 * limit)
        )
        lost = self._looking.look()
        found = self._found(wanted, Wish(limit, fold, attested), lost)
        if found.stale and not lost:  # written in place a moment ago: what these say now counts
            self._space.catalog.touch(found.stale)
            found = self._found(wanted, Wish(limit, fold, attested), lost)
        answer = found.answer
        if expand:
            hits = tuple(hit._replace(near=near(self._space, self._indexes, hit, wanted.accept)) for hit in answer.hits)
            answer = answer._replace(hits=hits)
        return answer

    def _found(self, wanted: "_Wanted", wish: Wish, lost: frozenset[str]) -> "_Found":
        query, weights = wanted.query, wanted.weights
        asked = self._ask(wanted, lost)
        matches = [match for one in asked for match in one.hits]
        headers = self._space.catalog.get_all(match.path for match in matches)
        if len(headers) < len(matches) and not wanted.again and not any(one.age or one.degraded for one in asked):
            self._rebuild_quietly()  # an index that names notes which nobody knows is damaged
            return self._found(wanted._replace(again=True), wish, lost)
        ranked = [one for one in self._ranked(matches, headers, query.period) if one.relevance >= wanted.threshold]
        making = Hits(self._space, headers, wish, self._signers)
        shown = making.first(making.with_phrases(ranked, query), query)
        matched = sum(one.matched for one in asked)
        more = shown.more or (len(shown.hits) == wish.limit and matched > len(matches))
        answer = Answer(
            tuple(shown.hits),
            sum(one.considered for one in asked),
            matched,
            more,
            tuple(sentence for one in asked for sentence in one.degraded),
            query.hints,
            max(one.age for one in asked),
            "hybrid" if weights.vector and weights.keyword else "vector" if weights.vector else "text",
        )
        return _Found(answer, shown.stale)

    def like(self, text: str, scope: str, limit: int = 20) -> dict[str, float]:
        """Paths of what is like a text in that scope, waiting and archived ones too, with their cosine (or 0)."""
        from markdown_memory.core.query import Query
        from markdown_memory.search.filters import filter_for

        words = tuple(dict.fromkeys("".join(c if c.isalnum() else " " for c in text).split()))[:LIKE_WORDS]
        if not words:
            return {}
        default = folder_of(self._space.home)
        accept = filter_for(
            (),
            statuses=("accepted", "proposal", "archived"),
            scopes=[scope or default, default],
            reader=self._space.principal,
            own_project="",
            dates=("", ""),
        )
        asked = self._ask(_Wanted(Query(words), accept, self._weights("auto"), 0.0, limit), self._looking.look())
        return {match.path: match.similarity for one in asked for match in one.hits}

    def rebuild(self) -> int:
        """Throw the indexes away and build them anew from the files; how many notes they hold."""
        self._space.catalog.refresh(confirmed=True)
        return self._indexes.rebuild(self._audiences())

    def _ask(self, wanted: "_Wanted", lost: frozenset[str]) -> "list[Asked]":
        query, accept, weights, pool = wanted.query, wanted.accept, wanted.weights, wanted.pool
        return [
            self._indexes.ask(one, query, pool, accept, weights, purge=one not in lost) for one in self._audiences()
        ]

    def _rebuild_quietly(self) -> None:
        from contextlib import suppress

        from markdown_memory.errors import StorageError

        with suppress(StorageError):
            self._indexes.rebuild(self._audiences())

    def embed(self) -> int:
        """Give every note its vectors with the model that the user enabled; how many notes have them."""
        self._space.catalog.refresh()
        self.close()  # another model may have been enabled since
        return self._indexes.embed(self._audiences())

    def close(self) -> None:
        """Let go of the index files."""
        if self._open is not None:
            self._open.close()
            self._open = None

    @property
    def _indexes(self) -> "Indexes":
        if self._open is None:
            from markdown_memory.search.indexes import Indexes

            embedder = self._embedder if self._choice() else None
            self._open = Indexes(self._folder, self._space.catalog, self._bytes, self._progress, embedder)
        return self._open

    def _choice(self) -> "Choice | None":
        from markdown_memory.search.embedding_config import load

        return load(self._space.places.config)

    def _embedder(self) -> "Embedder":
        from markdown_memory.search.embedders import make

        choice = self._choice()
        if choice is None:
            raise UserError("Embeddings are not enabled; `mdmem embeddings enable` does it.")
        return make(choice)

    def _weights(self, mode: str) -> "Weights":
        from markdown_memory.search.indexes import Weights

        enabled = mode != "text" and self._choice() is not None
        if mode in ("hybrid", "vector") and not enabled:
            raise UserError(f"Searching in mode {mode!r} needs embeddings; `mdmem embeddings enable` switches them on.")
        settings = self._space.settings
        keyword = 0.0 if mode == "vector" else settings.keyword_weight
        return Weights(keyword if enabled else 1.0, settings.vector_weight if enabled else 0.0)

    def _audiences(self) -> tuple[str, ...]:
        """An agent has its own private notes beside the shared ones; a person may read everybody's."""
        return "", *self._space.private_owners()

    def _filter(self, query: "Query", more: "dict[str, Sequence[str]]") -> "Filter":
        from markdown_memory.search.filters import filter_for

        space = self._space
        return filter_for(
            (*query.filters, *((key, value) for key, values in more.items() for value in values)),
            statuses=self._statuses(),
            scopes=[folder_of(scope) for scope in space.scopes],
            reader=space.principal,
            own_project=space.project_name(space.scope) if space.scopes else "",
            dates=(query.after, query.before),
        )

    def _statuses(self) -> Iterable[str]:
        return ("accepted", "page", "identity", "skill", "agent-note", "state", *self._space.everyday)

    def _folder(self, audience: str) -> str:
        from markdown_memory.search.refresh import index_folder

        space = self._space
        return index_folder(space.places.cache, space.vault_id, space.root, audience)

    def _bytes(self, path: str) -> bytes:
        return self._space.read(path).data

    def _ranked(self, matches: "Iterable[Match]", headers: "Mapping[str, Header]", period: "Period") -> list[Ranked]:
        return rank(
            Candidate(
                match.path,
                match.score,
                max(match.coverage, match.similarity),
                match.parts,
                facts(self._space, headers[match.path], period),
                match.repeats,
            )
            for match in matches
            if match.path in headers
        )


def _check(limit: int, mode: str, threshold: float, filters: "dict[str, Sequence[str]]") -> None:
    if limit < 1:
        raise UserError(f"A search must ask for at least one hit; the limit was {limit}.")
    if mode not in MODES:
        raise UserError(f"There is no search mode {mode!r}; there are {', '.join(MODES)}.")
    if not 0 <= threshold <= 1:
        raise UserError(f"A threshold lies between 0 and 1; it was {threshold:g}.")
    if unknown := sorted(set(filters) - set(_FILTERS)):
        raise UserError(f"There is no filter {unknown[0]!r}; there are {', '.join(_FILTERS)}.")
