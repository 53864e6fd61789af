"""`mdmem demo`: a morning with two agents and a person, played with real commands in a vault that stays.

The vault is the example that comes with the package, under fresh keys. Its keys, state and indexes lie beside it in a
home of its own, so that nothing of the user's is touched and deleting the folder deletes all of it. The commands that
are printed are the commands that run, with their real output; only the clock is that of the story.
"""

import io
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout

from markdown_memory.errors import StorageError
from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.surroundings import Surroundings

Run = Callable[[Sequence[str], Surroundings], int]

FOLDER = "~/mdmem-demo"
WIDTH = 96
KEPT, TURNED_DOWN = "slow-sign-in-on-old-phones", "hall-wifi-is-down"
FACTS = (
    (
        KEPT,
        "Signing in again takes up to nine seconds on the old phones of stalls 02 and 11; the till waits ten.",
        "test of PR 88 at the stalls",
    ),
    (TURNED_DOWN, "The hall's Wi-Fi is down, all tills run on the mobile network.", "Jonas on the phone"),
)

OPENING = """\
Harbor is the till of a market hall in Hamburg. Mara writes it. Two agents help her: Ella pairs with her by day,
Lyra keeps the server running at night. What the three of them must not forget lies in one folder of Markdown
files, a vault. This is a copy of it, made just now and with keys of its own: {vault}"""

ARRIVAL = """\
Ella's session begins. An agent remembers nothing by itself, so its first command asks for all that it should
know: who it is, what happened since it was last here, and the notes that fit the task. One block, never longer
than its limit."""

NIGHT = """\
While everybody slept, Lyra found a fault and shipped the fix. Each entry is signed and chained to the one
before it, so nobody can change it unnoticed. Ella says that she has seen it: Lyra will read that tonight, and
nobody does the work twice."""

LEARNING = """\
Ella tests the fix and learns two things. She may not simply write them into the memory: what an agent wants to
keep waits in its inbox until a person has looked at it."""

GATE = "Nor can she let it through herself:"

REVIEW = """\
Mara has her coffee and looks at the queue. `mdmem review` asks about one proposal after the other; here she
names them. The first is worth knowing next month. The second is true today and belongs in the log, so it goes,
with the reason."""

FINDING = """\
A seller calls, and Lyra looks for it in other words than Ella's. She finds the note that was accepted half an
hour ago, with its file and line: anybody can open and correct it, in any editor."""

TRUST = "Can all of this be believed? Every signature, every chain and every file is checked:"


MORAL = "That was the whole circle: an agent learns, a person decides, every agent knows."


def demo(call: Call, folder: str, run: Run) -> None:
    """Make the vault, play the morning, and say how to go on."""
    from markdown_memory.memory import default_places
    from markdown_memory.upkeep import example

    wanted = os.path.abspath(os.path.expanduser(folder or FOLDER))
    place = _free(wanted)
    if folder and place != wanted:
        call.say(f"{folder} is there already, so this demo goes to {place}.")
    vault, home = os.path.join(place, "harbor"), os.path.join(place, "home")
    stage = Stage(call, run, vault, home)
    stage.heading("A morning with mdmem")
    stage.tell(OPENING.format(vault=vault))
    stage.morning = example(vault, places=default_places(home))
    _play(stage)
    if call.json:
        return call.document({"vault": vault, "home": home, "commands": stage.played})
    stage.tell(MORAL)
    return call.lines(_next_steps(place, vault, home))


