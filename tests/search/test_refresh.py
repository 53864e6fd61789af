"""Bringing an index up to a catalog: only what changed, one audience, one bad file at a time."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from markdown_memory.core.note import new_note
from markdown_memory.errors import MarkdownMemoryError, StorageError
from markdown_memory.search.lock import locked
from markdown_memory.search.port import Change
from markdown_memory.search.refresh import Refreshed, bring
from markdown_memory.search.whoosh_index import WhooshIndex
from markdown_memory.storage.catalog import Catalog
from tests.contracts.full_text import paths


class Vault:
    """Files, their catalog, and an index of one audience."""

    def __init__(self, root: Path, audience: str = "") -> None:
        self.root, self.audience = root / "vault", audience
        self.root.mkdir(exist_ok=True)
        self.catalog = Catalog(str(root / "catalog.sqlite"), str(self.root))
        self.index = WhooshIndex(str(root / f"index-{audience}"), lock_seconds=0.05)
        self.reads: list[str] = []

    def write(self, path: str, body: str | bytes) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        data = body if isinstance(body, bytes) else new_note(file.stem, "", "", body)
        file.write_bytes(data)

    def read(self, path: str) -> bytes:
        self.reads.append(path)
        try:
            return (self.root / path).read_bytes()
        except OSError as error:
            raise StorageError(f"{path} cannot be read.") from error

    def refresh(self) -> Refreshed:
        changes = self.catalog.refresh()
        return bring(self.index, self.catalog, self.read, self.audience, purge=not changes.suspicious)


Make = Callable[..., Vault]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes vaults, and closes them when the test is over."""
    made: list[Vault] = []

    def vault(audience: str = "") -> Vault:
        made.append(Vault(tmp_path, audience))
        return made[-1]

    yield vault
    for one in made:
        one.catalog.close()


@pytest.fixture
def vault(make: Make) -> Vault:
    vault = make()
    vault.write("memory/project/main/a.md", "The walrus sleeps.")
    vault.write("memory/project/main/b.md", "The capybara swims.")
    vault.refresh()
    return vault


def test_the_first_refresh_reads_everything(vault: Vault) -> None:
    assert sorted(vault.reads) == ["memory/project/main/a.md", "memory/project/main/b.md"]
    assert paths(vault.index, "walrus") == ["memory/project/main/a.md"]


def test_a_refresh_without_changes_reads_nothing(vault: Vault) -> None:
    vault.reads.clear()
    assert vault.refresh().written == 0
    assert vault.reads == []


def test_a_refresh_reads_what_changed_and_nothing_else(vault: Vault) -> None:
    vault.reads.clear()
    vault.write("memory/project/main/a.md", "The otter sleeps long.")
    assert vault.refresh().written == 1
    assert vault.reads == ["memory/project/main/a.md"]
    assert (paths(vault.index, "otter"), paths(vault.index, "walrus")) == (["memory/project/main/a.md"], [])


def test_a_removed_file_is_no_longer_found(vault: Vault) -> None:
    (vault.root / "memory/project/main/a.md").unlink()
    assert vault.refresh().removed == 1
    assert paths(vault.index, "walrus") == []


def test_an_archived_note_is_found_as_archived(vault: Vault) -> None:
    (vault.root / "archive/memory/project/main").mkdir(parents=True)
    (vault.root / "memory/project/main/a.md").rename(vault.root / "archive/memory/project/main/a.md")
    vault.refresh()
    assert paths(vault.index, "walrus") == ["archive/memory/project/main/a.md"]


def test_a_private_note_is_in_its_owners_index_only(make: Make) -> None:
    shared = make()
    shared.write("memory/private/lyra/secret.md", "The walrus is my friend.")
    shared.write("memory/project/main/a.md", "A walrus was seen.")
    private = make("lyra")
    for vault in (shared, private):
        vault.refresh()
    assert paths(shared.index, "walrus") == ["memory/project/main/a.md"]
    assert paths(private.index, "walrus") == ["memory/private/lyra/secret.md"]


def test_shared_scores_do_not_depend_on_private_notes(make: Make) -> None:
    def answer(vault: Vault) -> object:
        from markdown_memory.core.query import parse
        from markdown_memory.search.port import Filter

        vault.refresh()
        return vault.index.search(parse("walrus"), 5, Filter())

    vault = make()
    vault.write("memory/project/main/a.md", "A walrus was seen.")
    vault.write("memory/project/main/b.md", "A walrus swims.")
    before = answer(vault)
    for number in range(60):
        vault.write(f"memory/private/lyra/n{number}.md", f"walrus {number}")
    assert answer(vault) == before


