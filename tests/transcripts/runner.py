"""Runs the console blocks of a Markdown file as a person would type them, and compares what is printed.

In a block ```console, a line `$ command` is typed (`> ` continues it) and the lines below are what must appear:

- `...` within a line stands for any text, and a line of nothing else for any number of lines;
- times, dates, keys, hashes and durations are compared by their form, since each run makes its own;
- a command must end with exit code 0, unless the next one is `echo $?`, which shows it;
- a block ```console skip is not run: what it needs, such as a network, is said beside it.

All blocks of a file are typed into one shell, so `cd` and variables last. It is a real bash in a terminal of 90
columns, with an empty home, in an empty folder; `mdmem` and `python3` are those of the interpreter that runs the tests.
"""

import fcntl
import os
import pty
import re
import select
import shlex
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import NamedTuple

from markdown_memory.frontends.cli.surroundings import AGENT_MARKS

REPOSITORY = Path(__file__).parents[2]
COLUMNS = 90
PATIENCE = 120  # seconds for a whole file
MARK = "\x1e"  # a control character that no command prints

FENCE = re.compile(r"^(?P<fence>```+)console(?P<words>[^\n]*)\n(?P<text>.*?)^(?P=fence)$", re.M | re.S)
COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
FORMS = (
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z?", "<moment>"),
    (r"\b\d{4}-\d\d(-\d\d)?\b", "<day>"),
    (r"\b\d\d:\d\d(:\d\d)?\b", "<clock>"),
    (r"\b(?P<agent>[a-z0-9-]*[a-z][a-z0-9-]*)-(?=[a-z2-7]{4}\b)(?=[a-z]*[2-7])[a-z2-7]{4}\b", r"\g<agent>-<key>"),
    (r"-[a-z2-7]{4}(?=-(?:[0-9]|<day>))", "-<key>"),
    (r"\b[0-9a-f]{7,64}\b", "<hash>"),
    (r"\bSHA256:[A-Za-z0-9+/]+", "<fingerprint>"),
    (r"\b\d+(\.\d+)? (ms|s|seconds?|minutes?)\b( ago)?", "<while>"),
    (r"\bjust now\b", "<while>"),
)


class Step(NamedTuple):
    """One command and the text that must appear; `line` is where it stands in the file."""

    line: int
    command: str
    expected: str


class Mismatch(Exception):
    """What a command printed or how it ended is not what the file says."""


def steps(text: str) -> list[Step]:
    """Every command of the console blocks that are to be run."""
    found: list[Step] = []
    for block in FENCE.finditer(text):
        if "skip" not in block["words"].split():
            found += _steps_of_block(block["text"], text.count("\n", 0, block.start()) + 2)
    return found


def _steps_of_block(block: str, first_line: int) -> list[Step]:
    found: list[Step] = []
    for offset, line in enumerate(block.splitlines()):
        if line.startswith("$ "):
            found.append(Step(first_line + offset, line[2:], ""))
        elif not found:
            raise Mismatch(f"line {first_line + offset}: a console block begins with a command, not {line!r}")
        elif line.startswith("> ") and not found[-1].expected:
            found[-1] = found[-1]._replace(command=f"{found[-1].command}\n{line[2:]}")
        else:
            found[-1] = found[-1]._replace(expected=f"{found[-1].expected}{line}\n")
    return found


def run(document: Path, folder: Path) -> int:
    """Type every command of a file in `folder`; raise Mismatch at the first surprise. Returns how many were run."""
    todo = steps(document.read_text("utf-8"))
    printed = _type([step.command for step in todo], folder) if todo else []
    keys = _keys_of_agents(folder)
    for step, seen, following in zip(todo, printed, [*todo[1:], None], strict=False):
        _check(step, seen, keys, code_is_shown=following is not None and following.command == "echo $?")
    return len(todo)


def _keys_of_agents(folder: Path) -> re.Pattern[str]:
    """Writers are called after their agent and four characters of a key, which may look like a word."""
    files = (path.stem for path in folder.glob("work/**/nexus/log/keys/*/keys-*.md"))
    agents = {match[1] for name in files if (match := re.fullmatch(r"keys-(.+)-[a-z2-7]{4}-\d{4}-\d\d", name))}
    return re.compile(rf"\b({'|'.join(map(re.escape, sorted(agents))) or 'nobody'})-[a-z2-7]{{4}}\b")


