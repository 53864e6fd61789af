"""Laws of merging: texts, notes and whole copies of a vault."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from markdown_memory.core import frontmatter
from markdown_memory.rules import merge_settling, note_merge, text_merge
from markdown_memory.rules.merge_plan import Action, Side, plan

LINES = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "d",
        "",
        "- item",
        "```",
        "a\u0301",
        "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    ]
)
ENDS = st.sampled_from(["\n", "\r\n"])
TEXTS = st.tuples(st.lists(LINES, max_size=8), ENDS, st.booleans()).map(
    lambda made: made[1].join(made[0]) + (made[1] if made[2] and made[0] else "")
)
VALUES = st.one_of(
    st.sampled_from(["one", "two", "12:30", "on"]), st.integers(0, 3), st.lists(st.sampled_from("xyz"), max_size=3)
)
FRONTS = st.dictionaries(st.sampled_from(["name", "tags", "updated", "extra", "importance"]), VALUES, max_size=4)
NOTES = st.tuples(FRONTS, TEXTS).map(lambda made: frontmatter.new(*made) if made[0] else made[1].encode())
RAW = st.one_of(
    NOTES, st.binary(max_size=30), st.sampled_from([b"---\nname: [\n---\nx", b"---\na: 1\na: 2\n---\n", b"\0"])
)


@given(TEXTS, TEXTS)
def test_what_one_side_alone_changed_is_taken(base: str, changed: str) -> None:
    assert text_merge.merge(base, changed, base).text() == changed
    assert text_merge.merge(base, base, changed).text() == changed
    assert text_merge.merge(base, changed, changed).text() == changed


@given(TEXTS, TEXTS, TEXTS)
def test_swapping_the_sides_of_a_text_swaps_the_labels(base: str, ours: str, theirs: str) -> None:
    one, other = text_merge.merge(base, ours, theirs), text_merge.merge(base, theirs, ours)
    assert one.text("ours") == other.text("theirs")
    assert one.text("theirs") == other.text("ours")
    assert one.clean == other.clean


@given(TEXTS, TEXTS, TEXTS)
def test_every_line_that_a_side_added_is_in_the_merge_or_in_a_conflict(base: str, ours: str, theirs: str) -> None:
    both = text_merge.merge(base, ours, theirs).text("both").split()
    before = set(base.split())
    for side in (ours, theirs):
        assert {line for line in side.split() if line not in before} <= set(both)


@given(RAW, RAW)
def test_a_note_that_one_side_alone_changed_is_taken_byte_for_byte(base: bytes, changed: bytes) -> None:
    assert note_merge.merge(base, changed, base).data == changed
    assert note_merge.merge(base, base, changed).data == changed
    assert note_merge.merge(base, changed, changed).data == changed


@given(st.one_of(st.none(), RAW), RAW, RAW)
def test_swapping_the_sides_of_a_note_changes_no_clean_merge(base: bytes | None, ours: bytes, theirs: bytes) -> None:
    one, other = note_merge.merge(base, ours, theirs), note_merge.merge(base, theirs, ours)
    assert one.data == other.data
    assert len(one.conflicts) == len(other.conflicts)
    favoured = note_merge.merge(base, ours, theirs, "ours").data
    assert favoured == note_merge.merge(base, theirs, ours, "theirs").data
    assert favoured is not None


@given(NOTES, NOTES, NOTES)
def test_merging_their_note_a_second_time_changes_nothing(base: bytes, ours: bytes, theirs: bytes) -> None:
    merged = note_merge.merge(base, ours, theirs, "ours").data
    assert merged is not None
    assert note_merge.merge(theirs, merged, theirs).data == merged


# copies of a vault

PATHS = st.sampled_from(
    [
        "memory/user/tea.md",
        "memory/user/Tea.md",
        "memory/user/milk.md",
        "memory/project/main/x.md",
        "inbox/lyra/x.md",
        "nexus/project-state/p.md",
    ]
)
COPIES = st.dictionaries(PATHS, NOTES, max_size=5)
STRATEGY = st.sampled_from(merge_settling.STRATEGIES)
Copy = dict[str, bytes]


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def listed(copy: Copy) -> dict[str, str]:
    return {path: digest(data) for path, data in copy.items()}


def merged(base: Copy, ours: Copy, theirs: Copy, strategy: str) -> Copy:
    """Carry a plan out on copies in memory."""
    texts = {digest(data): data for copy in (base, ours, theirs) for data in copy.values()}
    out = dict(ours)
    for action in plan(listed(base), Side(listed(ours)), Side(listed(theirs))):
        if action.moves or action.verb == "remove":
            out.pop(action.ours_path, None)
        for path, data in results(action, texts, strategy):
            out.pop(path, None)
            if data is not None:
                out[path] = data
    return out


def results(action: Action, texts: Copy, strategy: str) -> list[tuple[str, bytes | None]]:
    base, ours, theirs = (texts.get(one) for one in (action.base, action.ours, action.theirs))
    if action.verb in ("take", "update"):
        return [(action.path, theirs)]
    if action.verb == "rename":
        return [(action.path, ours)]
    if action.verb in ("merge", "conflict"):
        settled = merge_settling.settle(action, base, ours, theirs, strategy, inbox="ana")
        return [
            *((kept.path, kept.data) for kept in settled.kept),
            *([(action.path, settled.data)] if settled.data is not None or ours is not None else []),
        ]
    return []


@given(COPIES, COPIES, STRATEGY)
def test_a_copy_that_one_side_alone_changed_is_what_that_side_made_of_it(
    base: Copy, changed: Copy, strategy: str
) -> None:
    folded = {path.casefold() for path in {**base, **changed}}
    if len(folded) == len({**base, **changed}):
        assert merged(base, base, changed, strategy) == changed
    assert merged(base, changed, base, strategy) == changed
    assert merged(base, changed, changed, strategy) == changed


@given(COPIES, COPIES, COPIES, STRATEGY)
def test_no_note_that_a_side_made_or_changed_is_silently_gone(
    base: Copy, ours: Copy, theirs: Copy, strategy: str
) -> None:
    after = merged(base, ours, theirs, strategy)
    words = {word for data in after.values() for word in data.split()}
    known = {word for data in base.values() for word in data.split()}
    for side in (ours, theirs):
        for data in side.values():
            if data not in base.values() and data not in after.values():
                assert {word for word in frontmatter.split(data).body.encode().split() if word not in known} <= words


@given(COPIES, COPIES, COPIES, STRATEGY)
def test_merging_a_copy_twice_changes_nothing(base: Copy, ours: Copy, theirs: Copy, strategy: str) -> None:
    once = merged(base, ours, theirs, strategy)
    assert merged(theirs, once, theirs, strategy) == once


@given(COPIES, COPIES, COPIES)
def test_no_two_files_of_a_merge_differ_by_case_alone(base: Copy, ours: Copy, theirs: Copy) -> None:
    after = merged(base, ours, theirs, "merge")
    twins = [
        path
        for path in after
        if path not in ours and path.casefold() in {one.casefold() for one in after if one != path}
    ]
    assert not twins
