"""What a person or a pipe hands in: standard input, the editor, the answer to a question."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from markdown_memory.errors import MarkdownMemoryError, StorageError, UserError
from markdown_memory.frontends.cli.call import Call, EndOfInput

LARGEST_TEXT = 5_000_000  # bytes; no note is longer
FALLBACK_EDITORS = ("nano", "vim", "vi")


def given_text(call: Call, text: str, what: str) -> str:
    """The text itself, or standard input for `-`; never waits silently at a terminal."""
    if text != "-":
        return text
    if call.here.input_is_terminal:
        call.say(f"Type {what}; end with Ctrl-D.")
    read = sys.stdin.buffer.read(LARGEST_TEXT + 1)
    if len(read) > LARGEST_TEXT:
        raise UserError(f"Standard input holds more than {LARGEST_TEXT:,} bytes, too much to be {what}; split it.")
    try:
        return read.decode("utf-8")
    except UnicodeDecodeError:
        raise UserError(f"Standard input holds no UTF-8 text, so it cannot be {what}.") from None


def ask(call: Call, question: str) -> str:
    """One line from the person; raises EndOfInput when there is none."""
    sys.stdout.flush()
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EndOfInput
    return line.strip()


def edited(call: Call, text: str, name: str) -> str:
    """The text after the person has worked on it in the editor."""
    import shlex
    import subprocess
    import tempfile

    try:
        command = shlex.split(call.here.editor) or _installed_editor()
    except ValueError as error:
        raise UserError(f"EDITOR is no command line: {call.here.editor!r} ({str(error).lower()}).") from error
    if not command or not (call.here.input_is_terminal or call.here.editor):
        raise UserError("No editor to open: set EDITOR, or say what to change with --body or --set KEY=VALUE.")
    with tempfile.TemporaryDirectory(prefix="mdmem-") as folder:
        path = os.path.join(folder, _safe_file_name(name))
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        try:
            code = subprocess.run([*command, path], check=False).returncode
        except OSError as error:
            raise StorageError(f"The editor {command[0]!r} cannot be started: {error.strerror}.") from error
        if code:
            raise UserError(f"The editor {command[0]!r} ended with code {code}; nothing was changed.")
        return _as_left(path, command[0])


def _as_left(path: str, editor: str) -> str:
    """What the editor has saved."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        raise UserError(f"What the editor {editor!r} saved is no UTF-8 text; nothing was changed.") from None
    except OSError as error:
        raise UserError(f"The editor {editor!r} left no file to read; nothing was changed.") from error


@contextmanager
def kept_if_refused(call: Call, text: str) -> Iterator[None]:
    """What a person has worked on is not thrown away when it cannot be saved: say where it is."""
    try:
        yield
    except MarkdownMemoryError:
        with suppress(OSError):
            call.complain(f"Your text is kept in {keep(text)}.")
        raise


def keep(text: str) -> str:
    """Write a text to a file of its own; its path. Raises OSError."""
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile("w", encoding="utf-8", newline="", prefix="mdmem-", suffix=".md", delete=False) as file:
        file.write(text)
    return file.name


def _installed_editor() -> list[str]:
    from shutil import which

    found = next((editor for editor in FALLBACK_EDITORS if which(editor)), "")
    return [found] if found else []


def _safe_file_name(name: str) -> str:
    kept = "".join(c if c.isalnum() or c in "-_ " else "-" for c in name)[:60].strip("- ")
    return f"{kept or 'note'}.md"
