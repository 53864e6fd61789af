"""The full-screen queue in a real terminal of 80 × 24, and when it is shown at all."""

import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the full-screen queue needs the extra `tui`")

from tests.frontends.conftest import PATIENCE, PROGRAM, Shell, make_shell, make_vault, plain

needs_tmux = pytest.mark.skipif(not shutil.which("tmux"), reason="a real terminal is played by tmux, which is not here")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell whose vault has three proposals."""
    shell = make_shell(tmp_path)
    make_vault(shell, tmp_path / "shop")
    for name in ("cents", "tabs", "tuesdays"):
        shell.fine("retain", f"We count in {name}.", "--name", name, "--source", "standup", "--agent", "lyra")
    return shell


class Terminal:
    """A program in tmux, on a server of its own."""

    def __init__(self, socket: Path, command: str) -> None:
        self._socket = socket
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", command)

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def until(self, text: str) -> str:
        """What is on the screen once `text` is; fails when it does not come."""
        deadline = time.monotonic() + PATIENCE
        while text not in (seen := self._tmux("capture-pane", "-p")):
            assert time.monotonic() < deadline, seen
            time.sleep(0.05)
        return seen

    def close(self) -> None:
        self._tmux("kill-server")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-S", str(self._socket), *words], capture_output=True, text=True, check=False)
        return done.stdout


@pytest.fixture
def terminal(shell: Shell, tmp_path: Path) -> Iterator[Terminal]:
    """`mdmem review` in a terminal, with an editor that puts pence for cents."""
    env = {**shell.env, "EDITOR": "sed -i s/cents/pence/", "TERM": "screen-256color"}
    words = " ".join(f"{key}={shlex.quote(value)}" for key, value in env.items())
    opened = Terminal(tmp_path / "tmux", f"env -i {words} {shlex.join(PROGRAM)} review; echo left with $?; read x")
    yield opened
    opened.close()


@needs_tmux
def test_a_person_reviews_in_a_real_terminal(shell: Shell, terminal: Terminal, tmp_path: Path) -> None:
    first = terminal.until("3 proposals waiting")
    assert "We count in cents." in first and "q quit" in first
    terminal.press("e")
    assert "We count in pence." in terminal.until("edited inbox/lyra/cents.md")
    terminal.press("a")
    terminal.until("accepted → memory/project/main/cents.md")
    terminal.press("r")
    terminal.until("Reject tabs: why?")
    terminal.press("-l", "only on staging")
    terminal.press("Enter")
    terminal.until("rejected → archive/inbox/lyra/tabs.md")
    shell.terminal("review", "accept", "tuesdays")
    terminal.until("0 proposals waiting")
    terminal.press("u")
    terminal.until("1 proposal waiting")
    terminal.press("q")
    assert "1 proposal waiting." in terminal.until("left with 0")
    assert "pence" in (tmp_path / "shop/memory/project/main/cents.md").read_text()


def test_plain_is_a_prompt_and_so_is_a_terminal_that_cannot_place_its_cursor(shell: Shell) -> None:
    assert "[a]ccept" in plain(shell.terminal("review", "--plain", keys="q\n").out)
    assert "[a]ccept" in plain(shell.terminal("review", keys="q\n", env={"TERM": "dumb"}).out)


def test_an_agents_shell_is_never_given_the_full_screen(shell: Shell) -> None:
    done = shell.terminal("review", keys="q\n", env={"CLAUDECODE": "1", "MDMEM_AGENT": "lyra"})
    assert "[a]ccept" in plain(done.out)


def test_asked_for_without_a_terminal_it_says_what_to_do(shell: Shell) -> None:
    done = shell("review", "--tui")
    assert (done.code, "needs a terminal" in done.sentence) == (2, True)


def test_without_the_extra_the_prompt_is_there_and_the_option_names_the_extra(shell: Shell, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(
        "import importlib.util, sys\n"
        "found = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *a: None if name == 'textual' else found(name, *a)\n"
        "sys.modules['textual'] = None\n"
    )
    shell.env["PYTHONPATH"] = f"{hidden}:{shell.env['PYTHONPATH']}"
    assert "[a]ccept" in plain(shell.terminal("review", keys="q\n").out)
    done = shell.terminal("review", "--tui")
    assert done.code == 2 and "pip install 'markdown-memory-toolkit[tui]'" in done.out
