"""A second implementation of the log format, written from vault-example/manual/log-format.md alone.

It shares no code with the package. `python -m tests.core.log_by_the_book` prints the vectors afresh.
"""

import base64
import hashlib
import json
import re
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SHORT = {"live-context": "live", "decisions": "dec", "ledger": "led", "keys": "key"}


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode().rstrip("=")


def unb64(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))


def private(seed: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))


def public(seed: str) -> str:
    return private(seed).public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()


def digest_of_key(line: str) -> bytes:
    return hashlib.sha256(base64.b64decode(line.split()[1])).digest()


def fingerprint(line: str) -> str:
    return "SHA256:" + b64(digest_of_key(line))


def writer(agent: str, line: str, length: int = 4) -> str:
    return f"{agent}-{base64.b32encode(digest_of_key(line)).decode().lower()[:length]}"


def hidden(char: str) -> bool:
    code = ord(char)
    ranges = [(0, 0x1F), (0x7F, 0x9F), (0x2028, 0x202E), (0x2066, 0x2069), (0xD800, 0xDFFF), (0xE0000, 0xE007F)]
    return any(low <= code <= high for low, high in ranges) or code in (0x61C, 0x200E, 0x200F, 0xFEFF)


def escaped_text(text: str) -> str:
    out = ""
    for at, char in enumerate(text):
        before, after = text[:at], text[at + 1 :]
        if char in "\n\r":
            out += {"\n": "\\n", "\r": "\\r"}[char]
        elif hidden(char):
            out += f"\\u{{{ord(char):x}}}"
        elif (
            char == "\\"
            or (char == "<" and after.startswith("!--"))
            or (char == ">" and before.endswith("--"))
            or (char == "%" and before.endswith("%"))
            or (char == "$" and before.endswith("$"))
        ):
            out += "\\" + char
        else:
            out += char
    return out


def data_on_line(values: dict[str, Any]) -> str:
    if not values:
        return ""
    out, before = "", ""
    for char in json.dumps(values, ensure_ascii=False, separators=(",", ":")):
        if hidden(char) or char in "<>&%$`" or (char == "-" and before == "-"):
            units = char.encode("utf-16-be")
            out += "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
        else:
            out += char
        before = char
    return out


def free(entry: dict[str, Any]) -> str:
    text = escaped_text(entry["text"]) + "\n" + data_on_line(entry["data"])
    return b64(hashlib.sha256(b"mdmem1 free\0" + bytes.fromhex(entry["salt"]) + text.encode()).digest())


def payload(entry: dict[str, Any]) -> str:
    rows = [("format", "mdmem1"), *((name, entry[name]) for name in ("vault", "log", "writer", "key", "seq", "prev"))]
    rows += [("time", entry["time"] + "Z"), *((name, entry[name]) for name in ("agent", "channel", "kind"))]
    rows += [("seen", head) for head in entry["seen"]] + [("ack", name) for name in entry["ack"]]
    return "".join(f"{name} {value}\n" for name, value in [*rows, ("free", entry["free"])])


def signature(seed: str, entry: dict[str, Any]) -> str:
    return b64(private(seed).sign(b"mdmem1 sign\0" + payload(entry).encode()))


def entry_hash(entry: dict[str, Any]) -> str:
    return b64(hashlib.sha256(b"mdmem1 entry\0" + payload(entry).encode() + unb64(entry["sig"])).digest())


def line(entry: dict[str, Any], redacted: bool = False) -> str:
    text = "[redacted]" if redacted else escaped_text(entry["text"])
    signed = [str(entry["seq"]), f"prev={entry['prev']}"]
    signed += [f"{name}={','.join(entry[name])}" for name in ("seen", "ack") if entry[name]]
    signed += [f"free={entry['free']}"]
    if not redacted:
        signed += [f"salt={b64(bytes.fromhex(entry['salt']))}"]
        signed += [f"data={data_on_line(entry['data'])}"] if entry["data"] else []
    signed += [f"sig={entry['sig']}"]
    who = " · ".join((entry["time"] + "Z", entry["agent"], entry["channel"], entry["kind"], text))
    block = f"{SHORT[entry['log']]}-{entry['writer']}-{entry['seq']}"
    return f"- {who} <!-- mdmem1 {' '.join(signed)} --> ^{block}"


def unsigned_digest(text: str) -> str:
    return hashlib.sha256(b"mdmem1 unsigned\0" + text.strip(" \t\r\n").encode()).hexdigest()


# the vectors

VAULT = "vault-of-vectors"
LYRA, ELLA, MARA = ("01" * 32, "02" * 32, "03" * 32)
PEOPLE = {"lyra": LYRA, "ella": ELLA, "mara": MARA}

TEXTS = [
    "plain words, 名字 and é",
    "a\\b",
    "two\nlines\r\nand a tab\there",
    "ends --> here <!-- and <!--",
    "100%% $$x$$ %%% $$$ 5$",
    "right-to-left \u202eoverride\u202c, \ufeff, \u2028, \u0085, \u007f, \U000e0041",
    "one < two > three - - -> --x>",
    "\\n is not a line break",
]
DATA: list[dict[str, Any]] = [
    {"refs": ["oauth-pkce-for-mobile"]},
    {"a": "--> <!-- & 100%% $$ `x`", "é": "名 \U0001f600", "ctl": "\u0001\u2028\u202e\U000e0041"},
    {"files": {"memory/user/tea.md": ["", "ab" * 32, "memory/user/.mdmem-1.tmp"]}, "via": "cli"},
    {"n": 3, "deep": {"list": [True, None, "} sig="]}, "dashes": "---- -- -"},
]


def identity(agent: str) -> dict[str, str]:
    key = public(PEOPLE[agent])
    return {"agent": agent, "key": fingerprint(key), "writer": writer(agent, key), "vault": VAULT}


