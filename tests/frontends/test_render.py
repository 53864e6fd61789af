"""Columns, folding, ages, and text from notes that cannot play tricks on a terminal."""

import pytest

from markdown_memory.frontends import render


def test_escape_sequences_and_controls_are_shown_instead_of_sent() -> None:
    assert render.foreign("\x1b]0;owned\x07 a\x9bb\x00") == "\\x1b]0;owned\\x07 a\\x9bb\\x00"


def test_characters_that_reverse_the_text_direction_are_shown() -> None:
    assert render.foreign("a\u202eb\u2066c") == "a\\u202eb\\u2066c"


def test_line_breaks_and_tabs_stay_and_crlf_becomes_a_line_break() -> None:
    assert render.foreign("a\r\n\tb\n") == "a\n\tb\n"


def test_a_lone_carriage_return_cannot_overwrite_the_line() -> None:
    assert render.foreign("safe\rEVIL") == "safe\\x0dEVIL"


def test_one_line_joins_lines_and_cuts_with_an_ellipsis() -> None:
    assert render.one_line("one\n two\x1b[2J  three", 12) == "one two\\x1b…"


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("日本", 4), ("é", 1), ("e\u0301", 1), ("👍", 2), ("", 0)])
def test_the_width_counts_columns_and_not_characters(text: str, width: int) -> None:
    assert render.width_of(text) == width


def test_a_wide_text_is_cut_between_characters() -> None:
    assert render.cut("日本語の文", 6) == "日本…"


def test_columns_are_aligned_and_the_last_one_gives_way_in_a_narrow_terminal() -> None:
    lines = render.columns([("oauth", "project", "a long description that does not fit"), ("x", "user", "y")], 40)
    assert lines == ["oauth  project  a long description that…", "x      user     y"]
    assert all(render.width_of(line) <= 40 for line in lines)


def test_columns_without_a_width_are_never_cut() -> None:
    assert render.columns([("a", "b" * 300)], 0) == ["a  " + "b" * 300]


def test_text_is_folded_at_spaces_with_an_indent() -> None:
    assert render.wrap("one two three four five six", 24, "    ") == [
        "    one two three four",
        "    five six",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (5, "just now"),
        (60, "1 minute ago"),
        (7300, "2 hours ago"),
        (86_400 * 40, "1 month ago"),
        (86_400 * 800, "2 years ago"),
    ],
)
def test_an_age_is_told_in_one_unit(seconds: float, words: str) -> None:
    assert render.age(seconds) == words


def test_counts_agree_with_their_noun() -> None:
    assert [render.count(n, "entry", "entries") for n in (0, 1, 1200)] == [
        "0 entries",
        "1 entry",
        "1,200 entries",
    ]


def test_json_keeps_unicode_unless_the_output_cannot_take_it() -> None:
    assert render.json_text({"a": "ü"}) == '{\n  "a": "ü"\n}'
    assert render.json_text({"a": "ü"}, ascii_only=True) == '{\n  "a": "\\u00fc"\n}'
