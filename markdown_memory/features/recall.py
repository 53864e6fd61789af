"""Search: a query goes in, ranked hits with their provenance come out, and the answer says how far it can
be trusted.

The catalog is refreshed and the index brought up to it before every search; then each hit's file is read,
so that no answer shows a note that is gone or words that it no longer holds. Shared and private notes lie
in separate indexes, and only a private note's owner has the second one opened: the rest of the answer
cannot depend on it.

Whoosh and the index files are opened when there is something to search.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from markdown_memory.core import layout
from markdown_memory.core.answer import Answer, Hit
from markdown_memory.core.scope import folder_of
from markdown_memory.errors import UserError
from markdown_memory.rules.ranking import Candidate, Facts, Ranked, in_order, rank, with_phrase

if TYPE_CHECKING:
    from markdown_memory.core.note import Header
    from markdown_memory.core.query import Query
    from markdown_memory.search.embedders import Embedder
    from markdown_memory.search.embedding_config import Choice
    from markdown_memory.search.indexes import Asked, Indexes, Weights
    from markdown_memory.search.port import Filter
    from markdown_memory.workspace import Workspace

POOL = 40
LIKE_WORDS = 40
MODES = ("auto", "text", "hybrid", "vector")
_FILTERS = ("type", "category", "tag", "project", "branch", "agent", "status", "name", "kind")


class Recall:
    """Search in one open vault, for its principal and scope. Keeps the indexes open between searches."""

    def __init__(
        self,
        workspace: "Workspace",
        progress: "Callable[[int, int], None] | None" = None,
        fresh_for: float = 0.0,
    ) -> None:
        self._space = workspace
        self._progress = progress
        self.fresh_for = fresh_for
        """Seconds for which the files are not looked at again for changes; hits are always read from the disk."""
        self._looked, self._lost = -1e9, frozenset[str]()
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
    ) -> Answer:
        """The best notes for a query. Hits whose coverage and similarity are below `threshold` are left out.

        With `expand`, each hit says what stands beside it: in its source, and by links to and from it.
        """
        from markdown_memory.core.query import parse

        _check(limit, mode, threshold, filters or {})
        query = parse(text, self._space.clock())
        accept = self._filter(query, filters or {})
        weights = self._weights(mode)
        lost = self._look()
        pool = max(POOL, 2 * limit)
        asked = [
            self._indexes.ask(one, query, pool, accept, weights, purge=one not in lost) for one in self._audiences()
        ]
        ranked = [one for one in self._ranked(asked) if one.relevance >= threshold]
        hits, more = self._hits(self._with_phrases(ranked, query), query, limit)
        if expand:
            hits = [hit._replace(near=self._near(hit, accept)) for hit in hits]
        matched = sum(one.matched for one in asked)
        return Answer(
            tuple(hits),
            sum(one.considered for one in asked),
            matched,
            more or (len(hits) == limit and matched > sum(len(one.hits) for one in asked)),
            tuple(sentence for one in asked for sentence in one.degraded),
            query.hints,
            max(one.age for one in asked),
            "hybrid" if weights.vector and weights.keyword else "vector" if weights.vector else "text",
        )

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
        weights, lost = self._weights("auto"), self._look()
        asked = [
            self._indexes.ask(one, Query(words), limit, accept, weights, purge=one not in lost)
            for one in self._audiences()
        ]
        return {match.path: match.similarity for one in asked for match in one.hits}

    def _look(self) -> frozenset[str]:
        """Compare the catalog with the files; of whose notes so much is gone that nothing may be dropped for it."""
        from time import monotonic

        if monotonic() - self._looked >= self.fresh_for:
            self._lost = frozenset(map(layout.private_owner, self._space.catalog.refresh().missing))
            self._looked = monotonic()
        return self._lost

    def rebuild(self) -> int:
        """Throw the indexes away and build them anew from the files; how many notes they hold."""
        self._space.catalog.refresh(confirmed=True)
        return self._indexes.rebuild(self._audiences())

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

    def _ranked(self, asked: "Sequence[Asked]") -> list[Ranked]:
        candidates = []
        for match in (match for one in asked for match in one.hits):
            header = self._space.catalog.get(match.path)
            if header is not None:
                relevance = max(match.coverage, match.similarity)
                facts = self._facts(header)
                candidates.append(Candidate(match.path, match.score, relevance, match.parts, facts))
        return rank(candidates)

    def _facts(self, header: "Header") -> Facts:
        space = self._space
        inherited = header.scope is not None and header.scope != space.scope and header.scope in space.scopes
        importance = 1.0 if header.pinned else header.importance
        superseded = bool(header.superseded_by)
        return Facts(header.status, superseded, self._expired(header), header.trust, inherited, importance)

    def _expired(self, header: "Header") -> bool:
        from markdown_memory.core import times

        until = times.parse(header.valid_until) if header.valid_until else None
        return until is not None and until < self._space.clock()

    def _with_phrases(self, ranked: list[Ranked], query: "Query") -> list[Ranked]:
        """A phrase asked for by itself must be there; beside other words, it brings its notes to the front."""
        from markdown_memory.search.snippets import contains_phrase

        excluded = [phrase for phrase in query.excluded if len(phrase.split()) > 1]
        if not query.phrases and not excluded:
            return ranked
        alone = not query.words and not query.prefixes
        kept: list[Ranked] = []
        for one in ranked:
            stored = self._space.serve_quietly(one.path)
            text = stored.text if stored else ""
            if any(contains_phrase(text, phrase) for phrase in excluded):
                continue
            held = sum(contains_phrase(text, phrase) for phrase in query.phrases)
            if held == len(query.phrases) or not alone:
                kept.append(with_phrase(one, held))
        return in_order(kept)

    def _hits(self, ranked: list[Ranked], query: "Query", limit: int) -> tuple[list[Hit], bool]:
        """The first `limit` that are on disk as found, equal texts folded; and whether there are more."""
        from markdown_memory.search.documents import body_start

        words = " ".join((*query.words, *query.phrases, *query.prefixes))
        hits: list[Hit] = []
        by_text: dict[str, int] = {}
        for one in ranked:
            stored = self._space.serve_quietly(one.path)
            if stored is None:
                continue
            text = " ".join(stored.text[body_start(stored.text) :].split())
            if text and text in by_text:
                at = by_text[text]
                hits[at] = hits[at]._replace(same_as=(*hits[at].same_as, one.path))
                continue
            if len(hits) == limit:
                return hits, True
            by_text[text] = len(hits)
            hits.append(self._hit(one, stored.header, stored.text, words))
        return hits, False

    def _near(self, hit: Hit, accept: "Filter") -> tuple[tuple[str, str], ...]:
        from markdown_memory.core.markdown import links
        from markdown_memory.search.refresh import audience_of

        space = self._space
        stem = hit.path.rpartition("/")[2].removesuffix(".md")
        found = dict(self._indexes.near(audience_of(hit.path), hit.path, (stem, hit.name), accept))
        for link in links(space.body(hit.path)):
            for header in space.catalog.by_name(link.target):
                seen = header.scope is None or header.scope in space.scopes
                if seen and space.may_see(header) and header.status in (accept.statuses or ()):
                    found.setdefault(header.path, "linked")
        found.pop(hit.path, None)
        return tuple(found.items())

    def _hit(self, one: Ranked, header: "Header", text: str, words: str) -> Hit:
        from markdown_memory.search.snippets import snippet

        shown = snippet(text, words)
        project = self._space.project_name(header.scope) if header.scope else ""
        return Hit(
            name=header.name,
            path=one.path,
            score=round(one.score, 4),
            relevance=round(one.relevance, 4),
            description=header.description,
            type=header.type,
            status=header.status,
            project=project,
            branch=header.scope.branch if header.scope else "",
            agent=header.agent,
            source=header.source,
            trust=header.trust,
            tags=header.tags,
            updated=header.updated or header.created,
            superseded_by=header.superseded_by,
            valid_until=header.valid_until,
            expired=self._expired(header),
            snippet=shown.text,
            line=shown.line,
            marks=shown.marks,
            parts={**dict(one.parts), **{f"×{name}": factor for name, factor in one.factors}},
            same_as=(),
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
