"""The guard: keeps an agent's own file tools from writing where the vault is written through its tools only.

What it looks at: the paths that file tools name, the files of a patch, and in a shell's command line the targets of
redirections and what the usual programs write to. A program can always hide what it writes; this is a rail that keeps
an agent on the road, not a wall, and when it cannot decide it says nothing. With access control it keeps reading tools
from other agents' private notes, too.
"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_memory.memory import Memory

GUARDED = ("memory", "inbox", "identity", "nexus", "Settings.md", "MEMORY.md")
PRIVATE = "memory/private"
INSTEAD = (
    "{} belongs to the memory vault, where files are not written directly. Use its tools instead: `mdmem retain` "
    "proposes what must be true next month, `mdmem log append` says what was just done, `mdmem checkpoint` where the "
    "work stands, `mdmem decide` what was chosen and why; the MCP server has the same. A person may edit it by hand."
)
NOT_YOURS = (
    "{} holds, or may hold, private notes of another agent; access control is on. Use `mdmem search` and `mdmem show`, "
    "which give what you may read."
)

WRITING = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "replace", "apply_patch"))
READING = frozenset(("Read", "Grep", "Glob", "LS", "NotebookRead", "read_file", "read_many_files", "list_directory"))
READING |= {"search_file_content", "glob"}
SHELLS = frozenset(("Bash", "shell", "local_shell", "exec_command", "run_shell_command"))
PATH_KEYS = ("file_path", "notebook_path", "path", "absolute_path", "dir_path", "paths", "include")
WRITERS = frozenset("cp dd install ln mkdir mv patch rm rmdir rsync shred tee touch truncate unlink".split())
IN_PLACE = frozenset(("sed", "perl", "ruby"))
DEEP = frozenset(("rg", "ag", "find", "fd", "tree", "tar", "zip", "rsync", "cp", "grep", "ls", "du"))
_IN_A_PATCH = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$", re.MULTILINE)
_REDIRECTION = re.compile(r"^\d*(?:>>?\|?|&>>?|<>)$")
_END = frozenset((";", "&&", "||", "|", "&", "(", ")", "|&", ";;"))


class Touched(NamedTuple):
    """A path that a tool is about to write or read; `deep` when it takes everything below."""

    path: str
    writes: bool
    deep: bool = False


def refusal(tool: str, given: Mapping[str, object], cwd: str, memory: "Memory") -> str:
    """Why the tool must not do that; "" when it may, or when nothing can be said."""
    root = memory.workspace.root
    for one in _touched(tool, given, cwd):
        for place in {_inside(root, one.path), _inside(root, os.path.realpath(one.path))} - {None}:
            if one.writes and _is_guarded(place or "", one.deep):
                return INSTEAD.format(one.path)
            if memory.workspace.access.on and _is_private(place or "", one.deep, memory):
                return NOT_YOURS.format(one.path)
    return ""


def _touched(tool: str, given: Mapping[str, object], cwd: str) -> Iterator[Touched]:
    """Absolute paths, as they are written."""
    texts = [text for text in _texts(given) if len(text) < 100_000]
    if tool in SHELLS or isinstance(given.get("command"), str):
        folder = given.get("dir_path") or given.get("directory") or given.get("workdir")
        here = _absolute(folder, cwd) if isinstance(folder, str) else cwd
        for text in texts:
            yield from _in_a_shell(text, here)
    elif tool in WRITING or tool in READING:
        for key in PATH_KEYS:
            value = given.get(key)
            for path in value if isinstance(value, list) else [value]:
                if isinstance(path, str):
                    yield Touched(_absolute(path, cwd), tool in WRITING, tool in READING)
        if tool in READING and not any(isinstance(given.get(key), str) for key in PATH_KEYS):
            yield Touched(cwd, writes=False, deep=True)
    for text in texts:
        for path in _IN_A_PATCH.findall(text) if "*** " in text else ():
            yield Touched(_absolute(path.strip(), cwd), writes=True)


def _texts(value: object) -> Iterator[str]:
    """Every text in what a tool is given."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        if value and all(isinstance(one, str) for one in value):
            yield shlex.join(value)
        else:
            for one in value:
                yield from _texts(one)