def _check(step: Step, printed: tuple[str, int] | None, keys: re.Pattern[str], code_is_shown: bool) -> None:
    place = f"line {step.line}: $ {step.command}\n"
    if printed is None:
        raise Mismatch(f"{place}never ended: it waits for something, or the shell is gone")
    text, code = printed
    if not matches(keys.sub(r"\1-<key>", step.expected), keys.sub(r"\1-<key>", text)):
        raise Mismatch(f"{place}--- the file says\n{step.expected}--- but what appears is\n{text}--- (exit {code})")
    if code and not code_is_shown:
        raise Mismatch(f"{place}ended with exit code {code}; a transcript that means that shows it with `echo $?`")


def matches(expected: str, text: str) -> bool:
    """Whether text is what was expected, with `...` for anything and volatile words compared by form.

    Blanks at the end of a line, and empty lines around the whole, do not count.
    """
    pattern = ""
    for line in _trimmed(expected):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _trimmed(text))) is not None


def _trimmed(text: str) -> list[str]:
    lines = "\n".join(line.rstrip() for line in by_form(text).splitlines()).strip("\n")
    return lines.split("\n") if lines else []


def by_form(text: str) -> str:
    """The text without colours and tabs, and with a word for its form where each run has another value."""
    text = COLOURS.sub("", text).expandtabs()
    for form, word in FORMS:
        text = re.sub(form, word, text)
    return text


def environment(home: Path, path: Path) -> dict[str, str]:
    """A person's plain environment: no variables of ours, of an agent's shell or of this machine."""
    kept = {key: value for key, value in os.environ.items() if key in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    assert not {mark for mark, _ in AGENT_MARKS} & set(kept)
    return kept | {
        "PATH": f"{path}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": str(REPOSITORY),
        "HOME": str(home),
        "MDMEM_HOME": str(home / "mdmem"),
        "USER": "ana",
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "NO_COLOR": "1",
        "COLUMNS": str(COLUMNS),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "Ana",
        "GIT_AUTHOR_EMAIL": "ana@example.org",
        "GIT_COMMITTER_NAME": "Ana",
        "GIT_COMMITTER_EMAIL": "ana@example.org",
    }


def programs(folder: Path) -> Path:
    """A folder with the commands of this interpreter: mdmem, python3 and python."""
    folder.mkdir(parents=True)
    python = shlex.quote(sys.executable)
    for name, words in {"mdmem": f"{python} -m markdown_memory", "python3": python, "python": python}.items():
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        script.chmod(0o755)
    return folder


def _type(commands: list[str], folder: Path) -> list[tuple[str, int] | None]:
    home, work = folder / "home", folder / "work"
    home.mkdir(parents=True)
    work.mkdir()
    script = folder / "session.sh"
    script.write_text("last=0\n" + "".join(map(_typed, commands)), "utf-8")
    output = _in_terminal(
        ["bash", "--noprofile", "--norc", str(script)], work, environment(home, programs(folder / "bin"))
    )
    parts = output.split(MARK)
    done: list[tuple[str, int] | None] = [(parts[at], int(parts[at + 1])) for at in range(0, len(parts) - 2, 2)]
    return done + [None] * (len(commands) - len(done))


def _typed(command: str) -> str:
    return f"( exit $last )\n{command}\nlast=$?\nprintf '{MARK}%d{MARK}' $last\n"


def _in_terminal(words: list[str], cwd: Path, env: dict[str, str]) -> str:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    process = subprocess.Popen(words, cwd=cwd, env=env, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)
    try:
        return _read_until_closed(master).decode("utf-8", "replace").replace("\r\n", "\n")
    finally:
        process.kill()
        process.wait()
        os.close(master)


def _read_until_closed(master: int) -> bytes:
    seen, deadline = b"", time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if select.select([master], [], [], 0.2)[0]:
            try:
                data = os.read(master, 65_536)
            except OSError:  # Linux says so when the last process has let go of the terminal
                break
            seen += data
    return seen
