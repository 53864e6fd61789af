"""What a person types, as a value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_memory.core.query import Query, date, parse

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


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("2026", "2026"), ("2026-10", "2026-10"), ("2026-11-30", "2026-11-30"), ("2026-2-3", "2026-02-03"),
        ("2026-11-30T10:00:00Z", "2026-11-30"), ("today", "2026-12-01"), ("yesterday", "2026-11-30"),
        ("tomorrow", "2026-12-02"), ("7d", "2026-11-24"), ("2w", "2026-11-17"), ("last week", "2026-11-24"),
        ("last_week", "2026-11-24"), ("lastweek", "2026-11-24"), ("last-week", "2026-11-24"),
        ("3 days ago", "2026-11-28"),
        ("2026-02-30", ""), ("2026-13", ""), ("0000-01-01", ""), ("soon", ""), ("99999999999d", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_date_is_a_day_a_month_a_year_or_relative(written: str, found: str) -> None:
    assert date(written, NOW) == found


def test_dates_of_two_words_need_no_quotes() -> None:
    query = parse("after:last week before:2 days ago deploy last week", NOW)
    assert (query.after, query.before, query.words) == ("2026-11-24", "2026-11-29", ("deploy",))
    assert parse("since:2026-10 until:2026-11-30", NOW)[5:7] == ("2026-10", "2026-11-30")


def test_several_values_of_a_filter_are_alternatives() -> None:
    assert parse("type:project,reference tag:#a tag:b").filters == (
        ("type", "project"), ("type", "reference"), ("tag", "a"), ("tag", "b"),
    )  # fmt: skip
    assert parse('branch:a,b name:"x, y"').filters == (("branch", "a,b"), ("name", "x, y"))


def test_typographic_quotation_marks_are_quotation_marks() -> None:
    assert parse("“blue green” -„by hand“ x").phrases == ("blue green",)
    assert parse("“blue green” -„by hand“ x").excluded == ("by hand",)


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ("after:soonish x", ("soonish", "x"), "'after:soonish' is no date"),
        ("typ:project", ("typ:project",), "is 'type' meant?"),
        ('say "hello world', ("say", "hello", "world"), "no partner"),
        ("type: project", ("type:", "project"), "as in type:project"),
        ("-type:project x", ("x",), "cannot be turned round"),
        ('foo:"a b"', ("foo:", "a", "b"), ""),
    ],
)
def test_a_slip_is_a_hint_and_still_searches(text: str, words: tuple[str, ...], hint: str) -> None:
    query = parse(text, NOW)
    assert query.words == words
    assert hint in " ".join(query.hints) and bool(hint) == bool(query.hints)


def test_a_query_of_any_length_takes_little_time_and_says_what_was_left_out() -> None:
    query = parse("word " * 200_000, NOW)
    assert len(query.words) == 100 and query.hints == ("Only the first 100 parts of the query were searched.",)
    assert parse("a:" * 300_000, NOW).words and parse('"' * 300_001, NOW).hints


@given(st.text(max_size=80))
def test_every_text_is_a_query(text: str) -> None:
    query = parse(text, NOW)
    assert all(isinstance(part, tuple) for part in query[:5])
    assert all(part.strip() == part != "" for part in (*query.words, *query.phrases, *query.prefixes, *query.excluded))


@given(st.lists(st.sampled_from('" - * : type after: tag:"x last week 7d “ ” , foo # \\n'.split(" ")), max_size=12))
def test_every_mixture_of_marks_is_a_query(parts: list[str]) -> None:
    for text in (" ".join(parts), "".join(parts)):
        assert isinstance(parse(text, NOW), Query)
