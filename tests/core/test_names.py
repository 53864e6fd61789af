"""Names of files and agents, and near misses."""

from time import process_time

import pytest

from markdown_memory.core.names import check_agent, file_name, near, nfc_key, slug
from markdown_memory.errors import UserError


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("oauth-pkce-for-mobile", "oauth-pkce-for-mobile.md"),
        ("Why: a/b?", "Why- a-b-.md"),
        ("Chen's tea 陈记茶行", "Chen's tea 陈记茶行.md"),
        ("con", "note-con.md"),
        ("com1.x", "note-com1.x.md"),
        ("...", "note.md"),
        ("a\tb\x00c", "a-b-c.md"),
        ("  dots . ", "dots.md"),
        ("🎉", "🎉.md"),
        ("👩\u200d💻", "👩\u200d💻.md"),
        ("COM¹", "note-COM¹.md"),
        ("a\ud800b", "a-b.md"),
    ],
)
def test_a_file_name_can_lie_on_any_disk(name: str, expected: str) -> None:
    assert file_name(name) == expected


def test_a_long_name_is_cut_by_characters_and_by_bytes() -> None:
    assert len(file_name("x" * 300)) == 83
    assert len(file_name("陈" * 300).encode()) <= 203


def test_a_slug_keeps_letters_of_every_script() -> None:
    assert slug("My_File (v2) Ünïcode 陈") == "my-file-v2-ünïcode-陈"
    assert slug("!?") == ""


def test_names_are_compared_composed() -> None:
    assert nfc_key("e\u0301") == "\u00e9"


@pytest.mark.parametrize("text", ["", "Lyra", "a b", "../x", "-x", "a" * 41, "é"])
def test_an_agents_name_is_a_slug(text: str) -> None:
    with pytest.raises(UserError, match="lower-case letters"):
        check_agent(text)


def test_near_names_are_found_by_likeness_and_by_part() -> None:
    names = ["oauth-pkce", "deploy-harbor", "postgres"]
    assert near("oauth-pcke", names) == ("oauth-pkce",)
    assert near("harbor", names) == ("deploy-harbor",)
    assert near("zzz", names) == ()


def test_near_names_among_many_are_found_quickly() -> None:
    names = [f"note-{number}-about-{number * 7919 % 10007}" for number in range(20_000)] + ["oauth-pkce"]
    start = process_time()
    assert near("oauth-pcke", names)[0] == "oauth-pkce"
    assert process_time() - start < 2.0
