"""MEMORY.md made of what the catalog says, against the same made of all headers."""

import random
from pathlib import Path

import pytest

from markdown_memory.core.note import Header, read_header
from markdown_memory.core.settings import Project, Settings
from markdown_memory.rules.memory_index import merge_into, render
from markdown_memory.storage.index_file import drift
from tests.storage.conftest import Notes

SETTINGS = Settings(projects=(Project("harbor", own=True), Project("shop", default_branch="trunk")))
FOLDERS = (
    "memory/user", "memory/feedback", "memory/project/main", "memory/reference/main", "memory/project/@shop/trunk",
    "memory/project/feature~x", "memory/idea/main", "memory/private/lyra/project/main", "archive/memory/user",
    "inbox/lyra",
)  # fmt: skip


def text(chance: random.Random) -> bytes:
    importance = chance.choice(("", "importance: 0.9\n", "importance: 0.1\n", "pinned: true\n"))
    return f"---\nname: {chance.choice('äbc')} {chance.randint(0, 99)}\n{importance}---\n\nText.\n".encode()


@pytest.mark.parametrize("number", [0, 3, 60, 400])
def test_it_is_what_all_headers_make_of_it(notes: Notes, number: int) -> None:
    chance = random.Random(number)
    for each in range(number):
        path = f"{chance.choice(FOLDERS)}/n{each}.md"
        notes.write(path, text(chance).decode())
    notes.catalog.refresh()
    headers = {header.path: header for header in notes.catalog.headers()}
    for _ in range(12):
        edited: dict[str, Header | None] = {}
        for path in (*chance.sample(sorted(headers), min(3, len(headers))), f"{chance.choice(FOLDERS)}/new.md"):
            edited[path] = chance.choice((None, read_header(path, text(chance))))
        after = [header for header in {**headers, **edited}.values() if header]
        found = drift(str(notes.root), notes.catalog, SETTINGS, edited)
        assert found is not None and found.new == merge_into(None, render(after, SETTINGS))
        kept = drift(str(notes.root), notes.catalog, SETTINGS)
        assert kept is not None and kept.new == merge_into(None, render(headers.values(), SETTINGS))


def test_a_name_that_is_no_text_has_its_place_too(notes: Notes, tmp_path: Path) -> None:
    folder = notes.root / "memory/user"
    folder.mkdir(parents=True)
    for name in (b"a.md", b"b\xff.md", b"b\xc3\xa4.md", b"c.md"):
        with open(bytes(folder) + b"/" + name, "wb") as file:
            file.write(b"Text.\n")
    notes.catalog.refresh()
    found = drift(str(notes.root), notes.catalog, SETTINGS)
    assert found is not None and found.new == merge_into(None, render(notes.catalog.headers(), SETTINGS))
