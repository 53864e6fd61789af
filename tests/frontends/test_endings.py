"""How a command ends: one sentence on standard error, the documented exit code, never a traceback."""

import json
import os
import pty
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from markdown_memory import errors
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.failures import EXIT_CODES, perform
from markdown_memory.frontends.cli.surroundings import Surroundings
from tests.frontends.conftest import PROGRAM, Shell


def raising(error: BaseException) -> Callable[[Call], int]:
    def verb(call: Call) -> int:
        raise error

    return verb


def call(home: Path, *, json: bool = False, debug: bool = False) -> Call:
    return Call(Surroundings(home=str(home), debug=debug), json=json)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.MarkdownMemoryError("No."), 1),
        (errors.UserError("No."), 2),
        (errors.NotFound("No."), 3),
        (errors.Ambiguous("No."), 4),
        (errors.ConflictError("No."), 4),
        (errors.IntegrityError("No."), 5),
        (errors.FormatError("No."), 6),
        (errors.AccessError("No."), 7),
        (errors.StorageError("No."), 8),
    ],
)
def test_every_error_of_ours_ends_with_its_sentence_and_documented_code(
    error: errors.MarkdownMemoryError, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert perform(call(tmp_path), raising(error)) == code
    assert capsys.readouterr() == ("", "mdmem: No.\n")
    assert code in {number for number, _, _ in EXIT_CODES}


def test_near_names_and_candidates_are_part_of_the_sentence_and_of_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    perform(call(tmp_path, json=True), raising(errors.NotFound("There is no 'oath'.", near=["oauth"])))
    out, err = capsys.readouterr()
    assert err == "mdmem: There is no 'oath'. Did you mean 'oauth'?\n"
    document = json.loads(out)["error"]
    assert (document["kind"], document["exit"], document["near"]) == ("not-found", 3, ["oauth"])


def test_a_bug_is_one_sentence_that_says_where_the_trace_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert perform(call(tmp_path), raising(ValueError("x is not y"))) == 70
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mdmem: Internal error, not your fault: ValueError: x is not y. The full trace is in ")
    trace = Path(err.split("trace is in ")[1].split(" (MDMEM_DEBUG")[0])
    assert "raise error" in trace.read_text()
    assert trace.is_relative_to(tmp_path)


def test_debug_shows_the_trace_of_a_bug(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    perform(call(tmp_path, debug=True), raising(ValueError("x")))
    assert "Traceback" in capsys.readouterr().err


def test_a_trace_that_cannot_be_written_is_no_second_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert perform(call(tmp_path / "file"), raising(ValueError("x"))) == 70
    assert capsys.readouterr().err.endswith("(MDMEM_DEBUG=1 shows the trace.)\n")


def test_a_refusal_of_the_system_is_a_sentence_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert perform(call(tmp_path), raising(PermissionError(13, "Permission denied", "/some/file"))) == 8
    assert capsys.readouterr().err.startswith("mdmem: Permission denied: /some/file.")


def test_an_interrupt_ends_with_130_and_no_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert perform(call(tmp_path), raising(KeyboardInterrupt())) == 130
    assert capsys.readouterr() == ("", "")


def test_a_broken_file_of_ours_is_no_interrupt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert perform(call(tmp_path), raising(EOFError("marshal data too short"))) == 70
    assert "EOFError: marshal data too short" in capsys.readouterr().err


def test_escape_sequences_in_an_error_are_shown_and_not_sent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    perform(call(tmp_path), raising(errors.NotFound("There is no '\x1b[2J'.")))
    assert capsys.readouterr().err == "mdmem: There is no '\\x1b[2J'.\n"


def test_a_reader_that_goes_away_is_no_error_message(shell: Shell) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [*PROGRAM, "help", "json"], env=shell.env, stdout=writing, stderr=subprocess.PIPE, cwd=shell.cwd
    )
    os.close(writing)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, b"")


full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")


