"""Whether two texts say things that cannot both hold, by transparent rules over their sentences.

Two sentences are compared when they are about the same, that is, when most of their telling words are the same. Then

1. a number, version, weekday or month that differs at the same word is a changed value (PostgreSQL 14, PostgreSQL 16);
2. a negation in one of them only is a denial (*must*, *must not*; *nie*; *ne … pas*), as is a word and its opposite;
3. another ending of an otherwise equal sentence is a changed value (*counted in cents*, *counted in euros*).

English, German and French. What is found is shown to a person as a possibility; nothing is decided by it alone.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from markdown_memory.rules.similarity import common, stem, tokens

LONGEST = 40
"""Words of a sentence; in longer ones a single negation says little about the whole."""
SENTENCES = 60
_ABOUT = 0.7
_NEGATIONS = """
not never no none neither nor cannot without nothing
nicht nie niemals kein keine keinen keinem keiner keines ohne weder nichts
ne n pas jamais aucun aucune sans ni rien
"""
_OPPOSITES = """
enable disable|enabled disabled|allow forbid|allowed forbidden|required optional|mandatory optional|public private
before after|synchronous asynchronous|increase decrease|open closed|accept reject|start stop|first last
aktiviert deaktiviert|erlaubt verboten|pflicht optional|oeffentlich privat|vor nach|synchron asynchron
active desactive|autorise interdit|obligatoire facultatif|avant apres|synchrone asynchrone|public prive
"""
_DAYS = """
monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
lundi mardi mercredi jeudi vendredi dimanche january february april june july august september october november
december januar februar juni juli oktober dezember janvier fevrier avril juin juillet aout septembre octobre novembre
decembre
"""
_NUMBERS = """
two zwei deux|three drei trois|four vier quatre|five funf cinq|six sechs|seven sieben sept|eight acht huit
nine neun neuf|ten zehn dix|eleven elf onze|twelve zwolf douze
"""
_TENS = """
twenty zwanzig vingt|thirty dreissig trente|forty vierzig quarante|fifty funfzig cinquante|sixty sechzig soixante
"""


class Conflict(NamedTuple):
    """Two sentences that do not go together, and what differs."""

    new: str
    old: str
    what: str
    """`16, not 14`, or `a negation in one of them`."""
    changed: bool
    """A value is another now; False: one denies the other."""


class Said(NamedTuple):
    """A sentence, taken apart."""

    text: str
    words: tuple[str, ...]
    """All words by their stems, in order."""
    about: frozenset[str]
    values: frozenset[tuple[str, str]]
    """(word beside it, value)"""
    shown: dict[str, str]
    """A word or value as it was written."""
    negated: bool
    subject: frozenset[str]
    """Values with which the sentence begins: *port 8080 is …* says what the sentence is about."""
    first: str
    """The first telling word."""


def conflicts(new: str, old: str) -> tuple[Conflict, ...]:
    """What the new text says otherwise than the old one; nothing where a sentence of the new stands in the old."""
    there = said(old)
    found = []
    for one in said(new):
        if one.about and not any(one.words == other.words for other in there):
            found += [conflict for other in there if (conflict := compared(one, other))][:1]
    return tuple(found)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a Markdown text, without the marks at their beginnings."""
    number = 0
    for line in text.split("\n"):
        bare = line.strip().lstrip("#>*+-[] \t").strip()
        for sentence in _ends().split(bare):
            if any(char.isalnum() for char in sentence) and number < SENTENCES:
                number += 1
                yield sentence.strip()


def said(text: str) -> list[Said]:
    """The sentences of a Markdown text, taken apart."""
    return [_read(sentence) for sentence in sentences(text)]


def _read(sentence: str) -> Said:
    words: list[str] = []
    telling: list[tuple[str, bool]] = []  # stem or value, whether it is a value
    shown: dict[str, str] = {}
    negated = False
    for token in tokens(sentence):
        value = _value(token.word)
        if token.word.endswith("n't") or token.word in _negations() or token.word.startswith("n'"):
            negated = True
            words.append("not")
            continue
        words.append(value or token.stem)
        shown[value or token.stem] = token.word
        if value:
            telling.append((value, True))
        elif not common(token.word) or token.stem in _opposites():
            telling.append((token.stem, False))
    about = frozenset(term for term, is_value in telling if not is_value)
    subject = frozenset(value for value, is_value in telling[:2] if is_value)
    first = next((term for term, is_value in telling if not is_value), "")
    return Said(sentence, tuple(words), about, frozenset(_anchored(telling)), shown, negated, subject, first)


