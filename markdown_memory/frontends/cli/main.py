"""The entry point of `mdmem`: the quick door for the verbs of every turn, Typer for everything else."""

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from markdown_memory.frontends.cli import fast
from markdown_memory.frontends.cli.surroundings import Surroundings, look_around

_STORAGE, _PIPE_CLOSED = 8, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    if argv is None and os.name == "posix" and sys.getfilesystemencoding() != "utf-8":
        _begin_again_in_utf8()
    words = sys.argv[1:] if argv is None else list(argv)
    _make_output_safe()
    try:
        return _run(words, quick_end=argv is None)
    except BrokenPipeError:
        return _PIPE_CLOSED
    except OSError as error:  # what a command did raises none; this is the help's own output
        _complain(f"mdmem: The output cannot be written: {error.strerror or error}.")
        return _STORAGE
    finally:
        _last_flush()


def _run(words: Sequence[str], quick_end: bool) -> int:
    try:
        here = look_around()
        parsed = None if here.completing else fast.parse(words)
        if parsed is None:
            return _full(words, here)
        return _uncollected(parsed, here) if quick_end else _quick(parsed, here)
    except KeyboardInterrupt:  # while something was still being imported
        return 130


def _quick(parsed: fast.Parsed, here: Surroundings) -> int:
    from markdown_memory.frontends.cli.call import Call
    from markdown_memory.frontends.cli.failures import perform

    module, _, name = parsed.run.partition(":")
    verb = getattr(import_module(f"{__package__}.{module}"), name)
    return perform(Call(here, **parsed.globals), verb, **parsed.values)  # type: ignore[arg-type]  # checked by kind


def _uncollected(parsed: fast.Parsed, here: Surroundings) -> int:
    """As `_quick`, in a process that ends right after: looking for garbage, then and now, takes a tenth of its time."""
    gc.disable()
    try:
        return _quick(parsed, here)
    finally:
        gc.freeze()


def _full(words: Sequence[str], here: Surroundings) -> int:
    from markdown_memory.frontends.cli.app import run

    return run(words, here)


def _begin_again_in_utf8() -> None:
    """A vault is UTF-8 wherever it lies; in another locale the names of its files and our words would not be."""
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, "PYTHONUTF8": "1"})


def _complain(sentence: str) -> None:
    with suppress(OSError):
        sys.stderr.write(sentence + "\n")


def _last_flush() -> None:
    """Let what cannot be written go nowhere: the interpreter's own last flush would end the process with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _make_output_safe() -> None:
    """Write what the terminal's encoding lacks, and half of a broken file name, as an escape."""
    if sys.stdout is None:  # closed by the caller, as with >&-
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (lives as long as the process)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
