"""When two texts say nearly the same, and when they only look so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_memory.rules.duplicates import fingerprint, nearly_same, span

TEXT = "The retry queue keeps failed webhooks for two days and sends each of them again with a growing delay after that"


def same(one: str, other: str) -> bool:
    return nearly_same(fingerprint(one), fingerprint(other))


@pytest.mark.parametrize("other", [TEXT, f"{TEXT}, as agreed", f"Note: {TEXT}"])
def test_a_word_more_or_less_makes_no_other_text(other: str) -> None:
    assert same(TEXT, other) and same(other, TEXT)


@pytest.mark.parametrize(
    "other",
    [
        TEXT.replace("keeps", "never keeps"),
        TEXT.replace("two", "2"),
        TEXT.replace("growing", "longer"),
        f"{TEXT} (3 times)",
        f"{TEXT}, nicht mehr",
        TEXT.replace("webhooks for two days", "mails of a month"),
        " ".join(reversed(TEXT.split())),
        "",
    ],
)
def test_a_number_a_negation_or_other_words_do(other: str) -> None:
    assert not same(TEXT, other) and not same(other, TEXT)


def test_of_a_short_text_every_word_counts() -> None:
    assert same("The till is open.", "The till  is open.")
    assert not same("The till is open.", "The till is shut.")
    assert not same("", "")


@given(st.text("abc1 ", max_size=60), st.text("abc1 ", max_size=60))
def test_the_judgement_does_not_depend_on_which_comes_first(one: str, other: str) -> None:
    assert same(one, other) == same(other, one)
    if same(one, other):
        fewest, most = span(fingerprint(one))
        assert fewest <= len(fingerprint(other).kinds) <= most
