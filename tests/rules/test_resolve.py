import pytest

from markdown_memory.core.note import Header, read_header
from markdown_memory.core.scope import Scope
from markdown_memory.errors import Ambiguous, NotFound
from markdown_memory.rules.resolve import resolve

MAIN, AUTH = Scope("", "main"), Scope("", "feature/auth")


def headers(*paths: str) -> list[Header]:
    return [read_header(path, b"Text.\n") for path in paths]


def test_a_name_with_other_capitals_or_punctuation_is_the_last_resort() -> None:
    found = headers("memory/project/main/my-file.md", "memory/project/main/My file.md")
    assert resolve("My file", found, [MAIN]).path == "memory/project/main/My file.md"
    with pytest.raises(Ambiguous):
        resolve("MY FILE", found, [MAIN])


def test_nearer_scopes_win_and_equal_ones_are_ambiguous() -> None:
    found = headers("memory/project/main/x.md", "memory/project/feature~auth/x.md", "memory/project/@shop/main/x.md")
    assert resolve("x", found, [AUTH, MAIN]).scope == AUTH
    assert resolve("x", found, [MAIN]).scope == MAIN
    with pytest.raises(Ambiguous) as caught:
        resolve("x", found, [])
    assert len(caught.value.candidates) == 3


def test_an_accepted_note_wins_over_a_proposal() -> None:
    found = [*headers("inbox/lyra/x.md"), *headers("memory/user/x.md")]
    assert resolve("x", found, [MAIN]).path == "memory/user/x.md"
    assert resolve("inbox/lyra/x", found, [MAIN]).path == "inbox/lyra/x.md"


def test_nothing_has_no_name() -> None:
    with pytest.raises(NotFound, match="A note's name is needed"):
        resolve("  ", headers("memory/user/x.md"))
