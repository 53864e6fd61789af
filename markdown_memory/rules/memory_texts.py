"""What the memory tool answers, and what its commands do to a text: the words that Anthropic's models were trained on.

The sentences, the numbering of lines and the sizes are those of the SDK's own tool (`anthropic` 2.14), which a test
replays beside ours.
"""

from collections.abc import Iterator, Mapping
from itertools import islice

from markdown_memory.rules.memory_paths import MemoryToolError, path_of

MOST_LINES = 999_999
WIDTH = 6
AROUND = 2
DEEP = 2
MOST_LISTED = 400
MOST_QUOTED = 1000
MOST_NAMED = 100
NO_PATH = "The path {} does not exist. Please provide a valid path."
NO_FILE = "The path {} is not a file."
GONE = "The path {} does not exist"


def view(place: str, text: str, only: object) -> str:
    """A file with the numbers of its lines; `only` is [first, last], counted from 1, last -1 for the end."""
    path, lines = path_of(place), text.split("\n")
    if len(lines) > MOST_LINES:
        raise MemoryToolError(f"File {path} exceeds maximum line limit of {MOST_LINES:,} lines.")
    first, last = _range(only, len(lines))
    return f"Here's the content of {path} with line numbers:\n" + "\n".join(_numbered(lines, first, last))


def listing(place: str, sizes: Mapping[str, int]) -> str:
    """A folder with what lies in it, two levels deep; `sizes` are bytes by place, of every file below it."""
    path = path_of(place)
    lines = list(_below(path, _as_tree(place, sizes), 1))
    if len(lines) > MOST_LISTED:
        left = len(lines) - MOST_LISTED
        lines = [*lines[:MOST_LISTED], f"… and {left} more: view a folder of these, or {path_of('MEMORY.md')}"]
    head = f"Here're the files and directories up to {DEEP} levels deep in {path}, excluding hidden items:"
    return "\n".join([head, f"{size(sum(sizes.values()))}\t{path}", *lines])


def replaced(place: str, text: str, old: str, new: str) -> tuple[str, str]:
    """The text with `old`, which stands in it exactly once, replaced; and the answer with the lines around."""
    path, found = path_of(place), old if len(old) <= MOST_QUOTED else old[:MOST_QUOTED] + "…"
    if not old:
        raise MemoryToolError("No replacement was performed: old_str is empty. Give the text that is to be replaced.")
    if old not in text:
        raise MemoryToolError(f"No replacement was performed, old_str `{found}` did not appear verbatim in {path}.")
    if text.count(old) > 1:
        numbers = [str(line) for line in islice(_lines_with(text, old), MOST_NAMED + 1)]
        lines = ", ".join([*numbers[:MOST_NAMED], *(["…"] if len(numbers) > MOST_NAMED else [])])
        raise MemoryToolError(
            f"No replacement was performed. Multiple occurrences of old_str `{found}` in lines: {lines}. "
            "Please ensure it is unique"
        )
    line = text.count("\n", 0, text.index(old))
    after = text.replace(old, new)
    around = after.split("\n")
    snippet = _numbered(around, max(0, line - AROUND), min(len(around), line + AROUND + 1))
    said = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
    return after, said + "\n".join(snippet)


def inserted(text: str, line: int, more: str) -> str:
    """The text with more below that line (0: above all); its last line ends."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if not 0 <= line <= len(lines):
        raise MemoryToolError(
            f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}]."
        )
    after = "\n".join([*lines[:line], more.rstrip("\n"), *lines[line:]])
    return after if after.endswith("\n") else after + "\n"


def size(count: int) -> str:
    """Bytes as `ls -h` shows them: 0B, 14B, 4K, 1.5K."""
    power = min(max(count.bit_length() - 1, 0) // 10, 3)
    value = count / 1024**power
    return f"{int(value)}{'BKMG'[power]}" if value == int(value) else f"{value:.1f}{'BKMG'[power]}"


def _range(only: object, lines: int) -> tuple[int, int]:
    if only is None:
        return 0, lines
    if not isinstance(only, list | tuple) or len(only) != 2 or not all(type(one) is int for one in only):
        raise MemoryToolError("Invalid `view_range` parameter: give two numbers of lines, as in [1, 20].")
    first, last = only
    return max(1, first) - 1, lines if last == -1 else last


def _numbered(lines: list[str], first: int, last: int) -> list[str]:
    return [f"{number:>{WIDTH}}\t{line}" for number, line in enumerate(lines[first:last], first + 1)]


def _lines_with(text: str, wanted: str) -> Iterator[int]:
    at, line, seen = text.find(wanted), 1, 0
    while at >= 0:
        line += text.count("\n", seen, at)
        seen = at
        yield line
        at = text.find(wanted, at + 1)


Tree = dict[str, "int | Tree"]


def _as_tree(place: str, sizes: Mapping[str, int]) -> Tree:
    """Files and folders by name; a file is its size."""
    top: Tree = {}
    above = len(place) + 1 if place else 0
    for file, bytes in sizes.items():
        *folders, name = file[above:].split("/")
        here = top
        for folder in folders:
            inner = here.setdefault(folder, {})
            if isinstance(inner, int):  # a file that bears the name of a folder
                break
            here = inner
        else:
            here.setdefault(name, bytes)
    return top


def _below(path: str, tree: Tree, level: int) -> Iterator[str]:
    for name in sorted(tree):
        if name.startswith("."):
            continue
        inner = tree[name]
        if isinstance(inner, int):
            yield f"{size(inner)}\t{path}/{name}"
            continue
        yield f"{size(_sum(inner))}\t{path}/{name}/"
        if level < DEEP:
            yield from _below(f"{path}/{name}", inner, level + 1)


def _sum(tree: Tree) -> int:
    return sum(one if isinstance(one, int) else _sum(one) for one in tree.values())
