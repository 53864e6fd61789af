"""The ledger's word on files, also when two writers changed one without knowing of each other."""

from collections.abc import Sequence

from markdown_memory.core.entry import Entry
from markdown_memory.core.ledger import FileChange, parse_ledger
from markdown_memory.rules.attestation import Ledger, Present
from markdown_memory.rules.log_order import reading_order
from markdown_memory.rules.standing import Standing, Standings
from tests.scribe import Scribe

A, B, C = "a" * 64, "b" * 64, "c" * 64
TEA = "memory/user/tea.md"


def put(
    scribe: Scribe,
    old: str,
    new: str,
    *,
    kind: str = "edit",
    path: str = TEA,
    seen: Sequence[Entry] = (),
    void: str = "",
) -> Entry:
    """A ledger entry about one file, or one that declares another void."""
    data: dict[str, object] = {"void": void} if void else {"files": {path: [old, new]}, "via": "cli"}
    return scribe.write(kind, "ledger", kind=kind, data=data, seen=[one.head for one in seen])


def ledger(*entries: Entry, persons: Sequence[Scribe] = (), own: Sequence[Scribe] = ()) -> Ledger:
    changes: dict[str, Sequence[FileChange]] = {entry.id: parse_ledger(entry.values()) for entry in entries}
    known = {
        one.id: Standing(one.id, one.agent, "person", one.public, one.key, "confirmed", trusted=True) for one in persons
    }
    return Ledger(reading_order(entries), changes, Standings(known), [one.id for one in own])


def state(book: Ledger, **files: str) -> str:
    present = {TEA: Present(files["tea"])} if "tea" in files else {}
    return next(one.state for one in book.verdicts(present) if one.path == TEA)


def test_a_file_is_as_its_newest_entry_says() -> None:
    lyra = Scribe("lyra", 1)
    book = ledger(put(lyra, "", A), put(lyra, A, B), own=[lyra])
    assert (state(book, tea=B), state(book, tea=A), state(book, tea=C), state(book)) == (
        "attested", "rolled-back", "by-hand", "missing",
    )  # fmt: skip


def test_two_who_did_not_know_of_each_other_both_count() -> None:
    lyra, ella = Scribe("lyra", 1), Scribe("ella", 2)
    first = put(lyra, "", A)
    book = ledger(first, put(lyra, A, B), put(ella, A, C, seen=[first]), own=[lyra, ella])
    assert {state(book, tea=B), state(book, tea=C)} == {"attested"} and state(book, tea=A) == "rolled-back"


def test_an_entry_that_has_seen_both_decides() -> None:
    lyra, ella = Scribe("lyra", 1), Scribe("ella", 2)
    first = put(lyra, "", A)
    mine, hers = put(lyra, A, B), put(ella, A, C, seen=[first])
    book = ledger(first, mine, hers, put(ella, C, B, seen=[mine]), own=[lyra, ella])
    assert state(book, tea=B) == "attested" and state(book, tea=C) == "rolled-back"


def test_a_void_entry_says_nothing_and_nobody_voids_anothers() -> None:
    lyra, ella = Scribe("lyra", 1), Scribe("ella", 2)
    first, second = put(lyra, "", A), put(lyra, A, B)
    assert state(ledger(first, second, put(lyra, "", "", kind="void", void=second.id)), tea=A) == "attested"
    others = put(ella, "", "", kind="void", void=second.id)
    assert state(ledger(first, second, others, own=[lyra]), tea=A) == "rolled-back"


def test_a_signed_entry_wins_over_an_observation_and_a_person_over_an_agent() -> None:
    lyra, ella, ana = Scribe("lyra", 1), Scribe("ella", 2), Scribe("ana", 3)
    seen, signed, approved = put(lyra, "", A, kind="observed"), put(ella, "", A), put(ana, A, A, kind="approve")
    assert state(ledger(seen), tea=A) == "observed"
    both = ledger(seen, signed).verdicts({TEA: Present(A)})[0]
    assert (both.state, both.agent, both.via) == ("attested", "ella", "cli")
    assert ledger(seen, signed, approved, persons=[ana]).verdicts({TEA: Present(A)})[0].agent == "ana"


def test_the_state_before_another_hosts_change_has_not_arrived() -> None:
    lyra, ella = Scribe("lyra", 1), Scribe("ella", 2)
    first = put(lyra, "", A)
    book = ledger(first, put(ella, A, B, seen=[first]), own=[lyra])
    assert state(book, tea=A) == "not-here"
    assert state(ledger(put(ella, "", A), own=[lyra])) == "not-here", "a new file of another host"
    assert state(ledger(put(ella, "", A), own=[ella])) == "missing"


def test_a_removed_file_is_gone_and_one_that_is_back_is_rolled_back() -> None:
    lyra = Scribe("lyra", 1)
    book = ledger(put(lyra, "", A), put(lyra, A, ""), own=[lyra])
    assert state(book) == "gone" and state(book, tea=A) == "rolled-back" and state(book, tea=C) == "by-hand"


def test_line_ends_and_moves_are_recognised() -> None:
    lyra = Scribe("lyra", 1)
    book = ledger(put(lyra, "", A))
    assert book.verdicts({TEA: Present(C, with_lf=A)})[0].state == "line-ends"
    moved = {one.path: one for one in book.verdicts({"memory/feedback/tea.md": Present(A)})}
    assert moved[TEA].state == moved["memory/feedback/tea.md"].state == "moved"
    assert moved[TEA].other == "memory/feedback/tea.md" and moved["memory/feedback/tea.md"].other == TEA


def test_a_file_that_nobody_knows_is_unknown() -> None:
    assert ledger().verdicts({TEA: Present(A)})[0].state == "unknown"


def test_a_path_with_a_thousand_entries_is_judged_at_once() -> None:
    lyra = Scribe("lyra", 1)
    entries = [put(lyra, A if number % 2 else B, B if number % 2 else A) for number in range(1000)]
    assert state(ledger(*entries), tea=entries[-1].values()["files"][TEA][1]) == "attested"  # type: ignore[index]  # ours
