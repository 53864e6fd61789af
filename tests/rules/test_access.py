import pytest

from markdown_memory.core.note import Header, read_header
from markdown_memory.rules.access import Access, Claim, objection

LYRA = Access("lyra")
PERSON = Access()
NOBODY = Access(on=True, attended=False)


def note(path: str, agent: str = "", category: str = "core") -> Header:
    return read_header(path, f"---\nagent: {agent}\ncategory: {category}\n---\nText.\n".encode())


PRIVATE = note("memory/private/ella/project/main/plan.md", "ella")


@pytest.mark.parametrize(
    "path",
    [
        "memory/private/ella",
        "memory/private/ella/plan.md",
        "memory/private/ella/archive/project/main/plan.md",
        "memory/private/ella/inbox/plan.md",
        "memory/private/ella/checkpoints/checkpoint-ella-k7f3-home-main.md",
        "memory/private/ella/log/2026-11/private-ella-ella-k7f3-2026-11.md",
    ],
)
def test_everything_in_a_private_folder_is_its_owners_and_the_persons(path: str) -> None:
    assert Access("ella").may_know(path) and PERSON.may_know(path) and Access(on=True).may_know(path)
    assert not LYRA.may_know(path) and not NOBODY.may_know(path)


def test_what_is_shared_is_seen_by_everybody_and_a_proposal_by_its_author_and_people() -> None:
    shared, waiting = note("memory/project/main/plan.md"), note("inbox/ella/plan.md", "ella")
    assert all(one.may_see(shared) for one in (LYRA, PERSON, NOBODY))
    assert not LYRA.may_see(waiting) and Access("ella").may_see(waiting) and PERSON.may_see(waiting)


def test_an_agent_changes_its_private_notes_and_nobody_elses() -> None:
    assert Access("ella").may_change(PRIVATE) and PERSON.may_change(PRIVATE)
    assert not LYRA.may_change(PRIVATE) and not NOBODY.may_change(PRIVATE)
    assert not Access("lyra", store="direct").may_change(PRIVATE)


def test_with_access_control_ownership_counts_also_where_agents_store_directly() -> None:
    hers, own = note("memory/project/main/a.md", "ella"), note("memory/project/main/b.md", "lyra")
    direct = Access("lyra", store="direct")
    assert direct.may_change(hers) and direct.may_change(own)
    strict = direct._replace(on=True)
    assert not strict.may_change(hers) and strict.may_change(own)
    assert strict._replace(agent="").may_change(hers)


@pytest.mark.parametrize("on", [False, True])
def test_a_note_that_was_accepted_for_good_is_a_persons_to_change(on: bool) -> None:
    lyra = LYRA._replace(on=on)
    assert not lyra.may_change(note("memory/project/main/b.md", "lyra"))
    assert lyra.may_change(note("memory/project/main/b.md", "lyra", "daily"))
    assert not lyra.may_change(note("memory/project/main/b.md", "ella", "daily"))
    assert lyra.may_change(note("agents/lyra/topics.md")) and not lyra.may_change(note("agents/ella/topics.md"))
    assert not lyra.may_change(note("identity/lyra.md")) and not lyra.may_change(note("inbox/ella/plan.md", "ella"))


def test_a_word_on_the_command_line_makes_nobody_an_agent_under_access_control() -> None:
    for claim in (Claim("ella"), Claim("ella", "lyra"), Claim("ella", "claude-code")):
        assert "--agent ella does not count" in objection(claim)
    for borne_out in (Claim("ella", "ella"), Claim("ella", "", True), Claim("", "lyra")):
        assert not objection(borne_out)
