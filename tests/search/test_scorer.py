"""The fast scorer gives what Whoosh's own search gives: over several segments, deletions and filters."""

import random
from pathlib import Path

import pytest

from markdown_memory.search import analyzer
from markdown_memory.search.port import Doc
from markdown_memory.search.scorer import best, score, top
from markdown_memory.search.snapshot import PATH, Snapshot
from markdown_memory.search.whoosh_index import WhooshIndex
from markdown_memory.search.whoosh_schema import stock_search
from tests.contracts.full_text import apply, doc

WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("lo", "rin", "st")]


def made_up(number: int, version: int = 0) -> Doc:
    """A note of words drawn by Zipf's law."""
    chance = random.Random(f"{number} {version}")
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]
    body = " ".join(chance.choices(WORDS, weights, k=chance.randint(5, 80)))
    return doc(f"memory/project/main/n{number}.md", body, name=f"{chance.choice(WORDS)} {number}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four segments; notes of each were changed or removed later."""
    folder = tmp_path_factory.mktemp("index")
    index = WhooshIndex(str(folder), in_memory=0)
    apply(index, [made_up(n) for n in range(300)], (), 1)
    for commit in range(3):
        again = [made_up(n, commit + 1) for n in range(commit * 40, commit * 40 + 25)]
        new = [made_up(1000 * (commit + 1) + n) for n in range(60)]
        removed = [f"memory/project/main/n{n}.md" for n in range(150 + commit * 10, 157 + commit * 10)]
        apply(index, [*again, *new], removed, commit + 2)
    index.close()
    return folder


@pytest.fixture
def snapshot(folder: Path) -> Snapshot:
    index = WhooshIndex(str(folder))
    found = index.snapshot()
    assert found is not None
    assert len(found.segments) == 4
    assert len(found.deleted) == 96
    return found


def stock(
    folder: Path, terms: list[str], limit: int | None, accepted: set[int] | None = None
) -> list[tuple[int, float]]:
    (home,) = folder.glob("index-*")
    return stock_search(str(home), terms, limit, accepted)


def ours(snapshot: Snapshot, terms: list[str], limit: int, accepted: set[int] | None = None) -> list[tuple[int, float]]:
    postings = [snapshot.postings(term.encode()) for term in terms]
    return best(top(snapshot, postings, limit, accepted).scores, limit)


def queries(count: int) -> list[list[str]]:
    chance = random.Random(7)
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]
    return [
        analyzer.query_terms(" ".join(chance.choices(WORDS, weights, k=chance.randint(1, 8)))) for _ in range(count)
    ]


def assert_same(one: list[tuple[int, float]], other: list[tuple[int, float]], limit: int) -> None:
    """The same scores in the same order; documents may only be exchanged where scores are equal."""
    assert [round(score, 5) for _, score in one[:limit]] == [round(score, 5) for _, score in other[:limit]]
    for place, (document, found) in enumerate(one[:limit]):
        if other[place][0] != document:
            assert document in [number for number, their in other if round(their, 5) == round(found, 5)]


@pytest.mark.parametrize("limit", [1, 10, 60])
def test_the_best_are_those_of_whoosh(snapshot: Snapshot, folder: Path, limit: int) -> None:
    for terms in queries(25):
        assert_same(ours(snapshot, terms, limit), stock(folder, terms, None), limit)


def test_filters_give_the_same_as_in_whoosh(snapshot: Snapshot, folder: Path) -> None:
    accepted = {number for number in range(snapshot.documents) if number % 3 == 0} - snapshot.deleted
    for terms in queries(25):
        found = ours(snapshot, terms, 10, accepted)
        assert {document for document, _ in found} <= accepted
        assert_same(found, stock(folder, terms, None, accepted), 10)


def test_no_deleted_note_is_found(snapshot: Snapshot) -> None:
    for terms in queries(25):
        postings = [snapshot.postings(term.encode()) for term in terms]
        assert not snapshot.deleted & top(snapshot, postings, 10, None).scores.keys()


def test_one_documents_score_is_the_sum_that_the_search_found(snapshot: Snapshot) -> None:
    for terms in queries(10):
        postings = [snapshot.postings(term.encode()) for term in terms]
        for document, found in best(top(snapshot, postings, 5, None).scores, 5):
            assert score(snapshot, postings, document) == pytest.approx(found)


def test_a_path_leads_to_its_live_document(snapshot: Snapshot) -> None:
    document = snapshot.document_of("memory/project/main/n3.md")
    assert document is not None
    assert document >= 300
    assert snapshot.value(PATH, document) == "memory/project/main/n3.md"
    assert snapshot.document_of("memory/project/main/n151.md") is None
