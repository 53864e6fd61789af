"""The example vault with its ten proposals, and a queue over it that a test presses keys in."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from markdown_memory.core.settings import parse
from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places
from markdown_memory.storage.registry import Registry, Trusted
from tests.conftest import Clock

EXAMPLE = Path(__file__).parents[3] / "vault-example"


def trusted_copy(folder: Path, places: Places) -> Path:
    """A copy of the example vault that this machine has been told to trust."""
    shutil.copytree(EXAMPLE, folder)
    Registry(places).trust(Trusted(parse((EXAMPLE / "Settings.md").read_bytes()).vault_id, str(folder)))
    return folder


@pytest.fixture
def vault(tmp_path: Path, places: Places, clock: Clock) -> Path:
    """A new vault with the agents lyra and ella and the person ana."""
    root = tmp_path / "vault"
    Memory.init(str(root), agents=["lyra", "ella"], person="ana", places=places, clock=clock).close()
    return root


@pytest.fixture
def example(tmp_path: Path, places: Places) -> Path:
    """The folder of that copy."""
    return trusted_copy(tmp_path / "example", places)


@pytest.fixture
def mara(example: Path, places: Places, clock: Clock) -> Iterator[Memory]:
    """The example as the person sees it, on the morning after its month."""
    clock.move(86_400)
    with Memory.open(str(example), cwd=str(example), places=places, clock=clock) as memory:
        yield memory
