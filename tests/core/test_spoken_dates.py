"""Dates as people say them, in three languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_memory.core.spoken_dates import Period, meant, told

NOW = 1_796_083_200.0  # Tuesday, 2026-12-01


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("last May", "2026-05-01", "2026-05-31"), ("letzten Mai", "2026-05-01", "2026-05-31"),
        ("mai dernier", "2026-05-01", "2026-05-31"), ("last December", "2025-12-01", "2025-12-31"),
        ("in December", "2026-12-01", "2026-12-31"), ("im Februar 2024", "2024-02-01", "2024-02-29"),
        ("yesterday", "2026-11-30", "2026-11-30"), ("vorgestern", "2026-11-29", "2026-11-29"),
        ("hier", "2026-11-30", "2026-11-30"), ("aujourd\u2019hui", "2026-12-01", "2026-12-01"),
        ("2 weeks ago", "2026-11-14", "2026-11-20"), ("vor zwei Wochen", "2026-11-14", "2026-11-20"),
        ("il y a 2 semaines", "2026-11-14", "2026-11-20"), ("a year ago", "2025-06-02", "2026-06-01"),
        ("last week", "2026-11-23", "2026-11-29"), ("la semaine derni\u00e8re", "2026-11-23", "2026-11-29"),
        ("letzten Monat", "2026-11-01", "2026-11-30"), ("l'ann\u00e9e derni\u00e8re", "2025-01-01", "2025-12-31"),
        ("this year", "2026-01-01", "2026-12-31"), ("last Tuesday", "2026-11-24", "2026-11-24"),
        ("lundi dernier", "2026-11-30", "2026-11-30"), ("12 October", "2026-10-12", "2026-10-12"),
        ("12. Dezember", "2025-12-12", "2025-12-12"), ("October 12th, 2025", "2025-10-12", "2025-10-12"),
        ("2026-10", "2026-10-01", "2026-10-31"), ("31.10.2026", "2026-10-31", "2026-10-31"),
        ("in 2025", "2025-01-01", "2025-12-31"), ("May", "2026-05-01", "2026-05-31"),
        ("soon", "", ""), ("31 February", "", ""), ("2026-13", "", ""), ("", "", ""), ("0000-01-01", "", ""),
    ],
)  # fmt: skip
def test_a_text_that_is_a_date_means_a_period(text: str, first: str, last: str) -> None:
    assert meant(text, NOW) == Period(first, last)


@pytest.mark.parametrize(
    ("question", "period", "words"),
    [
        ("what did we decide last May?", ("2026-05-01", "2026-05-31"), "what did we decide May?"),
        ("what was agreed 2 weeks ago", ("2026-11-14", "2026-11-20"), "what was agreed"),
        ("Was wurde vor zwei Wochen beschlossen", ("2026-11-14", "2026-11-20"), "Was wurde beschlossen"),
        ("notes of 12 October on tokens", ("2026-10-12", "2026-10-12"), "notes of 12 October on tokens"),
        ("between May 2026 and July 2026", ("2026-05-01", "2026-07-31"), "between May 2026 and July 2026"),
        ("yesterday", ("2026-11-30", "2026-11-30"), "yesterday"),
        ("may we deploy on Friday", ("", ""), "may we deploy on Friday"),
        ("wer ist hier der Chef", ("", ""), "wer ist hier der Chef"),
        ("error 2026", ("", ""), "error 2026"),
    ],
)
def test_a_question_keeps_the_words_that_a_note_could_hold(question: str, period: tuple[str, str], words: str) -> None:
    assert told(question.split(), NOW) == (Period(*period), tuple(words.split()))


def test_a_period_holds_dates_and_times_of_its_days() -> None:
    may = Period("2026-05-01", "2026-05-31")
    assert may.holds("2026-05-31T23:59:59") and may.holds("2026-05-01")
    assert not may.holds("2026-06-01") and not may.holds("") and not Period().holds("")


@given(st.lists(st.sampled_from("last May 31 12 of ago vor 2 zwei weeks wochen 2026 2026-02-30 il y a in".split())))
def test_every_sequence_of_words_is_read(words: list[str]) -> None:
    period, rest = told(words, NOW)
    assert period.first <= period.last
    assert bool(rest) == bool(words)


@given(st.text(max_size=40), st.floats(allow_nan=False, allow_infinity=False))
def test_every_text_at_every_time_is_a_period_or_none(text: str, now: float) -> None:
    assert meant(text, now).first <= meant(text, now).last
