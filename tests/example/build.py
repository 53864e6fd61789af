"""Build the generated part of vault-example: logs, ledger, checkpoints, memory index, live context.

    python -m tests.example.build            into vault-example
    python -m tests.example.build FOLDER     a whole vault into FOLDER

The month is played with the package's own API, at the times of tests/example/month.toml, by writers whose keys lie in a
temporary folder and are gone afterwards. So the result differs from run to run. Run it when the format changes, and
commit what it made.
"""

import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from markdown_memory import Memory
from markdown_memory.core import layout
from markdown_memory.core.times import parse
from markdown_memory.features.checkpoint import Checkpoint, save
from markdown_memory.features.log import DECISIONS, Log
from markdown_memory.storage.places import default_places
from markdown_memory.storage.registry import Registry, Trusted
from markdown_memory.workspace import Edit, Workspace
from tests.example.plan import PERSON, START, Changed, Moment, Said, Step, moment, steps

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "vault-example"
MONTH = Path(__file__).with_name("month.toml")
GENERATED = (layout.MEMORY_INDEX, layout.LIVE_CONTEXT, "nexus/log", "nexus/checkpoints")
AGENTS = ("ella", "lyra")


class Player:
    """Plays steps in a folder; the clock is the step's time."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root, self.now = root, START
        self._places = default_places(str(home))
        self._open: dict[tuple[str, str, str], Workspace] = {}
        self._said: dict[Moment, str] = {}

    def begin(self, vault_id: str) -> None:
        """Make the keys of person and agents, and sign for what is there."""
        Registry(self._places).trust(Trusted(vault_id, str(self.root), "", PERSON, START))
        mara = self.workspace(PERSON)
        root = mara.logs.root_person(PERSON, "cli")
        for agent in AGENTS:
            writer = mara.logs.writer(agent)
            mara.logs.introduce(writer, "cli")
            mara.logs.confirm(root, writer, "cli")
        paths = sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*.md"))
        signed = [path for path in paths if layout.place_of(path).area in layout.SIGNED_AREAS]
        mara.attest(signed, kind="init", text=f"made the vault with {len(signed)} notes")

    def play(self, step: Step) -> None:
        """Do what the step says."""
        self.now = step.time
        if isinstance(step, Said):
            self._say(step)
        elif isinstance(step, Changed):
            self._change(step)
        else:
            save(self.workspace(step.who, step.project, step.branch), Checkpoint(**step.parts))

    def workspace(self, who: str, project: str = "harbor", branch: str = "main") -> Workspace:
        """The vault as somebody has it open."""
        key = (who, project, branch)
        if key not in self._open:
            agent = "" if who == PERSON else who
            memory = Memory.open(
                str(self.root),
                agent=agent,
                project=project,
                branch=branch,
                cwd=str(self.root),
                places=self._places,
                clock=lambda: parse(self.now) or 0.0,
                via="cli",
            )
            self._open[key] = memory.workspace
        return self._open[key]

    def log_file(self, who: str) -> Path:
        """The live-context file of the month in which somebody writes."""
        (path,) = (self.root / layout.LOG_FOLDER / "live-context").rglob(f"live-context-{who}-*.md")
        return path

    def _say(self, step: Said) -> None:
        log = Log(self.workspace(step.who))
        if step.log == DECISIONS:
            log.decide(step.text, step.channel)
        else:
            ack = [self._said[time] for time in step.ack]
            self._said[step.time] = log.append(step.text, step.channel, step.kind, ack).id

    def _change(self, step: Changed) -> None:
        space = self.workspace(step.who)
        edits = [Edit(path, space.hash_of(path), new) for path, new in step.files.items()]
        gone = [edit.path for edit in edits if edit.new is None]
        edits = [edit._replace(move_from=gone[0]) if edit.new and gone else edit for edit in edits]
        space.change(edits, kind=step.kind, text=step.text, data=step.data)


def build(target: Path) -> None:
    """Play the month into `target`, an empty folder."""
    month = tomllib.loads(MONTH.read_text("utf-8"))
    start, later = steps(authored(), month)
    for path, data in start.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(data)
    with tempfile.TemporaryDirectory() as home:
        player = Player(target, Path(home))
        player.begin(_vault_id(start[layout.SETTINGS]))
        apart = {moment(month, second): moment(month, first) for first, second in month["apart"]}
        _play(player, later, apart)
        Log(player.workspace(PERSON)).render()


def authored() -> dict[str, bytes]:
    """Every hand-written file of vault-example."""
    paths = sorted(path for path in EXAMPLE.rglob("*") if path.is_file())
    files = {path.relative_to(EXAMPLE).as_posix(): path.read_bytes() for path in paths}
    return {path: data for path, data in files.items() if not path.startswith((*GENERATED, ".mdmem/"))}


def _play(player: Player, later: list[Step], apart: dict[Moment, Moment]) -> None:
    before: dict[Moment, bytes] = {}
    for step in later:
        if step.time in apart.values():
            before[step.time] = player.log_file(step.who).read_bytes()
        if step.time in apart:
            first = apart[step.time]
            who = next(one.who for one in later if one.time == first)
            with _not_here_yet(player.log_file(who), before[first]):
                player.play(step)
        else:
            player.play(step)


@contextmanager
def _not_here_yet(file: Path, before: bytes) -> Iterator[None]:
    """As on a machine that has not received the newest entries of a file."""
    now = file.read_bytes()
    file.write_bytes(before)
    yield
    file.write_bytes(now)


def _vault_id(settings: bytes) -> str:
    from markdown_memory.core.settings import parse

    return parse(settings).vault_id


def main(arguments: list[str]) -> None:
    """Into the named folder, or into vault-example."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(arguments[0]) if arguments else Path(folder) / "vault"
        made.mkdir(parents=True, exist_ok=True)
        build(made.resolve())
        if not arguments:
            _replace_generated(made)


def _replace_generated(made: Path) -> None:
    for path in GENERATED:
        old, new = EXAMPLE / path, made / path
        if old.is_dir():
            shutil.rmtree(old)
        if new.is_dir():
            shutil.copytree(new, old)
        elif new.is_file():
            shutil.copyfile(new, old)


if __name__ == "__main__":
    main(sys.argv[1:])
