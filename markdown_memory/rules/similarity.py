"""How near two texts are by their words alone: no index, no model, no setting of a language.

A word counts by its beginning, without accents and endings, so that *deploys*, *deployed* and *deployment* are one
term, and so are *verwendet* and *verwenden*, *utilise* and *utilisons*. Words that every English, German or French
sentence holds say nothing. Numbers and versions are terms of their own.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_memory.core.note import Header

NEAR = 0.6
"""From here on two facts say nearly the same."""
STEM = 6
_ALIKE = 0.3
_ELIDED = ("l", "d", "s", "c", "j", "m", "t", "qu")
_STOP = """
a an and are as at be been but by can could do does for from had has have he her his i if in into is it its may me more
must my of on or our shall she should so such than that the their them then there these they this to was we were what
when where which while who will with would you your
aber als am an auch auf aus bei beim bin bis da das dass dem den der des die dies diese dieser doch du durch ein eine
einem einen einer eines er es fur haben hat hier ich ihr im immer in ist ja kann konnen mit muss mussen nach noch nur ob
oder sein seine sich sie sind so soll sollen sowie uber um und uns unser unsere unter vom von vor war warum was wegen
weil wenn werden wie wir wird wo zu zum zur
ai au aux avec c ce ces cette chaque comme dans de des doit doivent du elle elles en entre est et etre eux il ils je la
le les leur leurs lui ma mais me meme mes moi mon nos notre nous on ont ou par peut pour qu quand que qui sa se sera ses
si son sont sous sur ta te tes toi ton tous tout tres tu un une vers vos votre vous y
"""


class Token(NamedTuple):
    """A word or a number of a text: folded to its base letters, and its stem."""

    word: str
    stem: str


def tokens(text: str) -> Iterator[Token]:
    """Words and numbers in order; Markdown's marks are none."""
    for found in _pattern().findall(_folded(text)):
        word = found
        head, apostrophe, rest = word.partition("'")
        if apostrophe and head in _ELIDED:
            word = rest
        yield Token(word, word if word[0].isdigit() else stem(word))


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The beginning by which inflected forms of a word are one."""
    return word if len(word) <= 3 else word[:STEM].rstrip("s")


def terms(text: str) -> frozenset[str]:
    """What a text is about; all of its words when they are all common ones."""
    found = [token for token in tokens(text) if token.word]
    telling = frozenset(token.stem for token in found if not common(token.word))
    return telling or frozenset(token.stem for token in found)


def common(word: str) -> bool:
    """Whether any sentence might hold the word."""
    return word in _stop_words()


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """0 to 1: the share of common terms; a text that lies wholly in a longer one is near it, too."""
    both = len(one & other)
    if not both:
        return 0.0
    dice = 2 * both / (len(one) + len(other))
    shorter = min(len(one), len(other))
    return max(dice, 0.9 * both / shorter if shorter >= 4 else 0.0)


def most_alike(wanted: frozenset[str], headers: "Iterable[Header]", most: int) -> "list[Header]":
    """Of these notes the ones whose names and descriptions are most like what is wanted, best first."""
    found = ((similarity(wanted, terms(f"{one.name} {one.description}")), one) for one in headers)
    best = sorted((pair for pair in found if pair[0] >= _ALIKE), key=lambda pair: (-pair[0], pair[1].path))
    return [one for _, one in best[:most]]


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    from unicodedata import combining, normalize

    plain = text.replace("’", "'").casefold()
    return "".join(char for char in normalize("NFKD", plain) if not combining(char))


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)?")


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(_STOP.split())