def entry(
    agent: str, log: str, seq: int, prev: str, time: str, channel: str, kind: str, text: str, **more: Any
) -> dict[str, Any]:
    salt = hashlib.sha256(f"{agent}{log}{seq}".encode()).digest()[:16].hex()
    blank: dict[str, Any] = {"seen": [], "ack": [], "data": {}}
    made: dict[str, Any] = {
        **identity(agent),
        "log": log,
        "seq": seq,
        "prev": prev,
        "time": time,
        "channel": channel,
        "kind": kind,
    }
    made = {**made, "text": text, "salt": salt, **blank, **more}
    made["free"] = free(made)
    made["sig"] = signature(PEOPLE[agent], made)
    return {
        **made,
        "text_on_line": escaped_text(text),
        "data_on_line": data_on_line(made["data"]),
        "payload": payload(made),
        "hash": entry_hash(made),
        "line": line(made),
        "redacted": line(made, redacted=True),
    }


def head(made: dict[str, Any]) -> str:
    return f"{made['log']}/{made['writer']}:{made['seq']}:{made['hash']}"


def vectors() -> dict[str, Any]:
    root = {**identity("mara"), "key": public(MARA), "role": "person"}
    first = entry(
        "mara", "keys", 1, "-", "2026-11-02T08:00:00", "terminal", "root", "mara signs here",
        data={name: root[name] for name in ("writer", "key", "role")},
    )  # fmt: skip
    shipped = entry(
        "lyra",
        "live-context",
        1,
        "-",
        "2026-11-30T02:13:04",
        "telegram",
        "fix",
        "Shipped the OAuth refresh fix (PR 88)",
    )
    second = entry(
        "lyra", "live-context", 2, shipped["hash"], "2026-11-30T02:15:30", "telegram", "note",
        "It holds: 0 errors --> \n100%%", seen=[head(first)],
        data={"refs": ["oauth-pkce-for-mobile"], "scope": "@shop/feature~auth"},
    )  # fmt: skip
    answer = entry(
        "ella", "live-context", 1, "-", "2026-12-01T07:30:00", "terminal", "note", "Seen, 谢谢",
        seen=[head(first), head(second)], ack=[f"{shipped['writer']}-1", f"{second['writer']}-2"],
    )  # fmt: skip
    ledger = entry(
        "ella", "ledger", 1, "-", "2026-12-01T07:31:00", "cli", "store", "tea", seen=[head(answer)], data=DATA[2]
    )
    return {
        "vault": VAULT,
        "keys": [
            {"seed": seed, "agent": agent, "public": public(seed), "fingerprint": fingerprint(public(seed)),
             "writer": writer(agent, public(seed)), "longer": writer(agent, public(seed), 6)}
            for agent, seed in PEOPLE.items()
        ],
        "texts": [{"text": text, "on_line": escaped_text(text)} for text in TEXTS],
        "data": [{"values": values, "on_line": data_on_line(values)} for values in DATA],
        "unsigned": {"line": "  - fixed the build by hand\r", "digest": unsigned_digest("- fixed the build by hand")},
        "entries": [first, shipped, second, answer, ledger],
        "refused": refused(second["line"], answer["line"]),
    }  # fmt: skip


def refused(good: str, other: str) -> list[dict[str, str]]:
    """Lines that are no entries, though they come near one."""
    heads = re.search(r"seen=(\S+)", other)
    assert heads is not None
    turned = ",".join(reversed(heads[1].split(",")))
    changes = {
        "a carriage return at the end": good + "\r",
        "a blank at the end": good + " ",
        "two blanks between parts": good.replace(" · note", "  · note"),
        "no blank before the text": good.replace("note · ", "note ·"),
        "seq with a leading zero": good.replace("mdmem1 2 ", "mdmem1 02 "),
        "seq and block id differ": good[:-1] + "3",
        "a first entry that has one before it": good.replace("mdmem1 2 ", "mdmem1 1 ")[:-1] + "1",
        "a later entry that has none before it": re.sub(r"prev=\S+", "prev=-", good),
        "padding": re.sub(r"(free=\S+)", r"\1=", good),
        "spare bits of base64": re.sub(r"(sig=\S{85})\S", r"\1B", good),
        "an unknown escape": good.replace("\\n100", "\\q100"),
        "an escape that is not needed": good.replace("It holds", "It \\h\\olds"),
        "an unescaped end of comment": good.replace("--\\>", "-->"),
        "a capital in the channel": good.replace("telegram", "Telegram"),
        "a double hyphen in the kind": good.replace(" · note · ", " · no--te · "),
        "the writer of another agent": good.replace("· lyra ·", "· ella ·"),
        "a month 13": good.replace("2026-11-30", "2026-13-30"),
        "another log's word": good.replace("^live-", "^led-"),
        "an unknown format": good.replace("mdmem1", "mdmem2"),
        "parts in another order": re.sub(r"(salt=\S+) (data=\S+)", r"\2 \1", good),
        "data with a raw angle bracket": good.replace('"refs"', '"re<fs"'),
        "data without salt": re.sub(r"salt=\S+ ", "", good),
        "a text without salt": re.sub(r"salt=\S+ data=\S+ ", "", good),
        "heads out of order": other.replace(heads[1], turned),
        "a head twice": other.replace(heads[1], f"{heads[1].split(',')[0]},{heads[1].split(',')[0]}"),
        "nothing acknowledged": re.sub(r"ack=\S+", "ack=", other),
        "no text": good.replace("It holds: 0 errors --\\> \\n100%\\%", ""),
    }
    return [{"why": why, "line": line} for why, line in changes.items()]


if __name__ == "__main__":
    print(json.dumps(vectors(), ensure_ascii=False, indent=1))
