"""Three-way merging of texts, notes and listings, by example."""

import pytest

from markdown_memory.core import frontmatter
from markdown_memory.rules import merge_plan, note_merge, text_merge
from markdown_memory.rules.merge_plan import Action, Side, plan
from markdown_memory.rules.merge_settling import Version, newer, settle

BASE = b"---\nname: tea\ndescription: Which tea\ntags: [x]\nupdated: 2026-01-01\n---\n\nGreen\n\nHot\n\nDaily\n"


def changed(old: str, new: str, data: bytes = BASE) -> bytes:
    assert old.encode() in data
    return data.replace(old.encode(), new.encode())


# texts


def test_changes_in_different_places_of_a_text_are_joined() -> None:
    merged = text_merge.merge("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\ne\n")
    assert merged.text() == "A\nb\nc\nD\ne\n"


def test_the_same_lines_changed_differently_are_a_conflict_with_all_three_texts() -> None:
    merged = text_merge.merge("a\nb\nc\n", "a\nours\nc\n", "a\ntheirs\nc\n")
    assert [(part.base, part.ours, part.theirs) for part in merged.conflicts] == [("b\n", "ours\n", "theirs\n")]
    assert merged.text("theirs") == "a\ntheirs\nc\n"
    with pytest.raises(ValueError, match="say which one is favoured"):
        merged.text()


def test_a_side_that_went_over_to_other_line_ends_has_not_changed_every_line() -> None:
    merged = text_merge.merge("a\nb\nc\n", "a\r\nb\r\nc\r\n", "a\nb\nC\n")
    assert merged.text() == "a\r\nb\r\nC\r\n"


def test_an_open_last_line_is_closed_by_whoever_closes_it() -> None:
    assert text_merge.merge("a\nb\nc", "A\nb\nc", "a\nb\nc\n").text() == "A\nb\nc\n"
    assert text_merge.merge("a\nb\nc\n", "A\nb\nc\n", "a\nb\nc").text() == "A\nb\nc"


def test_a_long_text_of_equal_lines_is_merged_in_good_time() -> None:
    base = "\n".join(["same", ""] * 30_000) + "\n"
    merged = text_merge.merge(base, "first\n" + base, base + "last\n")
    assert merged.text() == "first\n" + base + "last\n"


# notes


def test_keys_and_lines_that_the_sides_changed_apart_are_joined_with_their_bytes() -> None:
    ours = changed("Green", "Green tea", changed("description: Which tea", "description: 'Tea'   # why"))
    theirs = changed("Daily", "Twice a day", changed("updated: 2026-01-01", "updated: 2026-01-02\nextra: on"))
    merged = note_merge.merge(BASE, ours, theirs)
    assert merged.data == (
        b"---\nname: tea\ndescription: 'Tea'   # why\ntags: [x]\nupdated: 2026-01-02\nextra: on\n---\n\n"
        b"Green tea\n\nHot\n\nTwice a day\n"
    )


def test_lists_are_joined_and_the_later_update_counts() -> None:
    ours = changed("[x]", "[x, b]", changed("2026-01-01", "2026-01-03"))
    theirs = changed("[x]", "[a]", changed("2026-01-01", "2026-01-02"))
    merged = note_merge.merge(BASE, ours, theirs)
    assert merged.data is not None
    front, _, _ = frontmatter.read(merged.data)
    assert (front["tags"], front["updated"]) == (["a", "b"], "2026-01-03")


def test_a_key_that_both_changed_is_a_conflict_that_says_how() -> None:
    ours, theirs = changed("Which tea", "Green tea"), changed("Which tea", "Black tea")
    merged = note_merge.merge(BASE, ours, theirs)
    assert merged == note_merge.NoteMerge(None, ("`description` differs: “Green tea” and “Black tea”.",))
    assert note_merge.merge(BASE, ours, theirs, "theirs").data == theirs


def test_a_value_that_was_only_quoted_is_no_change() -> None:
    ours, theirs = changed("Which tea", '"Which tea"'), changed("Which tea", "Black tea")
    assert note_merge.merge(BASE, ours, theirs).data == theirs


@pytest.mark.parametrize("broken", [b"---\nname: [\n---\nx\n", b"---\na: 1\na: 2\n---\nx\n", b"\0\1", b"\xff\n"])
def test_what_cannot_be_understood_is_one_conflict_and_stays_whole(broken: bytes) -> None:
    merged = note_merge.merge(BASE, changed("Green", "Black"), broken)
    assert merged.data is None
    assert len(merged.conflicts) == 1
    assert note_merge.merge(BASE, changed("Green", "Black"), broken, "theirs").data == broken


# listings


def verbs(*args: object) -> list[tuple[str, str, str]]:
    return [(one.verb, one.path, one.reason) for one in plan(*args)]  # type: ignore[arg-type]  # as plan takes them


def test_a_change_on_one_side_only_is_no_conflict() -> None:
    base = {"memory/user/a.md": "1", "memory/user/b.md": "1", "memory/user/c.md": "1", "memory/user/d.md": "1"}
    ours = {**base, "memory/user/a.md": "2", "memory/user/new.md": "9"}
    theirs = {"memory/user/a.md": "1", "memory/user/b.md": "2", "memory/user/c.md": "1", "memory/user/more.md": "8"}
    assert verbs(base, Side(ours), Side(theirs)) == [
        ("skip", "memory/user/a.md", "changed here only"),
        ("update", "memory/user/b.md", "changed there only"),
        ("skip", "memory/user/c.md", "same"),
        ("remove", "memory/user/d.md", "removed there"),
        ("take", "memory/user/more.md", "new there"),
        ("skip", "memory/user/new.md", "new here"),
    ]


