"""Two versions of a log file become one without a line lost."""

from markdown_memory.core.entry import REDACTED, render
from markdown_memory.rules.log_union import union
from tests.scribe import Scribe, read


def test_the_longer_version_holds_the_shorter_one() -> None:
    lyra = Scribe("lyra")
    entries = [lyra.write() for _ in range(3)]
    short, long = (lyra.file(entries[:count])[1] for count in (2, 3))
    assert union(short, long) == union(long, short) == long
    assert union(b"", long) == union(long, b"") == union(long, long) == long


def test_lines_that_only_one_side_has_stand_by_their_numbers() -> None:
    lyra = Scribe("lyra")
    entries = [lyra.write() for _ in range(4)]
    one, other = lyra.file([entries[0], entries[1], entries[3]])[1], lyra.file([entries[0], entries[2]])[1]
    assert union(one, other) == union(other, one) == lyra.file(entries)[1]


def test_what_was_redacted_on_one_side_does_not_come_back_from_the_other() -> None:
    lyra = Scribe("lyra")
    entries = [lyra.write() for _ in range(2)]
    blank = entries[0]._replace(text=REDACTED, salt="", data="")
    one, other = lyra.file([blank])[1], lyra.file(entries)[1]
    merged = union(one, other)
    assert merged == union(other, one) == lyra.file([blank, entries[1]])[1]


def test_two_entries_of_one_number_both_stay_for_verify_to_name() -> None:
    lyra = Scribe("lyra")
    first = lyra.write()
    mine = lyra.write("mine", keep=False)
    theirs = lyra.write("theirs", keep=False)
    file, one = lyra.file([first, mine])
    merged = union(one, lyra.file([first, theirs])[1])
    assert {render(mine), render(theirs)} <= set(merged.decode().splitlines())
    assert len(read(file, merged, lyra).placed) == 3


def test_lines_that_are_no_entries_are_kept() -> None:
    lyra = Scribe("lyra")
    file = lyra.file([lyra.write()])[1]
    merged = union(file + b"by hand\n", file + b"by another\n")
    assert merged.startswith(file) and {b"by hand", b"by another"} <= set(merged.split(b"\n"))
    assert merged.endswith(b"\n") and not merged.endswith(b"\n\n")
