"""What is wrong with a chain is named, at its line, and nothing else is."""

import pytest

from markdown_memory.core.entry import Entry, Head, render
from markdown_memory.core.log_layout import LogFile
from markdown_memory.rules.chain import Chain, across, missing
from tests.scribe import Scribe, joined, read

NOVEMBER = "nexus/log/live-context/2026-11/live-context-lyra-{}-2026-11.md"


@pytest.fixture
def lyra() -> Scribe:
    scribe = Scribe("lyra", 1)
    for _ in range(6):
        scribe.write()
    return scribe


def chain_of(scribe: Scribe, log: str = "live-context") -> list[Entry]:
    return scribe.chains[log]


def changed(scribe: Scribe, old: str, new: str, remembered: Head | None = None) -> Chain:
    file, data = scribe.file(chain_of(scribe))
    assert old.encode() in data
    return joined(scribe, [(file, data.replace(old.encode(), new.encode()))], remembered)


def found(chain: Chain) -> list[tuple[str, int]]:
    return [(problem.code, problem.line) for problem in chain.problems]


def test_an_untouched_chain_is_right(lyra: Scribe) -> None:
    chain = joined(lyra, [lyra.file(chain_of(lyra))], chain_of(lyra)[-1].head)
    assert chain.problems == () == chain.notices
    assert [placed.entry for placed in chain.placed] == chain_of(lyra)
    assert chain.head == chain_of(lyra)[-1].head


def test_every_signature_is_checked_when_that_is_asked_for(lyra: Scribe) -> None:
    entries = chain_of(lyra)
    assert read(*lyra.file(entries), lyra, thorough=True).placed == read(*lyra.file(entries), lyra).placed


def test_a_changed_text_is_named_with_its_line(lyra: Scribe) -> None:
    chain = changed(lyra, "entry 3 of lyra", "entry 3 of Lyra")
    assert found(chain) == [("log-changed", 5)]
    assert chain.problems[0].message == f"Entry {lyra.id}-3 no longer has the text and data that were signed."
    assert "Restore the line" in chain.problems[0].remedy


def test_a_changed_signature_is_named(lyra: Scribe) -> None:
    sig = chain_of(lyra)[2].sig
    chain = changed(lyra, sig, ("B" if sig[0] == "A" else "A") + sig[1:])
    assert found(chain) == [("log-changed", 5)]
    assert "was changed or forged" in chain.problems[0].message


def test_an_invented_entry_is_named(lyra: Scribe) -> None:
    mallory = Scribe("lyra", 9)
    invented = mallory.sign(chain_of(lyra)[-1]._replace(seq=7, prev=chain_of(lyra)[-1].head.hash, key=lyra.key))
    chain = joined(lyra, [lyra.file([*chain_of(lyra), invented])])
    assert found(chain) == [("log-changed", 9)]
    assert len(chain.placed) == 6


def test_a_removed_line_is_missing(lyra: Scribe) -> None:
    entries = chain_of(lyra)
    chain = joined(lyra, [lyra.file([*entries[:2], *entries[4:]])])
    assert found(chain) == [("log-missing", 5)]
    assert f"{lyra.id}-3 to 4 are missing" in chain.problems[0].message


def test_exchanged_lines_are_named_once(lyra: Scribe) -> None:
    entries = chain_of(lyra)
    chain = joined(lyra, [lyra.file([*entries[:2], entries[3], entries[2], *entries[4:]])])
    assert [code for code, _ in found(chain)] == ["log-moved"]


def test_a_line_that_stands_twice_is_named(lyra: Scribe) -> None:
    entries = chain_of(lyra)
    chain = joined(lyra, [lyra.file([*entries[:4], entries[1], *entries[4:]])])
    assert found(chain) == [("log-duplicate", 7)]
    assert len(chain.placed) == 6


def test_a_cut_tail_is_named_by_a_machine_that_remembers_it(lyra: Scribe) -> None:
    entries = chain_of(lyra)
    files = [lyra.file(entries[:4])]
    assert joined(lyra, files).problems == ()
    chain = joined(lyra, files, entries[-1].head)
    assert found(chain) == [("log-cut", 0)]
    assert f"{lyra.id}-5 to 6 in live-context, which this machine has seen" in chain.problems[0].message


def test_a_missing_file_is_not_here_yet_unless_this_machine_remembers_it(lyra: Scribe) -> None:
    december = [lyra.write(time="2026-12-01T08:00:00"), lyra.write(time="2026-12-01T09:00:00")]
    only_december = [lyra.file(december, "2026-12")]
    chain = joined(lyra, only_december)
    assert not chain.problems and [notice.code for notice in chain.notices] == ["log-not-here"]
    remembered = joined(lyra, only_december, december[-1].head)
    assert found(remembered) == [("log-missing", 3)]


