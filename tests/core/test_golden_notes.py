"""Notes with their exact bytes: what is read is written back the same, and what is broken is left alone."""

from pathlib import Path

import pytest

from markdown_memory.core.frontmatter import read, remove_key, set_body, set_key, split
from markdown_memory.core.note import read_header
from markdown_memory.errors import FormatError

GOLDEN = Path(__file__).parent.parent / "golden"
WHOLE = sorted((GOLDEN / "whole").iterdir())
BROKEN = sorted((GOLDEN / "broken").iterdir())
UNEDITABLE = {
    "broken-yaml.md": "note-yaml-broken",
    "frontmatter-is-a-list.md": "note-yaml-no-mapping",
    "frontmatter-is-prose.md": "note-yaml-no-mapping",
    "duplicate-keys.md": "note-yaml-duplicate-key",
    "unclosed-frontmatter.md": "note-frontmatter-unclosed",
    "closed-by-dots.md": "note-frontmatter-unclosed",
    "not-utf-8-in-the-block.md": "note-yaml-not-utf8",
    "deeply-nested.md": "note-yaml-too-deep",
    "nested-by-indent.md": "note-yaml-too-deep",
    "aliases-that-multiply.md": "note-yaml-too-large",
    "many-values.md": "note-yaml-too-large",
    "carriage-returns-alone.md": "note-line-ends",
    "control-character.md": "note-yaml-broken",
    "key-that-is-a-list.md": "note-yaml-no-mapping",
    "key-that-multiplies.md": "note-yaml-no-mapping",
    "second-document-in-the-block.md": "note-yaml-broken",
    "tabs-as-indent.md": "note-yaml-broken",
    "unquoted-hash-in-a-list.md": "note-yaml-broken",
    "unquoted-colon.md": "note-yaml-broken",
    "conflict-markers.md": "note-yaml-broken",
    "alias-without-anchor.md": "note-yaml-broken",
    "unclosed-quote.md": "note-yaml-broken",
    "template-placeholder.md": "note-yaml-no-mapping",
}


def name(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("path", [*WHOLE, *BROKEN], ids=name)
def test_splitting_and_joining_gives_the_bytes_back(path: Path) -> None:
    assert split(path.read_bytes()).bytes() == path.read_bytes()


@pytest.mark.parametrize("path", WHOLE, ids=name)
def test_a_whole_note_has_no_problem_and_an_edit_undone_gives_its_bytes_back(path: Path) -> None:
    data = path.read_bytes()
    assert read_header(f"memory/user/{path.name}", data).problems == ()
    if split(data).opening:
        assert remove_key(set_key(data, "pinned", True), "pinned") == data


@pytest.mark.parametrize("path", [path for path in BROKEN if path.name in UNEDITABLE], ids=name)
def test_a_broken_note_is_named_kept_readable_and_never_edited(path: Path) -> None:
    data = path.read_bytes()
    (problem,) = read_header(f"memory/user/{path.name}", data).problems
    assert problem.code == UNEDITABLE[path.name]
    assert read(data)[1].encode("utf-8", "surrogateescape") == data
    with pytest.raises(FormatError):
        set_key(data, "pinned", True)


def test_a_key_can_be_changed_above_a_text_that_is_not_utf_8() -> None:
    data = (GOLDEN / "broken" / "not-utf-8.md").read_bytes()
    assert set_key(data, "name", "Latin text") == data.replace(b"name: Latin", b"name: Latin text")
    with pytest.raises(FormatError, match="not UTF-8"):
        set_body(data, "Other\n")


@pytest.mark.parametrize("path", BROKEN, ids=name)
def test_every_broken_note_still_has_a_header(path: Path) -> None:
    header = read_header(f"memory/user/{path.name}", path.read_bytes())
    assert header.name and header.status == "accepted"


def test_what_other_tools_spoil_keeps_its_value() -> None:
    front, _, _ = read((GOLDEN / "whole" / "comments-and-quotes.md").read_bytes())
    assert [str(front[key]) for key in ("version", "mode", "at", "answer")] == ["1.10", "0755", "12:30:45", "yes"]


def test_a_broken_line_is_named_by_its_number() -> None:
    lines = {path.name: read(path.read_bytes())[2][0].line for path in BROKEN if path.name in UNEDITABLE}
    assert lines["duplicate-keys.md"] == 4
    assert lines["control-character.md"] == 2
    assert lines["unquoted-colon.md"] == 2
    assert lines["second-document-in-the-block.md"] == 3
