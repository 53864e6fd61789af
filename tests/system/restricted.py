"""Python in a process that the system restricts: no superuser's way round permissions, small files, a small disk."""

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_DROP_FROM_BOUNDING_SET = 24  # prctl(2), PR_CAPBSET_DROP
_PASSING_PERMISSIONS = (1, 2, 3)  # capabilities(7): DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER


def ordinary(code: str, *words: object, file_limit: int = 0) -> str:
    """Run Python code that must succeed, as a user for whom mode bits count; its output."""
    return _run([sys.executable, "-c", code, *map(str, words)], lambda: _restrict(file_limit))


def on_small_disk(code: str, disk: Path, size: str, *words: object) -> str:
    """Run Python code with a disk of that size mounted at a folder, visible to this process only."""
    if (
        sys.platform != "linux"
        or subprocess.run(["unshare", "-rm", "true"], check=False, capture_output=True).returncode
    ):
        pytest.skip("mounting a small disk needs Linux with user namespaces")
    mount = f'mount -t tmpfs -o size={size} none "$1" && shift && exec "$@"'
    return _run(
        ["unshare", "-rm", "sh", "-c", mount, "sh", str(disk), sys.executable, "-c", code, *map(str, words)], None
    )


def _restrict(file_limit: int) -> None:
    if os.geteuid() == 0:
        prctl = ctypes.CDLL(None).prctl
        for capability in _PASSING_PERMISSIONS:
            prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
    if file_limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))


def _run(command: list[str], before: Callable[[], None] | None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, preexec_fn=before, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