def test_a_chain_runs_on_across_months(lyra: Scribe) -> None:
    november = list(chain_of(lyra))
    december = [lyra.write(time="2026-12-01T00:00:00")]
    chain = joined(lyra, [lyra.file(november), lyra.file(december, "2026-12")])
    assert not chain.problems and len(chain.placed) == 7


def test_an_entry_in_the_file_of_an_earlier_month_is_named(lyra: Scribe) -> None:
    lyra.write(time="2026-12-01T00:00:00")
    assert found(joined(lyra, [lyra.file(chain_of(lyra))])) == [("log-wrong-month", 9)]


def test_an_entry_that_was_copied_from_another_log_is_named(lyra: Scribe) -> None:
    decision = lyra.write(log="decisions")
    chain = joined(lyra, [lyra.file([*chain_of(lyra), decision])])
    assert found(chain) == [("log-replayed", 9)]
    assert "belongs to the log decisions" in chain.problems[0].message


def test_an_entry_of_another_log_whose_word_was_changed_is_named(lyra: Scribe) -> None:
    decision = render(lyra.write(log="decisions")).replace("^dec-", "^live-")
    file, data = lyra.file(chain_of(lyra))
    chain = joined(lyra, [(file, data + f"{decision}\n".encode())])
    assert found(chain) == [("log-replayed", 9)]


def test_an_entry_that_was_copied_from_another_writer_is_named(lyra: Scribe) -> None:
    ella = Scribe("ella", 2)
    chain = joined(lyra, [lyra.file([*chain_of(lyra), ella.write()])], None, ella)
    assert found(chain) == [("log-replayed", 9)]
    assert f"belongs to {ella.id}" in chain.problems[0].message


def test_an_entry_in_the_name_of_a_writer_without_its_key_is_forged(lyra: Scribe) -> None:
    ella, mallory = Scribe("ella", 2), Scribe("ella", 9)
    forged = mallory.write()._replace(writer=ella.id)
    chain = joined(lyra, [lyra.file([*chain_of(lyra), forged])], None, ella)
    assert found(chain) == [("log-forged", 9)]


def test_an_entry_of_another_vault_proves_nothing_here(lyra: Scribe) -> None:
    elsewhere = Scribe("lyra", 1, vault="another-vault")
    chain = joined(lyra, [lyra.file([elsewhere.write(text="hello")])])
    assert found(chain) == [("log-changed", 3)] and not chain.placed


def test_a_file_that_belongs_elsewhere_is_one_problem(lyra: Scribe) -> None:
    ella = Scribe("ella", 2)
    entries = [ella.write() for _ in range(30)]
    _, data = ella.file(entries)
    file, _ = lyra.file([])
    chain = joined(lyra, [(file, data)], None, ella)
    assert [problem.code for problem in chain.problems] == ["log-misplaced-file"]
    assert chain.problems[0].message.startswith(f"All these entries belong to {ella.id}")


def test_equivocation_keeps_both_and_quarantines(lyra: Scribe) -> None:
    entries = chain_of(lyra)
    other = lyra.write("something else", after=entries[3], keep=False)
    chain = joined(lyra, [lyra.file([*entries, other])])
    assert {code for code, _ in found(chain)} == {"log-equivocation"}
    assert chain.quarantined == 5 and len(chain.placed) == 7
    assert "two hosts wrote as" in chain.problems[0].message and "revoke" in chain.problems[0].remedy


def test_a_rewritten_history_contradicts_what_this_machine_remembers(lyra: Scribe) -> None:
    entries = chain_of(lyra)
    other = lyra.write("rewritten", after=entries[4], keep=False)
    chain = joined(lyra, [lyra.file([*entries[:5], other])], entries[-1].head)
    assert [code for code, _ in found(chain)] == ["log-equivocation"]


def test_a_blanked_entry_without_a_redaction_is_tampering(lyra: Scribe) -> None:
    entries = chain_of(lyra)
    chain = joined(lyra, [lyra.file([*entries[:3], entries[3]._replace(salt=""), *entries[4:]])])
    assert found(chain) == [("log-blanked", 6)]
    assert len(chain.placed) == 6, "the chain itself holds"


