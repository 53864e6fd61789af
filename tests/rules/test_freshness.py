"""How long a scan of all files is believed."""

from hypothesis import given
from hypothesis import strategies as st

from markdown_memory.rules.freshness import AT_ONCE, LONGEST, SHARE, believed_for


def test_a_small_vault_is_looked_at_before_every_search() -> None:
    assert believed_for(AT_ONCE / 2) == 0.0


@given(st.floats(0, 1000))
def test_scanning_takes_a_small_share_of_the_time_and_nothing_is_believed_for_long(cost: float) -> None:
    assert 0.0 <= believed_for(cost) <= min(LONGEST, SHARE * cost)
