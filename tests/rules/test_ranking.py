"""The weights of a hit, and that only they and the paths decide the order."""

import random

from hypothesis import given
from hypothesis import strategies as st

from markdown_memory.rules.ranking import Candidate, Facts, factors, rank

FACTS = st.builds(
    Facts,
    status=st.sampled_from(["accepted", "proposal", "archived", "checkpoint", "page"]),
    superseded=st.booleans(),
    expired=st.booleans(),
    trust=st.sampled_from(["", "user", "external"]),
    inherited=st.booleans(),
    importance=st.floats(0, 1),
)
CANDIDATES = st.lists(
    st.builds(
        Candidate,
        path=st.text("abc/", min_size=1, max_size=4),
        score=st.sampled_from([0.5, 1.0, 2.0]),
        relevance=st.just(1.0),
        parts=st.just(()),
        facts=FACTS,
    ),
    unique_by=lambda candidate: candidate.path,
)


def candidate(path: str, score: float, **facts: object) -> Candidate:
    return Candidate(path, score, 1.0, (("text", score),), Facts(**facts))  # type: ignore[arg-type]


def test_an_ordinary_accepted_note_keeps_its_score() -> None:
    assert factors(Facts()) == ()
    assert rank([candidate("a", 3.0)])[0].score == 3.0


def test_a_superseded_note_stands_behind_the_one_that_replaced_it() -> None:
    ranked = rank([candidate("old", 3.0, superseded=True), candidate("new", 2.0)])
    assert [one.path for one in ranked] == ["new", "old"]


def test_each_weight_that_counts_is_named() -> None:
    names = [name for name, _ in factors(Facts("proposal", True, True, True, "external", True, 1.0))]
    assert names == ["status", "superseded", "expired", "not yet valid", "trust", "branch", "importance"]


def test_the_score_is_the_parts_times_the_factors() -> None:
    one = rank([candidate("a", 4.0, status="archived", importance=1.0)])[0]
    product = sum(value for _, value in one.parts)
    for _, factor in one.factors:
        product *= factor
    assert one.score == product


def test_equal_scores_are_in_order_of_path() -> None:
    assert [one.path for one in rank([candidate("b", 1.0), candidate("a", 1.0)])] == ["a", "b"]


@given(CANDIDATES, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_the_order_of_the_input(found: list[Candidate], chance: random.Random) -> None:
    shuffled = list(found)
    chance.shuffle(shuffled)
    assert rank(shuffled) == rank(found)
