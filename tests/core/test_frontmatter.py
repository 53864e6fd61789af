"""Reading and editing frontmatter without touching a byte that was not asked for."""

import pytest

from markdown_memory.core.frontmatter import new, read, remove_key, set_body, set_key, set_keys, split
from markdown_memory.errors import FormatError

RICH = (
    b"\xef\xbb\xbf---\r\n# a comment\r\nname: 'old'  # keep me\r\ntags: [a, \"b\"]\r\nversion: 1.10\r\n"
    b"when: 12:30:45\r\non: yes\r\ncontent: x\r\n\xf0\x9f\x98\x80: \xf0\x9f\x98\x80 # emoji\r\nlist:\r\n  - x\r\n"
    b"  - y # second\r\n\r\n# tail\r\ntext: |\r\n  one\r\n  two\r\nempty:\r\n---  \r\n\r\nBody  \r\nno end"
)


def test_scalars_are_read_as_yaml_1_2_reads_them() -> None:
    front, _, problems = read(
        b"---\na: on\nb: 12:30\nc: 2026-06-03\nd: 010\ne: true\nf: ~\ng: 1.10\nh: 0o17\ni: no\n---\n"
    )
    assert front == {
        "a": "on", "b": "12:30", "c": "2026-06-03", "d": 10, "e": True, "f": None, "g": 1.1, "h": 15, "i": "no",
    }  # fmt: skip
    assert not problems
    assert (str(front["g"]), str(front["d"])) == ("1.10", "010")


def test_one_key_changes_and_every_other_byte_stays() -> None:
    edited = set_key(RICH, "name", "new: name")
    assert edited == RICH.replace(b"'old'", b'"new: name"')


@pytest.mark.parametrize(
    ("key", "value", "old", "expected"),
    [
        ("tags", ["q", "r, s"], b'[a, "b"]', b'[q, "r, s"]'),
        ("\U0001f600", "z", b": \xf0\x9f\x98\x80 #", b": z #"),
        ("list", ["1", "b"], b"\r\n  - x\r\n  - y #", b'\r\n  - "1"\r\n  - b #'),
        ("text", "flat", b"|\r\n  one\r\n  two\r\n", b"flat\r\n"),
        ("empty", ["a"], b"empty:\r\n", b"empty:\r\n  - a\r\n"),
        ("version", "2.0", b"1.10", b'"2.0"'),
        ("content", None, b"content: x", b"content:"),
    ],
)
def test_each_style_of_value_is_replaced_in_place(key: str, value: object, old: bytes, expected: bytes) -> None:
    assert set_key(RICH, key, value) == RICH.replace(old, expected)


def test_a_new_key_goes_below_the_last_one_with_the_files_line_ends() -> None:
    assert set_key(RICH, "pinned", True) == RICH.replace(b"empty:\r\n---", b"empty:\r\npinned: true\r\n---")


def test_a_removed_key_takes_its_lines_and_leaves_the_comments_around() -> None:
    assert remove_key(RICH, "list") == RICH.replace(b"list:\r\n  - x\r\n  - y # second\r\n", b"")
    assert remove_key(RICH, "absent") == RICH


def test_a_note_without_frontmatter_gains_one_block_in_its_own_line_ends() -> None:
    assert set_key(b"\xef\xbb\xbfHello\r\n", "a", "b") == b"\xef\xbb\xbf---\r\na: b\r\n---\r\n\r\nHello\r\n"
    assert set_key(b"", "a", "b") == b"---\na: b\n---\n"


def test_nothing_to_change_changes_nothing() -> None:
    assert set_keys(RICH, {}) == RICH
    assert set_keys(b"plain", {}) == b"plain"


def test_the_body_is_replaced_below_the_same_block() -> None:
    edited = set_body(RICH, "New\nbody\n")
    assert edited.startswith(RICH[: RICH.index(b"---  \r\n")])
    assert edited.endswith(b"---  \r\n\r\nNew\r\nbody\r\n")


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"---\n- a\n---\nx", "note-yaml-no-mapping", 2),
        (b"---\nhello\n---\nx", "note-yaml-no-mapping", 2),
        (b"---\na: 1\nb: 2\na: 3\n---\nx", "note-yaml-duplicate-key", 4),
        (b"---\na: [\n---\nx", "note-yaml-broken", 3),
        (b"---\na: 'x\nb: y\n---\n", "note-yaml-broken", 4),
        (b"---\ntags: [#a]\n---\n", "note-yaml-broken", 3),
        (b"---\nname: x\n\nno end", "note-frontmatter-unclosed", 1),
        (b"---\nname: \xff\xfe\n---\n", "note-yaml-not-utf8", 1),
        (b"---\na: " + b"[" * 10_000 + b"\n---\n", "note-yaml-too-deep", 1),
        (b"---\n" + b"- " * 20_000 + b"x\n---\n", "note-yaml-too-deep", 2),
        (b"---\na: " + b"x" * 100_000 + b"\n---\n", "note-yaml-too-large", 1),
    ],
)
def test_a_broken_block_is_reported_with_its_line_and_never_rewritten(data: bytes, code: str, line: int) -> None:
    front, body, problems = read(data)
    assert (front, [(one.code, one.line) for one in problems]) == ({}, [(code, line)])
    assert body.encode("utf-8", "surrogateescape") == data
    with pytest.raises(FormatError):
        set_key(data, "a", "b")


def test_aliases_that_multiply_are_refused() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{new}: &{new} [{', '.join(['*' + old] * 10)}]" for old, new in ("ab", "bc", "cd", "de", "ef", "fg")]
    _, _, problems = read(("---\n" + "\n".join(lines) + "\n---\n").encode())
    assert [one.code for one in problems] == ["note-yaml-too-large"]


def test_a_rule_at_the_top_of_a_text_is_not_frontmatter() -> None:
    assert read(b"---\nJust prose, no key\n") == ({}, "---\nJust prose, no key\n", ())
    assert split(b"----\na: b\n----\n").opening == ""
    assert split(b"\n---\na: b\n---\n").opening == ""


def test_dots_close_no_block() -> None:
    assert read(b"---\na: b\n...\ntext\n")[2][0].code == "note-frontmatter-unclosed"


def test_braces_and_question_marks_are_read_and_not_edited() -> None:
    assert read(b"---\n{a: 1, b: 2}\n---\n")[0] == {"a": 1, "b": 2}
    with pytest.raises(FormatError, match="braces"):
        set_key(b"---\n{a: 1}\n---\n", "c", "d")
    with pytest.raises(FormatError, match="cannot change safely"):
        set_key(b"---\n? a\n: b\n---\n", "a", "d")


def test_values_that_some_reader_could_mistake_are_quoted() -> None:
    values = "on|No|1.10|0755|12:30|1e5|~|| x|a: b|a #b|- x|[[Note]]|@x|x:|=|é\n|<<|.inf|!x|%x".split("|")
    data = new({f"k{number}": value for number, value in enumerate(values)}, "")
    assert list(read(data)[0].values()) == values
    assert all(b': "' in line for line in data.splitlines()[1:-1])


def test_dates_stay_bare_as_obsidian_wants_them() -> None:
    assert b"created: 2026-11-30T02:13:04\n" in new({"created": "2026-11-30T02:13:04", "day": "2026-11-30"}, "x")
