"""The word of the `keys` log: worked out from its files, and kept in the state folder while these stay the same."""

from collections.abc import Iterable, Sequence
from typing import Any

from markdown_memory.core.entry import Entry, Head, NotAnEntry, parse, signed
from markdown_memory.core.log_layout import LogFile, fingerprint_of
from markdown_memory.errors import FormatError
from markdown_memory.rules.standing import (
    INTRODUCING,
    Introduction,
    Standing,
    Standings,
    introduction,
    parse_head,
    weigh,
)
from markdown_memory.storage.log_files import Memory, Valid
from markdown_memory.storage.log_values import Authority, Reading, text_lines

KEYS = "keys"


def introductions(files: Iterable[tuple[LogFile, bytes]], vault: str, memory: Memory) -> list[Introduction]:
    """The keys that writers have published in their own files, each signed by itself."""
    found = []
    for file, data in files:
        for line in text_lines(data):
            if any(f" · {kind} · " in line for kind in INTRODUCING):
                one = _introduced(line, vault, memory)
                if one and one.entry.writer == file.writer:
                    found.append(one)
    return found


def first_authority(found: Sequence[Introduction]) -> Authority:
    """What is needed to read the `keys` log itself: the keys."""
    publics: dict[str, str] = {}
    for one in found:
        publics.setdefault(one.entry.writer, one.public)
    return Authority(publics=publics)


def authority_of(reading: Reading, found: Sequence[Introduction], pinned: Sequence[str]) -> Authority:
    """What the entries of the `keys` log say; where a writer contradicts itself there, it is heard no further."""
    ends = {writer: chain.quarantined for writer, chain in reading.chains.items() if chain.quarantined}
    entries = [entry for entry in reading.entries if entry.seq < ends.get(entry.writer, entry.seq + 1)]
    standings = weigh(found, entries, pinned)
    trusted = [entry for entry in entries if standings.trusts(entry, "person")]
    redacted = [head for entry in trusted if entry.kind == "redact" for head in _heads(entry, "entries")]
    accepted = [head for entry in trusted if entry.kind == "accept-rollback" for head in _heads(entry, "heads")]
    return _authority(standings, redacted, accepted)


def to_json(authority: Authority) -> list[object]:
    """For the state folder; empty when there is something in it that has to be looked at each time."""
    standings = authority.standings
    if standings.conflicts:
        return []
    writers = [[*one[:8], [str(head) for head in one.last.values()], one.trusted] for one in standings.writers.values()]
    heads = [[str(head) for head in heads] for heads in (authority.redacted, authority.accepted.values())]
    return [writers, standings.provisional, list(standings.roots), *heads]


def from_json(value: Any) -> Authority | None:
    """What was kept; None when it is not what `to_json` gives."""
    try:
        writers, provisional, roots, redacted, accepted = value
        known = {row[0]: _standing(row) for row in writers}
        standings = Standings(known, (), bool(provisional), tuple(map(str, roots)))
        return _authority(standings, _parsed(redacted), _parsed(accepted))
    except (ValueError, TypeError, IndexError):
        return None


def _standing(row: list[Any]) -> Standing:
    writer, agent, role, public, fingerprint, state, by, introduced, last, trusted = row
    heads = {head.log: head for head in _parsed(last)}
    return Standing(writer, agent, role, public, fingerprint, state, by, introduced, heads, bool(trusted))


def _authority(standings: Standings, redacted: Iterable[Head], accepted: Iterable[Head]) -> Authority:
    publics = {name: one.public for name, one in standings.writers.items()}
    return Authority(standings, frozenset(redacted), {f"{head.log}/{head.writer}": head for head in accepted}, publics)


def _introduced(line: str, vault: str, memory: Memory) -> Introduction | None:
    from markdown_memory.storage import keys

    try:
        public = str(parse(line, vault, KEYS, "").values().get("key"))
        entry = parse(line, vault, KEYS, fingerprint_of(public))
    except (NotAnEntry, FormatError):
        return None
    one = introduction(entry)
    if one is None:
        return None
    name, believed = f"introduction {entry.id}", Valid(entry.sig, one.fingerprint)
    if memory.valid(name) == believed:
        return one
    if not keys.verify(public, entry.sig, signed(entry)):
        return None
    memory.note_valid(name, believed)
    return one


def _heads(entry: Entry, name: str) -> list[Head]:
    listed = entry.values().get(name)
    return _parsed(listed) if isinstance(listed, list) else []


def _parsed(texts: Iterable[object]) -> list[Head]:
    return [head for text in texts if (head := parse_head(str(text)))]
