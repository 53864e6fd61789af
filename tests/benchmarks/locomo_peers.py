"""What the package is compared with on LoCoMo: simple searches of the standard library, and peers that are
installed.

Each gets the same texts and the same questions, and nothing else that it could not have: the speaker and
the date stand in the text.
"""

import importlib.util
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.benchmarks.locomo_data import DEPTH, Conversation, Design, Ranker

_WORD = re.compile(r"\w+")


@contextmanager
def grep(conversation: Conversation) -> Iterator[Ranker]:
    """Every line that has any word of the question, those with more different words first."""
    texts = [(turn.id, turn.text.casefold()) for turn in conversation.turns]

    def ranked(question: str) -> list[str]:
        words = {word.casefold() for word in _WORD.findall(question)}
        held = Counter({turn: sum(word in text for word in words) for turn, text in texts})
        return [turn for turn, count in held.most_common(DEPTH) if count]

    yield ranked


@contextmanager
def fts5(conversation: Conversation) -> Iterator[Ranker]:
    """SQLite's FTS5 with its Porter stemmer and BM25, the words joined by OR."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE turns USING fts5 (id UNINDEXED, text, tokenize = 'porter unicode61')")
    database.executemany("INSERT INTO turns VALUES (?, ?)", [(turn.id, turn.text) for turn in conversation.turns])

    def ranked(question: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in _WORD.findall(question))
        rows = database.execute("SELECT id FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ?", (words, DEPTH))
        return [row[0] for row in rows]

    yield ranked
    database.close()


@contextmanager
def whoosh(conversation: Conversation) -> Iterator[Ranker]:
    """Whoosh as its documentation shows it: a stemmed TEXT field, BM25F, the words joined by OR."""
    from whoosh.analysis import StemmingAnalyzer
    from whoosh.fields import ID, TEXT, Schema
    from whoosh.filedb.filestore import RamStorage
    from whoosh.qparser import OrGroup, QueryParser

    index = RamStorage().create_index(Schema(id=ID(stored=True), text=TEXT(analyzer=StemmingAnalyzer())))
    writer = index.writer()
    for turn in conversation.turns:
        writer.add_document(id=turn.id, text=turn.text)
    writer.commit()
    parser = QueryParser("text", index.schema, group=OrGroup)
    with index.searcher() as searcher:

        def ranked(question: str) -> list[str]:
            query = parser.parse(" ".join(_WORD.findall(question)))
            return [hit["id"] for hit in searcher.search(query, limit=DEPTH)]

        yield ranked


@contextmanager
def bm25s(conversation: Conversation) -> Iterator[Ranker]:
    """The bm25s package with its English stop words and the Porter stemmer when PyStemmer is there."""
    bm25s: Any = importlib.import_module("bm25s")
    stemmer = importlib.import_module("Stemmer").Stemmer("english") if importlib.util.find_spec("Stemmer") else None
    retriever = bm25s.BM25()
    texts = [turn.text for turn in conversation.turns]
    retriever.index(bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False)
    ids = [turn.id for turn in conversation.turns]

    def ranked(question: str) -> list[str]:
        tokens = bm25s.tokenize(question, stopwords="en", stemmer=stemmer, show_progress=False)
        found, _ = retriever.retrieve(tokens, k=min(DEPTH, len(ids)), show_progress=False)
        return [ids[int(at)] for at in found[0]]

    yield ranked


def all_here() -> list[Design]:
    """Every comparison that can run in this environment."""
    here = [Design("grep", grep), Design("SQLite FTS5", fts5), Design("Whoosh's defaults", whoosh)]
    if importlib.util.find_spec("bm25s"):
        here.append(Design("bm25s", bm25s))
    return here
