"""One signed log entry: the line that people read, and the exact bytes that are signed. Pure: no keys, no files.

The format is written down in vault-example/manual/log-format.md; tests/core/log_vectors.json holds the bytes. A line,
with one blank between its parts:

    - <time>Z · <agent> · <channel> · <kind> · <text>
      <!-- mdmem1 <seq> prev=… [seen=…] [ack=…] free=… salt=… [data=…] sig=… --> ^<short>-<writer>-<seq>

Rules that everything else leans on:

1. There is exactly one way to write an entry: `parse` accepts a line only if `render` gives the same bytes back.
2. What redaction may take out (text, salt, data) is signed through one salted hash, `free`; all the rest as it stands.
   So a redacted line still verifies, and nobody can guess what it said.
3. The payload names vault, log, writer and key: an entry proves nothing anywhere else.
4. Three hash domains (`free`, `sign`, `entry`) begin with different words that end in NUL.

API: `parse(line, vault, log, key) -> Entry` (NotAnEntry says why not), `render(entry)`, `payload(entry)`,
`signed(entry)`, `entry_hash(entry)`, `free_hash(salt, text, data)`, `block_of(line)`.
"""

import hashlib
import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from markdown_memory.core.log_names import SEQ, SLUG, is_log, short
from markdown_memory.core.log_text import b64, decode_data, escape, escape_is_needed, unb64, unescape
from markdown_memory.errors import FormatError

FORMAT = "mdmem1"
REDACTED = "[redacted]"
FIRST = "-"  # `prev` of a chain's first entry
MAX_LINE = 131_072  # bytes; nothing longer is an entry
MAX_SEEN = 256

FREE_DOMAIN = b"mdmem1 free\0"
SIGN_DOMAIN = b"mdmem1 sign\0"
ENTRY_DOMAIN = b"mdmem1 entry\0"

_HASH = r"[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]"  # 32 bytes, 43 characters, spare bits zero
_TIME = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
_HEAD = rf"- ({_TIME})Z · ({SLUG}) · ({SLUG}) · ({SLUG}) · (.+)"
_TAIL = (
    rf"({SEQ}) prev=(-|{_HASH})(?: seen=([!-~]+))?(?: ack=([a-z0-9,-]+))? free=({_HASH})"
    r"(?: salt=([A-Za-z0-9+/]{21}[AQgw])(?: data=(\{.*\}))?)? sig=([A-Za-z0-9+/]{85}[AQgw])"
    rf" --> \^([a-z]+)-({SLUG})-({SEQ})"
)
_COMMENT = " <!-- mdmem1 "
_SEEN = rf"({SLUG})/({SLUG}):({SEQ}):({_HASH})"
_ACK = rf"{SLUG}-{SEQ}"
_BLOCK_ID = rf"\^([a-z]+)-({SLUG})-({SEQ})$"


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

    `text` is plain text and `data` is JSON as on the line ("" = none). `key` is the fingerprint of the writer's key. A
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


# the line


def render(entry: Entry) -> str:
    """The entry's line, without its line break."""
    text, free = (REDACTED, "") if entry.redacted else (escape(entry.text), f" salt={entry.salt}")
    seen = f" seen={','.join(map(str, entry.seen))}" if entry.seen else ""
    ack = f" ack={','.join(entry.ack)}" if entry.ack else ""
    data = f" data={entry.data}" if entry.data and not entry.redacted else ""
    return (
        f"- {entry.time}Z · {entry.agent} · {entry.channel} · {entry.kind} · {text}"
        f"{_COMMENT}{entry.seq} prev={entry.prev}{seen}{ack} free={entry.free}{free}{data} sig={entry.sig}"
        f" --> ^{entry.block}"
    )


def parse(line: str, vault: str, log: str, key: str) -> Entry:
    """The entry on a line of `log`, supposing that its writer has `key`; NotAnEntry unless it is canonical."""
    if len(line) > MAX_LINE // 4 and len(line.encode("utf-8", "replace")) > MAX_LINE:
        raise NotAnEntry("it is longer than an entry can be")
    before, comment, after = line.partition(_COMMENT)
    head, tail = _pattern(_HEAD).fullmatch(before), _pattern(_TAIL).fullmatch(after)
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
    if any(one[:2] >= two[:2] for one, two in pairwise(heads)):
        raise NotAnEntry("what it has seen is not in order")
    acks = tuple(ack.split(",")) if ack else ()
    if not all(map(_pattern(_ACK).fullmatch, acks)):
        raise NotAnEntry("what it acknowledges is not a list of entries")
    return Entry(
        vault, log, writer, key, int(seq), prev, time, agent, channel, kind, plain, heads, acks,
        free, salt or "", data or "", sig,
    )  # fmt: skip


@lru_cache
def _pattern(source: str) -> re.Pattern[str]:
    """Compiled when first needed: a session without news needs none."""
    return re.compile(source)


def block_of(line: str) -> tuple[str, str, int] | None:
    """Log word, writer and number from the block id at the end of a line; cheap, and proves nothing."""
    match = _pattern(_BLOCK_ID).search(line, max(0, len(line) - 120))
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
    if data and escape_is_needed(data):
        raise NotAnEntry("its data is not escaped as the format says")
    return plain


def _head_of(text: str) -> Head:
    match = _pattern(_SEEN).fullmatch(text)
    if match is None or not is_log(match[1]):
        raise NotAnEntry("what it has seen is not a list of heads")
    return Head(match[1], match[2], int(match[3]), match[4])


def _why_not(line: str, before: str, comment: str, readable: bool) -> str:
    if not comment:
        return "it has no signed part (<!-- mdmem1 … -->)"
    if line != line.rstrip():
        return "there are blanks or a carriage return after its end"
    return "its signed part is not well-formed" if readable else "its readable part is not well-formed"
