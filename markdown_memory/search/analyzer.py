"""From text to index terms, for mixed languages and identifiers.

The rules, in words:

* Text is decomposed (NFKD), loses its accents and is recomposed, so that `café`, its decomposed spelling
  and `cafe` meet.
* A word is a run of letters, digits and underscores; single dots or hyphens inside keep an identifier
  together (`user.name`, `v1.2`, `oauth-pkce`). An identifier counts as a whole and by its parts, which are
  also cut at snake_case, camelCase and between letters and digits groups as written.
* Words in scripts without spaces (Han, Kana, Hangul, Thai, Lao, Khmer, Myanmar) become overlapping pairs of
  characters. A note also keeps the single characters, so that a one-character query finds it.
* Each emoji is a term.
* ASCII words are stemmed with Porter 2, whatever their language: a query goes the same way.
* Notes keep all words. A query drops function and question words, as long as something is left.
"""

import re
from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from unicodedata import normalize

from markdown_memory.search.stem import stem

VERSION = 2

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_EMOJI = "\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff"
# Marks of the Indic scripts and Arabic, Hebrew vowels are no word characters to `re` but belong to their
# words.
_MARKS = "\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962-\u0963\u0981-\u0dff"
_ASCII_TOKEN = re.compile(r"\w+(?:[.\-]\w+)*")
_RUNS = re.compile(r"[A-Za-z]+|[0-9]+|[^\x00-\x7f]+")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_APOSTROPHE = re.compile(r"['\u2019\u02bc](?:s|t|d|m|ll|re|ve)?\b|['\u2019\u02bc]", re.IGNORECASE)
_LETTERS = str.maketrans(
    dict(zip("øØłŁđĐıðёЁ", "oOlLdDidеЕ", strict=True))
    | {"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "ß": "ss"}
)

FUNCTION_WORDS = frozenset(
    """a about after all also am an and any are aren as at be because been before being between both but by
    can could d did didn do does doesn doing don done each else ever few for from further get gets getting
    give given go goes going gone got had hadn has hasn have haven having he her here hers herself him
    himself his how i if in into is isn it its itself just ll m many may me might mine more most much must
    my myself no nor not of off on once one only or other our ours ourselves out over own please re s same
    she should shouldn so some such t tell than that the their theirs them themselves then there these they
    this those through to too under until up us ve very was wasn we were weren what when where whether which
    while who whom whose why will with won would wouldn yet you your yours yourself yourselves kind type
    sort der die das den dem des ein eine einer eines einem einen und oder ist sind war waren wird werden
    wurde hat haben wer wie wo wann warum welche welcher welches mit von zu zum zur im am auf aus bei nach
    fur nicht auch es er sie wir ihr ich du man le la les un une des du de et ou est sont etait dans pour
    par sur avec que qui quoi quand comment pourquoi quel quelle quels quelles ce cette ces il elle nous vous
    ils elles""".split()  # a table reads better
)


def fold(text: str) -> str:
    """Compatibility forms, accents and apostrophes taken away; case stays, since camelCase needs it."""
    if "'" in text or not text.isascii():
        text = _APOSTROPHE.sub(" ", text)
    if text.isascii():
        return text
    bare = _ACCENTS.sub("", normalize("NFKD", text.translate(_LETTERS)))
    return normalize("NFC", bare)


def tokens(text: str) -> list[str]:
    """The raw words of a text, in order, folded but neither stemmed nor cut into parts."""
    folded = fold(text)
    return (_ASCII_TOKEN if folded.isascii() else _any_token()).findall(folded)


@lru_cache(maxsize=1)
def _any_token() -> re.Pattern[str]:
    """Compiled when the first text comes that is not ASCII: it takes longer than many a search."""
    letter = rf"(?![{_UNSPACED}])[\w{_MARKS}]"
    return re.compile(rf"[{_EMOJI}]|[{_UNSPACED}]+|(?:{letter})+(?:[.\-](?:{letter})+)*")


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]")


def note_terms(token: str) -> tuple[str, ...]:
    """The terms under which a note is found for one raw word."""
    return _terms(token, for_note=True)


def occurrences(terms: Collection[str], text: str, share: float = 0.0) -> tuple[list[int], int]:
    """How often a text says each of the terms that it holds, as whole words, and its length in words.

    None are told of a text of which they cannot be that share.
    """
    words = tokens(text)
    # A stem begins as its word does, but for `die` from "dying" and the like: what begins otherwise needs no stemming.
    starts = {start for term in terms for start in (term[:2], f"{term[:1]}y")}
    first = {char for term in terms for char in (term[:1], term[:1].upper(), "_")}
    likely = [word for word in words if word[0] in first and word.casefold().lstrip("_")[:2] in starts]
    if len(likely) < share * len(words):
        return [], len(words)
    said = Counter(term for word in likely for term in note_terms(word)[:1] if term in terms)
    return list(said.values()), len(words)


def query_terms(text: str) -> list[str]:
    """The distinct terms of a query in order; function words only when there is nothing else."""
    return list(dict.fromkeys(term for word in content_words(text) for term in _terms(word, for_note=False)))


def content_words(text: str) -> list[str]:
    """The words of a query that carry meaning, as typed. `May`, `Will`, `IT` inside a sentence do."""
    words = tokens(text)
    sentence = any(word.islower() for word in words)
    kept = [
        word
        for at, word in enumerate(words)
        if word.casefold() not in FUNCTION_WORDS or (sentence and at and word[0].isupper() and len(word) > 1)
    ]
    return kept or words


def prefix_term(text: str) -> str:
    """What a `prefix*` begins with in the index: folded, not stemmed."""
    return fold(text).casefold().strip("*_.- ")


def _terms(token: str, *, for_note: bool) -> tuple[str, ...]:
    if token.isascii():
        return _identifier(token)
    if _is_unspaced(token[0]):
        return _pairs(token, for_note)
    return _identifier(token)


def _is_unspaced(character: str) -> bool:
    return character >= "\u0e00" and _unspaced().match(character) is not None


def _pairs(run: str, for_note: bool) -> tuple[str, ...]:
    pairs = tuple(run[i : i + 2] for i in range(len(run) - 1))
    return pairs + tuple(run) if for_note or not pairs else pairs


def _identifier(token: str) -> tuple[str, ...]:
    whole = token.casefold().strip("_")
    if token.isalpha() and (token.islower() or token[1:].islower() or token.isupper()):
        return (_stem(whole),)
    parts = [part for run in _RUNS.findall(token) for part in (run, *_PARTS.findall(run))]
    kept = (part.casefold() for part in parts if len(part) > 1 or part.isdigit() or not part.isascii())
    return tuple(dict.fromkeys((_stem(whole), *map(_stem, kept)))) if whole else ()


def _stem(word: str) -> str:
    return stem(word) if word.isascii() and word.isalpha() else word