@pytest.mark.parametrize("time", ["2026-11-30T02:03:04", "2026-10-01T00:00:00"])
def test_a_time_before_the_one_before_it_is_back_dated(lyra: Scribe, time: str) -> None:
    lyra.write(time=time)
    assert found(joined(lyra, [lyra.file(chain_of(lyra))])) == [("log-back-dated", 9)]


def test_clocks_may_differ_by_minutes(lyra: Scribe) -> None:
    lyra.write(time="2026-11-30T02:03:05")
    assert not joined(lyra, [lyra.file(chain_of(lyra))]).problems


def test_a_time_before_that_of_what_it_has_seen_is_back_dated(lyra: Scribe) -> None:
    ella = Scribe("ella", 2)
    ella.write(time="2026-11-20T00:00:00", seen=[chain_of(lyra)[-1].head])
    chains = {f"live-context/{one.id}": joined(one, [one.file(chain_of(one))]) for one in (lyra, ella)}
    assert [problem.code for problem in across(chains)] == ["log-back-dated"]


def test_a_witness_of_another_entry_names_both(lyra: Scribe) -> None:
    ella = Scribe("ella", 2)
    ella.write(seen=[Head("live-context", lyra.id, 3, "A" * 43)])
    chains = {f"live-context/{one.id}": joined(one, [one.file(chain_of(one))]) for one in (lyra, ella)}
    (problem,) = across(chains)
    assert problem.code == "log-equivocation"
    assert f"Entry {ella.id}-1 has seen another entry {lyra.id}-3" in problem.message


def test_witnesses_tell_what_has_not_arrived(lyra: Scribe) -> None:
    ella = Scribe("ella", 2)
    ella.write(seen=[chain_of(lyra)[-1].head])
    chains = {f"live-context/{one.id}": joined(one, [one.file(chain_of(one)[:4])]) for one in (lyra, ella)}
    assert list(missing(chains, {})) == [(chain_of(lyra)[-1].head, f"{ella.id}-1")]
    assert not list(missing(chains, {f"live-context/{lyra.id}": chain_of(lyra)[-1].head})), (
        "that is a cut, not a witness"
    )


def test_converted_line_ends_are_one_problem_and_the_entries_are_read(lyra: Scribe) -> None:
    file, data = lyra.file(chain_of(lyra))
    chain = joined(lyra, [(file, data.replace(b"\n", b"\r\n"))])
    assert found(chain) == [("log-line-endings", 0)] and len(chain.placed) == 6
    assert "8 line ends were converted" in chain.problems[0].message


def test_half_a_line_is_set_aside(lyra: Scribe) -> None:
    file, data = lyra.file(chain_of(lyra))
    chain = joined(lyra, [(file, data[:-50])])
    assert found(chain) == [("log-torn", 8)] and len(chain.placed) == 5


def test_what_git_and_people_leave_behind_is_named_and_hides_nothing(lyra: Scribe) -> None:
    file, data = lyra.file(chain_of(lyra))
    lines = data.split(b"\n")
    lines[4:4] = [b"<<<<<<< HEAD", b"- I fixed it by hand", b"=======", b">>>>>>> main", b""]
    chain = joined(lyra, [(file, b"\n".join(lines))])
    assert [code for code, _ in found(chain)] == [
        "log-conflict-marker", "log-unsigned-line", "log-conflict-marker", "log-conflict-marker", "log-empty-line",
    ]  # fmt: skip
    assert len(chain.placed) == 6


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("# live-context", "# decisions", "log-heading"),
        ("\n\n", "\n \n", "log-heading"),
        ("# live", "\ufeff# live", "log-byte-order-mark"),
    ],
)
def test_a_changed_heading_is_named(lyra: Scribe, old: str, new: str, code: str) -> None:
    assert [code for code, _ in found(changed(lyra, old, new))] == [code]


def test_a_hostile_file_costs_few_problems(lyra: Scribe) -> None:
    mallory = Scribe("lyra", 9)
    entries = [mallory.write()._replace(writer=lyra.id, key=lyra.key) for _ in range(2000)]
    chain = joined(lyra, [lyra.file(entries)])
    assert len(chain.problems) < 5 and not chain.placed
    assert "up to line 2002" in chain.problems[-1].message


def test_a_file_of_nobody_is_not_read(lyra: Scribe) -> None:
    lines = read(*lyra.file(chain_of(lyra)))
    assert not lines.placed and not lines.problems


def test_an_empty_file_is_no_problem(lyra: Scribe) -> None:
    file = LogFile(NOVEMBER.format(lyra.id), "live-context", lyra.id, "2026-11")
    assert joined(lyra, [(file, b"")]).problems == ()