class Stage:
    """Where the story is told: prose, and commands that really run in the demo's vault."""

    def __init__(self, call: Call, run: Run, vault: str, home: str) -> None:
        self._call = call
        self._run = run
        self._here = Surroundings(cwd=vault, home=home, plays_person=True, clock=self._time)
        self._begun = time.monotonic()
        self.morning = 0.0
        self.played: list[dict[str, object]] = []

    def heading(self, text: str) -> None:
        """A line that stands out."""
        self._say(self._call.paint(text, render.BOLD))

    def scene(self, minutes: int, text: str) -> None:
        """The story goes on at so many minutes past eight."""
        self.morning += minutes * 60
        moment = time.strftime("%H:%M", time.gmtime(self.morning))
        self._say(self._call.paint(moment, render.BOLD, render.CYAN))
        self.tell(text)

    def tell(self, text: str) -> None:
        """Prose, folded to the terminal."""
        width = min(self._call.width or WIDTH, WIDTH)
        self._say(*render.wrap(text, width), "")

    def play(self, *words: str, code: int = 0) -> str:
        """Show a command, run it, show what it printed; it must end with `code`."""
        command = _typed(["mdmem", *words])
        self._say(f"  {self._call.paint(f'$ {command}', render.GREEN)}")
        ended, output = self._capture(words)
        self._say(*(f"  {line}".rstrip() for line in output.rstrip("\n").split("\n")), "")
        self.played.append({"command": command, "exit": ended, "output": output})
        if ended != code:
            raise StorageError(f"The demo stopped: `{command}` ended with {ended}. It printed: {output.strip()}")
        return output

    def _capture(self, words: Sequence[str]) -> tuple[int, str]:
        data = io.BytesIO()
        stream = io.TextIOWrapper(data, encoding="utf-8", errors="backslashreplace", write_through=True)
        sys.stdout.flush()
        with redirect_stdout(stream), redirect_stderr(stream):
            ended = self._run(words, self._here)
            stream.flush()
        return ended, data.getvalue().decode("utf-8", "backslashreplace")

    def _say(self, *lines: str) -> None:
        if not self._call.json:
            self._call.lines(lines)

    def _time(self) -> float:
        return self.morning + time.monotonic() - self._begun


def _play(stage: Stage) -> None:
    """The morning itself."""
    ella = ("--agent", "ella")
    stage.scene(0, ARRIVAL)
    block = stage.play("context", "--query", "sellers are signed out", "--limit", "3000", *ella)
    stage.scene(4, NIGHT)
    fix = re.search(r"\^live-(lyra-[a-z0-9]+-[0-9]+)", block[block.find("PR 88") :])
    seen = ("--ack", fix.group(1)) if fix else ()
    stage.play("log", "append", "Read about the sign-outs. I test PR 88 on the oldest phones now.", *seen, *ella)
    stage.scene(71, LEARNING)
    for name, text, source in FACTS:
        stage.play("retain", text, "--name", name, "--source", source, *ella)
    stage.tell(GATE)
    stage.play("review", "accept", KEPT, *ella, code=7)
    stage.scene(30, REVIEW)
    stage.play("review", "show", KEPT)
    stage.play("review", "accept", KEPT)
    stage.play("review", "reject", TURNED_DOWN, "--reason", "true today, not next month")
    stage.scene(30, FINDING)
    stage.play("search", "why is the login so slow on an old phone", "--limit", "2", "--agent", "lyra")
    stage.scene(1, TRUST)
    stage.play("verify")


def _next_steps(place: str, vault: str, home: str) -> list[str]:
    from shlex import quote
    from shutil import which

    program = "mdmem" if which("mdmem") else f"{quote(sys.executable)} -m markdown_memory"
    commands = (
        ("review", "decide about the ten proposals that wait"),
        ("search no deploy on friday", "ask the vault something"),
        ("context --agent lyra", "see what the other agent would see"),
    )
    width = max(len(command) for command, _ in commands)
    return [
        "",
        "Look around; the vault is yours to play with.",
        "",
        f"  Obsidian   “Open folder as vault”: {vault}",
        "             Begin with Home.md. Tick “accept” in Review.base: the next command carries it out.",
        f"  Terminal   cd {quote(vault)} && export MDMEM_HOME={quote(home)}",
        *(f"             {program} {command:<{width}}   # {what}" for command, what in commands),
        f"  Your own   {program} init ~/memory --agents lyra,ella",
        f"  Clean up   delete {place}: nothing else on this machine was changed.",
    ]


def _free(path: str) -> str:
    """The folder, or the next one with a number when something is in it."""
    place, number = path, 1
    while os.path.lexists(place) and not (os.path.isdir(place) and not os.listdir(place)):
        number += 1
        place = f"{path}-{number}"
    return place


def _typed(words: Sequence[str]) -> str:
    """The command as a person would type it, with double quotes where they do."""
    from shlex import quote

    plain = ((word, quote(word)) for word in words)
    return " ".join(
        f'"{word}"' if word != quoted and not set(word) & set('"$`\\!') else quoted for word, quoted in plain
    )
