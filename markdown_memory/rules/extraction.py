"""Which sentences of a conversation should be proposed as memories, found by named rules and nothing else.

1. Only prose counts: fenced code, quoted lines and what stands in quotation marks is somebody else's.
2. A question is no statement, and a sentence longer than a paragraph was pasted.
3. The first rule of said_in_english.py and its neighbours that takes a sentence decides its kind; a turn gives each
   kind once.
4. A failure pattern is a cause and a cure in one turn. Trouble that the turns before it tell of goes with it.

What is proposed is said in the words that were spoken: the quote is the fact. A model may be put in the place of
`extract`: it takes turns and gives the same values.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from markdown_memory.core.transcript import USER, Turn
from markdown_memory.rules import said_in_english, said_in_french, said_in_german
from markdown_memory.rules.said import Failure, Rule

RULES = (*said_in_english.RULES, *said_in_german.RULES, *said_in_french.RULES)
FAILURES = (said_in_english.FAILURE, said_in_german.FAILURE, said_in_french.FAILURE)

LOOK_BACK = 4
"""Turns before a cure in which the trouble may be told."""
LONGEST_SENTENCE = 400
FEWEST_WORDS = 4
SHORT = 6
"""Words below which a sentence needs the next one to be understood."""


class Found(NamedTuple):
    """A sentence worth keeping: what is proposed, in whose words (`trust`), by which rule, and in which line."""

    kind: str
    text: str
    trust: str
    rule: str
    line: int


Extract = Callable[[Sequence[Turn], Turn], Iterable[Found]]


def extract(before: Sequence[Turn], turn: Turn) -> Iterator[Found]:
    """What one turn holds; `before` are the turns that led to it, oldest first."""
    sentences = [Sentence(text, _plain(text)) for text in prose(turn.text)]
    kinds: set[str] = set()
    for at in range(len(sentences)):
        rule = _rule_for(turn.who, sentences, at)
        if rule is not None and rule.kind not in kinds:
            kinds.add(rule.kind)
            yield Found(rule.kind, _with_what_follows(sentences, at), turn.who, rule.name, turn.line)
    yield from _failure(before[-LOOK_BACK:], turn, sentences)


class Sentence(NamedTuple):
    """A sentence as it was written, and as patterns see it."""

    text: str
    plain: str


def prose(text: str) -> list[str]:
    """The sentences of a turn without code and quoted lines."""
    return [found for line in _own_lines(text) for found in _sentences(line) if len(found) <= LONGEST_SENTENCE]


def _own_lines(text: str) -> Iterator[str]:
    fence = ""
    for line in text.splitlines():
        bare = line.strip()
        if fence:
            fence = "" if bare.startswith(fence) else fence
        elif bare.startswith(("```", "~~~")):
            fence = bare[:3]
        elif bare and not bare.startswith((">", "|", "#")) and not line.startswith(("    ", "\t")):
            yield _marks().sub("", bare)


def _sentences(line: str) -> list[str]:
    """Parts of a line that end in a full stop, unless it belongs to a number or an abbreviation."""
    found, start = [], 0
    for end in _ends().finditer(line):
        word = "".join(line[start : end.start() + 1].split()[-1:]).rstrip(".").lower()
        if word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha()):
            continue
        found.append(line[start : end.end()].strip())
        start = end.end()
    return [one for one in (*found, line[start:].strip()) if one]


_ABBREVIATIONS = frozenset("e.g i.e z.b d.h u.a bzw ca vgl etc nr no p.ex cf dr mr mrs st art abs approx usw".split())


def _plain(text: str) -> str:
    """What patterns see: lower case, plain marks, no words of others."""
    straight = text.replace("’", "'").replace("*", "").replace("\u202f", " ").replace("\xa0", " ")
    return " ".join(_quoted().sub("…", straight).lower().split())


def _rule_for(who: str, sentences: Sequence[Sentence], at: int) -> Rule | None:
    sentence = sentences[at].plain
    here = " ".join(one.plain for one in sentences[at : at + 2])
    if sentence.endswith("?") or len(here.split()) < FEWEST_WORDS:
        return None
    return next((rule for rule in RULES if rule.who in (who, "both") and _takes(rule, sentence, here)), None)


def _takes(rule: Rule, sentence: str, here: str) -> bool:
    if not _pattern(rule.pattern).search(sentence):
        return False
    if rule.unless and _pattern(rule.unless).search(sentence):
        return False
    return not rule.needs or _pattern(rule.needs).search(here) is not None


def _with_what_follows(sentences: Sequence[Sentence], at: int) -> str:
    """The sentence; a short one, or one that leads to the next, with that."""
    text = sentences[at].text
    follows = sentences[at + 1 : at + 2]
    leads = text.endswith(":") or len(text.split()) < SHORT
    return f"{text} {follows[0].text}" if leads and follows and not follows[0].plain.endswith("?") else text


def failure_rule(words: Failure) -> str:
    """The name of the rule that finds a cause and a cure in that language."""
    return f"{words.language}-cause-and-cure"


def _failure(before: Sequence[Turn], turn: Turn, sentences: Sequence[Sentence]) -> Iterator[Found]:
    told = [one for one in sentences if not one.plain.endswith("?")]
    for words in FAILURES:
        span = _cause_and_cure(words, told)
        if span is None:
            continue
        trouble = _trouble_before(words, before)
        text = f"{span}\n\n> {trouble}" if trouble else span
        yield Found("failure-pattern", text, turn.who, failure_rule(words), turn.line)
        return


def _cause_and_cure(words: Failure, sentences: Sequence[Sentence]) -> str | None:
    """The sentences from the cause to the cure, at most three apart."""
    causes = [at for at, one in enumerate(sentences) if _is_cause(words, one.plain)]
    cures = [at for at, one in enumerate(sentences) if _pattern(words.cure).search(one.plain)]
    pairs = [(abs(cure - cause), cause, cure) for cause in causes for cure in cures if abs(cure - cause) <= 3]
    if not pairs:
        return None
    _, cause, cure = min(pairs)
    span = " ".join(one.text for one in sentences[min(cause, cure) : max(cause, cure) + 1])
    return span if len(span.split()) >= 2 * FEWEST_WORDS else None


def _is_cause(words: Failure, sentence: str) -> bool:
    if _pattern(words.cause).search(sentence):
        return True
    return bool(_pattern(words.trouble).search(sentence) and _pattern(words.because).search(sentence))


def _trouble_before(words: Failure, before: Sequence[Turn]) -> str:
    """The last sentence in which the person told of the trouble."""
    for turn in reversed(before):
        if turn.who == USER:
            for text in prose(turn.text):
                if _pattern(words.trouble).search(_plain(text)):
                    return text
    return ""


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


@cache
def _ends() -> re.Pattern[str]:
    return re.compile(r"[.!?…](?=\s+[^a-zß-öø-ÿ\s]|$)|\?(?=\s)")


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+(?:\[.\]\s+)?")


@cache
def _quoted() -> re.Pattern[str]:
    return re.compile(r"\"[^\"\n]{2,300}\"|“[^”\n]{2,300}”|„[^“”\n]{2,300}[“”]|«[^»\n]{2,300}»|`[^`\n]{20,300}`")
