"""Which file a link means, how links follow a move, and what waits at the gate."""

import pytest

from markdown_memory.rules.gate import may_decide, type_of_kind, waits
from markdown_memory.rules.links import Follow, Targets

FILES = ["Home.md", "memory/user/Tea.md", "memory/project/main/tea.md", "memory/project/main/pkce.md"]


@pytest.mark.parametrize(
    ("target", "source", "found"),
    [
        ("pkce", "", "memory/project/main/pkce.md"),
        ("PKCE.md", "", "memory/project/main/pkce.md"),
        ("tea", "", "memory/user/Tea.md"),
        ("memory/project/main/tea", "Home.md", "memory/project/main/tea.md"),
        ("main/pkce", "memory/project/x.md", "memory/project/main/pkce.md"),
        ("../../user/tea", "memory/project/main/pkce.md", "memory/user/Tea.md"),
        ("user/tea", "Home.md", "memory/user/Tea.md"),
        ("./user/tea", "Home.md", ""),
        ("./pkce", "memory/project/main/tea.md", "memory/project/main/pkce.md"),
        ("/memory/user/tea", "memory/project/main/pkce.md", "memory/user/Tea.md"),
        ("ser/tea", "Home.md", ""),
        ("../../../../../x", "Home.md", ""),
        ("", "Home.md", "Home.md"),
        ("nothing", "", ""),
    ],
)
def test_a_target_is_a_name_or_a_path(target: str, source: str, found: str) -> None:
    assert Targets(FILES).find(target, source) == found


def test_links_follow_a_note_in_text_and_properties() -> None:
    follow = Follow(FILES, {"memory/project/main/pkce.md": "memory/project/main/pkce for all.md"})
    data = b'\xef\xbb\xbf---\r\nsupersedes: "[[pkce]]"\r\n---\r\n[[PKCE|why]] '
    data += b"[p](./memory/project/main/pkce.md) `[[pkce]]` [[tea]]"
    assert follow("Home.md", data) == (
        b'\xef\xbb\xbf---\r\nsupersedes: "[[pkce for all]]"\r\n---\r\n'
        b"[[pkce for all|why]] [p](./memory/project/main/pkce%20for%20all.md) `[[pkce]]` [[tea]]"
    )


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("memory/project/main/tea.md", "[p](./pkce.md)", "[p](./new%20name.md)"),
        ("memory/user/Tea.md", "[p](../project/main/pkce.md#A)", "[p](../project/main/new%20name.md#A)"),
        ("Home.md", "[p](memory/project/main/pkce.md)", "[p](memory/project/main/new%20name.md)"),
        ("Home.md", "[[main/pkce|p]]", "[[memory/project/main/new name|p]]"),
        ("Home.md", "[[pkce.md]]", "[[new name.md]]"),
        ("Home.md", "```\n[[pkce]]\n```\n", "```\n[[pkce]]\n```\n"),
    ],
)
def test_a_link_keeps_its_manner(path: str, old: str, new: str) -> None:
    follow = Follow(FILES, {"memory/project/main/pkce.md": "memory/project/main/new name.md"})
    assert follow(path, old.encode()) == new.encode()


def test_a_name_that_would_break_a_property_leaves_the_property_and_changes_the_text() -> None:
    follow = Follow(FILES, {"memory/project/main/pkce.md": "memory/project/main/it's.md"})
    data = b"---\na: '[[pkce]]'\n---\n[[pkce]]\n"
    assert follow("x.md", data) == b"---\na: '[[pkce]]'\n---\n[[it's]]\n"
    assert follow("x.md", data.replace(b"'", b'"')) == b"---\na: \"[[it's]]\"\n---\n[[it's]]\n"


def test_marks_in_properties_hide_no_link_in_the_text() -> None:
    follow = Follow(FILES, {"memory/project/main/pkce.md": "memory/project/main/new.md"})
    data = b"---\na: '`'\nb:\n    - '[[pkce]]'\n---\n[[pkce]] `\n"
    assert follow("x.md", data) == data.replace(b"pkce", b"new")


def test_links_in_a_broken_note_follow_in_its_text_only() -> None:
    follow = Follow(FILES, {"memory/project/main/pkce.md": "memory/project/main/new.md"})
    assert follow("x.md", b"---\na: [[[pkce]]\n---\n[[pkce]]\n") == b"---\na: [[[pkce]]\n---\n[[new]]\n"


def test_a_bare_link_to_a_name_that_is_taken_becomes_a_path() -> None:
    follow = Follow(FILES, {"memory/project/main/pkce.md": "memory/project/main/Home.md"})
    assert follow("x.md", b"[[pkce]]") == b"[[memory/project/main/Home]]"


def test_a_note_without_such_links_keeps_its_bytes() -> None:
    data = b"\xff\xfe [[tea]]\r"
    assert Follow(FILES, {"memory/project/main/pkce.md": "a.md"})("x.md", data) is data


@pytest.mark.parametrize(
    ("kind", "type"),
    [("preference", "user"), ("correction", "feedback"), ("decision", "project"), ("failure-pattern", "reference")],
)
def test_a_kind_becomes_a_type(kind: str, type: str) -> None:
    assert type_of_kind(kind) == type


def test_what_waits_for_a_person() -> None:
    assert waits("lyra", "core", "review")
    assert not waits("lyra", "daily", "review")
    assert not waits("lyra", "core", "direct")
    assert waits("lyra", "daily", "direct", "external")
    assert not waits("", "core", "review")
    assert may_decide("", True) and not may_decide("", False) and not may_decide("lyra", True)
