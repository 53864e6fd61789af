"""Reading order, and what was written without knowledge of each other."""

from markdown_memory.core.entry import Entry, Head
from markdown_memory.rules.log_order import concurrent, reading_order
from tests.scribe import Scribe


def names(entries: list[Entry]) -> list[str]:
    return [f"{entry.agent}{entry.seq}" for entry in entries]


def two() -> tuple[Scribe, Scribe]:
    return Scribe("lyra", 1), Scribe("ella", 2)


def test_entries_are_read_by_time_and_each_chain_in_its_order() -> None:
    lyra, ella = two()
    entries = [
        lyra.write(time="2026-11-30T02:00:00"),
        lyra.write(time="2026-11-30T01:00:00"),
        ella.write(time="2026-11-30T01:30:00"),
    ]
    assert names(reading_order(entries)) == ["ella1", "lyra1", "lyra2"]


def test_what_was_seen_comes_first_whatever_the_clocks_say() -> None:
    lyra, ella = two()
    first = lyra.write(time="2026-11-30T05:00:00")
    answer = ella.write(time="2026-11-30T04:00:00", seen=[first.head])
    assert names(reading_order([answer, first])) == ["lyra1", "ella1"]


def test_what_has_not_arrived_holds_nothing_up() -> None:
    _, ella = two()
    assert names(reading_order([ella.write(seen=[Head("live-context", "lyra-aaaa", 7, "A" * 43)])])) == ["ella1"]


def test_entries_that_claim_to_have_seen_each_other_are_read_all_the_same() -> None:
    lyra, ella = two()
    one = lyra.write(seen=[Head("live-context", ella.id, 1, "A" * 43)])
    other = ella.write(seen=[Head("live-context", lyra.id, 1, "A" * 43)])
    assert sorted(names(reading_order([one, other]))) == ["ella1", "lyra1"]


def test_a_wrong_clock_pins_nothing_on_top() -> None:
    lyra, ella = two()
    entries = [
        *(lyra.write(time=f"{day}:00:00") for day in ("2026-11-30T01", "2031-01-01T00", "2026-11-30T03")),
        *(ella.write(time=f"2026-11-30T{hour}:00:00") for hour in ("02", "04")),
    ]
    assert names(reading_order(entries, "2026-12-01T00:00:00")) == ["lyra1", "lyra2", "ella1", "lyra3", "ella2"]
    assert names(reading_order(entries))[-2:] == ["lyra2", "lyra3"]


def test_two_who_did_not_know_of_each_other_are_concurrent_until_somebody_knows_both() -> None:
    lyra, ella = two()
    one, other = lyra.write(), ella.write(time="2026-11-30T02:13:30")
    found = concurrent(reading_order([one, other]))
    assert found[one.id] == ((other.id,), True) and found[other.id] == ((one.id,), True)
    answer = lyra.write(time="2026-11-30T02:20:00", seen=[other.head])
    met = concurrent(reading_order([one, other, answer]))
    assert not met[one.id].open and not met[other.id].open and answer.id not in met


def test_knowledge_is_passed_on() -> None:
    lyra, ella = two()
    mara = Scribe("mara", 3)
    one = lyra.write(time="2026-11-30T01:00:00")
    told = ella.write(time="2026-11-30T02:00:00", seen=[one.head])
    last = mara.write(time="2026-11-30T03:00:00", seen=[told.head])
    assert not concurrent(reading_order([one, told, last]))


def test_who_never_meets_is_shown_with_the_nearest_only() -> None:
    lyra, ella = two()
    entries = [one.write(time=f"2026-11-{day:02}T01:00:00") for day in range(1, 29) for one in (lyra, ella)]
    found = concurrent(reading_order(entries))
    assert all(len(one.ids) <= 5 and one.open for one in found.values())
