"""Every name that a file can have on this disk."""

import os
from pathlib import Path

import pytest

from markdown_memory.storage import files
from markdown_memory.storage.catalog import Catalog
from markdown_memory.storage.scan import scan

GOLDEN = Path(__file__).parents[1] / "golden" / "file-names.txt"
LINES = [line for line in GOLDEN.read_text("ascii").splitlines() if not line.startswith("# ")]
NAMES = [line.encode("ascii").decode("unicode_escape").encode("latin-1") for line in LINES]
VISIBLE = [name for name in NAMES if not name.startswith(b".")]


def write(root: Path, name: bytes) -> None:
    with open(os.path.join(os.fsencode(root), name), "wb") as file:
        file.write(b"text of " + name)


@pytest.mark.parametrize("name", NAMES, ids=LINES)
def test_a_file_is_read_replaced_and_removed_by_its_own_bytes(name: bytes, tmp_path: Path) -> None:
    write(tmp_path, name)
    path = os.fsdecode(name)
    assert files.read(str(tmp_path), path) == b"text of " + name
    files.write_durable(str(tmp_path), path, b"new")
    assert os.listdir(os.fsencode(tmp_path)) == [name]
    assert files.read(str(tmp_path), path) == b"new"
    files.remove(str(tmp_path), path)
    assert not os.listdir(tmp_path)


def test_all_of_them_are_listed_and_known_together(tmp_path: Path) -> None:
    for name in NAMES:
        write(tmp_path, name)
    assert sorted(os.fsencode(one.path) for one in scan(str(tmp_path))) == sorted(VISIBLE)
    catalog = Catalog(str(tmp_path / ".cache" / "catalog.sqlite"), str(tmp_path))
    assert len(catalog.refresh().added) == len(VISIBLE)
    for name in VISIBLE:
        found = catalog.by_name(os.fsdecode(name))
        assert os.fsdecode(name) in [header.path for header in found], name
    assert sorted(os.fsencode(header.path) for header in catalog.headers()) == sorted(VISIBLE)
    catalog.close()
