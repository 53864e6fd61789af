"""What the tests share: a clock that only a test moves, places below the test's own folder, vaults, notes."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places, default_places

# What is written durably is written fast in memory: where the system has a folder for that, tests have theirs in it.
if os.access("/dev/shm", os.W_OK | os.X_OK):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", "/dev/shm")

# Laws are tried on the same examples in every run, however busy the machine is; --hypothesis-profile=deeper tries more.
settings.register_profile("house", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deeper", settings.get_profile("house"), derandomize=False, max_examples=3000)
settings.load_profile("house")


class Clock:
    """Seconds since 1970 that stand still until a test moves them."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    """30 November 2026, 02:13:04 UTC."""
    return Clock(1796004784.0)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Config, state and cache of this test."""
    return default_places(str(tmp_path / "home"))


@pytest.fixture
def vault(tmp_path: Path, places: Places, clock: Clock) -> Path:
    """A new vault with the agents lyra and ella and the person ana."""
    root = tmp_path / "vault"
    Memory.init(str(root), agents=["lyra", "ella"], person="ana", places=places, clock=clock).close()
    return root


Open = Callable[..., Memory]


@pytest.fixture
def open_as(vault: Path, places: Places, clock: Clock) -> Iterator[Open]:
    """Open the vault as an agent, or as the person."""
    opened: list[Memory] = []

    def open_(agent: str = "", **more: object) -> Memory:
        given: dict[str, object] = {"places": places, "clock": clock, "cwd": str(vault)} | more
        opened.append(Memory.open(str(vault), agent=agent, **given))  # type: ignore[arg-type]  # a test's own choice
        return opened[-1]

    yield open_
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_as: Open) -> Memory:
    """The vault as the person sees it."""
    return open_as()


@pytest.fixture
def lyra(open_as: Open) -> Memory:
    """The vault as the agent lyra sees it."""
    return open_as("lyra")


Note = Callable[..., Path]


@pytest.fixture
def note(vault: Path) -> Note:
    """Write a file into the vault by hand, as an editor would."""

    def write(path: str, content: str | bytes = "") -> Path:
        target = vault / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    return write


def tree(root: Path) -> dict[str, bytes]:
    """Every visible file below a folder with its bytes."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                path = Path(folder, name)
                found[path.relative_to(root).as_posix()] = path.read_bytes()
    return found


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--new-pictures` draws the pictures of the README anew."""
    parser.addoption("--new-pictures", action="store_true", help="draw the pictures of the README anew")
