"""Law: an edit of one key changes that key's text and nothing else."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from markdown_memory.core.frontmatter import body, new, read, remove_key, set_body, set_key, split

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
def test_what_is_written_is_read_again(front: dict[str, object], body: str) -> None:
    found, _, problems = read(new(front, body))
    assert (found, problems) == (front, ())


@given(FRONTS, TEXTS, KEYS, VALUES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_setting_a_key_keeps_the_others_and_the_body(
    front: dict[str, object], text: str, key: str, value: object, newline: str, bom: bool
) -> None:
    assume(key in front or key.casefold() not in map(str.casefold, front))
    data = new(front, "").replace(b"\n", newline.encode()) + text.encode()
    data = b"\xef\xbb\xbf" + data if bom else data
    edited = set_key(data, key, value)
    assert read(edited)[0] == front | {key: value}
    assert split(edited)._replace(head="") == split(data)._replace(head="")
    lines, before = split(edited).head.split(newline), split(data).head.split(newline)
    if key not in front:
        assert lines[: len(before) - 1] == before[:-1]


@given(FRONTS.filter(bool), TEXTS, st.data())
def test_removing_a_key_that_was_added_gives_the_bytes_back(
    front: dict[str, object], body: str, data: st.DataObject
) -> None:
    key = data.draw(KEYS.filter(lambda one: one.casefold() not in map(str.casefold, front)))
    note = new(front, body)
    assert remove_key(set_key(note, key, data.draw(VALUES)), key) == note


@given(st.binary(max_size=200), KEYS)
def test_any_bytes_at_all_can_be_read_and_split(noise: bytes, key: str) -> None:
    for data in (noise, b"---\n" + noise + b"\n---\n" + noise, b"---\n" + key.encode() + b": " + noise + b"\n---\n"):
        read(data)
        assert split(data).bytes() == data


STYLED = st.sampled_from(
    [
        "k: plain", "k: 'single'  # why", 'k: "double"', "k:", "k: # nothing yet", "k: [a, 'b']", "k: [a,\n  b]  # two",
        "k:\n  - a\n  # between\n  - 'b'  # tail", "k:\n- a\n- b", "k: |\n  one\n\n  two", "k: >-\n  folded\n  text",
        "k: one\n  two", "k: {x: 1}", "k:\n  x: 1\n  y: 2", '"k" : odd', "k: 1.10", "k: 2026-11-30", "k: !!str 5",
        "k: &here anchored", "k: 日本 😀", "k: |+\n  keep\n", "k: 'a\n\n  b'", "k:   spaced   ",
    ]
)  # fmt: skip
FILLERS = st.sampled_from(["", "# comment\n", "\n", "other: x\n", "# a\n\n# b\n", "other:\n  - k: not this one\n"])
BODIES = st.sampled_from(["", "\nText\n", "Text", "\n---\n", "\n\ufeff\n"])


@given(FILLERS, STYLED, FILLERS, BODIES, VALUES, st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(max_examples=400)
def test_what_stands_before_and_behind_a_key_keeps_its_bytes(
    before: str, styled: str, behind: str, body: str, value: object, newline: str, bom: bool
) -> None:
    behind = behind.replace("other", "another")
    parts = [("\ufeff" if bom else "") + "---\n" + before, styled + "\n", behind + "---\n" + body]
    first, _, last = (part.replace("\n", newline).encode() for part in parts)
    data = "".join(parts).replace("\n", newline).encode()
    edited = set_key(data, "k", value)
    assert edited.startswith(first) and edited.endswith(last)
    assert read(edited)[0] == read(data)[0] | {"k": value}
    removed = remove_key(data, "k")
    assert removed.startswith(first) and removed.endswith(last)
    assert set_key(data, "k", read(data)[0]["k"]) == data if not isinstance(read(data)[0]["k"], dict) else True


@given(FRONTS, TEXTS, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_the_body_that_was_read_puts_the_same_bytes_back(
    front: dict[str, object], text: str, newline: str, bom: bool
) -> None:
    data = new(front, text).replace(b"\n", newline.encode())
    data = b"\xef\xbb\xbf" + data if bom else data
    assert set_body(data, body(data)) == data
    assert read(set_body(data, "Other\n"))[0] == read(data)[0]
