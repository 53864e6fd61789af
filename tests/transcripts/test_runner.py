"""The transcript runner itself: what it runs, what it lets pass, and what it does not."""

from pathlib import Path

import pytest

from tests.transcripts import runner


def transcript(tmp_path: Path, *lines: str, info: str = "console") -> Path:
    document = tmp_path / "session.md"
    document.write_text("\n".join(["Some words.", "", f"```{info}", *lines, "```", ""]), "utf-8")
    return document


def play(tmp_path: Path, *lines: str, info: str = "console") -> int:
    return runner.run(transcript(tmp_path, *lines, info=info), tmp_path / "run")


def test_commands_share_one_shell_so_folders_and_variables_last(tmp_path: Path) -> None:
    lines = ["$ mkdir here && cd here", "$ word=stays", "$ echo $word; basename $PWD", "stays", "here"]
    assert play(tmp_path, *lines) == 3


def test_dots_stand_for_text_within_a_line_and_alone_for_lines(tmp_path: Path) -> None:
    play(tmp_path, "$ seq 1 9; echo the end of it", "1", "...", "9", "the ... it")


def test_a_command_may_go_on_for_several_lines(tmp_path: Path) -> None:
    play(tmp_path, "$ cat <<END", "> one", "> two", "> END", "one", "two")


def test_another_output_is_shown_beside_the_expected_one(tmp_path: Path) -> None:
    with pytest.raises(runner.Mismatch, match=r"(?s)line 4: .*the file says\nyes\n.*what appears is\nno\n"):
        play(tmp_path, "$ echo no", "yes")


@pytest.mark.parametrize("printed", ["one\\ntwo", "", "two"])
def test_lines_too_many_and_too_few_are_mismatches(tmp_path: Path, printed: str) -> None:
    with pytest.raises(runner.Mismatch):
        play(tmp_path, f"$ printf '{printed}'", "one")


def test_a_failing_command_is_a_mismatch_unless_its_exit_code_is_shown(tmp_path: Path) -> None:
    with pytest.raises(runner.Mismatch, match="ended with exit code 3"):
        play(tmp_path, "$ (exit 3)")


def test_an_exit_code_can_be_shown(tmp_path: Path) -> None:
    assert play(tmp_path, "$ (exit 3)", "$ echo $?", "3") == 2


def test_a_block_that_is_to_be_skipped_is_not_run(tmp_path: Path) -> None:
    assert play(tmp_path, "$ touch ../../ran", info="console skip") == 0
    assert not (tmp_path / "ran").exists()


def test_a_block_that_begins_with_output_is_refused(tmp_path: Path) -> None:
    with pytest.raises(runner.Mismatch, match="begins with a command"):
        play(tmp_path, "output of nothing")


def test_commands_see_a_terminal_an_own_home_and_no_mark_of_an_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    script = (
        "import os, sys; print(sys.stdin.isatty(), sys.stdout.isatty(), os.getenv('CLAUDECODE'), os.getenv('HOME'))"
    )
    play(tmp_path, f'$ python3 -c "{script}"', f"True True None {tmp_path}/run/home")


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("2026-11-30T02:13:04Z · lyra", "2031-01-02T03:04:05Z · lyra"),
        ("live-context-lyra-k7f3-2026-11.md", "live-context-lyra-abc2-2026-12.md"),
        ("appended lyra-rnm4-1", "appended lyra-zvml-1"),
        ("done in 1.2 s", "done in 13 ms"),
        ("sha 0123456789ab", "sha fedcba987654"),
        ("12 seconds ago", "just now"),
    ],
)
def test_what_each_run_makes_anew_is_compared_by_its_form(written: str, printed: str) -> None:
    assert runner.matches(written + "\n", printed + "\n")


@pytest.mark.parametrize(("written", "printed"), [("3 notes", "4 notes"), ("the-note", "the-fact"), ("a", "a\nb")])
def test_everything_else_is_compared_as_it_is(written: str, printed: str) -> None:
    assert not runner.matches(written + "\n", printed + "\n")
