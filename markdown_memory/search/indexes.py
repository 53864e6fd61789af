"""The open indexes of one vault: full text for each audience, vectors beside it where the user has enabled
them.

Each is brought up to the catalog before it is asked. What cannot be brought up, or does not work, is a
sentence in the answer, and the search goes on with what there is: an older index, one in memory, full text
without vectors.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.errors import MarkdownMemoryError, StorageError
from markdown_memory.search.port import Filter, FullText, Match, Progress
from markdown_memory.search.refresh import Changed, Refreshed, age, audience_of, bring

if TYPE_CHECKING:
    from markdown_memory.core.query import Query
    from markdown_memory.search.embedders import Embedder
    from markdown_memory.search.vectors import Similar, VectorFile

AT_ONCE = 64
"""So many changed notes are embedded before a search; more wait for `mdmem embeddings refresh`."""


class Asked(NamedTuple):
    """One audience's matches, and how they came about."""

    hits: tuple[Match, ...] = ()
    considered: int = 0
    matched: int = 0
    degraded: tuple[str, ...] = ()
    age: float = 0.0


class Weights(NamedTuple):
    """How much words and meaning count; a 0 switches one of them off."""

    keyword: float
    vector: float


class Indexes:
    """Opened when first asked, and kept open."""

    def __init__(
        self,
        folder: Callable[[str], str],
        catalog: Changed,
        read: Callable[[str], bytes],
        progress: Progress | None = None,
        embedder: "Callable[[], Embedder] | None" = None,
    ) -> None:
        self._folder, self._catalog, self._read, self._progress = folder, catalog, read, progress
        self._make_embedder = embedder
        self._embedder: list[Embedder] = []  # made once, when it is first wanted
        self._texts: dict[str, FullText] = {}
        self._vectors: dict[str, VectorFile] = {}

    def ask(self, audience: str, query: "Query", limit: int, accept: Filter, weights: Weights, *, purge: bool) -> Asked:
        """The matches of one audience's notes."""
        degraded: list[str] = []
        index, old = self._current(audience, degraded, purge)
        similar = self._similar(audience, query, degraded, purge) if weights.vector else None
        also = similar.best(_candidates()) if similar else ()
        answered = index.search(query, limit, accept, also)
        if index.generation() < 0:  # damaged inside: the search found out
            index, old = self._current(audience, degraded, purge)
            answered = index.search(query, limit, accept, also)
        hits = answered.hits
        if similar:
            from markdown_memory.search.hybrid import fuse

            hits = tuple(fuse(hits, similar.of, similar.least, weights.vector, weights.keyword))
        return Asked(hits, answered.considered, answered.matched, (*degraded, *answered.notices), old)

    def near(self, audience: str, path: str, called: Sequence[str], accept: Filter) -> tuple[tuple[str, str], ...]:
        """What stands beside a note of an audience whose index has been asked just now."""
        return self._text(audience).near(path, called, accept)

    def rebuild(self, audiences: Iterable[str]) -> int:
        """Throw the full-text indexes away and build them anew from the files; how many notes they hold."""
        from shutil import rmtree

        notes = 0
        for audience in audiences:
            self._close(self._texts, audience)
            rmtree(self._folder(audience), ignore_errors=True)
            done = self._bring(self._text(audience), audience, True)
            if done.failed:
                raise StorageError(done.failed)
            notes += done.written
        return notes

    def embed(self, audiences: Iterable[str]) -> int:
        """Give every note its vectors; how many notes have them."""
        notes = 0
        for audience in audiences:
            vectors = self._vector_file(audience)
            done = bring(vectors, self._catalog, self._read, audience, progress=self._progress)
            if done.failed:
                raise StorageError(done.failed)
            notes += len(vectors)
        return notes

    def close(self) -> None:
        """Let go of all files."""
        for held in (self._texts, self._vectors):
            for audience in list(held):
                self._close(held, audience)

    def _close(self, held: "dict[str, FullText] | dict[str, VectorFile]", audience: str) -> None:
        if audience in held:
            held.pop(audience).close()

    # full text

    def _current(self, audience: str, degraded: list[str], purge: bool) -> tuple[FullText, float]:
        """The index, up to date or as near as it can be, and the age in seconds of what could not be brought up."""
        index = self._text(audience)
        done = self._bring(index, audience, purge)
        degraded += done.notices
        if not done.failed:
            return index, 0.0
        degraded.append(done.failed)
        if index.generation() < 0:
            from markdown_memory.search.volatile import VolatileIndex

            index = self._texts[audience] = VolatileIndex()
            degraded += self._bring(index, audience, purge).notices
            return index, 0.0
        return index, age(self._folder(audience))

    def _text(self, audience: str) -> FullText:
        if audience not in self._texts:
            from markdown_memory.search.whoosh_index import WhooshIndex

            self._texts[audience] = WhooshIndex(self._folder(audience))
        return self._texts[audience]

    def _bring(self, index: FullText, audience: str, purge: bool) -> Refreshed:
        return bring(index, self._catalog, self._read, audience, purge=purge, progress=self._progress)

    # vectors

    def _similar(self, audience: str, query: "Query", degraded: list[str], purge: bool) -> "Similar | None":
        """How near the notes are to what the query says in words; None where vectors cannot help."""
        said = " ".join((*query.words, *query.phrases))
        if self._make_embedder is None or not said:
            return None
        try:
            vectors = self._vector_file(audience)
            degraded += self._embed_few(vectors, audience, purge)
            return vectors.similar(said)
        except MarkdownMemoryError as error:
            degraded.append(f"Searched without vectors: {error}")
            return None

    def _embed_few(self, vectors: "VectorFile", audience: str, purge: bool) -> list[str]:
        everything, _, generation = self._catalog.changed_since(vectors.generation())
        changed = [header for header in everything if audience_of(header.path) == audience]
        if generation == vectors.generation():
            return []
        waiting = len(changed)
        if waiting > AT_ONCE:
            return [f"{waiting} notes have no vectors of their present text; `mdmem embeddings refresh` makes them."]
        done = bring(vectors, self._catalog, self._read, audience, purge=purge)
        return [done.failed] if done.failed else []

    def _vector_file(self, audience: str) -> "VectorFile":
        if audience not in self._vectors:
            from markdown_memory.search.embedding_config import need_numpy

            need_numpy()
            from markdown_memory.search.vectors import VectorFile

            if self._make_embedder is None:
                raise StorageError("Embeddings are not enabled; `mdmem embeddings enable` does it.")
            folder = self._folder(audience)
            beside = os.path.join(os.path.dirname(folder), os.path.basename(folder).replace("fulltext", "vectors"))
            if not self._embedder:
                self._embedder.append(self._make_embedder())
            self._vectors[audience] = VectorFile(beside, self._embedder[0])
        return self._vectors[audience]


def _candidates() -> int:
    from markdown_memory.search.hybrid import CANDIDATES

    return CANDIDATES
