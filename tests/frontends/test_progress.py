"""A progress bar for what takes long, and nothing at all for what does not."""

import pytest

from markdown_memory.frontends.cli import progress
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.progress import Progress
from markdown_memory.frontends.cli.surroundings import Surroundings
from tests.frontends.conftest import plain

WATCHED = Surroundings(errors_are_terminal=True)


def steps(call: Call) -> None:
    with Progress(call, "Indexing") as bar:
        for done in range(1, 4):
            bar(done, 3)


def test_short_work_draws_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    steps(Call(WATCHED))
    assert capsys.readouterr() == ("", "")


def test_long_work_is_drawn_on_standard_error_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    steps(Call(WATCHED))
    out, err = capsys.readouterr()
    assert out == ""
    assert "Indexing" in plain(err)
    assert "3/3" in plain(err)


@pytest.mark.parametrize("call", [Call(Surroundings()), Call(WATCHED, quiet=True), Call(WATCHED, json=True)])
def test_nothing_is_drawn_where_nobody_watches(
    call: Call, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    steps(call)
    assert capsys.readouterr() == ("", "")
