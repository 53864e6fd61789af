"""What is ours in other programs' files: a list in the state folder, written before the files are."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from markdown_memory.errors import FormatError
from markdown_memory.frontends.wiring.clients import Entry
from markdown_memory.frontends.wiring.merge import Owned

FILE = "wiring.json"
VERSION = 1


class Wired(NamedTuple):
    """Our part of one file: for which client, in which project's settings ("" = everywhere), and what it starts."""

    client: str
    project: str
    program: tuple[str, ...]
    agent: str
    owned: Owned

    @property
    def key(self) -> tuple[str, str, str]:
        """A client has one part in each file for each project."""
        return self.client, self.project, self.owned.file


def parse(text: str) -> list[Wired]:
    """The parts that a manifest lists; FormatError when it cannot be read."""
    if not text.strip():
        return []
    try:
        document = json.loads(text)
        if document["version"] != VERSION:
            raise FormatError(f"{FILE} in the state folder is of a newer version of this program; use that one.")
        return [_wired(one) for one in document["wired"]]
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(
            f"{FILE} in the state folder, which lists what is ours in other programs' settings, cannot be read "
            f"({error}); move it away, and `mdmem install` writes it anew."
        ) from None


def render(wired: Iterable[Wired]) -> str:
    """The manifest as text."""
    rows = [
        {
            "client": one.client,
            "project": one.project,
            "program": list(one.program),
            "agent": one.agent,
            "file": one.owned.file,
            "form": one.owned.form,
            "entries": [entry._asdict() for entry in one.owned.entries],
            "made": [list(path) for path in one.owned.made],
            "new": one.owned.new,
        }
        for one in wired
    ]
    return json.dumps({"version": VERSION, "wired": rows}, ensure_ascii=False, indent=1) + "\n"


def put(wired: Iterable[Wired], new: Iterable[Wired]) -> list[Wired]:
    """The list with these parts in the place of their earlier selves."""
    return list(({one.key: one for one in wired} | {one.key: one for one in new}).values())


def _wired(row: dict[str, Any]) -> Wired:
    entries = tuple(Entry(tuple(one["path"]), one["value"], bool(one["listed"])) for one in row["entries"])
    made = tuple(tuple(path) for path in row["made"])
    owned = Owned(str(row["file"]), str(row["form"]), entries, made, bool(row["new"]))
    return Wired(row["client"], row["project"], tuple(row["program"]), row["agent"], owned)
