"""One signed log entry: the line that people read, and the exact bytes that are signed. Pure; knows no keys and no files.

The format is written down in vault-example/manual/log-format.md; the vectors in tests/core/log_vectors.json hold the bytes.
A line, with one blank between its parts:

    - <time> · <agent> · <channel> · <kind> · <text> <!-- mdmem1 <seq> prev=… [seen=…] [ack=…] free=… salt=… [data=…] sig=… -->
      ^<short>-<writer>-<seq>

Rules that everything else leans on:

1. There is exactly one way to write an entry: `parse` accepts a line only if `render` gives the same bytes back.
2. What may be taken out by redaction (text, salt, data) is signed through one salted hash, `free`; all the rest is signed as
   it stands. So a redacted line still verifies, and nobody can guess what it said.
3. The payload names vault, log, writer and key: an entry proves nothing anywhere else.
4. Three hash domains (`free`, `sign`, `entry`) begin with different words that end in NUL.

API: `parse(line, vault, log, key) -> Entry` (NotAnEntry says why not), `render(entry)`, `payload(entry)`, `signed(entry)`,
`entry_hash(entry)`, `free_hash(salt, text, data)`, `escape`/`unescape` for text, `encode_data`/`decode_data` for data.
"""

import hashlib
import json
import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from typing import NamedTuple

from markdown_memory.errors import FormatError, UserError

FORMAT = "mdmem1"
SHORTS = {"live-context": "live", "decisions": "dec", "ledger": "led", "keys": "key"}
PRIVATE = "private-"  # log `private-lyra`: the ledger of lyra's private notes
REDACTED = "[redacted]"
FIRST = "-"  # `prev` of a chain's first entry
MAX_TEXT = 4000  # characters, before escaping
MAX_DATA = 16_000  # characters, as on the line
MAX_LINE = 131_072  # bytes; nothing longer is an entry
MAX_SEEN = 256
MAX_SLUG = 40

FREE_DOMAIN = b"mdmem1 free\0"
SIGN_DOMAIN = b"mdmem1 sign\0"
ENTRY_DOMAIN = b"mdmem1 entry\0"
UNSIGNED_DOMAIN = b"mdmem1 unsigned\0"

VAULT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{3,63}")

_SLUG = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_SEQ = r"[1-9][0-9]{0,14}"
_B32 = r"[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]"  # 32 bytes, 43 characters, spare bits zero
_TIME = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_UNSAFE = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f"
_HEAD = re.compile(rf"- ({_TIME})Z · ({_SLUG}) · ({_SLUG}) · ({_SLUG}) · (.+)")
_TAIL = re.compile(
    rf"({_SEQ}) prev=(-|{_B32})(?: seen=([!-~]+))?(?: ack=([a-z0-9,-]+))? free=({_B32})"
    r"(?: salt=([A-Za-z0-9+/]{21}[AQgw])(?: data=(\{.*\}))?)? sig=([A-Za-z0-9+/]{85}[AQgw])"
    rf" --> \^([a-z]+)-({_SLUG})-({_SEQ})"
)
_COMMENT = " <!-- mdmem1 "
_SEEN = re.compile(rf"({_SLUG})/({_SLUG}):({_SEQ}):({_B32})")
_ACK = re.compile(rf"({_SLUG})-({_SEQ})")
_IS_SLUG = re.compile(_SLUG)
_ESCAPED_TEXT = re.compile(rf"\\|[{_UNSAFE}]|<(?=!--)|(?<=--)>|(?<=%)%|(?<=\$)\$")
_ESCAPE_SEQUENCE = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|(.))", re.DOTALL)
_ESCAPED_DATA = re.compile(rf"[<>&%$`{_UNSAFE}]|(?<=-)-")
_BLOCK_ID = re.compile(rf"\^([a-z]+)-({_SLUG})-({_SEQ})$")


class NotAnEntry(FormatError):
    """The line is no entry in canonical form; the sentence says what is wrong with it."""


class Head(NamedTuple):
    """A point of a chain: the entry with that number, and its hash."""

    log: str
    writer: str
    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.log}/{self.writer}:{self.seq}:{self.hash}"


