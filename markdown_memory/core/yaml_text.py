"""Values as YAML text that every reader takes for the same, be it of YAML 1.1, of 1.2, or Obsidian.

Whatever one of them could misread is quoted. Dates are left bare where a date is meant, since Obsidian writes them so;
a name that looks like a date is quoted.
"""

from markdown_memory.errors import UserError

_YAML_11_WORDS = frozenset("y n yes no on off true false null ~ = << .inf -.inf +.inf .nan".split())
_BAD_START = frozenset("[]{},#&*!|>'\"%@`?:- \t=<")
_NUMERIC = frozenset("0123456789abcdefABCDEFxoXO_:+-.etTzZ ")
_DATE_SHAPES = ("0000-00-00", "0000-00-00T00:00:00")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def line(key: str, value: object, newline: str, dated: bool = False) -> str:
    """`key: value` with its line end; a list goes below, one item a line, as Obsidian writes it."""
    return f"{scalar(key)}:{after_colon(value, newline, dated)}{newline}"


def after_colon(value: object, newline: str, dated: bool = False) -> str:
    """What stands behind the colon."""
    if not isinstance(value, list | tuple):
        text = scalar(value, dated=dated)
        return f" {text}" if text else ""
    return "".join(f"{newline}  - {scalar(item)}" for item in value) if value else " []"


def scalar(value: object, *, flow: bool = False, dated: bool = False) -> str:
    """One value as YAML text that readers of 1.1 and of 1.2 take for the same; a date stays bare when `dated`."""
    if value is None:
        return "null" if flow else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(value)
    if not isinstance(value, str):
        raise UserError(f"A property holds text, a number, true or false, a date, or a list of these, not {value!r}.")
    text = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in value)
    return text if (dated and is_date(text)) or _plain(text, flow) else _quoted(text)


def is_date(text: str) -> bool:
    """Obsidian's date, or date and time, which it writes without quotes; only days and times that exist."""
    if not text.isascii() or "".join("0" if char.isdigit() else char for char in text) not in _DATE_SHAPES:
        return False
    from datetime import datetime

    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _number(value: float) -> str:
    if value != value:  # noqa: PLR0124  # nan alone differs from itself
        return ".nan"
    text = str(value)
    return text.replace("inf", ".inf") if text in ("inf", "-inf") else text


def _plain(text: str, flow: bool) -> bool:
    if not text or text[0] in _BAD_START or text[-1] in " :" or not text.isprintable():
        return False
    if ": " in text or " #" in text or (flow and any(char in text for char in ",[]{}:")):
        return False
    return text.casefold() not in _YAML_11_WORDS and not _numeric(text)


def _numeric(text: str) -> bool:
    """Whether some YAML reader could take it for a number, a time or a date."""
    return (text[0].isdigit() or text[0] in "+-.") and _NUMERIC.issuperset(text)


def _quoted(text: str) -> str:
    out = []
    for char in text:
        if char in _ESCAPES:
            out.append(_ESCAPES[char])
        elif char.isprintable():
            out.append(char)
        else:
            code = ord(char)
            out.append(f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}")
    return f'"{"".join(out)}"'
