from hypothesis import given, settings
from hypothesis import strategies as st

from markdown_memory.rules.budget import Part, cut, fit, shorten, size


def test_a_part_keeps_to_its_share_when_all_are_greedy() -> None:
    long = ["x" * 9] * 1000
    first, second = fit([Part("a", long, 1000), Part("b", long, 0)], 6000)
    assert (first.bytes, second.bytes) == (1000, 5000)
    assert first.truncated and first.left_out == 900


def test_what_a_part_does_not_need_goes_to_the_one_without_a_share_first() -> None:
    parts = [Part("small", ["hello"], 1000), Part("long", ["y" * 99] * 50, 1000), Part("rest", ["z" * 99] * 30)]
    small, long, rest = fit(parts, 6000)
    assert small.bytes == 6
    assert rest.bytes == 3000 and not rest.truncated
    assert long.bytes == 2900 and long.left_out == 21


def test_a_first_line_that_is_too_long_is_cut_inside_the_line() -> None:
    (part,) = fit([Part("a", ["word " * 400], 6000)], 100)
    assert part.bytes <= 100 and part.text.endswith("…") and part.left_out == 1


def test_cutting_never_splits_a_character_or_its_marks() -> None:
    assert cut("aé" * 10, 7) == "aéa…"
    assert cut("e\u0301" * 5, 8) == "e\u0301…"
    family = "👩\u200d👧"
    assert cut("ab" + family + family, 12) == "ab…"


def test_shortening_prefers_a_blank() -> None:
    assert shorten("the deployment window is Tuesday", 30) == "the deployment window is…"


def test_nothing_fits_in_no_room() -> None:
    (part,) = fit([Part("a", ["hello"], 0)], 0)
    assert part.lines == () and part.bytes == 0 and part.truncated


@settings(derandomize=True, max_examples=200)
@given(
    st.lists(st.tuples(st.lists(st.text(max_size=60), max_size=12), st.integers(0, 2000)), max_size=6),
    st.integers(0, 800),
)
def test_all_parts_together_never_exceed_the_limit(wishes: list[tuple[list[str], int]], limit: int) -> None:
    total = sum(share for _, share in wishes) or 1
    parts = [Part(str(i), lines, share * 6000 // max(total, 6000)) for i, (lines, share) in enumerate(wishes)]
    fitted = fit(parts, limit)
    assert sum(part.bytes for part in fitted) <= limit
    for part in fitted:
        assert part.bytes == sum(size(line) + 1 for line in part.lines)
