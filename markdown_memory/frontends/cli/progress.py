"""A progress bar on standard error for work that turns out to take longer than a second.

Nothing is drawn, and rich is not even imported, before that second is over or when nobody watches.
"""

import time
from types import TracebackType
from typing import TYPE_CHECKING

from markdown_memory.frontends.cli.call import Call

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 1.0


class Progress:
    """Call it with (done, total); use it as a context, so that the bar goes away at the end."""

    def __init__(self, call: Call, what: str) -> None:
        self._watched = call.here.errors_are_terminal and not call.quiet and not call.json
        self._what = what
        self._start = time.monotonic()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> "Progress":
        return self

    def __call__(self, done: int, total: int) -> None:
        if not self._watched or time.monotonic() - self._start < PATIENCE:
            return
        if self._bar is None:
            self._begin(total)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _begin(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*parts, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(self._what, total=total)
        self._bar.start()
