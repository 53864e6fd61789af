"""One run of the command line: the global options, the surroundings, the vault to open, and the two output
streams.

Results go to standard output, everything else to standard error, so that a pipe carries results only. With
--json, standard output holds exactly one JSON document, also when the call fails.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from markdown_memory.frontends import render
from markdown_memory.frontends.cli.surroundings import Surroundings

if TYPE_CHECKING:
    from markdown_memory.memory import Claim, Memory, Places

_PLAIN_WIDTH = 0  # what is piped is never cut


class EndOfInput(EOFError):
    """A question got no answer, because there is no more input."""


class Call:
    """What a verb needs to know and where it says what it found."""

    def __init__(
        self,
        here: Surroundings,
        *,
        vault: Sequence[str] = (),
        agent: str = "",
        project: str | None = None,
        branch: str | None = None,
        json: bool = False,
        plain: bool = False,
        quiet: bool = False,
    ) -> None:
        self.here = here
        self.vaults = tuple(vault)
        self.agent = agent or here.agent or here.client
        self.project = project
        self.branch = branch
        self.json = json
        self.quiet = quiet
        self.colour = here.colour and not plain
        self.rich = here.output_is_terminal and not plain
        self._opened: list[Memory] = []
        self.person_present = here.person_present and not self.agent

    # the vault

    def memories(self) -> "Iterator[Memory]":
        """Every vault that the options name, one after the other, for a verb that reads; else the one found from here.

        A verb that writes opens the first.
        """
        for vault in self.vaults or ("",):
            with self.memory(vault=vault) as memory:
                yield memory

    def memory(
        self,
        *,
        vault: str = "",
        untrusted: bool = False,
        session: str = "",
        cwd: str | None = None,
        via: str = "cli",
    ) -> "Memory":
        """Open the vault that the options, the environment or the working directory name."""
        from markdown_memory.memory import Memory

        memory = Memory.open(
            vault or next(iter(self.vaults), None),
            environment=self.here.vault,
            agent=self.agent,
            project=self.project,
            branch=self.branch,
            cwd=cwd or self.here.cwd or None,
            session=session or self.here.session,
            places=self.places(),
            clock=self.here.clock,
            via=via,
            person_present=self.person_present,
            untrusted=untrusted,
            claim=self._claim() if via == "cli" else None,
        )
        self._opened.append(memory)
        if self.here.ephemeral:
            memory.log.ephemeral = True
        found = memory.workspace.found
        for line in () if untrusted else (*(one.line for one in found.skipped), found.instead):
            if line:
                self.say(line)
        return memory

    def _claim(self) -> "Claim":
        """Who this call says it is, and what its surroundings say; a server's or hook's configuration is no claim."""
        from markdown_memory.memory import Claim

        return Claim(self.agent, self.here.agent or self.here.client, self.here.person_present)

    def act_as(self, agent: str) -> None:
        """From here on, this is that agent's call and no person's."""
        self.agent, self.person_present = agent, False

    def tell_notices(self) -> None:
        """What the writes of this call have to say beside their result."""
        for memory in self._opened:
            for notice in memory.workspace.notices:
                self.complain(notice)
            memory.workspace.notices.clear()

    def places(self) -> "Places":
        """Where config, state and cache live; MDMEM_HOME moves all three."""
        from markdown_memory.memory import default_places

        return default_places(self.here.home or None)

    def clock(self) -> float:
        """Seconds since 1970: the system's clock, or that of the story which the demo tells."""
        import time

        return self.here.clock() if self.here.clock else time.time()

    # standard output

    @property
    def width(self) -> int:
        """Columns of the terminal, 0 when the output is piped."""
        if not self.here.output_is_terminal:
            return _PLAIN_WIDTH
        if self.here.columns:
            return self.here.columns
        try:
            return os.get_terminal_size(sys.stdout.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    def document(self, value: object) -> None:
        """Write the one JSON document of this call."""
        sys.stdout.write(render.json_text(value, ascii_only=_ascii_only()) + "\n")

    def json_line(self, value: object) -> None:
        """Write one document of several, on one line."""
        sys.stdout.write(render.json_text(value, ascii_only=_ascii_only(), indent=None) + "\n")

    def lines(self, lines: Iterable[str]) -> None:
        """Write lines of text."""
        for line in lines:
            sys.stdout.write(line + "\n")

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Write a table: by rich in a terminal, as plain aligned columns elsewhere."""
        if self.rich and rows:
            from markdown_memory.frontends.cli.tables import print_table

            print_table(heads, rows, width=self.width, colour=self.colour)
        else:
            self.lines(render.columns([[head.upper() for head in heads], *rows] if rows else [], self.width))

    def verbatim(self, data: bytes) -> None:
        """Write a file's bytes: untouched into a pipe, with visible control characters into a terminal."""
        if self.here.output_is_terminal:
            text = render.foreign(data.decode("utf-8", "replace").removeprefix("\ufeff"))
            sys.stdout.write(text if text.endswith("\n") else text + "\n")
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)

    def paint(self, text: str, *codes: str) -> str:
        """The text in colour, where colour is wanted."""
        return render.paint(text, *codes, on=self.colour)

    # standard error

    def say(self, text: str) -> None:
        """Tell the person something beside the result; --quiet silences it."""
        if not self.quiet:
            self.complain(text)

    def complain(self, text: str) -> None:
        """Tell the person something that must not be lost."""
        if self.here.output_is_terminal or self.here.plays_person:
            sys.stdout.flush()  # keep the order that the person sees
        with suppress(OSError):  # a remark that cannot be written keeps no result from being written
            sys.stderr.write(render.foreign(text) + "\n")


def _ascii_only() -> bool:
    """Whether standard output takes nothing but ASCII for sure."""
    return (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
