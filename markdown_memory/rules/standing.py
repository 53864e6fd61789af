"""Who may sign: the standing of every writer, from the `keys` log and the roots that this account pins. Pure.

Rules (the format text's "Who may sign"):

1. Pinned roots are confirmed persons. Without a pin a single `root` entry is taken for the root, provisionally.
2. A confirmed person confirms anybody; a confirmed agent's writer confirms writers of the same agent, as agents.
3. An introduction counts when the writer's id is made from that very key. Of two keys under one id the confirmed one
   counts, else the first.
4. Revoking takes back everything after the heads that it names, also confirmations and whatever these had made
   possible: all is worked out again until nothing changes. Roots are revoked by roots only.
5. It does not matter in which order files arrive: entries are taken in reading order.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markdown_memory.core.entry import Entry, Head
from markdown_memory.core.log_layout import fingerprint_of, names_key
from markdown_memory.errors import FormatError

ROLES = ("agent", "person")
INTRODUCING = ("root", "introduce")
ROUNDS = 20
"""Two persons who revoke each other would go on for ever."""


class Standing(NamedTuple):
    """A writer and what is known of it.

    `state` is root, confirmed, unconfirmed, retired or revoked; `by` the entry that says so. `role` is the one that was
    confirmed, or else the one that it claims. `last` holds the last trusted head by log of retired and revoked writers.
    """

    writer: str
    agent: str
    role: str
    public: str
    fingerprint: str
    state: str
    by: str = ""
    introduced: str = ""
    last: Mapping[str, Head] = {}
    trusted: bool = False
    """Whether somebody has vouched for it; as far as `last` goes."""

    def covers(self, log: str, seq: int) -> bool:
        """Whether an entry with that number lies before the writer was retired or revoked."""
        if self.state not in ("retired", "revoked"):
            return True
        return log in self.last and seq <= self.last[log].seq


class Standings(NamedTuple):
    """All writers by id, conflicting introductions, and whether the root had to be guessed."""

    writers: Mapping[str, Standing]
    conflicts: tuple[Entry, ...] = ()
    provisional: bool = False
    roots: tuple[str, ...] = ()

    def trusts(self, entry: Entry, role: str = "") -> bool:
        """Whether an entry is by a writer of known standing (and role), before it was retired or revoked."""
        one = self.writers.get(entry.writer)
        return (
            one is not None
            and one.trusted
            and one.fingerprint == entry.key
            and role in ("", one.role)
            and one.covers(entry.log, entry.seq)
        )


class Introduction(NamedTuple):
    """A key that a writer has published in its own first entry."""

    entry: Entry
    public: str
    fingerprint: str
    role: str


def introduction(entry: Entry) -> Introduction | None:
    """What an entry publishes, if it is a proper introduction (whose signature the caller has checked)."""
    values = entry.values()
    public, role = values.get("key"), values.get("role")
    if entry.kind not in INTRODUCING or entry.seq != 1 or not isinstance(public, str) or role not in ROLES:
        return None
    try:
        fingerprint = fingerprint_of(public)
    except FormatError:
        return None
    proper = names_key(entry.writer, entry.agent, fingerprint) and values.get("writer") == entry.writer
    return Introduction(entry, public, fingerprint, str(role)) if proper else None


def weigh(introductions: Sequence[Introduction], entries: Sequence[Entry], pinned: Iterable[str]) -> Standings:
    """The standing of every writer. `entries` are the valid entries of the `keys` log in reading order."""
    return _Scales(introductions, entries, tuple(pinned)).weighed()


Ends = dict[str, tuple[str, str, dict[str, Head]]]
"""By writer: retired or revoked, the entry that says so, and the last heads."""
Roles = dict[tuple[str, str], tuple[str, str]]
"""By writer and fingerprint: the role, and the entry that gives it."""


class _Scales:
    def __init__(
        self, introductions: Sequence[Introduction], entries: Sequence[Entry], pinned: tuple[str, ...]
    ) -> None:
        self._introductions = introductions
        self._entries = [entry for entry in entries if entry.kind in ("confirm", "retire", "revoke")]
        self._known = {(one.entry.writer, one.fingerprint): one for one in introductions}
        roots = [one.fingerprint for one in introductions if one.entry.kind == "root" and one.role == "person"]
        self._provisional = not pinned and len(set(roots)) == 1
        self._roots = tuple(pinned or (roots[:1] if self._provisional else ()))
        self._roles: Roles = {}
        self._ends: Ends = {}

    def weighed(self) -> Standings:
        for _ in range(ROUNDS):
            roles = self._confirmed(self._ends)
            ends = self._ended(roles, self._ends)
            if (roles, ends) == (self._roles, self._ends):
                break
            self._roles, self._ends = roles, ends
        return self._standings()

    def _confirmed(self, ends: Ends) -> Roles:
        roles: Roles = {}
        for one in self._introductions:
            if one.fingerprint in self._roots and one.role == "person":
                roles[(one.entry.writer, one.fingerprint)] = ("person", one.entry.id)
        before = -1
        while before != len(roles):
            before = len(roles)
            for entry in self._entries:
                if entry.kind == "confirm" and not _is_beyond(entry, ends):
                    self._confirm(entry, roles)
        return roles

    def _confirm(self, entry: Entry, roles: Roles) -> None:
        values = entry.values()
        subject = str(values.get("writer")), str(values.get("key"))
        role, granted = roles.get((entry.writer, entry.key), ("", ""))[0], str(values.get("role"))
        known = self._known.get(subject)
        if known is None or granted not in ROLES:
            return
        same = role == granted == "agent" and known.entry.agent == entry.agent
        if role == "person" or same:
            roles.setdefault(subject, (granted, entry.id))

    def _ended(self, roles: Roles, before: Ends) -> Ends:
        ends: Ends = {}
        for entry in self._entries:
            writer = str(entry.values().get("writer"))
            if entry.kind != "confirm" and not _is_beyond(entry, before) and self._may_end(entry, writer, roles):
                known = ends.get(writer)
                if known is None or (known[0], entry.kind) == ("retired", "revoke"):
                    ends[writer] = (f"{entry.kind}d", entry.id, heads_of(entry, writer))
        return ends

    def _may_end(self, entry: Entry, writer: str, roles: Roles) -> bool:
        if entry.kind == "retire" and writer == entry.writer:
            return True
        person = roles.get((entry.writer, entry.key), ("", ""))[0] == "person"
        return person and (not self._is_root(writer) or entry.key in self._roots)

    def _is_root(self, writer: str) -> bool:
        return any(one.entry.writer == writer and one.fingerprint in self._roots for one in self._introductions)

    def _standings(self) -> Standings:
        writers: dict[str, Standing] = {}
        conflicts = []
        for one in sorted(self._introductions, key=lambda one: (one.entry.writer, one.entry.time)):
            standing = self._standing(one)
            other = writers.get(one.entry.writer)
            if other and other.fingerprint != one.fingerprint:
                better = standing.trusted and not other.trusted
                conflicts.append(one.entry)
                if not better:
                    continue
            writers[one.entry.writer] = standing
        return Standings(writers, tuple(conflicts), self._provisional, self._roots)

    def _standing(self, one: Introduction) -> Standing:
        role, by = self._roles.get((one.entry.writer, one.fingerprint), ("", ""))
        state = "root" if one.fingerprint in self._roots and role else "confirmed" if role else "unconfirmed"
        ended = self._ends.get(one.entry.writer)
        last: Mapping[str, Head] = {}
        if ended:
            state, by, last = ended
        return Standing(
            one.entry.writer, one.entry.agent, role or one.role, one.public, one.fingerprint, state, by, one.entry.id,
            last, bool(role),
        )  # fmt: skip


def _is_beyond(entry: Entry, ends: Ends) -> bool:
    """Whether the entry's own writer had been revoked before it."""
    state, by, last = ends.get(entry.writer, ("", "", {}))
    return state == "revoked" and entry.id != by and (entry.log not in last or entry.seq > last[entry.log].seq)


def heads_of(entry: Entry, writer: str = "") -> dict[str, Head]:
    """The heads that an entry's data names, by log; only those of `writer` when it is given."""
    heads = entry.values().get("heads")
    found = {}
    for text in heads if isinstance(heads, list) else ():
        head = parse_head(str(text))
        if head and writer in ("", head.writer):
            found[head.log] = head
    return found


def parse_head(text: str) -> Head | None:
    """A head as it stands in `seen` and in data."""
    place, _, rest = text.partition(":")
    log, _, writer = place.partition("/")
    seq, _, hashed = rest.partition(":")
    return (
        Head(log, writer, int(seq), hashed)
        if log and writer and seq.isascii() and seq.isdecimal() and len(seq) < 16 and len(hashed) == 43
        else None
    )
