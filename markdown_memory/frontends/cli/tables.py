"""Tables drawn by rich. Never on the quick door: importing rich takes longer than `show` as a whole."""

import sys
from collections.abc import Sequence

from markdown_memory.frontends import render


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, width: int, colour: bool) -> None:
    """Draw a table into standard output."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=sys.stdout, width=width or None, no_color=not colour, highlight=False)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for at, head in enumerate(heads):
        table.add_column(head, overflow="fold", style="bold" if at == 0 else "")
    for row in rows:
        table.add_row(*(Text(render.one_line(cell)) for cell in row))
    console.print(table)
