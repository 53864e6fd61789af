"""Strength falls with age, by half in a half-life, and only where a note fades at all."""

from hypothesis import given
from hypothesis import strategies as st

from markdown_memory.rules import strength

FADING = st.sampled_from(sorted(strength.HALF_LIVES))
IMPORTANCE = st.floats(0, 1)
TIMES = st.integers(0, 10**8)


@given(IMPORTANCE, FADING, TIMES, TIMES)
def test_strength_never_rises_with_age(importance: float, category: str, first: int, later: int) -> None:
    young, old = sorted((first, later))
    assert strength.of(importance, category, old, 0).value <= strength.of(importance, category, young, 0).value


@given(FADING, TIMES)
def test_one_half_is_left_after_a_half_life(category: str, changed: int) -> None:
    now = changed + strength.HALF_LIVES[category] * 3600
    assert strength.of(0.8, category, now, changed).value == 0.4


@given(IMPORTANCE, FADING, TIMES, TIMES, TIMES)
def test_the_later_of_change_and_access_counts(
    importance: float, category: str, now: int, changed: int, accessed: int
) -> None:
    seen = strength.of(importance, category, now, changed, accessed)
    assert seen == strength.of(importance, category, now, max(changed, accessed))


@given(IMPORTANCE, TIMES, TIMES)
def test_a_category_of_ones_own_fades_as_daily_does(importance: float, now: int, changed: int) -> None:
    seen = strength.of(importance, "field notes", now, changed)
    assert seen == strength.of(importance, "daily", now, changed)


@given(IMPORTANCE, TIMES, st.sampled_from(["core", ""]))
def test_what_is_kept_for_good_does_not_fade(importance: float, now: int, category: str) -> None:
    seen = strength.of(importance, category, now, 0)
    assert seen.value == importance


def test_a_pinned_note_does_not_fade_where_another_does() -> None:
    year = 365 * 24 * 3600
    assert strength.of(0.5, "daily", year, 0).value < 0.01
    assert strength.of(0.5, "daily", year, 0, pinned=True).value == 0.5
