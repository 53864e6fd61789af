"""The one fenced block of TOML in a note: found as CommonMark finds fences, read with the standard library.

tomllib takes 7 ms to import, so it is imported where it is needed.
"""

from typing import Any, NamedTuple


class Block(NamedTuple):
    """The text between the fences, the number of lines above it in the body, and how many such blocks there are."""

    text: str
    line: int
    blocks: int


class BrokenTomlError(Exception):
    """What is wrong, as a sentence without full stop, and in which line of the text (0 = not known)."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def find(body: str) -> Block:
    """The first block whose fence says `toml`; one inside another fence is text."""
    inside: list[str] = []
    start = blocks = 0
    fence, taken = "", False
    for number, line in enumerate(body.split("\n"), 1):
        bare = line.strip()
        if fence:
            if len(bare) >= len(fence) and not bare.strip(fence[0]):
                fence, taken = "", False
            elif taken:
                inside.append(line.removesuffix("\r"))
        elif bare.startswith(("```", "~~~")):
            info = bare.lstrip(bare[0])
            fence = bare[: len(bare) - len(info)]
            if (info.lower().split() or [""])[0] == "toml":
                blocks += 1
                taken = blocks == 1
                start = number if taken else start
    return Block("\n".join(inside), start, blocks)


def load(text: str) -> dict[str, Any]:
    """The table that a text holds. Raises BrokenTomlError."""
    if not text.strip():
        return {}
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).partition(" (at ")
        number = place.removeprefix("line ").partition(",")[0]
        line = int(number) if number.isdigit() else text.count("\n") + 1
        raise BrokenTomlError(f"The TOML cannot be read: {what[:1].lower()}{what[1:]}", line) from None
    except (RecursionError, ValueError):
        raise BrokenTomlError(
            "The TOML holds a number that is too long or lists that are nested too deeply", 0
        ) from None


def line_of(text: str, key: str) -> int:
    """In which line of a TOML text a key is set at the top level or in a table; 0 when that is not plain to see."""
    for number, line in enumerate(text.split("\n"), 1):
        name, equals, _ = line.partition("=")
        if equals and name.strip().strip("\"'") == key:
            return number
    return 0