def _anchored(telling: list[tuple[str, bool]]) -> Iterator[tuple[str, str]]:
    """Every value with the telling word before it, and with the one behind it."""
    for at, (value, is_value) in enumerate(telling):
        if is_value:
            before = next((term for term, other in reversed(telling[:at]) if not other), "")
            behind = next((term for term, other in telling[at + 1 :] if not other), "")
            day = "" if value[0].isdigit() else "day"
            yield f"{before} {day}", value
            yield f"{day} {behind}", value


def compared(new: Said, old: Said) -> Conflict | None:
    """What differs when both sentences cannot hold."""
    if max(len(new.words), len(old.words)) > LONGEST or not old.about or _of_others(new, old):
        return None
    if (pair := _opposite(new, old)) and _same_subject(new.about - {pair[0]}, old.about - {pair[1]}):
        return Conflict(new.text, old.text, f"{new.shown[pair[0]]}, not {old.shown[pair[1]]}", False)
    if not _same_subject(new.about, old.about):
        return (_other_value(new, old) if _overlapping(new, old) else None) or _other_ending(new, old)
    if new.negated != old.negated:
        return Conflict(new.text, old.text, "a negation in one of them", False)
    return _other_value(new, old) or _other_ending(new, old)


def _of_others(one: Said, other: Said) -> bool:
    """Whether the sentences begin with things that the other does not speak of: *staging runs*, *production runs*."""
    return one.first not in other.about and other.first not in one.about


def _same_subject(one: frozenset[str], other: frozenset[str]) -> bool:
    both = len(one & other)
    if not both:
        return False
    dice = 2 * both / (len(one) + len(other))
    return dice >= _ABOUT or (both >= 2 and both / min(len(one), len(other)) >= 0.75 and dice >= 0.5)


def _overlapping(one: Said, other: Said) -> bool:
    """Enough in common when a value stands beside the same word, too."""
    both = len(one.about & other.about)
    return both >= 2 and both / min(len(one.about), len(other.about)) >= 0.6 and not one.subject and not other.subject


def _other_value(new: Said, old: Said) -> Conflict | None:
    for beside, value in sorted(new.values):
        theirs = {other for word, other in old.values if word == beside}
        ours = {other for word, other in new.values if word == beside}
        if theirs and beside.strip() not in ("", "day") and not theirs & ours:
            shown = old.shown[min(theirs)]
            return Conflict(new.text, old.text, f"{new.shown[value]}, not {shown}", True)
    return None


def _other_ending(new: Said, old: Said) -> Conflict | None:
    """The same sentence up to a word or two that are others."""
    if new.negated != old.negated or new.values != old.values:
        return None
    shortest, longest = sorted((len(new.words), len(old.words)))
    same = 0
    while same < shortest and new.words[same] == old.words[same]:
        same += 1
    tail = 0
    while tail < shortest - same and new.words[-1 - tail] == old.words[-1 - tail]:
        tail += 1
    ours, theirs = (one.words[same : len(one.words) - tail] for one in (new, old))
    short = 0 < len(ours) <= 2 and 0 < len(theirs) <= 2
    if (
        same < 2
        or same + tail < 3
        or not short
        or same + tail < 0.6 * longest
        or not set(theirs) & old.about
        or not set(ours) & new.about
    ):
        return None
    return Conflict(new.text, old.text, "another ending of the same sentence", True)


def _opposite(new: Said, old: Said) -> tuple[str, str] | None:
    for word in sorted(new.about - old.about):
        for other in sorted(_opposites().get(word, set()) & (old.about - new.about)):
            return word, other
    return None


def _value(word: str) -> str:
    """The value that a word names, "" when it names none."""
    if word[0].isdigit():
        return word
    return _numbers().get(word, "") or _days().get(stem(word), "")


@cache
def _ends() -> re.Pattern[str]:
    return re.compile(r"(?<=[.!?;])\s+")


@cache
def _negations() -> frozenset[str]:
    return frozenset(_NEGATIONS.split())


@cache
def _days() -> dict[str, str]:
    return {stem(word): word for word in _DAYS.split()}


@cache
def _numbers() -> dict[str, str]:
    small, tens = (text.replace("\n", "|").strip("|").split("|") for text in (_NUMBERS, _TENS))
    rows = [*enumerate(small, 2), *((10 * number, row) for number, row in enumerate(tens, 2))]
    return {word: str(number) for number, row in rows for word in row.split()}


@cache
def _opposites() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for line in _OPPOSITES.strip().split("\n"):
        for pair in line.split("|"):
            one, other = map(stem, pair.split())
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return found
