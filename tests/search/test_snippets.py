"""The lines that are shown of a hit."""

from markdown_memory.search.snippets import contains_phrase, snippet

NOTE = """---
name: oauth
---
# Login

Intro line.

We ship the OAuth refresh fix
at night, so that mobile users stay logged in.

Das Café in Zürich öffnet um acht.
"""


def test_shows_the_stretch_with_most_of_the_words_and_its_line() -> None:
    shown = snippet(NOTE, "oauth refresh mobile")
    assert shown.text.startswith("We ship the OAuth refresh fix at night")
    assert shown.line == 8


def test_marks_are_where_the_words_are() -> None:
    shown = snippet(NOTE, "refreshing oauth")
    assert [shown.text[start:end] for start, end in shown.marks] == ["OAuth", "refresh"]


def test_finds_words_whatever_their_accents() -> None:
    shown = snippet(NOTE, "cafe")
    assert (shown.text, shown.line) == ("Das Café in Zürich öffnet um acht.", 11)


def test_a_note_that_matched_by_its_name_shows_its_first_sentence() -> None:
    shown = snippet(NOTE, "unheard")
    assert (shown.text.split(".")[0], shown.line) == ("Intro line", 6)


def test_never_shows_the_frontmatter() -> None:
    assert "name:" not in snippet(NOTE, "name oauth").text


def test_a_long_line_is_cut_around_the_match() -> None:
    shown = snippet("word " * 200 + "needle " + "word " * 200, "needle")
    assert "needle" in shown.text
    assert len(shown.text) < 260
    assert shown.text.startswith("… ")
    assert shown.text.endswith(" …")


def test_chinese_is_shown_and_marked() -> None:
    shown = snippet("今天我们在上海开会。", "上海")
    assert [shown.text[start:end] for start, end in shown.marks] == ["上海"]


def test_an_empty_note_has_nothing_to_show() -> None:
    assert snippet("", "x").line == 0
    assert snippet("---\nname: x\n---\n", "x").text == ""


def test_windows_line_ends_count_as_lines() -> None:
    assert snippet("one\r\ntwo\r\nthree needle\r\n", "needle").line == 3


def test_a_phrase_is_its_words_in_a_row() -> None:
    assert contains_phrase(NOTE, "oauth refresh FIX")
    assert contains_phrase(NOTE, "fix at night")
    assert not contains_phrase(NOTE, "refresh OAuth")
    assert not contains_phrase(NOTE, "Auth refresh")
