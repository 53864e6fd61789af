"""Strict integrity at the command line."""

from pathlib import Path

from tests.features.test_strict import HAND, PLANTED
from tests.frontends.conftest import Shell


def test_the_command_line_says_what_is_withheld(shell: Shell, vault: Path) -> None:
    with open(shell.home / "mdmem/config/config.toml", "a", encoding="utf-8") as file:
        file.write('integrity = "strict"\n')
    (vault / PLANTED).write_text(HAND)
    refused = shell("show", "planted", "--agent", "lyra")
    assert refused.code == 7 and "`mdmem approve`" in refused.sentence
    listed = shell("list", "--agent", "lyra")
    assert (listed.out, listed.err.count("1 file")) == ("", 1)
    assert "planted" in shell.fine("list")
    shell.terminal("approve", "planted")
    assert "planted" in shell.fine("list", "--agent", "lyra")
