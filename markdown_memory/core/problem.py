"""A problem is a value: something about one file that a person should know, with what to do about it."""

from typing import NamedTuple


class Problem(NamedTuple):
    """One finding. `line` is 1-based and 0 when the whole file is meant; `code` is stable, like `note-yaml-broken`."""

    code: str
    path: str
    line: int
    message: str
    remedy: str = ""

    @property
    def where(self) -> str:
        """`path:line`, or the path alone."""
        return f"{self.path}:{self.line}" if self.line else self.path