def test_a_change_follows_a_note_that_the_other_side_has_renamed() -> None:
    base = {"memory/user/a.md": "1"}
    (action,) = plan(base, Side({"memory/user/a.md": "2"}), Side({"memory/user/b.md": "1"}))
    assert (action.verb, action.ours_path, action.path) == ("rename", "memory/user/a.md", "memory/user/b.md")
    moved = {"memory/user/a.md": "memory/user/b.md"}
    (action,) = plan(base, Side({"memory/user/a.md": "2"}), Side({"memory/user/b.md": "3"}, moved))
    assert (action.verb, action.ours_path, action.path) == ("merge", "memory/user/a.md", "memory/user/b.md")


def test_moving_to_the_archive_is_a_removal_and_a_change_to_it_a_conflict() -> None:
    base = {"memory/user/a.md": "1"}
    theirs = Side({"archive/memory/user/a.md": "1"}, {"memory/user/a.md": "archive/memory/user/a.md"})
    assert verbs(base, Side({"memory/user/a.md": "2"}), theirs) == [
        ("take", "archive/memory/user/a.md", "new there"),
        ("conflict", "memory/user/a.md", "changed here, removed there"),
    ]


def test_without_a_base_the_histories_tell_who_is_the_ancestor() -> None:
    path = "memory/user/a.md"
    assert verbs({}, Side({path: "2"}, {}, {path: ["1", "2"]}), Side({path: "1"})) == [("skip", path, "newer here")]
    assert verbs({}, Side({path: "1"}), Side({path: "2"}, {}, {path: ["1", "2"]})) == [("update", path, "newer there")]
    seen = Side({}, {}, {path: ["1"]})
    assert verbs({}, Side({path: "1"}), seen) == [("remove", path, "removed there")]
    assert verbs({}, Side({path: "1"}), Side({})) == [("skip", path, "new here")]
    both = (Side({path: "2"}, {}, {path: ["0", "1", "2"]}), Side({path: "3"}, {}, {path: ["0", "1", "3"]}))
    assert plan({}, *both)[0][:5] == ("merge", path, "1", "2", "3")


def test_names_that_differ_by_case_alone_end_apart() -> None:
    actions = plan({}, Side({"memory/user/Tea.md": "1" * 64}), Side({"memory/user/tea.md": "2" * 64}))
    assert [(one.verb, one.path) for one in actions] == [
        ("skip", "memory/user/Tea.md"),
        ("take", "memory/user/tea-22222222.md"),
    ]
    assert merge_plan.counts(actions)["take"] == 1


# strategies

PATH = "memory/project/main/tea.md"
OURS, THEIRS = changed("Green", "Black"), changed("Green", "White")
BOTH = Action("merge", PATH, ours_path=PATH, theirs_path=PATH, reason="changed on both sides")


@pytest.mark.parametrize(
    ("strategy", "known", "verdict", "data", "folder"),
    [
        ("local_wins", "", "local", OURS, "archive/memory/project/main"),
        ("remote_wins", "", "remote", THEIRS, "archive/memory/project/main"),
        ("newer_wins", "theirs", "remote", THEIRS, "archive/memory/project/main"),
        ("newer_wins", "", "both", OURS, "memory/project/main"),
        ("keep_both", "theirs", "both", OURS, "memory/project/main"),
        ("merge", "ours", "local", OURS, "archive/memory/project/main"),
        ("merge", "", "asked", OURS, "inbox/ana"),
        ("ask", "theirs", "asked", OURS, "inbox/ana"),
    ],
)
def test_a_strategy_says_who_is_right_and_the_other_version_is_kept(
    strategy: str, known: str, verdict: str, data: bytes, folder: str
) -> None:
    settled = settle(BOTH, BASE, OURS, THEIRS, strategy, known, "ana")
    assert (settled.verdict, settled.data) == (verdict, data)
    (kept,) = settled.kept
    loser = THEIRS if data == OURS else OURS
    assert kept.path.rpartition("/")[0] == folder
    assert frontmatter.split(kept.data).body == frontmatter.split(loser).body


def test_a_proposal_from_a_merge_can_be_accepted_into_its_scope() -> None:
    (kept,) = settle(BOTH, BASE, OURS, THEIRS, "ask", "", "ana").kept
    front, _, _ = frontmatter.read(kept.data)
    assert (front["name"], front["scope"], front["type"]) == ("tea", "main", "project")
    assert (front["accept"], front["reject"]) == (False, False)


def test_what_a_side_changed_outlives_the_other_sides_removal() -> None:
    gone = BOTH._replace(verb="conflict", reason="removed here, changed there")
    assert settle(gone, BASE, None, THEIRS).data == THEIRS
    assert settle(gone, BASE, OURS, None).data == OURS
    assert settle(gone, BASE, OURS, None, "local_wins").data == OURS
    lost = settle(gone, BASE, OURS, None, "remote_wins")
    assert lost.data is None
    assert [one.data for one in lost.kept] == [OURS]


def test_an_edit_by_hand_is_never_the_older_one() -> None:
    dated, by_hand = Version("2026-11-30T02:13:04"), Version("", by_hand=True)
    assert newer(by_hand, dated) == "ours"
    assert newer(dated, by_hand) == "theirs"
    assert newer(by_hand, by_hand) == ""
    assert newer(dated, Version("2026-11-30T02:13:05")) == "theirs"
