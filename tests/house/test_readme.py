"""The README is true: its Python is run, its links lead somewhere, its picture is the package, its commands are there.

Its console blocks are run by tests/transcripts, its commands and options are looked up by test_documented_commands.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from markdown_memory.frontends.cli.failures import EXIT_CODES
from tests.house.source import PACKAGE, ROOT
from tests.house.test_layers import FLOORS
from tests.transcripts.runner import environment

README = (ROOT / "README.md").read_text("utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```", README, re.M | re.S)
PICTURE = re.findall(r"^```\n(floor 7.*?)^```", README, re.M | re.S)


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_the_python_of_the_readme_runs_as_it_stands(number: int, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAMS[number]],
        cwd=tmp_path,
        env=environment(tmp_path, tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_readme_shows_python() -> None:
    assert PROGRAMS


def test_every_link_of_the_readme_leads_to_a_file_or_a_heading() -> None:
    headings = {
        re.sub(r"[^\w\- ]", "", line).strip().replace(" ", "-").lower()
        for line in re.findall(r"^#+ (.*)", README, re.M)
    }
    for target in re.findall(r"\]\(([^)]+)\)", README):
        if target.startswith("#"):
            assert target[1:] in headings, target
        elif "://" not in target and not target.startswith("./memory/"):
            assert (ROOT / target).exists(), target


def test_the_picture_shows_every_folder_and_file_at_the_top_of_the_package() -> None:
    (picture,) = PICTURE
    top = {path.name for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    top -= {"__init__.py", "__main__.py", "__pycache__"}
    assert not [name for name in top if name not in picture]


def test_the_picture_has_each_room_on_the_floor_where_the_test_of_layers_has_it() -> None:
    (picture,) = PICTURE
    floor = ""
    for line in picture.splitlines():
        floor = line[6] if line.startswith("floor") else floor
        for name in re.findall(r"^(?:floor \d| {7}) +(\w+)(?:/|\.py)", line):
            assert FLOORS[name] == int(floor), name


def test_the_two_commands_of_the_readme_do_all_the_set_up() -> None:
    commands = re.findall(r"^\$ (python3 -m venv .*)$", README, re.M)
    assert len(commands) == 2
    assert all("pip install" in command for command in commands)
    assert [command.split()[-1] for command in commands] == ["demo", "pytest"]


def test_the_exit_codes_of_the_readme_are_those_of_the_program() -> None:
    for code, name, text in EXIT_CODES:
        assert re.search(rf"^ +{code}  {re.escape(name)} +{re.escape(text)}$", README, re.M), name
