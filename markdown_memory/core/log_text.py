"""Text and data as they stand on a log line: always one line, nothing invisible, nothing that could end the comment."""

import json
import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from functools import lru_cache

from markdown_memory.errors import UserError

MAX_TEXT = 4000  # characters, before escaping
MAX_DATA = 16_000  # characters, as on the line
UNSIGNED_DOMAIN = b"mdmem1 unsigned\0"

_UNSAFE = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f"
_ESCAPED_TEXT = rf"\\|[{_UNSAFE}]|<(?=!--)|(?<=--)>|(?<=%)%|(?<=\$)\$"
_ESCAPE_SEQUENCE = r"(?s)\\(?:u\{([0-9a-f]{1,6})\}|(.))"
_ESCAPED_DATA = rf"[<>&%$`{_UNSAFE}]|(?<=-)-"


@lru_cache
def _pattern(source: str) -> re.Pattern[str]:
    """Compiled when first needed."""
    return re.compile(source)


def check_text(text: str) -> str:
    """The text as it will be signed: trimmed, without lone surrogates; UserError when empty or too long."""
    clean = text.encode("utf-8", "replace").decode().strip()
    if not clean:
        raise UserError("A log entry needs a text: one line that says what was done.")
    if len(clean) > MAX_TEXT:
        raise UserError(
            f"A log entry holds at most {MAX_TEXT:,} characters and this text has {len(clean):,}: "
            "say it in a line, and put the rest into a note that the entry links to."
        )
    return clean


def is_plain(text: str) -> bool:
    """Whether a text stands on a line as it is; told without patterns, since most texts do."""
    return text.isprintable() and not any(mark in text for mark in ("\\", "<!--", "-->", "%%", "$$"))


def escape(text: str) -> str:
    """Text as it stands on a line."""
    if is_plain(text):
        return text
    return _pattern(_ESCAPED_TEXT).sub(_escape_one, text)


def unescape(text: str) -> str:
    """What an escaped text says."""
    return _pattern(_ESCAPE_SEQUENCE).sub(_unescape_one, text) if "\\" in text else text


def encode_data(values: Mapping[str, object]) -> str:
    """Data as on the line: compact JSON that cannot end the comment or be taken for markup; "" for none."""
    if not values:
        return ""
    raw = json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    data = _pattern(_ESCAPED_DATA).sub(lambda match: "".join(f"\\u{unit:04x}" for unit in _utf16(match[0])), raw)
    if len(data) > MAX_DATA:
        raise UserError(f"The data of a log entry may have {MAX_DATA:,} characters; this has {len(data):,}.")
    return data


def escape_is_needed(data: str) -> bool:
    """Whether data holds anything that must not stand on a line as it is."""
    if data.isprintable() and not any(mark in data for mark in ("<", ">", "&", "%", "$", "`", "--")):
        return False
    return _pattern(_ESCAPED_DATA).search(data) is not None


def decode_data(data: str) -> dict[str, object]:
    """The table that data holds; empty when it holds none."""
    try:
        values = json.loads(data) if data else {}
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def _escape_one(match: re.Match[str]) -> str:
    char = match[0]
    if char == "\n":
        return "\\n"
    if char == "\r":
        return "\\r"
    return f"\\{char}" if char in "\\<>%$" else f"\\u{{{ord(char):x}}}"


def _unescape_one(match: re.Match[str]) -> str:
    if match[1]:
        code = int(match[1], 16)
        return chr(code) if code < 0x110000 else match[0]
    return {"n": "\n", "r": "\r"}.get(match[2], match[2])


def _utf16(char: str) -> list[int]:
    code = ord(char)
    return [code] if code < 0x10000 else [0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF)]


def unsigned_digest(line: str) -> str:
    """The digest by which an `unsigned` entry names a hand-written line: of its text, blanks at the ends cut."""
    from hashlib import sha256

    return sha256(UNSIGNED_DOMAIN + line.strip(" \t\r\n").encode("utf-8", "replace")).hexdigest()


def b64(data: bytes) -> str:
    """Standard base64 without padding; it never holds a hyphen, so it cannot end a comment."""
    return b2a_base64(data, newline=False).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """The bytes of base64 without padding."""
    return a2b_base64(text + "=" * (-len(text) % 4))