class Entry(NamedTuple):
    """A log entry. Hashes, salt and signature are standard base64 without padding, as on the line.

    `text` is plain text and `data` is JSON as on the line ("" = none). `key` is the SSH fingerprint of the writer's key. A
    redacted entry has no salt.
    """

    vault: str
    log: str
    writer: str
    key: str
    seq: int
    prev: str
    time: str
    agent: str
    channel: str
    kind: str
    text: str
    seen: tuple[Head, ...] = ()
    ack: tuple[str, ...] = ()
    free: str = ""
    salt: str = ""
    data: str = ""
    sig: str = ""

    @property
    def id(self) -> str:
        """`lyra-k7f3-42`: how people and `ack` name the entry."""
        return f"{self.writer}-{self.seq}"

    @property
    def block(self) -> str:
        """`live-lyra-k7f3-42`: the Obsidian block id, without the caret."""
        return f"{short(self.log)}-{self.writer}-{self.seq}"

    @property
    def redacted(self) -> bool:
        return not self.salt

    @property
    def head(self) -> Head:
        return Head(self.log, self.writer, self.seq, entry_hash(self))

    def values(self) -> dict[str, object]:
        """`data` as a table; empty when there is none or it is no JSON object."""
        return decode_data(self.data)


# names


def short(log: str) -> str:
    """The word for a log in block ids."""
    return "prv" if log.startswith(PRIVATE) else SHORTS[log]


def is_log(log: str) -> bool:
    """Whether this is the name of a log of the format."""
    return log in SHORTS or (log.startswith(PRIVATE) and is_slug(log[len(PRIVATE) :]))


def is_slug(text: str) -> bool:
    """Lower-case letters, digits and single inner hyphens; at most 40 characters."""
    return len(text) <= MAX_SLUG and _IS_SLUG.fullmatch(text) is not None


def check_slug(text: str, what: str) -> str:
    """The text, if it can stand in a line as agent, channel or kind; UserError otherwise."""
    if is_slug(text):
        return text
    raise UserError(
        f"{text!r} cannot be the {what} of a log entry: use lower-case letters, digits and single hyphens, "
        f"at most {MAX_SLUG} characters."
    )


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


def check_vault_id(vault: str) -> str:
    """The id, if it can be signed and can name a folder; FormatError otherwise."""
    if VAULT_ID.fullmatch(vault):
        return vault
    raise FormatError(
        f"Settings.md gives the vault the id {vault[:80]!r}; an id has 4 to 64 letters, digits, hyphens and underscores. "
        "Put the id back that the vault had."
    )


def writer_of_id(entry_id: str) -> tuple[str, int]:
    """Writer and number of `lyra-k7f3-42`; a leading `^` and the log's short word are understood too."""
    bare = entry_id.removeprefix("^")
    for word in (*SHORTS.values(), "prv"):
        if _ACK.fullmatch(bare.removeprefix(f"{word}-")) and bare.count("-") > 2:
            bare = bare.removeprefix(f"{word}-")
    match = _ACK.fullmatch(bare)
    if match is None:
        raise UserError(f"{entry_id!r} names no log entry; an entry is named like lyra-k7f3-42.")
    return match[1], int(match[2])


# text and data


def escape(text: str) -> str:
    """Text as it stands on a line."""
    return _ESCAPED_TEXT.sub(_escape_one, text)


def unescape(text: str) -> str:
    """What an escaped text says."""
    return _ESCAPE_SEQUENCE.sub(_unescape_one, text) if "\\" in text else text


def encode_data(values: Mapping[str, object]) -> str:
    """Data as on the line: compact JSON that cannot end the comment or be taken for markup; "" for none."""
    if not values:
        return ""
    raw = json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    data = _ESCAPED_DATA.sub(lambda match: "".join(f"\\u{unit:04x}" for unit in _utf16(match[0])), raw)
    if len(data) > MAX_DATA:
        raise UserError(f"The data of a log entry may have {MAX_DATA:,} characters; this has {len(data):,}.")
    return data


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


# hashes


def free_hash(salt: str, text: str, data: str) -> str:
    """The salted hash over what redaction can remove: text and data, both as on the line."""
    content = f"{text}\n{data}".encode()
    return b64(hashlib.sha256(FREE_DOMAIN + unb64(salt) + content).digest())


def payload(entry: Entry) -> bytes:
    """The bytes that a signature covers, after its domain."""
    many = "".join([f"seen {head}\n" for head in entry.seen] + [f"ack {name}\n" for name in entry.ack])
    return (
        f"format {FORMAT}\nvault {entry.vault}\nlog {entry.log}\nwriter {entry.writer}\nkey {entry.key}\n"
        f"seq {entry.seq}\nprev {entry.prev}\ntime {entry.time}Z\nagent {entry.agent}\nchannel {entry.channel}\n"
        f"kind {entry.kind}\n{many}free {entry.free}\n"
    ).encode()


def signed(entry: Entry) -> bytes:
    """The message that Ed25519 signs."""
    return SIGN_DOMAIN + payload(entry)


