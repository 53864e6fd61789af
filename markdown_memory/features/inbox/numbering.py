"""Numbers of proposals: given once and kept, so that a number means what the person saw, whatever was decided since.

They begin at 1 again when nothing waits that bears one. Remembered by this host, for each principal apart: a number
tells nobody how many proposals there are that it may not see.
"""

import json
from collections.abc import Iterable
from contextlib import suppress

from markdown_memory.core.note import Header
from markdown_memory.errors import StorageError
from markdown_memory.workspace import Workspace


def numbers(space: Workspace, waiting: Iterable[Header]) -> dict[str, int]:
    """The number of every proposal by path, of those decided lately, too; those that have none yet get the next."""
    known = _known(space)
    paths = [header.path for header in waiting]
    if not any(path in known for path in paths):
        known = {}
    new = [path for path in paths if path not in known]
    first = max(known.values(), default=0) + 1
    given = {**known, **{path: number for number, path in enumerate(new, first)}}
    if new:
        with suppress(StorageError):  # on a host that can keep nothing, they hold until the next decision
            space.write_state(_place(space), json.dumps(given))
    return given


def _known(space: Workspace) -> dict[str, int]:
    try:
        return {str(path): int(number) for path, number in json.loads(space.read_state(_place(space))).items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def _place(space: Workspace) -> str:
    return f"numbers-{space.principal}.json" if space.principal else "numbers.json"