def _in_a_shell(text: str, cwd: str) -> Iterator[Touched]:
    """What a command line would write or read, as far as its words tell."""
    command: list[str] = []
    into = False
    for word in [*_words(text), ";"]:
        if word in _END:
            yield from _by_a_command(command, cwd)
            if command[:1] == ["cd"] and len(command) > 1:
                cwd = _absolute(command[1], cwd)
            if command[:1] in (["bash"], ["sh"], ["zsh"]) and len(command) > 2 and command[1] in ("-c", "-lc"):
                yield from _in_a_shell(command[2], cwd)
            command, into = [], False
        elif _REDIRECTION.match(word):
            into = True
        elif into:
            yield Touched(_absolute(word, cwd), writes=True)
            into = False
        else:
            command.append(word)


def _words(text: str) -> list[str]:
    """The words of a command line, with its operators as words of their own."""
    try:
        lexer = shlex.shlex(text.replace("\n", " ; "), posix=True, punctuation_chars="();<>|&")
        lexer.whitespace_split = True
        lexer.commenters = ""
        return list(lexer)
    except ValueError:
        return re.sub(r"([;&|<>]+)", r" \1 ", text).split()


def _by_a_command(command: Sequence[str], cwd: str) -> Iterator[Touched]:
    words = [word for word in command if not re.match(r"^\w+=", word)]
    while words and words[0] in ("sudo", "env", "command", "nohup", "time", "xargs"):
        words = words[1:]
    if not words:
        return
    program, options = os.path.basename(words[0]), [word for word in words[1:] if word.startswith("-")]
    writes = program in WRITERS or (
        program in IN_PLACE and any(word.startswith("-i") or "i" in word[1:3] for word in options)
    )
    deep = program in DEEP or any(letter in word for word in options for letter in "rR")
    plain = [word for word in words[1:] if not word.startswith("-")]
    if program in ("cp", "rsync", "install", "ln") and len(plain) > 1:
        yield from (Touched(_absolute(word, cwd), writes=False, deep=deep) for word in plain[:-1])
        plain = plain[-1:]
    for word in plain:
        yield Touched(_absolute(word.removeprefix("of="), cwd), writes, deep)
    if program in DEEP and deep and len(plain) < 2:  # a pattern, or nothing: they look here
        yield Touched(cwd, writes=False, deep=True)


def _absolute(path: str, cwd: str) -> str:
    return os.path.normpath(os.path.join(cwd, os.path.expanduser(os.path.expandvars(path))))


def _inside(root: str, path: str) -> str | None:
    """The place in the vault, "" for the vault itself and all above it; None for what lies elsewhere."""
    folded, top = path.casefold(), root.casefold()
    if folded == top or top.startswith(folded.rstrip("/") + "/"):
        return ""
    return path[len(root) + 1 :] if folded.startswith(top + "/") else None


def _is_guarded(place: str, deep: bool) -> bool:
    if not place:
        return deep  # the whole vault is moved or removed
    first = place.partition("/")[0].casefold()
    return any(first == one.casefold() for one in GUARDED)


def _is_private(place: str, deep: bool, memory: "Memory") -> bool:
    folded = place.casefold()
    if folded.startswith(PRIVATE + "/"):
        return not memory.workspace.access.may_know(PRIVATE + place[len(PRIVATE) :] + "/x")
    above = not folded or folded == PRIVATE or PRIVATE.startswith(folded + "/")
    return deep and above and bool(_others(memory))


def _others(memory: "Memory") -> list[str]:
    """Agents that have private notes here which this one may not know."""
    folder = os.path.join(memory.workspace.root, PRIVATE)
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return [name for name in names if not memory.workspace.access.may_know(f"{PRIVATE}/{name}/x")]
