"""Several processes at one vault's files and catalog, some of them killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from markdown_memory.storage import files
from markdown_memory.storage.catalog import Catalog
from markdown_memory.storage.scan import scan
from tests.system.restricted import ROOT

WRITE = """
import sys
from markdown_memory.storage import files
number = 0
while True:
    number += 1
    files.write_durable(sys.argv[1], "memory/user/a.md", bytes([65 + number % 26]) * 200_000)
    if number == 1:
        print("writing", flush=True)
"""

REFRESH = """
import sys
from markdown_memory.storage.catalog import Catalog
catalog = Catalog(sys.argv[1], sys.argv[2])
for _ in range(int(sys.argv[3])):
    catalog.refresh()
print(catalog.count())
"""


def start(code: str, *words: object) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def notes(root: Path, number: int, first: int = 0) -> None:
    for at in range(first, first + number):
        path = root / "memory" / "project" / "main" / f"n{at}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\nname: note {at}\n---\nText {at}.\n")


def test_a_killed_writer_leaves_the_old_bytes_or_the_new_ones(tmp_path: Path) -> None:
    for _ in range(15):
        with start(WRITE, tmp_path) as process:
            assert process.stdout is not None and process.stdout.readline()
            process.send_signal(signal.SIGKILL)
            process.wait()
        data = files.read(str(tmp_path), "memory/user/a.md")
        assert len(data) == 200_000 and len(set(data)) == 1
    assert [one.path for one in scan(str(tmp_path))] == ["memory/user/a.md"]


def test_two_processes_fill_one_catalog_at_once(tmp_path: Path) -> None:
    notes(tmp_path / "v", 1500)
    workers = [start(REFRESH, tmp_path / "c" / "catalog.sqlite", tmp_path / "v", 2) for _ in range(3)]
    outputs = [worker.communicate(timeout=60) for worker in workers]
    assert outputs == [("1500\n", "")] * 3


def test_a_catalog_whose_writer_was_killed_goes_on(tmp_path: Path) -> None:
    notes(tmp_path / "v", 1500)
    file = tmp_path / "c" / "catalog.sqlite"
    with start(REFRESH, file, tmp_path / "v", 1000) as process:
        while not file.exists():
            assert process.poll() is None
        process.kill()
        process.wait()
    catalog = Catalog(str(file), str(tmp_path / "v"))
    catalog.refresh()
    assert len(catalog.headers()) == 1500
    catalog.close()


def test_a_catalog_follows_while_others_write_and_refresh(tmp_path: Path) -> None:
    root, file = tmp_path / "v", tmp_path / "c" / "catalog.sqlite"
    notes(root, 50)
    worker = start(REFRESH, file, root, 60)
    catalog = Catalog(str(file), str(root))
    for at in range(30):
        notes(root, 1, first=at)
        (root / "memory" / "project" / "main" / f"n{at}.md").write_text(f"changed {at}")
        if at % 10 == 0:
            (root / "memory" / "project" / "main" / f"n{at + 1}.md").unlink()
        catalog.refresh()
    _, errors = worker.communicate(timeout=60)
    assert errors == ""
    catalog.refresh()
    held = {header.path: header.sha256 for header in catalog.headers()}
    assert held == {one.path: files.digest_of(str(root), one.path) for one in scan(str(root))}
    catalog.close()
