"""Following the live context: every entry once, in the order in which it arrives."""

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from markdown_memory.memory import Memory
from tests.conftest import Clock, Open

Act = Callable[[], object]


def seen(memory: Memory, *acts: Act, agent: str = "", kind: str = "") -> list[str]:
    """Follow, and do one act at each wait; what was shown until there is none left."""
    left, shown = list(acts), []

    def wait() -> None:
        if not left:
            raise EOFError
        left.pop(0)()

    lines = memory.log.follow(wait, agent=agent, kind=kind)
    with suppress(EOFError):
        for line in lines:
            shown.append(line.text)
    return shown


@pytest.fixture
def ella(open_as: Open) -> Memory:
    return open_as("ella")


def test_entries_of_all_writers_come_once_as_they_arrive(memory: Memory, lyra: Memory, ella: Memory) -> None:
    lyra.log.append("before")
    acts = (
        lambda: lyra.log.append("one"),
        lambda: None,
        lambda: (ella.log.append("two"), memory.log.append("three")),
        lambda: None,
    )
    assert seen(memory, *acts) == ["one", "two", "three"]


def test_it_can_begin_with_the_newest(memory: Memory, lyra: Memory) -> None:
    for text in ("one", "two", "three"):
        lyra.log.append(text)
    assert [line.text for line in islice(memory.log.follow(print, tail=2), 2)] == ["two", "three"]
    assert [line.text for line in islice(memory.log.follow(print, tail=9), 3)] == ["one", "two", "three"]


def test_only_what_the_filters_allow_is_shown(memory: Memory, lyra: Memory, ella: Memory) -> None:
    acts = (lambda: lyra.log.append("a fix", kind="fix"), lambda: ella.log.append("other"))
    assert seen(memory, *acts, kind="fix") == ["a fix"]
    assert seen(memory, *acts, agent="ella") == ["other"]


def test_following_marks_nothing_as_read(lyra: Memory, ella: Memory) -> None:
    assert seen(ella, lambda: lyra.log.append("one")) == ["one"]
    assert [line.text for line in ella.log.read(unread=True)] == ["one"]


def test_what_arrives_late_with_an_old_time_is_new(
    memory: Memory, lyra: Memory, ella: Memory, vault: Path, tmp_path: Path
) -> None:
    ella.log.append("first")
    (file,) = (vault / "nexus/log/live-context").rglob("*ella*.md")
    early = file.read_bytes()
    ella.log.append("written offline")
    late = file.read_bytes()
    file.write_bytes(early)
    acts = (lambda: lyra.log.append("meanwhile"), lambda: file.write_bytes(late))
    assert seen(memory, *acts) == ["meanwhile", "written offline"]


def test_a_hand_written_line_is_shown_once_and_again_when_it_is_signed(memory: Memory, vault: Path) -> None:
    view = vault / "nexus/live-context.md"
    view.write_text("")

    def write() -> None:
        view.write_text("- fixed the build by hand\n")

    shown = seen(memory, write, lambda: memory.log.append("x"), lambda: memory.log.adopt("fixed"))
    assert shown == ["- fixed the build by hand", "x", "fixed the build by hand"]


def test_it_goes_on_over_the_end_of_a_month(memory: Memory, lyra: Memory, clock: Clock) -> None:
    lyra.log.append("November")

    def december() -> None:
        clock.move(3 * 86400)
        lyra.log.append("December")

    assert seen(memory, december, lambda: lyra.log.append("again")) == ["December", "again"]
