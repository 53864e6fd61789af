"""Words and meaning in one score."""

import pytest

from markdown_memory.search.hybrid import fuse
from markdown_memory.search.port import Match

COSINES = {"a": 0.9, "b": 0.5, "c": 0.1}


def match(path: str, score: float, around: tuple[tuple[str, int], ...] = ()) -> Match:
    return Match(path, score, 0.5, (("text", score),), 0.0, around)


def test_both_sides_count_by_their_weights() -> None:
    held = [match("a", 0.0), match("b", 5.0), match("c", 10.0)]
    assert [one.path for one in fuse(held, COSINES.__getitem__, 0.1, 1, 0)] == ["a", "b", "c"]
    assert [one.path for one in fuse(held, COSINES.__getitem__, 0.1, 0, 1)] == ["c", "b", "a"]


def test_parts_add_up_to_the_score_and_the_cosine_is_kept() -> None:
    for one in fuse([match("a", 3.0), match("c", 10.0)], COSINES.__getitem__, 0.1):
        assert sum(value for _, value in one.parts) == pytest.approx(one.score, abs=0.001)
        assert one.similarity == COSINES[one.path]


def test_scores_lie_between_0_and_1_whatever_the_weights() -> None:
    for weights in ((0.45, 0.55), (7, 3), (100, 0)):
        found = fuse([match("a", 3.0), match("c", 10.0)], COSINES.__getitem__, 0.1, *weights)
        assert all(-1e-9 <= one.score <= 1 + 1e-9 for one in found)


def test_what_was_said_around_a_note_is_part_of_what_it_means() -> None:
    alone, beside = match("c", 1.0), match("b", 1.0, (("a", 1),))
    assert fuse([alone, beside], COSINES.__getitem__, 0.1, 1, 0)[0].path == "b"


def test_equal_scores_are_in_order_of_path() -> None:
    assert [one.path for one in fuse([match("b", 1), match("a", 1)], lambda _: 0.3, 0.3)] == ["a", "b"]


def test_no_matches_are_no_error() -> None:
    assert fuse([], COSINES.__getitem__, 0.0) == []
