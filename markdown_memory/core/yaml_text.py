"""Values as YAML text that every reader takes for the same, be it of YAML 1.1, of 1.2, or Obsidian.

Whatever one of them could misread is quoted; Obsidian's dates are not, since it wants them bare.
"""

_YAML_11_WORDS = frozenset("y n yes no on off true false null ~ = << .inf -.inf +.inf .nan".split())
_BAD_START = frozenset("[]{},#&*!|>'\"%@`?:- \t=<")
_NUMERIC = frozenset("0123456789abcdefABCDEFxoXO_:+-.eETZ ")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def line(key: str, value: object, newline: str) -> str:
    """`key: value` with its line end; a list goes below, one item a line, as Obsidian writes it."""
    return f"{scalar(key)}:{after_colon(value, newline)}{newline}"


def after_colon(value: object, newline: str, flow: bool = False) -> str:
    """What stands behind the colon."""
    if not isinstance(value, list | tuple):
        text = scalar(value)
        return f" {text}" if text else ""
    if flow or not value:
        return f" [{', '.join(scalar(item, flow=True) for item in value)}]"
    return "".join(f"{newline}  - {scalar(item)}" for item in value)


def scalar(value: object, *, flow: bool = False) -> str:
    """One value as YAML text that readers of 1.1 and of 1.2 take for the same."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    text = str(value)
    return text if _plain(text, flow) else _quoted(text)


def _plain(text: str, flow: bool) -> bool:
    if not text or text[0] in _BAD_START or text[-1] in " :" or not text.isprintable():
        return False
    if ": " in text or " #" in text or (flow and any(char in text for char in ",[]{}")):
        return False
    if text.casefold() in _YAML_11_WORDS:
        return False
    return not _numeric(text) or _is_date(text)


def _numeric(text: str) -> bool:
    """Whether some YAML reader could take it for a number, a time or a date."""
    return (text[0].isdigit() or text[0] in "+-.") and _NUMERIC.issuperset(text)


def _is_date(text: str) -> bool:
    """Obsidian's date, or date and time, which it wants to find without quotes."""
    day = text[:10]
    if len(day) != 10 or day[4] != "-" or day[7] != "-" or not (day[:4] + day[5:7] + day[8:]).isdigit():
        return False
    return len(text) == 10 or (len(text) == 19 and text[10] == "T" and text[13] == ":" and text[16] == ":")


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
