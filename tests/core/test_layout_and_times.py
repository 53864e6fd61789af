"""What a path says, and what a date says."""

import pytest

from markdown_memory.core.layout import Place, archive_path, note_folder, place_of
from markdown_memory.core.scope import Scope
from markdown_memory.core.times import parse, utc

MAIN = Scope("", "main")


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("MEMORY.md", Place("derived")),
        ("nexus/live-context.md", Place("derived")),
        ("Settings.md", Place("settings")),
        ("memory/user/tea.md", Place("memory", "user")),
        ("memory/project/main/x.md", Place("memory", "project", MAIN)),
        ("memory/project/@shop/feature~a/x.md", Place("memory", "project", Scope("shop", "feature/a"))),
        ("memory/project/main/deep/x.md", Place("memory", "project", MAIN)),
        ("memory/project/loose.md", Place("memory", "project")),
        ("memory/recipe/main/x.md", Place("memory", "recipe", MAIN)),
        ("memory/private/lyra/project/main/x.md", Place("memory", "project", MAIN, "lyra")),
        ("memory/private/lyra/inbox/x.md", Place("inbox", owner="lyra")),
        ("memory/private/lyra/archive/user/x.md", Place("archive", "user", owner="lyra")),
        ("inbox/lyra/x.md", Place("inbox", owner="lyra")),
        ("inbox/x.md", Place("inbox")),
        ("archive/memory/project/main/x.md", Place("archive", "project", MAIN)),
        ("archive/inbox/lyra/x.md", Place("archive", owner="lyra")),
        ("identity/lyra.md", Place("identity")),
        ("nexus/log/ledger/2026-11/x.md", Place("log")),
        ("nexus/project-state/shop.md", Place("state")),
        ("nexus/checkpoints/x.md", Place("checkpoint")),
        ("skills/deploy/SKILL.md", Place("skills")),
        ("Ideas/Tea.md", Place("page")),
        ("Home.md", Place("other")),
    ],
)  # fmt: skip
def test_the_folder_says_what_a_file_is(path: str, place: Place) -> None:
    assert place_of(path) == place


def test_a_note_lies_by_type_scope_and_owner() -> None:
    assert note_folder("user", MAIN) == "memory/user"
    assert note_folder("project", Scope("shop", "a/b")) == "memory/project/@shop/a~b"
    assert note_folder("project", MAIN, "lyra") == "memory/private/lyra/project/main"


def test_the_archive_keeps_the_path_and_the_privacy() -> None:
    assert archive_path("memory/user/x.md") == "archive/memory/user/x.md"
    assert archive_path("memory/private/lyra/user/x.md") == "memory/private/lyra/archive/user/x.md"


@pytest.mark.parametrize("seconds", [-1e18, -1e12, -1.0, 253_402_300_800.0, 1e18, float("nan"), float("inf")])
def test_every_moment_can_be_written_and_read_again(seconds: float) -> None:
    assert len(utc(seconds)) == 19
    assert parse(utc(seconds)) is not None


def test_moments_are_utc() -> None:
    assert utc(1_764_547_200) == "2025-12-01T00:00:00"
    assert parse("2025-12-01T00:00:00") == 1_764_547_200
    assert parse("2025-12-01T02:00:00+02:00") == 1_764_547_200
    assert parse("2025-12-01") == parse("2025-12-01T00:00:00Z") == 1_764_547_200
    assert parse("soon") is None
    assert parse("9999-12-31T23:59:59-14:00") is None
