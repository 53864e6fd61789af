"""Cursors of sessions, and the rendered view with what people wrote into it."""

from markdown_memory.core.log_text import unsigned_digest
from markdown_memory.rules import cursors, live_context
from markdown_memory.rules.cursors import Cursor, advance
from markdown_memory.rules.live_context import Shown


def test_a_cursor_advances_as_far_as_everything_was_read() -> None:
    unread = [("a", 1), ("a", 2), ("a", 3), ("b", 7)]
    cursor = advance(Cursor(), [("a", 1), ("a", 3)], unread)
    assert [cursor.has_read("a", seq) for seq in (1, 2, 3, 4)] == [True, False, True, False]
    assert not cursor.has_read("b", 7)
    done = advance(cursor, [("a", 2), ("b", 7)], [("a", 2), ("b", 7)])
    assert done.upto == {"a": 3, "b": 7} and not done.beyond


def test_an_entry_that_arrives_late_is_unread() -> None:
    cursor = advance(Cursor(), [("a", 5)], [("a", 5)])
    assert not cursor.has_read("b", 1) and not cursor.has_read("a", 6)


def test_a_cursor_is_kept_as_json_and_anything_else_is_none() -> None:
    cursor = Cursor({"a": 3}, {"b": (7, 9)}, ("digest",))
    assert cursors.from_json(cursors.to_json(cursor)) == cursor
    for other in (None, 3, [], [1, 2, 3], [{}, {"a": 1}, []], {"a": 1}):
        assert cursors.from_json(other) == Cursor()


SHOWN = Shown(
    "2026-11-30T02:13:04", "lyra", "telegram", "fix", "Shipped\nit --> all", "live-lyra-k7f3-42", ("unconfirmed",)
)


def test_every_line_of_the_view_is_ours_or_blank() -> None:
    text = live_context.render([SHOWN], [])
    assert all(live_context.is_ours(line) or not line for line in text.split("\n"))
    assert "- 02:13 **lyra** (telegram, fix) Shipped\\nit --\\> all *(unconfirmed)* ^live-lyra-k7f3-42\n" in text
    assert live_context.hand_written(text) == []


def test_what_a_person_adds_anywhere_is_kept_once_and_in_order() -> None:
    text = live_context.render([SHOWN], [])
    edited = "my first line\n" + text + "- second ^not-ours\r\n  <<<<<<< HEAD\n<<<<<<< HEAD\n- second ^not-ours  \n"
    kept = live_context.hand_written(edited)
    assert kept == ["my first line", "- second ^not-ours", "  <<<<<<< HEAD"]
    again = live_context.render([SHOWN], kept)
    assert live_context.hand_written(again) == kept and live_context.render([SHOWN], kept) == again


def test_a_line_that_was_signed_leaves_the_view() -> None:
    assert live_context.hand_written("- one\n- two\n", {unsigned_digest("- one")}) == ["- two"]
