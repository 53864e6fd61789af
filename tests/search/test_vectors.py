"""The vector file: what is embedded, kept, dropped, and how it survives."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="vectors need the embeddings extra")

from markdown_memory.search.embedders import Vectors, unit  # noqa: E402  # both need numpy
from markdown_memory.search.passages import LENGTH, passages  # noqa: E402
from markdown_memory.search.port import Change, Doc  # noqa: E402
from markdown_memory.search.vectors import JOURNAL, VectorFile  # noqa: E402
from tests.contracts.full_text import doc  # noqa: E402


class WordBag:
    """An embedder of words: each word has its own direction. Counts what it is asked for."""

    def __init__(self, id: str = "words 1", width: int = 64) -> None:
        self.id, self._width = id, width
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        rows = np.zeros((len(texts), self._width), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(":", " ").replace(".", " ").split():
                row[int(sha256(word.encode()).hexdigest(), 16) % self._width] += 1
        return unit(rows)


NOTES = [
    doc("memory/project/main/a.md", "walrus ice"),
    doc("memory/project/main/b.md", "capybara river"),
    doc("memory/project/main/c.md", "otter sea"),
]


def apply(vectors: VectorFile, docs: Sequence[Doc], removed: Sequence[str], generation: int) -> None:
    assert vectors.apply(Change(docs, tuple(removed), vectors.generation(), generation))


@pytest.fixture
def vectors(tmp_path: Path) -> VectorFile:
    vectors = VectorFile(str(tmp_path), WordBag())
    apply(vectors, NOTES, (), 5)
    return vectors


def nearest(vectors: VectorFile, query: str) -> str:
    return vectors.similar(query).best(1)[0].rpartition("/")[2]


def test_the_nearest_note_is_the_one_that_means_the_same(vectors: VectorFile) -> None:
    assert nearest(vectors, "river") == "b.md"
    assert vectors.similar("river").of(NOTES[1].header.path) > vectors.similar("river").least


def test_another_process_reads_what_was_written(vectors: VectorFile, tmp_path: Path) -> None:
    again = VectorFile(str(tmp_path), WordBag())
    assert (again.generation(), len(again)) == (5, 3)
    assert nearest(again, "otter") == "c.md"


def test_only_changed_texts_are_embedded_again(vectors: VectorFile) -> None:
    embedder = vectors.embedder
    assert isinstance(embedder, WordBag)
    embedder.asked.clear()
    apply(vectors, [NOTES[0], doc("memory/project/main/b.md", "heron river")], (), 6)
    assert embedder.asked == ["b: heron river"]
    assert nearest(vectors, "heron") == "b.md"


def test_a_removed_note_is_gone(vectors: VectorFile) -> None:
    apply(vectors, (), ["memory/project/main/b.md"], 6)
    assert len(vectors) == 2
    assert nearest(vectors, "capybara") != "b.md"


def test_another_model_begins_anew_and_is_never_mixed(vectors: VectorFile, tmp_path: Path) -> None:
    other = VectorFile(str(tmp_path), WordBag("words 2", 32))
    assert other.generation() == -1
    apply(other, NOTES, (), 5)
    assert nearest(other, "otter") == "c.md"
    assert VectorFile(str(tmp_path), WordBag()).generation() == -1
    assert len(list(tmp_path.glob("*.f32"))) == 1


def test_a_torn_last_line_is_passed_over(vectors: VectorFile, tmp_path: Path) -> None:
    with (tmp_path / JOURNAL).open("ab") as file:
        file.write(b'["memory/project/main/d.md","abc')
    again = VectorFile(str(tmp_path), WordBag())
    assert (again.generation(), len(again)) == (5, 3)


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"junk\n", b"[1,2\n"])
def test_a_broken_journal_counts_as_absent(vectors: VectorFile, tmp_path: Path, damage: bytes) -> None:
    (tmp_path / JOURNAL).write_bytes(damage)
    again = VectorFile(str(tmp_path), WordBag())
    assert again.generation() == -1
    apply(again, NOTES, (), 6)
    assert nearest(again, "otter") == "c.md"


def test_rows_that_are_missing_count_as_absent(vectors: VectorFile, tmp_path: Path) -> None:
    (rows,) = tmp_path.glob("*.f32")
    rows.write_bytes(rows.read_bytes()[:100])
    assert VectorFile(str(tmp_path), WordBag()).generation() == -1


def test_rows_without_a_line_do_not_shift_the_next_ones(vectors: VectorFile, tmp_path: Path) -> None:
    (rows,) = tmp_path.glob("*.f32")
    with rows.open("ab") as file:
        file.write(b"half a row")
    again = VectorFile(str(tmp_path), WordBag())
    apply(again, [doc("memory/project/main/d.md", "lynx forest")], (), 6)
    assert nearest(again, "lynx") == "d.md"
    assert nearest(again, "otter") == "c.md"


def test_dead_rows_are_swept_when_they_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("markdown_memory.search.vectors._COMPACT_FROM", 10)
    vectors = VectorFile(str(tmp_path), WordBag())
    for generation in range(1, 12):
        apply(vectors, [doc("memory/project/main/a.md", f"walrus {generation}")], (), generation)
    (rows,) = tmp_path.glob("*.f32")
    assert rows.stat().st_size < 10 * 64 * 4
    assert nearest(vectors, "walrus") == "a.md"


def test_a_change_that_does_not_begin_here_is_refused(vectors: VectorFile) -> None:
    assert not vectors.apply(Change([NOTES[0]], (), 3, 9))


def test_without_notes_nothing_is_near(tmp_path: Path) -> None:
    assert VectorFile(str(tmp_path), WordBag()).similar("anything").best(5) == []


def test_a_short_note_is_one_passage_under_its_name() -> None:
    assert passages(doc("memory/project/main/a.md", "walrus ice")) == ["a: walrus ice"]


def test_a_long_note_is_all_there_in_passages_of_a_few_sentences() -> None:
    body = (
        "# Trip\n\n" + "\n\n".join(f"Paragraph {n}: " + "word " * 60 for n in range(20)) + "\n\n## Home\n\nWe are back."
    )
    found = passages(doc("memory/project/main/trip.md", body))
    assert all(f"Paragraph {n}:" in "\n".join(found) for n in range(20))
    assert max(map(len, found)) < LENGTH + 100
    assert found[-1] == "trip: Home: We are back."


def test_one_endless_line_is_cut() -> None:
    found = passages(doc("memory/project/main/a.md", "x" * 5000))
    assert sum(part.count("x") for part in found) == 5000