def test_one_unreadable_file_stops_nothing_and_is_named(vault: Vault) -> None:
    vault.write("memory/project/main/c.md", "The otter sleeps.")
    vault.write("memory/project/main/d.md", "The otter swims.")
    read: Callable[[str], bytes] = vault.read

    def failing(path: str) -> bytes:
        if path.endswith("c.md"):
            raise MarkdownMemoryError("memory/project/main/c.md cannot be read.")
        return read(path)

    vault.catalog.refresh()
    done = bring(vault.index, vault.catalog, failing)
    assert done.notices == ("memory/project/main/c.md cannot be read.",)
    assert "memory/project/main/d.md" in paths(vault.index, "otter")


def test_a_binary_file_is_known_by_its_name(vault: Vault) -> None:
    vault.write("memory/project/main/image walrus.md", b"\x89PNG\0\0walrus")
    vault.refresh()
    assert "memory/project/main/image walrus.md" in paths(vault.index, "image")


def test_broken_frontmatter_is_found_by_its_text(vault: Vault) -> None:
    vault.write("memory/project/main/broken.md", b"---\nname: [walrus\nplace: Spitsbergen\n---\nIt sleeps.\n")
    vault.refresh()
    assert paths(vault.index, "Spitsbergen") == ["memory/project/main/broken.md"]


def test_a_key_of_the_persons_own_is_found(vault: Vault) -> None:
    vault.write("memory/project/main/own.md", b"---\nname: own\ncolour: turquoise\n---\nIt sleeps.\n")
    vault.refresh()
    assert paths(vault.index, "turquoise") == ["memory/project/main/own.md"]
    assert paths(vault.index, "colour") == []


def test_a_vault_that_lost_most_of_its_notes_is_not_purged(make: Make) -> None:
    vault = make()
    for number in range(40):
        vault.write(f"memory/project/main/n{number}.md", f"walrus {number}")
    vault.refresh()
    for number in range(30):
        (vault.root / f"memory/project/main/n{number}.md").unlink()
    vault.refresh()
    assert len(paths(vault.index, "walrus", limit=99)) == 40


def test_an_index_that_is_locked_is_searched_as_it_was(make: Make) -> None:
    vault = make()
    vault.write("memory/project/main/a.md", "The walrus sleeps.")
    vault.refresh()
    for number in range(60):
        vault.write(f"memory/project/main/n{number}.md", "otter")
    with locked(vault.index.folder, 1.0):
        done = vault.refresh()
    assert "another process" in done.failed
    assert paths(vault.index, "walrus") == ["memory/project/main/a.md"]
    assert vault.refresh().failed == ""
    assert len(paths(vault.index, "otter", limit=99)) == 60


def test_a_catalog_that_began_anew_leads_to_a_whole_new_index(make: Make, tmp_path: Path) -> None:
    vault = make()
    vault.write("memory/project/main/a.md", "The walrus sleeps.")
    vault.write("memory/project/main/b.md", "The walrus swims.")
    vault.refresh()
    vault.catalog.close()
    (tmp_path / "catalog.sqlite").unlink()
    (vault.root / "memory/project/main/a.md").unlink()
    again = make()
    assert again.refresh().rebuilt
    assert paths(again.index, "walrus") == ["memory/project/main/b.md"]


def test_an_index_that_knows_more_than_a_catalog_after_a_power_cut_still_finds_every_note(
    make: Make, tmp_path: Path
) -> None:
    vault = make()
    vault.write("memory/project/main/a.md", "The walrus sleeps.")
    vault.refresh()
    vault.catalog.close()
    catalog = tmp_path / "catalog.sqlite"
    as_on_the_disk = catalog.read_bytes()
    later = make()
    later.write("memory/project/main/b.md", "The walrus swims.")
    later.refresh()
    later.catalog.close()
    for left in tmp_path.glob("catalog.sqlite-*"):
        left.unlink()
    catalog.write_bytes(as_on_the_disk)
    (later.root / "memory/project/main/b.md").unlink()
    after = make()
    after.write("memory/project/main/c.md", "The walrus hides.")
    after.refresh()
    assert set(paths(after.index, "walrus hides")) == {"memory/project/main/a.md", "memory/project/main/c.md"}


def test_an_index_that_is_ahead_of_its_catalog_begins_anew(make: Make) -> None:
    vault = make()
    vault.write("memory/project/main/a.md", "The walrus sleeps.")
    vault.refresh()
    held = vault.index.generation()
    assert vault.index.apply(Change([], ("memory/project/main/a.md",), held, held + 1_000_000_000))
    assert vault.refresh().rebuilt
    assert paths(vault.index, "walrus") == ["memory/project/main/a.md"]
