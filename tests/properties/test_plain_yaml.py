"""Law: a block that is read without the YAML parser has the keys and values that the parser gives it."""

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from markdown_memory.core import yaml_core, yaml_plain

KEYS = st.sampled_from("name tags B-c null true d_e x1 Zz no a2".split())
NASTY = st.text(st.sampled_from(list("abz1 2:#-'\"[],.é日/_@e0x+~|>&*!%{}=\t")), max_size=8)
WORDS = st.builds(lambda first, rest: first + rest, st.sampled_from(list("an1t0éx")), NASTY)
KNOWN = st.sampled_from(
    "true|null|1.10|0o17|~|2026-11-30|12:30|on|a b|[a, b]|[]|[null, True]|.5|a: b|x #y|a#b|a:|yes|0x1F|1e3|x |#|-1|+1|"
    "0755|1_000|NULL|False|-.inf|.nan|'it''s'|\"q: # s\"|''|\"\"".split("|")
)
VALUES = st.one_of(
    WORDS,
    KNOWN,
    NASTY,
    NASTY.map('"{}"'.format),
    NASTY.map("'{}'".format),
    st.lists(WORDS, max_size=3).map(lambda words: f"[{', '.join(words)}]"),
)
LISTS = st.builds(
    lambda indent, items: "".join(f"\n{indent}- {item}" for item in items),
    st.sampled_from(["", "  ", "    "]),
    st.lists(VALUES, min_size=1, max_size=3),
)
LINES = st.one_of(
    st.builds("{}: {}".format, KEYS, VALUES),
    st.builds("{}:{}".format, KEYS, LISTS),
    st.builds("{}:".format, KEYS),
    NASTY,
)
BLOCKS = st.lists(LINES, max_size=3).map(lambda lines: "".join(f"{line}\n" for line in lines))


def described(value: object) -> str:
    """A value with its types and with numbers as they are written."""
    if isinstance(value, dict):
        return repr([(key, described(one)) for key, one in value.items()])
    if isinstance(value, list):
        return repr([described(one) for one in value])
    return f"{type(value).__name__} {value!r} {value}"


@given(BLOCKS, st.sampled_from(["\n", "\r\n"]))
@hypothesis_settings(max_examples=500)
def test_the_short_way_gives_what_the_parser_gives(block: str, newline: str) -> None:
    head = block.replace("\n", newline)
    short = yaml_plain.mapping(head)
    assert short is None or described(short) == described(yaml_core.mapping(head))


def test_the_notes_that_this_package_writes_take_the_short_way() -> None:
    head = "name: OAuth\ndescription: What it is, and when.\ntype: project\ncreated: 2026-11-30T02:13:04\n"
    head += 'importance: 0.9\npinned: true\nsource: "12:30"\ntags:\n  - auth\n  - 日本\naliases: [a, b]\n'
    assert yaml_plain.mapping(head) == yaml_core.mapping(head)
    assert yaml_plain.mapping(head) is not None
