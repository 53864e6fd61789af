"""Searching a vault: what is found, by whom, how fresh, and what the answer says about itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory.errors import UserError
from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places
from tests.conftest import Clock

Note = Callable[..., Path]
Open = Callable[..., Memory]


def found(memory: Memory, text: str, **filters: object) -> list[str]:
    return [hit.name for hit in memory.search(text, **filters).hits]  # type: ignore[arg-type]  # a test's own choice


@pytest.fixture
def memory(open_as: Open) -> Memory:
    memory = open_as()
    memory.store("oauth pkce", "OAuth2 with PKCE is required for mobile clients.", tags=["auth"], description="login")
    memory.store("database", "The database is PostgreSQL 16.", type="reference", category="daily")
    memory.store("breakfast", "Ana eats breakfast at eight.", type="user")
    return memory


def test_a_search_in_other_words_finds_the_note_and_shows_the_line(memory: Memory) -> None:
    (hit,) = memory.search("which login do the mobile apps require").hits
    assert (hit.name, hit.path) == ("oauth pkce", "memory/project/main/oauth pkce.md")
    assert hit.snippet == "OAuth2 with PKCE is required for mobile clients."
    assert hit.line > 1


def test_a_hit_carries_what_is_known_of_the_note(memory: Memory) -> None:
    (hit,) = memory.search("PostgreSQL").hits
    assert (hit.type, hit.status, hit.branch) == ("reference", "accepted", "main")
    assert hit.tags == ()
    assert hit.relevance == 1.0
    assert not hit.expired


def test_the_parts_explain_the_score(memory: Memory) -> None:
    (hit,) = memory.search("oauth").hits
    assert set(hit.parts) == {"text", "name"}
    assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=0.001)


def test_the_answer_says_how_many_notes_it_considered(memory: Memory) -> None:
    answer = memory.search("oauth database breakfast", limit=2)
    assert (len(answer.hits), answer.matched, answer.truncated) == (2, 3, True)
    assert answer.considered >= 3
    assert answer.index_age == 0.0
    assert answer.degraded == ()


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("type:reference", ["database"]),
        ("type:user breakfast", ["breakfast"]),
        ("tag:auth", ["oauth pkce"]),
        ("category:daily", ["database"]),
        ("postg*", ["database"]),
        ("mobile -pkce", []),
        ('"PKCE is required"', ["oauth pkce"]),
        ('"required PKCE"', []),
        ("name:pkce", ["oauth pkce"]),
    ],
)
def test_the_query_language_narrows(memory: Memory, query: str, names: list[str]) -> None:
    assert found(memory, query) == names


def test_filters_come_as_arguments_too(memory: Memory) -> None:
    assert found(memory, "", type=["reference"]) == ["database"]
    assert found(memory, "postgresql oauth", tag=["auth"]) == ["oauth pkce"]


def test_a_quoted_phrase_beside_other_words_leads(memory: Memory) -> None:
    memory.store("one", "We like red apples and green pears, and apples again: apples.")
    memory.store("two", "The green apples are sour.")
    assert found(memory, 'apples "green apples"')[0] == "two"
    assert set(found(memory, 'apples "green apples"')) == {"one", "two"}


def test_a_hand_edit_is_found_at_the_next_search(memory: Memory, note: Note) -> None:
    note("memory/reference/main/database.md", "---\nname: database\n---\nWe moved to MariaDB.\n")
    assert found(memory, "MariaDB") == ["database"]
    assert found(memory, "PostgreSQL") == []


def test_between_two_looks_at_all_files_changes_are_seen_by_the_folders_and_hits_as_they_are_now(
    memory: Memory, note: Note, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("markdown_memory.features.recall.looking.believed_for", lambda cost: 3600.0)
    assert len(memory.search("database mobile").hits) == 2
    note("memory/project/main/new.md", "The walrus sleeps.")
    assert found(memory, "walrus") == ["new"]
    (vault / "memory/reference/main/database.md").unlink()
    assert found(memory, "database mobile") == ["oauth pkce"]
    breakfast = vault / "memory/user/breakfast.md"
    breakfast.write_text(breakfast.read_text().replace("eight", "nine o'clock"))
    assert "nine" in memory.search("breakfast").hits[0].snippet  # a hit is always read, and what it says now counts
    assert found(memory, "nine") == ["breakfast"]


def test_a_deleted_file_is_never_a_hit(memory: Memory, vault: Path) -> None:
    assert found(memory, "PostgreSQL") == ["database"]
    (vault / "memory/reference/main/database.md").unlink()
    assert found(memory, "PostgreSQL") == []


def test_a_forgotten_note_is_found_when_asked_for_the_archive(memory: Memory) -> None:
    memory.forget("database")
    assert found(memory, "PostgreSQL") == []
    assert found(memory, "PostgreSQL status:archived") == ["database"]


def test_an_agent_finds_its_own_proposal_and_others_do_not(memory: Memory, open_as: Open) -> None:
    open_as("lyra").retain("The walrus sleeps on Mondays.")
    assert len(found(open_as("lyra"), "walrus")) == 1
    assert open_as("lyra").search("walrus").hits[0].status == "proposal"
    assert found(open_as("ella"), "walrus") == []


def test_a_private_note_is_found_by_its_owner_only(memory: Memory, open_as: Open, note: Note) -> None:
    note("memory/private/lyra/diary.md", "The walrus is my friend.")
    assert found(open_as("lyra"), "walrus") == ["diary"]
    assert found(open_as("ella"), "walrus") == []


def test_what_others_find_does_not_depend_on_private_notes(memory: Memory, open_as: Open, note: Note) -> None:
    before = open_as("ella").search("database oauth")
    for number in range(30):
        note(f"memory/private/lyra/n{number}.md", f"database oauth {number}")
    assert open_as("ella").search("database oauth") == before


def test_notes_of_another_branch_are_found_when_the_branch_is_named(memory: Memory, note: Note) -> None:
    note("memory/project/feature~auth/tokens.md", "The walrus token expires.")
    assert found(memory, "walrus") == []
    assert found(memory, "walrus branch:feature/auth") == ["tokens"]


def test_equal_texts_are_folded_into_one_hit(memory: Memory, note: Note) -> None:
    for name in ("one", "two"):
        note(f"memory/project/main/{name}.md", "The walrus sleeps on the ice of the north.\n")
    (hit,) = memory.search("walrus").hits
    assert (hit.name, hit.same_as) == ("one", ("memory/project/main/two.md",))


def test_nearly_equal_texts_are_folded_too_unless_every_one_is_wanted(memory: Memory, note: Note) -> None:
    text = "The walrus sleeps on the ice of the north, far from ships, and eats clams in the summer when the sun is up"
    note("memory/project/main/one.md", f"{text}.\n")
    note("memory/project/main/two.md", f"{text} all day.\n")
    note("memory/project/main/three.md", f"{text.replace('sleeps', 'never sleeps')}.\n")
    hits = memory.search("walrus clams").hits
    assert {hit.name: hit.similar for hit in hits} in (
        {"one": ("memory/project/main/two.md",), "three": ()},
        {"two": ("memory/project/main/one.md",), "three": ()},
    )
    assert len(memory.search("walrus clams", fold=False).hits) == 3


def test_a_hit_says_who_has_signed_it_when_asked(memory: Memory, open_as: Open, note: Note, vault: Path) -> None:
    note("memory/project/main/loose.md", "The walrus is grey.\n")
    memory.store("signed", "The walrus is big.")
    memory.store("edited", "The walrus is old.")
    with (vault / "memory/project/main/edited.md").open("a") as file:
        file.write("And wise.\n")
    open_as("lyra").retain("The walrus is shy.", name="shy")
    hits = {
        hit.name: (hit.attestation, hit.attested_by) for hit in open_as("lyra").search("walrus", attested=True).hits
    }
    assert hits == {
        "loose": ("unsigned", ""),
        "signed": ("reviewed", "ana"),
        "edited": ("by-hand", "ana"),
        "shy": ("unreviewed", "lyra"),
    }
    assert memory.search("walrus").hits[0].attestation == ""


def test_line_ends_that_a_sync_tool_changed_are_still_what_was_signed(memory: Memory, vault: Path) -> None:
    memory.store("signed", "The walrus is big.")
    file = vault / "memory/project/main/signed.md"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert memory.search("walrus", attested=True).hits[0].attestation == "reviewed"


def test_a_note_that_is_not_valid_yet_stands_behind_and_says_so(memory: Memory, note: Note) -> None:
    note("memory/project/main/a.md", "---\nvalid_from: 2099-01-01\n---\nThe walrus weighs 900 kg.\n")
    note("memory/project/main/b.md", "The walrus weighs much and is grey, they say.\n")
    first, second = memory.search("walrus weighs").hits
    assert (first.name, first.early, second.name, second.early) == ("b", False, "a", True)
    assert second.parts["×not yet valid"] == 0.6


def test_a_superseded_note_stands_behind_the_new_one(memory: Memory, note: Note) -> None:
    note("memory/project/main/a-old.md", "---\nsuperseded_by: b-new\n---\nThe walrus weighs 900 kg.\n")
    note("memory/project/main/b-new.md", "The walrus weighs 1000 kg and is grey.\n")
    answer = memory.search("walrus weighs")
    assert [hit.name for hit in answer.hits] == ["b-new", "a-old"]
    assert answer.hits[1].parts["×superseded"] == 0.5


def test_an_expired_note_says_so(memory: Memory, note: Note, clock: Clock) -> None:
    note("memory/project/main/offer.md", "---\nvalid_until: 2026-12-24\n---\nThe walrus is for sale.\n")
    assert not memory.search("walrus").hits[0].expired
    clock.move(60 * 86400)
    assert memory.search("walrus").hits[0].expired


def test_a_threshold_keeps_unrelated_notes_out(memory: Memory) -> None:
    from markdown_memory.features.recall import Recall

    recall = Recall(memory.workspace)
    unrelated = "who won the football match in Oslo for the mobile team"
    assert recall.search(unrelated).hits != ()
    assert recall.search(unrelated, threshold=0.3).hits == ()
    assert recall.search("mobile clients PKCE", threshold=0.3).hits != ()


def test_a_hit_says_what_stands_beside_it_when_asked(memory: Memory, note: Note) -> None:
    for number, turn in enumerate(["Which animal?", "A walrus called Olaf.", "How big?"], 1):
        memory.store(f"turn {number}", turn, source=f"chat.md#{number}")
    note("memory/project/main/zoo.md", "It has [[turn 2]] and more.\n")
    memory.store("keeper", "Feeds Olaf, see [[database]].")
    note("memory/project/feature~x/elsewhere.md", "It has [[turn 2]] too.\n")
    hits = {hit.name: dict(hit.near) for hit in memory.search("Olaf", expand=True).hits}
    assert hits["turn 2"] == {
        "memory/project/main/turn 1.md": "before",
        "memory/project/main/turn 3.md": "after",
        "memory/project/main/zoo.md": "links here",
    }
    assert hits["keeper"] == {"memory/reference/main/database.md": "linked"}
    assert memory.search("Olaf").hits[0].near == ()


def test_a_slip_in_the_query_is_a_hint_and_its_words_are_searched(memory: Memory) -> None:
    answer = memory.search('database "PostgreSQL')
    assert [hit.name for hit in answer.hits] == ["database"]
    assert answer.hints


def test_wrong_arguments_are_sentences(memory: Memory) -> None:
    with pytest.raises(UserError, match="at least one"):
        memory.search("x", limit=0)
    with pytest.raises(UserError, match="no search mode"):
        memory.search("x", mode="guess")


def test_an_index_that_cannot_be_written_is_said_and_the_search_goes_on(
    memory: Memory,
) -> None:
    from markdown_memory.search.refresh import index_folder

    space = memory.workspace
    blocked = Path(index_folder(space.places.cache, space.vault_id, space.root, ""))
    blocked.parent.mkdir(parents=True, exist_ok=True)
    blocked.write_text("a file where the folder should be")
    answer = memory.search("database")
    assert [hit.name for hit in answer.hits] == ["database"]
    assert "could not be written" in answer.degraded[0]


@pytest.mark.parametrize("at", [9, 20, 40])
def test_an_index_that_names_notes_which_nobody_knows_is_built_anew(
    memory: Memory, open_as: Open, places: Places, at: int
) -> None:
    every = sorted(found(memory, "database clients breakfast"))
    memory.close()
    (column,) = Path(places.cache).rglob("*path.col")
    data = bytearray(column.read_bytes())
    data[at] ^= 0x55
    column.write_bytes(data)
    assert sorted(found(open_as(), "database clients breakfast")) == every and len(every) == 3


@pytest.mark.parametrize("state", ["{}", "[]", '{"generation": "many"}', "\x00"])
def test_an_index_that_does_not_know_its_state_is_built_anew(
    memory: Memory, open_as: Open, places: Places, state: str
) -> None:
    every = found(memory, "database")
    memory.close()
    (file,) = (one for one in Path(places.cache).rglob("state.json") if "fulltext" in str(one))
    file.write_text(file.read_text().replace('"generation"', '"generatiom"') if state == "{}" else state)
    assert found(open_as(), "database") == every


def test_a_time_in_the_question_lifts_notes_of_that_time_and_excludes_none(memory: Memory, note: Note) -> None:
    for month in ("03", "05", "09"):
        note(
            f"memory/project/main/walrus-{month}.md",
            f"---\ncreated: 2026-{month}-12\n---\nThe walrus was fed in {month}.\n",
        )
    asked = memory.search("what did we feed the walrus last May")
    assert asked.hits[0].name == "walrus-05"
    assert asked.hits[0].parts["×time"] > 1
    assert {hit.name for hit in asked.hits} == {"walrus-03", "walrus-05", "walrus-09"}
    assert found(memory, 'walrus after:"last May" before:"last May"') == ["walrus-05"]
    assert found(memory, "walrus after:last May before:2026-08") == ["walrus-05"]


def test_what_came_from_outside_and_was_not_reviewed_is_found_when_asked_for_and_not_recalled(lyra: Memory) -> None:
    from markdown_memory.sessions import AgentSession

    lyra.retain("The zebra invoice goes to account 9982.", trust="external")
    lyra.retain("The zebra contract ends in May.")
    assert len(lyra.search("zebra").hits) == 2
    assert [hit.trust for hit in AgentSession(lyra).recall("zebra").hits] == [""]


def test_a_text_that_only_repeats_the_question_stands_last(memory: Memory) -> None:
    memory.store("stuffed", "vpn access vpn login vpn connect vpn how to connect vpn setup vpn client vpn")
    memory.store("honest", "The VPN client is installed from the portal, and connects with a hardware token.")
    hits = memory.search("how do I connect to the vpn").hits
    assert [hit.name for hit in hits] == ["honest", "stuffed"] and hits[1].parts["×stuffed"] < 1


def test_of_two_notes_that_say_the_same_words_the_one_that_has_faded_ranks_below(memory: Memory, clock: Clock) -> None:
    memory.store("a-week-ago", "The zebra sleeps in the stable tonight.", category="daily")
    memory.store("for-good", "The zebra sleeps in the stable always.")
    clock.now += 7 * 86_400
    memory.store("today", "The zebra sleeps in the stable today.", category="daily")
    found = {hit.name: hit.parts.get("×age", 1.0) for hit in memory.search("zebra stable", fold=False).hits}
    assert found == {"for-good": 1.0, "today": 1.0, "a-week-ago": 0.9}
    assert list(found)[-1] == "a-week-ago"
