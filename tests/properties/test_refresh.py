"""Law: however files come, change, move and go, a refresh ends at what is on the disk; a second one does nothing."""

import os
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from markdown_memory.storage import files
from markdown_memory.storage.catalog import Catalog
from markdown_memory.storage.scan import scan

PATHS = st.builds("{}/{}.md".format, st.sampled_from(["a", "a/b", "c", "memory/user"]), st.sampled_from("xyz"))
STEPS = st.one_of(
    st.tuples(st.just("write"), PATHS, st.sampled_from(["one", "two", "---\nname: Three\n---\n", ""])),
    st.tuples(st.just("remove"), PATHS, st.just("")),
    st.tuples(st.just("move"), PATHS, PATHS),
    st.tuples(st.just("touch"), PATHS, st.just("")),
    st.tuples(st.just("refresh"), st.just(""), st.just("")),
)


def take(step: tuple[str, str, str], root: Path, catalog: Catalog) -> None:
    what, path, more = step
    target = root / path
    if what == "write":
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(more)
    elif what == "remove":
        target.unlink(missing_ok=True)
    elif what == "move" and target.exists():
        (root / more).parent.mkdir(parents=True, exist_ok=True)
        os.replace(target, root / more)
    elif what == "touch":
        catalog.touch([path])
    elif what == "refresh":
        catalog.refresh()


@given(st.lists(STEPS, max_size=25))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_a_refresh_ends_at_what_is_on_the_disk(steps: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "v")
        root.mkdir()
        catalog = Catalog(str(Path(folder, "c", "catalog.sqlite")), str(root))
        held: dict[str, str] = {}
        generation = -1
        for step in [*steps, ("refresh", "", "")]:
            take(step, root, catalog)
            changed, gone, generation = catalog.changed_since(generation)
            for path in gone:
                held.pop(path, None)
            held.update((header.path, header.sha256) for header in changed)
        disk = {one.path: files.digest_of(str(root), one.path) for one in scan(str(root))}
        assert {header.path: header.sha256 for header in catalog.headers()} == disk
        assert held == disk  # what an index that asks for changes only ends with
        assert catalog.refresh()[:3] == ((), (), ())
        assert catalog.generation == generation
        catalog.close()
