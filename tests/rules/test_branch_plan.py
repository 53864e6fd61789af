"""What becomes of each note of a branch that is merged."""

import pytest

from markdown_memory.core.note import StoredNote, new_note, read_header
from markdown_memory.errors import UserError
from markdown_memory.rules.branch_plan import STRATEGIES, plan


def note(branch: str, name: str, body: str, **known: object) -> StoredNote:
    path = f"memory/project/{branch}/{name}.md"
    data = new_note(name, "what it says", "project", body, **known)
    return StoredNote(read_header(path, data), data)


def actions(*pairs: tuple[StoredNote, StoredNote | None], strategy: str = "merge") -> list[str]:
    there = [other for _, other in pairs if other]
    return [step.action for step in plan([mine for mine, _ in pairs], there, strategy)]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_new_notes_are_taken_and_the_same_text_is_folded_by_every_strategy(strategy: str) -> None:
    twin = note("main", "tea", "We drink  tea.\n", created="2026-11-01")
    pairs = [(note("auth", "pkce", "Use PKCE.\n"), None), (note("auth", "tea", "We drink tea.\n"), twin)]
    assert actions(*pairs, strategy=strategy) == ["take", "fold"]


def test_the_same_text_under_another_name_is_folded_unless_its_properties_say_more() -> None:
    twin = note("main", "tea", "We drink tea.\n")
    assert actions((note("auth", "drinks", "We drink tea.\n"), twin)) == ["fold"]
    assert actions((note("auth", "drinks", "We drink tea.\n", tags=["office"]), twin)) == ["take"]
    assert actions((note("auth", "empty", ""), note("main", "void", ""))) == ["take"]


@pytest.mark.parametrize(
    ("strategy", "action"),
    [("merge", "ask"), ("ask", "ask"), ("local_wins", "keep"), ("remote_wins", "replace"), ("keep_both", "both")],
)
def test_texts_that_differ_are_decided_by_the_strategy(strategy: str, action: str) -> None:
    pair = note("auth", "db", "PostgreSQL 16.\n"), note("main", "db", "PostgreSQL 14.\n")
    assert actions(pair, strategy=strategy) == [action]
    (step,) = plan([pair[0]], [pair[1]], strategy)
    assert step.conflict and step.there == "memory/project/main/db.md"


def test_the_newer_text_wins_where_the_notes_tell() -> None:
    old, new = ({"updated": day} for day in ("2026-11-01", "2026-11-02"))
    for mine, theirs, action in ((new, old, "replace"), (old, new, "keep"), (old, old, "ask"), ({}, new, "ask")):
        pair = note("auth", "db", "16\n", **mine), note("main", "db", "14\n", **theirs)
        assert actions(pair, strategy="newer_wins") == [action]


def test_a_text_that_only_adds_lines_is_no_conflict() -> None:
    short, long, other = "a\nc\n", "a\nb\nc\n", "a\nx\nc\n"
    assert actions((note("auth", "n", long), note("main", "n", short))) == ["replace"]
    assert actions((note("auth", "n", short), note("main", "n", long))) == ["keep"]
    assert actions((note("auth", "n", other), note("main", "n", long))) == ["ask"]
    assert actions((note("auth", "n", long, tags=["x"]), note("main", "n", short))) == ["ask"]


def test_an_unknown_strategy_is_refused_with_those_that_exist() -> None:
    with pytest.raises(UserError, match="'theirs' is not known; use one of merge, ask"):
        plan([], [], "theirs")
