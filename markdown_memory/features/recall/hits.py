"""From ranked notes to hits: each is read, so that nothing is shown that the file does not hold; what says the same as
a better one is folded into it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.core.answer import Hit
from markdown_memory.core.note import Header, StoredNote, read_header
from markdown_memory.core.spoken_dates import Period
from markdown_memory.errors import AccessError, MarkdownMemoryError
from markdown_memory.features.recall.signers import Signers
from markdown_memory.rules import strength
from markdown_memory.rules.duplicates import Print, fingerprint, nearly_same, span
from markdown_memory.rules.ranking import Facts, Ranked
from markdown_memory.rules.strength import LASTING
from markdown_memory.storage import files

if TYPE_CHECKING:
    from markdown_memory.core.query import Query
    from markdown_memory.workspace import Workspace

NO_TIME = Period()


SPARE = 5
"""Hits that are read beyond those asked for, to stand in for what is put behind."""
SHORT = 4000
"""Bytes; what is longer pays for repeating itself by its length."""


class Wish(NamedTuple):
    """What the caller wants of the hits."""

    limit: int
    fold: bool
    attested: bool


class Shown(NamedTuple):
    """The hits, whether there are more, and the paths of files that are not as the catalog knew them."""

    hits: list[Hit]
    more: bool
    stale: list[str]


class _Reader:
    """Reads the files of one search, each once."""

    def __init__(self, space: "Workspace", headers: Mapping[str, Header]) -> None:
        self._space, self._headers = space, headers
        self._read: dict[str, StoredNote | None] = {}
        self._data: dict[str, bytes] = {}
        self.stale: list[str] = []

    def note(self, path: str) -> StoredNote | None:
        """The file as it is now; None when it cannot be read or is withheld."""
        if path not in self._read:
            self._read[path] = self._fresh(path)
        return self._read[path]

    def prefetch(self, paths: Sequence[str]) -> None:
        """Read these at once: each folder is opened once for all of its files."""
        wanted = sorted(path for path in paths if path not in self._read)
        found = files.read_all(self._space.root, wanted, files.NOTE_LIMIT)
        self._data.update((path, data) for path, data in found if data is not None)

    def _fresh(self, path: str) -> StoredNote | None:
        header = self._headers[path]
        try:
            data = self._data.pop(path, None)
            if data is None:
                data = files.read(self._space.root, path)
            self._space.serving.check(path, data)
        except AccessError:
            return None
        except MarkdownMemoryError:
            self.stale += [path] if header.sha256 else []
            return None
        if files.digest(data) == header.sha256:
            return StoredNote(header, data)
        self.stale.append(path)
        return StoredNote(read_header(path, data), data)


class Hits:
    """Makes the hits of one search. `headers` are those of all ranked notes."""

    def __init__(self, space: "Workspace", headers: Mapping[str, Header], asked: Wish, signers: Signers) -> None:
        self._space, self._asked, self._signers = space, asked, signers
        self._reader = _Reader(space, headers)

    def with_phrases(self, ranked: list[Ranked], query: "Query") -> list[Ranked]:
        """A phrase asked for by itself must be there; beside other words, it brings its notes to the front."""
        from markdown_memory.rules.ranking import in_order, with_phrase
        from markdown_memory.search.snippets import contains_phrase

        excluded = [phrase for phrase in query.excluded if len(phrase.split()) > 1]
        if not query.phrases and not excluded:
            return ranked
        alone = not query.words and not query.prefixes
        kept: list[Ranked] = []
        for one in ranked:
            stored = self._reader.note(one.path)
            text = stored.text if stored else ""
            if any(contains_phrase(text, phrase) for phrase in excluded):
                continue
            held = sum(contains_phrase(text, phrase) for phrase in query.phrases)
            if held == len(query.phrases) or not alone:
                kept.append(with_phrase(one, held))
        return in_order(kept)

    def first(self, ranked: Sequence[Ranked], query: "Query") -> Shown:
        """The best notes as hits, those folded that say the same."""
        from markdown_memory.search.documents import body_start

        words = " ".join((*query.words, *query.phrases, *query.prefixes))
        hits: list[Hit] = []
        folds = _Folds(hits) if self._asked.fold else None
        self._reader.prefetch([one.path for one in ranked[: self._asked.limit]])
        counted = not query.prefixes  # the index counts what a prefix stands for, not the prefix
        for one in self._stuffed_behind(ranked, words, counted):
            stored = self._reader.note(one.path)
            if stored is None:
                continue
            text = stored.text
            if folds and folds.take(one.path, text[body_start(text) :]):
                continue
            if len(hits) == self._asked.limit:
                return Shown(hits, True, self._reader.stale)
            hits.append(self._hit(one, stored, text, words))
        return Shown(hits, False, self._reader.stale)

    def _stuffed_behind(self, ranked: Sequence[Ranked], words: str, counted: bool) -> Sequence[Ranked]:
        """The same order, but for short texts among the best that only repeat what was asked; `counted` says that the
        index knows which ones may."""
        from markdown_memory.rules.ranking import SHARE, in_order, is_stuffed, may_be_stuffed, with_stuffing
        from markdown_memory.search.analyzer import occurrences, query_terms
        from markdown_memory.search.documents import body_start

        asked, best = frozenset(query_terms(words)), list(ranked[: self._asked.limit + SPARE])
        for at, one in enumerate(best):
            if counted and not may_be_stuffed(one):
                continue
            stored = self._reader.note(one.path)
            text = stored.text if stored and len(stored.data) <= SHORT else ""
            if text and is_stuffed(*occurrences(asked, text[body_start(text) :], SHARE)):
                best[at] = with_stuffing(one)
        return [*in_order(best), *ranked[len(best) :]]

    def _hit(self, one: Ranked, stored: StoredNote, text: str, words: str) -> Hit:
        from markdown_memory.search.snippets import snippet

        header, shown = stored.header, snippet(text, words)
        known = facts(self._space, header)
        state, signer = self._signers.attestation(stored) if self._asked.attested else ("", "")
        return Hit(
            name=header.name,
            path=one.path,
            score=round(one.score, 4),
            relevance=round(one.relevance, 4),
            description=header.description,
            type=header.type,
            status=header.status,
            project=self._space.project_name(header.scope) if header.scope else "",
            branch=header.scope.branch if header.scope else "",
            agent=header.agent,
            source=header.source,
            trust=header.trust,
            tags=header.tags,
            updated=header.updated or header.created,
            superseded_by=header.superseded_by,
            valid_from=header.valid_from,
            valid_until=header.valid_until,
            expired=known.expired,
            early=known.early,
            snippet=shown.text,
            line=shown.line,
            marks=shown.marks,
            parts={**dict(one.parts), **{f"×{name}": factor for name, factor in one.factors}},
            same_as=(),
            attestation=state,
            attested_by=signer,
        )


class _Folds:
    """What the hits so far say; a text that one of them says already is noted there."""

    def __init__(self, hits: list[Hit]) -> None:
        self._hits = hits
        self._by_words: dict[tuple[str, ...], int] = {}
        self._prints: list[Print] = []

    def take(self, path: str, body: str) -> bool:
        """Whether the note was folded into a hit; else its text is remembered for the hit that comes next."""
        print = fingerprint(body)
        at = self._by_words.setdefault(print.words, len(self._hits)) if print.words else len(self._hits)
        if at < len(self._hits):
            self._hits[at] = self._hits[at]._replace(same_as=(*self._hits[at].same_as, path))
            return True
        fewest, most = span(print)
        for at, other in enumerate(self._prints):
            if fewest <= len(other.kinds) <= most and nearly_same(print, other):
                self._hits[at] = self._hits[at]._replace(similar=(*self._hits[at].similar, path))
                return True
        self._prints.append(print)
        return False


def facts(space: "Workspace", header: Header, period: Period = NO_TIME) -> Facts:
    """What the order of hits depends on apart from words."""
    inherited = header.scope is not None and header.scope != space.scope and header.scope in space.scopes
    now = space.clock() if header.valid_until or header.valid_from else 0.0
    return Facts(
        header.status,
        bool(header.superseded_by),
        bool(header.valid_until) and _moment(header.valid_until, now) < now,
        bool(header.valid_from) and _moment(header.valid_from, now) > now,
        header.trust,
        inherited,
        1.0 if header.pinned else header.importance,
        period.holds(header.created) or period.holds(header.updated),
        _kept(space, header),
    )


def _kept(space: "Workspace", header: Header) -> float:
    """What age has left of a note that fades."""
    if header.pinned or header.category in LASTING:
        return 1.0
    now = space.clock()
    return strength.of(1.0, header.category, now, _moment(header.updated or header.created, now)).value


def _moment(text: str, otherwise: float) -> float:
    """A date of the frontmatter as seconds since 1970."""
    from markdown_memory.core import times

    moment = times.parse(text)
    return otherwise if moment is None else moment