def entry_hash(entry: Entry) -> str:
    """What the next entry's `prev` and others' `seen` hold: it covers payload and signature."""
    return b64(hashlib.sha256(ENTRY_DOMAIN + payload(entry) + unb64(entry.sig)).digest())


def unsigned_digest(line: str) -> str:
    """The digest by which an `unsigned` entry names a hand-written line: of its text, blanks at the ends cut."""
    return hashlib.sha256(UNSIGNED_DOMAIN + line.strip(" \t\r\n").encode("utf-8", "replace")).hexdigest()


def b64(data: bytes) -> str:
    """Standard base64 without padding; it never holds a hyphen, so it cannot end a comment."""
    return b2a_base64(data, newline=False).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """The bytes of base64 without padding."""
    return a2b_base64(text + "=" * (-len(text) % 4))


# the line


def render(entry: Entry) -> str:
    """The entry's line, without its line break."""
    text, free = (REDACTED, "") if entry.redacted else (escape(entry.text), f" salt={entry.salt}")
    seen = f" seen={','.join(map(str, entry.seen))}" if entry.seen else ""
    ack = f" ack={','.join(entry.ack)}" if entry.ack else ""
    data = f" data={entry.data}" if entry.data and not entry.redacted else ""
    return (
        f"- {entry.time}Z · {entry.agent} · {entry.channel} · {entry.kind} · {text}{_COMMENT}{entry.seq} prev={entry.prev}"
        f"{seen}{ack} free={entry.free}{free}{data} sig={entry.sig} --> ^{entry.block}"
    )


def parse(line: str, vault: str, log: str, key: str) -> Entry:
    """The entry on a line of `log`, supposing that its writer has `key`; NotAnEntry when it is not in canonical form."""
    if len(line) > MAX_LINE // 4 and len(line.encode("utf-8", "replace")) > MAX_LINE:
        raise NotAnEntry("it is longer than an entry can be")
    before, comment, after = line.partition(_COMMENT)
    head, tail = _HEAD.fullmatch(before), _TAIL.fullmatch(after)
    if not comment or head is None or tail is None:
        raise NotAnEntry(_why_not(line, before, comment, head is not None))
    time, agent, channel, kind, text = head.groups()
    seq, prev, seen, ack, free, salt, data, sig, word, writer, number = tail.groups()
    if number != seq or writer.rpartition("-")[0] != agent:
        raise NotAnEntry("its number, writer and agent contradict each other")
    if word != short(log):
        raise NotAnEntry(f"it says that it belongs to the log of ^{word}-…, not to {log}")
    if (int(seq) == 1) != (prev == FIRST):
        raise NotAnEntry("only a chain's first entry has no entry before it")
    plain = _text_of(text, salt, data)
    heads = tuple(map(_head_of, seen.split(","))) if seen else ()
    if any(one[:2] >= two[:2] for one, two in zip(heads, heads[1:], strict=False)):
        raise NotAnEntry("what it has seen is not in order")
    acks = tuple(ack.split(",")) if ack else ()
    if not all(map(_ACK.fullmatch, acks)):
        raise NotAnEntry("what it acknowledges is not a list of entries")
    return Entry(
        vault, log, writer, key, int(seq), prev, time, agent, channel, kind, plain, heads, acks,
        free, salt or "", data or "", sig,
    )  # fmt: skip


def block_of(line: str) -> tuple[str, str, int] | None:
    """Log word, writer and number from the block id at the end of a line; cheap, and proves nothing."""
    match = _BLOCK_ID.search(line, max(0, len(line) - 120))
    return (match[1], match[2], int(match[3])) if match else None


def _text_of(text: str, salt: str | None, data: str | None) -> str:
    if not salt:
        if text != REDACTED:
            raise NotAnEntry("it has no salt, but is not a redacted entry either")
        return text
    if text[0] == " " or text[-1] == " ":
        raise NotAnEntry("its text begins or ends with a blank")
    plain = unescape(text)
    if escape(plain) != text:
        raise NotAnEntry("its text is not escaped as the format says")
    if data and _ESCAPED_DATA.search(data):
        raise NotAnEntry("its data is not escaped as the format says")
    return plain


def _head_of(text: str) -> Head:
    match = _SEEN.fullmatch(text)
    if match is None or not is_log(match[1]):
        raise NotAnEntry("what it has seen is not a list of heads")
    return Head(match[1], match[2], int(match[3]), match[4])


def _why_not(line: str, before: str, comment: str, readable: bool) -> str:
    if not comment:
        return "it has no signed part (<!-- mdmem1 … -->)"
    if line != line.rstrip():
        return "there are blanks or a carriage return after its end"
    return "its signed part is not well-formed" if readable else "its readable part is not well-formed"
