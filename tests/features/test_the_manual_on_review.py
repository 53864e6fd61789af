"""The manual's table of ten proposals that are decided in an editor, done file by file as it says."""

import os
import re
from pathlib import Path

from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places
from tests.conftest import Clock
from tests.frontends.review.conftest import EXAMPLE, trusted_copy

MANUAL = (EXAMPLE / "manual" / "review-the-inbox.md").read_text("utf-8")
ROW = re.compile(r"^\| ([a-z0-9-]+) \| ((?:tick|move|delete|leave|change).*) \| (accepted|rejected|waits) \|$", re.M)


def do(root: Path, file: Path, what: str, now: float) -> None:
    """What a person does with the file, step by step."""
    for step in re.split(r", (?=tick)", what):
        verb, *words = re.findall(r"^\w+|`[^`]+`", step)
        given = [word.strip("`") for word in words]
        if verb == "move":
            file.rename(root / given[0] / file.name)
        elif verb == "delete":
            file.unlink()
        elif verb in ("tick", "change"):
            old, new = (f"{given[0]}: false", f"{given[0]}: true") if verb == "tick" else given
            text = file.read_text("utf-8")
            assert old in text
            file.write_text(text.replace(old, new), "utf-8")
            os.utime(file, (now, now))


def test_ten_proposals_are_decided_in_an_editor_as_the_manual_tells_it(
    tmp_path: Path, places: Places, clock: Clock
) -> None:
    root = trusted_copy(tmp_path / "example", places)
    clock.move(86_400)
    rows = ROW.findall(MANUAL)
    with Memory.open(str(root), cwd=str(root), places=places, clock=clock) as mara:
        waiting = {one.name: root / one.path for one in mara.inbox.list()}
        mara.inbox.carry_out()
        assert {name for name, _, _ in rows} == set(waiting) and len(rows) == 10
        for name, what, _ in rows:
            do(root, waiting[name], what, clock())
        first = mara.inbox.carry_out()
        assert "tare-for-oyster-crates" in first.held[0]
        assert [problem.code for problem in first.problems] == ["both-ticked"]
        clock.move(660)
        later = mara.inbox.carry_out()
        decided = {Path(one.path).stem: one.decision for one in (*first.decisions, *later.decisions)}
        assert decided == {name: outcome for name, _, outcome in rows if outcome != "waits"}
        assert {one.name for one in mara.inbox.list()} == {name for name, _, outcome in rows if outcome == "waits"}
        assert "1,250 g" in mara.show("tare-for-oyster-crates").body
        assert mara.show("pool-size-on-busy-days").header.path.startswith("memory/reference/main/")
        assert mara.verify().sound
