from markdown_memory.core.note import Header, read_header
from markdown_memory.rules.file_decisions import Known, decide


def proposal(path: str, accept: bool = False, reject: bool = False) -> Header:
    ticks = f"accept: {str(accept).lower()}\nreject: {str(reject).lower()}"
    return read_header(path, f"---\nkind: fact\n{ticks}\n---\nText of {path}.\n".encode())


def known(*headers: Header, since: float = 0.0) -> dict[str, Known]:
    return {one.path: Known(one.sha256, one.name, one.created, "text", since) for one in headers}


def test_one_tick_decides_and_two_do_not() -> None:
    yes, no, both = (
        proposal("inbox/lyra/a.md", accept=True),
        proposal("inbox/lyra/b.md", reject=True),
        proposal("inbox/lyra/c.md", True, True),
    )
    said = decide({}, [yes, no, both], 0.0, busy=False)
    assert (said.accept, said.reject, said.undecided) == ((yes,), (no,), (both,))


def test_what_lies_in_the_archive_or_in_memory_is_not_missing() -> None:
    gone = proposal("inbox/lyra/a.md")
    for path in ("archive/inbox/lyra/a.md", "memory/project/main/renamed.md", "inbox/ella/a.md"):
        assert decide(known(gone), [gone._replace(path=path, status="archived")], 9999.0, busy=False).deleted == ()


def test_the_clock_of_a_missing_proposal_begins_when_it_is_first_missed() -> None:
    gone = proposal("inbox/lyra/a.md")
    first = decide(known(gone), [], 1000.0, busy=False)
    assert first.deleted == () and first.waiting == {"inbox/lyra/a.md": 1000.0}
    assert decide(known(gone, since=1000.0), [], 1599.0, busy=False).deleted == ()
    assert decide(known(gone, since=1000.0), [], 1600.0, busy=False).deleted == ("inbox/lyra/a.md",)


def test_a_git_operation_and_a_crowd_decide_nothing() -> None:
    crowd = [proposal(f"inbox/lyra/{number}.md") for number in range(4)]
    assert decide(known(*crowd[:3], since=1.0), [], 9999.0, busy=True).deleted == ()
    assert len(decide(known(*crowd[:3], since=1.0), [], 9999.0, busy=False).deleted) == 3
    asked = decide(known(*crowd, since=1.0), [], 9999.0, busy=False)
    assert asked.ask and asked.deleted == ()
    assert len(decide(known(*crowd, since=1.0), [], 9999.0, busy=False, confirmed=True).deleted) == 4


def test_a_file_that_was_moved_into_memory_knows_where_it_came_from() -> None:
    before = proposal("inbox/lyra/a.md")
    after = before._replace(path="memory/project/main/a.md", status="accepted")
    said = decide(known(before), [after], 0.0, busy=False)
    assert said.moved == ((after, "inbox/lyra/a.md"),)
    assert said.waiting == {}
