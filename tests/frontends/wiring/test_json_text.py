"""Changing one entry of a JSON text: nothing else moves, and taking it out gives the bytes from before."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_memory.errors import FormatError
from markdown_memory.frontends.wiring import json_text

OURS = {"command": "/bin/mdmem", "args": ["serve"]}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
STYLES = st.sampled_from([{}, {"indent": 2}, {"indent": 4}, {"indent": "\t"}, {"separators": (",", ":")}])


@given(st.dictionaries(st.text(max_size=3), JSON, max_size=4), STYLES, st.sampled_from(["\n", "\r\n"]))
def test_an_entry_that_is_put_in_and_taken_out_leaves_every_byte(
    document: dict[str, Any], style: dict[str, Any], newline: str
) -> None:
    text = json.dumps(document, **style).replace("\n", newline) + newline
    wired = json_text.put(text, ("our servers", "mdmem"), OURS)
    assert json.loads(wired) == document | {"our servers": {"mdmem": OURS}}
    assert list(json.loads(wired))[:-1] == list(document)
    assert json_text.remove(wired, ("our servers",)) == text


@given(st.lists(JSON, max_size=3), STYLES)
def test_an_element_stands_last_in_its_list_and_goes_whole(elements: list[Any], style: dict[str, Any]) -> None:
    text = json.dumps({"hooks": {"Stop": elements}, "after": 1}, **style)
    longer = json_text.append(text, ("hooks", "Stop"), OURS)
    assert json.loads(longer) == {"hooks": {"Stop": [*elements, OURS]}, "after": 1}
    assert json_text.remove(longer, ("hooks", "Stop", len(elements))) == text


def test_numbers_escapes_and_spacing_of_others_stay() -> None:
    text = '{ "a" : 1.50,\n   "b":[1,2,  3], "c": "\\u00e4\\/"}\n'
    assert json_text.put(text, ("d",), 1) == text.replace('"}\n', '", "d": 1}\n')


def test_new_lines_follow_the_indentation_and_line_ends_of_the_file() -> None:
    text = '{\r\n\t"servers": {\r\n\t\t"other": {}\r\n\t}\r\n}\r\n'
    assert json_text.put(text, ("servers", "mdmem"), {"a": 1}) == (
        '{\r\n\t"servers": {\r\n\t\t"other": {},\r\n\t\t"mdmem": {\r\n\t\t\t"a": 1\r\n\t\t}\r\n\t}\r\n}\r\n'
    )


def test_a_member_that_stands_twice_is_changed_where_it_counts() -> None:
    assert json_text.put('{"a": 1, "a": 2}', ("a",), 3) == '{"a": 1, "a": 3}'


def test_an_empty_file_becomes_an_object() -> None:
    assert json_text.put("", ("a", "b"), 1) == '{\n  "a": {\n    "b": 1\n  }\n}\n'


@pytest.mark.parametrize("path", [("list", "x"), ("text", "x")])
def test_what_is_no_object_is_not_turned_into_one(path: tuple[str, ...]) -> None:
    with pytest.raises(FormatError, match="no object"):
        json_text.put('{"list": [], "text": "t"}', path, 1)


@pytest.mark.parametrize("text", ['{"a": 1,}', '{// why\n"a": 1}', "[]", "{", '"text"'])
def test_what_is_no_plain_json_object_is_said_with_its_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"line [12]: "):
        json_text.parse(text)
