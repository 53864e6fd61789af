"""Law: an edit of one key changes that key's text and nothing else."""

from hypothesis import given, settings
from hypothesis import strategies as st

from markdown_memory.core.frontmatter import new, read, remove_key, set_key, split

KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=12)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=40)
VALUES = st.one_of(
    TEXTS.filter(bool),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.lists(TEXTS.filter(bool), min_size=1, max_size=4),
)
FRONTS = st.dictionaries(KEYS, VALUES, max_size=6)


@given(FRONTS, TEXTS)
@settings(derandomize=True, deadline=None)
def test_what_is_written_is_read_again(front: dict[str, object], body: str) -> None:
    found, _, problems = read(new(front, body))
    assert (found, problems) == (front, ())


@given(FRONTS, TEXTS, KEYS, VALUES, st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(derandomize=True, deadline=None)
def test_setting_a_key_keeps_the_others_and_the_body(
    front: dict[str, object], body: str, key: str, value: object, newline: str, bom: bool
) -> None:
    data = new(front, "").replace(b"\n", newline.encode()) + body.encode()
    data = b"\xef\xbb\xbf" + data if bom else data
    edited = set_key(data, key, value)
    assert read(edited)[0] == front | {key: value}
    assert split(edited)._replace(head="") == split(data)._replace(head="")
    lines, before = split(edited).head.split(newline), split(data).head.split(newline)
    if key not in front:
        assert lines[: len(before) - 1] == before[:-1]


@given(FRONTS.filter(bool), TEXTS, st.data())
@settings(derandomize=True, deadline=None)
def test_removing_a_key_that_was_added_gives_the_bytes_back(
    front: dict[str, object], body: str, data: st.DataObject
) -> None:
    key = data.draw(KEYS.filter(lambda one: one not in front))
    note = new(front, body)
    assert remove_key(set_key(note, key, data.draw(VALUES)), key) == note


@given(st.binary(max_size=200), KEYS)
@settings(derandomize=True, deadline=None)
def test_any_bytes_at_all_can_be_read_and_split(noise: bytes, key: str) -> None:
    for data in (noise, b"---\n" + noise + b"\n---\n" + noise, b"---\n" + key.encode() + b": " + noise + b"\n---\n"):
        read(data)
        assert split(data).bytes() == data
