"""What an installation brings along: packages and megabytes of a fresh environment, bytecode included."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.harness import Result
from tests.benchmarks.workshop import Workshop

PROJECT = Path(__file__).parents[2]
PACKAGES, MEGABYTES = 25, 60
OF_EVERY_ENVIRONMENT = {"pip", "setuptools", "wheel"}
NEIGHBOURS = "agentcairn 60 and 352, basic-memory 171 and 640"


class Size(NamedTuple):
    """Packages and their megabytes, largest first."""

    packages: dict[str, float]

    @property
    def total(self) -> float:
        return sum(self.packages.values())


def install(shop: Workshop) -> Iterator[Result]:
    """A base installation: at most 25 packages and 60 MB."""
    home = Path(shop.folder, "fresh")
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True, stdin=subprocess.DEVNULL)
    pip = [str(home / "bin" / "python"), "-m", "pip", "install", "-q", "--compile"]
    subprocess.run([*pip, str(PROJECT)], check=True, capture_output=True, stdin=subprocess.DEVNULL)
    size = measured(home)
    largest = ", ".join(f"{name} {megabytes:.1f}" for name, megabytes in list(size.packages.items())[:8])
    yield _figure("packages", len(size.packages), PACKAGES, f"neighbours: {NEIGHBOURS}")
    yield _figure("megabytes", size.total, MEGABYTES, largest)


def _figure(what: str, figure: float, limit: float, note: str) -> Result:
    return Result("install", what, figure, "limit", limit, 1.0, note, unit="")


def measured(home: Path) -> Size:
    """The disk space of every package of an environment as `du` has it, by the files that it says are its own."""
    program = str(home / "bin" / "python")
    done = subprocess.run([program, "-c", _LIST], check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    sizes: dict[str, float] = {}
    for line in done.stdout.splitlines():
        name, _, path = line.partition("\t")
        if name.lower() not in OF_EVERY_ENVIRONMENT and os.path.isfile(path):
            sizes[name] = sizes.get(name, 0) + os.stat(path).st_blocks / 2048
    return Size(dict(sorted(sizes.items(), key=lambda item: -item[1])))


_LIST = """
from importlib.metadata import distributions
for package in distributions():
    for file in package.files or ():
        print(package.metadata["Name"], file.locate(), sep="\\t")
"""
