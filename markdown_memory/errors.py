"""What can go wrong, by whose concern it is.

Every error carries one sentence for a person: what happened, where, and what to do. The command line prints it and
ends with the class's exit code; these codes are documented and stable.
"""

from collections.abc import Iterable


class MarkdownMemoryError(Exception):
    """Base of all errors that this package raises on purpose."""

    exit_code = 1


class UserError(MarkdownMemoryError):
    """The request itself is wrong: an unknown option, an impossible name, a value out of range."""

    exit_code = 2


class NotFound(UserError):
    """Nothing has that name; `near` holds the names that come closest."""

    exit_code = 3

    def __init__(self, sentence: str, near: Iterable[str] = ()) -> None:
        self.near = tuple(near)
        hint = f" Did you mean {' or '.join(repr(name) for name in self.near)}?" if self.near else ""
        super().__init__(sentence + hint)


class Ambiguous(UserError):
    """Several things have that name; `candidates` holds their paths."""

    exit_code = 4

    def __init__(self, sentence: str, candidates: Iterable[str] = ()) -> None:
        self.candidates = tuple(candidates)
        listed = "".join(f"\n  {path}" for path in self.candidates)
        super().__init__(sentence + listed)


class ConflictError(MarkdownMemoryError):
    """The file is no longer what the caller read, or something stands where it would be written."""

    exit_code = 4


class IntegrityError(MarkdownMemoryError):
    """A signature, chain or hash does not hold."""

    exit_code = 5


class FormatError(MarkdownMemoryError):
    """A file is not what it should be and cannot be edited safely."""

    exit_code = 6


class AccessError(MarkdownMemoryError):
    """The caller may not do this: the gate, an untrusted vault, another agent's private notes."""

    exit_code = 7


class StorageError(MarkdownMemoryError):
    """The disk, its permissions or a lock stand in the way."""

    exit_code = 8
