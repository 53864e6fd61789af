"""How a command ends: exit codes, one sentence for what went wrong, and where the rest of the story is kept.

No traceback reaches a person. An error that the package raises on purpose prints its own sentence. Anything
else is a bug of ours: the trace is written to the state folder and the sentence says where; MDMEM_DEBUG=1
shows it as well.
"""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from markdown_memory.errors import Ambiguous, MarkdownMemoryError, NotFound
from markdown_memory.frontends.cli.call import EndOfInput

if TYPE_CHECKING:
    from markdown_memory.frontends.cli.call import Call

EXIT_CODES = (
    (0, "fine", "The command did what it was asked."),
    (1, "problems found", "A check (verify, doctor) ran and found something to put right."),
    (2, "wrong use", "An unknown option, a missing word, an impossible value."),
    (3, "not found", "Nothing has that name; near matches are printed."),
    (4, "ambiguous or conflict", "Several notes have that name, or the file changed since it was read."),
    (5, "integrity", "A signature, chain or hash does not hold."),
    (6, "format", "A file cannot be read as what it should be, and is left alone."),
    (7, "access", "Refused: a person has to do this, or the vault is not trusted, or the note is private."),
    (8, "storage", "The disk, its permissions or a lock stand in the way."),
    (70, "internal error", "A bug in the program; the trace is in the file that is named."),
    (130, "interrupted", "Ctrl-C."),
    (141, "pipe closed", "The program that read the output has gone, as after `| head`."),
)

_STORAGE, _INTERNAL, _INTERRUPTED, _PIPE = 8, 70, 130, 141


def perform(call: "Call", verb: Callable[..., int | None], **values: Any) -> int:
    """Run the verb and turn whatever happens into an exit code and at most one sentence."""
    try:
        code = verb(call, **values) or 0
        call.tell_notices()
        return _flushed(call, code)
    except MarkdownMemoryError as error:
        return _report(call, error)
    except BrokenPipeError:
        return swallow_output()
    except (KeyboardInterrupt, EndOfInput):
        sys.stderr.write("\n" if call.here.errors_are_terminal else "")
        return _INTERRUPTED
    except OSError as error:
        return _end(call, "storage", _STORAGE, _system_sentence(error) + _kept(call))
    except Exception as error:  # noqa: BLE001  (the last resort: a bug of ours, told in a sentence)
        sentence = f"Internal error, not your fault: {type(error).__name__}: {_first_line(error)}."
        return _end(call, "internal", _INTERNAL, sentence + _kept(call))


def _flushed(call: "Call", code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        swallow_output()
        what = _system_sentence(error)
        return _end(call, "storage", _STORAGE, f"The command did its work, but its output cannot be written: {what}")
    return code


def usage(call: "Call", sentence: str) -> int:
    """End with a sentence about wrong use."""
    return _end(call, "usage", 2, sentence)


def swallow_output() -> int:
    """The reader of our output has gone: let the interpreter's last flush go nowhere, quietly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _PIPE


def _report(call: "Call", error: MarkdownMemoryError) -> int:
    if call.here.debug:
        _show_trace()
    near = error.near if isinstance(error, NotFound) else ()
    candidates = error.candidates if isinstance(error, Ambiguous) else ()
    return _end(call, _kind(error), error.exit_code, str(error), near=near, candidates=candidates)


def _kind(error: MarkdownMemoryError) -> str:
    """`NotFound` → `not-found`, `ConflictError` → `conflict`."""
    name = type(error).__name__.removesuffix("Error")
    return "".join(f"-{c.lower()}" if c.isupper() and at else c.lower() for at, c in enumerate(name))


def _end(call: "Call", kind: str, code: int, sentence: str, **more: tuple[str, ...]) -> int:
    try:
        call.complain(f"mdmem: {sentence}")
        if call.json:
            call.document({"error": {"kind": kind, "exit": code, "message": sentence, **more}})
        sys.stdout.flush()
    except OSError:
        swallow_output()
    return code


def _system_sentence(error: OSError) -> str:
    what = error.strerror or _first_line(error)
    return f"{what}: {error.filename}." if error.filename else f"{what}."


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [""])[0].rstrip(".")


def _kept(call: "Call") -> str:
    """Write the trace of the current exception to a file; the sentence that says where."""
    if call.here.debug:
        _show_trace()
    try:
        path = _write_trace(_state_folder(call))
    except OSError:
        return " (MDMEM_DEBUG=1 shows the trace.)"
    return f" The full trace is in {path} (MDMEM_DEBUG=1 shows it)."


def _state_folder(call: "Call") -> str:
    try:
        return call.places().state
    except Exception:  # noqa: BLE001  (what failed may be the very module that knows the folders)
        import tempfile

        return os.path.join(tempfile.gettempdir(), "mdmem")


def _write_trace(folder: str) -> str:
    import time
    import traceback

    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, time.strftime("crash-%Y%m%d-%H%M%S.txt", time.gmtime()))
    with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"{' '.join(sys.argv)}\n{sys.version}\n{traceback.format_exc()}\n")
    return path


def _show_trace() -> None:
    import traceback

    traceback.print_exc()