@full
@pytest.mark.parametrize("words", [["version"], ["help"], ["search", "--help"], ["help", "search"]])
def test_an_output_that_is_full_is_one_sentence(shell: Shell, words: list[str]) -> None:
    with open("/dev/full", "wb") as out:
        process = subprocess.run(
            [*PROGRAM, *words],
            env=shell.env,
            stdout=out,
            stderr=subprocess.PIPE,
            cwd=shell.cwd,
            check=False,
        )
    assert process.returncode == 8
    assert b"output cannot be written: No space left on device." in process.stderr
    assert process.stderr.count(b"\n") == 1


@full
@pytest.mark.parametrize(("words", "code"), [(["version", "--json"], 0), (["show", "--json"], 2), (["nonsense"], 2)])
def test_remarks_that_cannot_be_written_change_neither_result_nor_exit_code(
    shell: Shell, words: list[str], code: int
) -> None:
    with open("/dev/full", "wb") as err:
        process = subprocess.run(
            [*PROGRAM, *words], env=shell.env, stdout=subprocess.PIPE, stderr=err, cwd=shell.cwd, check=False
        )
    assert process.returncode == code
    assert bool(process.stdout) == ("--json" in words)


def test_a_closed_output_is_no_traceback(shell: Shell) -> None:
    command = " ".join((*PROGRAM, "version", ">&-"))
    done = subprocess.run(["sh", "-c", command], env=shell.env, capture_output=True, cwd=shell.cwd, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_ctrl_c_while_the_program_waits_ends_with_130(shell: Shell) -> None:
    master, slave = pty.openpty()
    command = [*PROGRAM, "retain", "-"]
    with subprocess.Popen(
        command, env=shell.env, stdin=slave, stdout=slave, stderr=subprocess.PIPE, cwd=shell.cwd
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"Type the fact; end with Ctrl-D.\n"
        process.send_signal(signal.SIGINT)
        assert (process.wait(60), process.stderr.read()) == (130, b"")
    os.close(slave)
    os.close(master)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("retan x", "No such command 'retan'. Did you mean 'retain'? See `mdmem --help`."),
        ("show", "Missing argument 'name'. See `mdmem show --help`."),
        ("search x --lmit 3", "No such option: --lmit (Possible options: --limit). See `mdmem search --help`."),
        ("review acept 1", "No such command 'acept'. Did you mean 'accept'? See `mdmem review --help`."),
        (
            "help nonsense",
            ("There is no command and no help topic 'nonsense'; topics are exit-codes, json, query, environment, "
            "transcript-rules."),
        ),
    ],
)  # fmt: skip
def test_wrong_use_is_one_sentence_that_says_where_to_read_on(shell: Shell, line: str, sentence: str) -> None:
    done = shell(*line.split())
    assert done.sentence == sentence
    assert done.code == (3 if line.startswith("help") else 2)
    assert done.out == ""


@pytest.mark.parametrize("words", [("log", "append"), ("retain",), ("checkpoint",), ("search",)])
def test_a_text_that_begins_with_a_dash_is_answered_with_the_way_to_give_it(shell: Shell, words: tuple[str]) -> None:
    done = shell(*words, "- fixed the refresh\n- told Ana")
    assert done.code == 2
    assert done.sentence.endswith(f'put `--` before it: `mdmem {" ".join(words)} -- "- like this"`.')


def test_a_number_that_is_none_is_named(shell: Shell) -> None:
    done = shell("search", "x", "--limit", "many")
    assert done.code == 2
    assert "'--limit'" in done.sentence
    assert "valid integer" in done.sentence


def test_wrong_use_with_json_is_a_document(shell: Shell) -> None:
    done = shell("show", "--json")
    assert done.code == 2
    assert json.loads(done.out)["error"]["kind"] == "usage"


@pytest.mark.skipif(os.name != "posix", reason="other systems have no locales of bytes")
def test_names_and_words_are_utf8_in_every_locale(shell: Shell) -> None:
    bare = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert shell("init", "vault", "--person", "ana", **bare).code == 0
    shell.cwd = shell.cwd / "vault"
    assert shell("store", "café", "Kaffee für Müller", **bare).code == 0
    assert (shell.cwd / "memory/project/main/café.md").read_text("utf-8").endswith("Kaffee für Müller\n")
    assert shell("show", "café").out.endswith("Kaffee für Müller\n")
    assert shell("verify").code == 0
