"""What a person types, as a value."""

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from markdown_memory.core.query import Query, parse

NOW = 1_796_083_200.0  # 2026-12-01


def test_every_part_of_the_language() -> None:
    query = parse('deploy "blue green" roll* -staging -"by hand" type:project tag:#ci name:"a b"', NOW)
    assert query == Query(
        words=("deploy",),
        phrases=("blue green",),
        prefixes=("roll",),
        excluded=("staging", "by hand"),
        filters=(("type", "project"), ("tag", "ci"), ("name", "a b")),
    )


def test_what_only_looks_like_syntax_is_a_word() -> None:
    text = "http://x.y C++ std::vector 12:30 a:b - -- * foo: C:\\x ::"
    assert parse(text, NOW).words == tuple(text.split())
    assert parse(text, NOW).hints == ()


def test_dates_are_plain_or_relative() -> None:
    assert parse("after:2026-10 before:2026-11-30", NOW)[5:7] == ("2026-10", "2026-11-30")
    assert parse('after:yesterday before:"last week"', NOW)[5:7] == ("2026-11-30", "2026-11-24")
    assert parse("after:7d", NOW).after == "2026-11-24"
    assert parse("after:2w", NOW).after == "2026-11-17"


def test_a_slip_is_a_hint_and_still_searches() -> None:
    assert parse("after:soonish x", NOW).hints[0].startswith("'after:soonish' is no date")
    assert parse("after:soonish x", NOW).words == ("soonish", "x")
    assert "is 'type' meant?" in parse("typ:project", NOW).hints[0]
    assert parse("typ:project", NOW).words == ("typ:project",)
    assert parse('say "hello world', NOW).words == ("say", "hello", "world")
    assert "no partner" in parse('say "hello world', NOW).hints[0]


@given(st.text(max_size=80))
@hypothesis_settings(derandomize=True)
def test_every_text_is_a_query(text: str) -> None:
    query = parse(text, NOW)
    assert all(isinstance(part, tuple) for part in query[:5])
