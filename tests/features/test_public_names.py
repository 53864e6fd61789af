import subprocess
import sys

import markdown_memory
from markdown_memory import memory


def test_the_package_hands_out_memory_and_loads_nothing_before() -> None:
    assert markdown_memory.Memory is memory.Memory
    code = "import sys, markdown_memory; print([name for name in sys.modules if name.startswith('markdown_memory.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_type_can_be_imported_from_one_place() -> None:
    for name in memory.__all__:
        assert getattr(memory, name).__name__ == name
