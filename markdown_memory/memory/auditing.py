"""Auditing an open vault: where it is switched on, each operation that comes in from outside becomes an entry.

What an operation asks of other parts is no operation of its own. Where auditing is off, nothing of this is loaded.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from markdown_memory.errors import AccessError, MarkdownMemoryError
from markdown_memory.features.audit import DENIED, DONE, FAILED, WOULD_BE_DENIED, Audit, Operation, key_of

if TYPE_CHECKING:
    from markdown_memory.memory.parts import Parts
    from markdown_memory.workspace import Workspace

T = TypeVar("T")
VERBS = (
    "store", "show", "index", "list", "edit", "rename", "forget", "restore", "search", "context", "retain",
    "retain_transcript", "verify", "doctor", "sync", "undo", "fold_copies",
)  # fmt: skip
SILENT = ("brief", "render", "mark_read", "close")
"""What a frontend does with an answer it has got already."""


class Auditor:
    """Watches one open vault."""

    def __init__(self, space: "Workspace") -> None:
        self._space = space
        self._audit = Audit(space)
        self._inside = False

    def attach(self, memory: "Parts") -> None:
        """From now on the memory's verbs are operations."""
        for verb in VERBS:
            if hasattr(memory, verb):
                setattr(memory, verb, self._watched(verb, getattr(memory, verb)))

    def part(self, name: str, part: T) -> T:
        """The part, with its verbs as operations."""
        return cast("T", _Watched(self, name, part))

    def watch(self, tool: str, key: str, run: Callable[[], T], category: str = "") -> T:
        """Do it, and note how it went; a refusal or failure goes on after it was noted."""
        if self._inside:
            return run()
        self._inside = True
        self._space.leniences.clear()
        operation = Operation(tool, key, category)
        try:
            found = run()
            lenient = self._space.leniences
            operation = operation._replace(result=WOULD_BE_DENIED if lenient else DONE, why=" ".join(lenient))
            return found
        except MarkdownMemoryError as error:
            result = DENIED if isinstance(error, AccessError) else FAILED
            operation = operation._replace(result=result, why=str(error))
            raise
        except BaseException as error:
            operation = operation._replace(result=FAILED, why=type(error).__name__)
            raise
        finally:
            self._inside = False
            self._audit.note(operation)

    def denied(self, tool: str, why: str) -> None:
        """Something was refused before it began."""
        self._audit.note(Operation(tool, result=DENIED, why=why))

    def would_deny(self, tool: str, why: str) -> None:
        """Something that access control would have refused."""
        self._audit.note(Operation(tool, result=WOULD_BE_DENIED, why=why))

    def _watched(self, tool: str, method: Callable[..., T]) -> Callable[..., T]:
        def run(*given: Any, **more: Any) -> T:
            category = str(more.get("category") or "")
            key = key_of(given or [value for name, value in more.items() if name in ("name", "text", "old", "query")])
            return self.watch(tool.replace("_", " "), key, lambda: method(*given, **more), category)

        return run


class _Watched:
    """Stands for a part: its verbs are operations, everything else is the part's own."""

    def __init__(self, auditor: Auditor, name: str, part: object) -> None:
        self._auditor, self._name, self._part = auditor, name, part

    def __getattr__(self, verb: str) -> Any:
        found = getattr(self._part, verb)
        if not callable(found) or verb.startswith("_") or verb in SILENT:
            return found
        return self._auditor._watched(f"{self._name} {verb}", found)
