"""Text to the word pieces of BERT's uncased vocabulary, as MiniLM was trained on them.

As in BERT: lower case, accents dropped, punctuation and Chinese characters on their own; then the longest
pieces that the vocabulary has, from the left. vocabulary/NOTICE says where the vocabulary is from.
"""

import gzip
import os
import re
from functools import lru_cache
from unicodedata import normalize

CLASSIFY, SEPARATE, UNKNOWN = 101, 102, 100
_FILE = os.path.join(os.path.dirname(__file__), "vocabulary", "wordpiece.txt.gz")
_CHINESE = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
_WORD = re.compile(rf"[{_CHINESE}]|(?:(?![{_CHINESE}_])\w)+|[^\w\s]|_")
_ACCENTS = re.compile("[\u0300-\u036f]")
_LONGEST = 100


def pieces(text: str, limit: int) -> list[int]:
    """The numbers of a text's pieces, at most `limit` with those that mark its beginning and end."""
    found: list[int] = []
    for word in _WORD.findall(_ACCENTS.sub("", normalize("NFD", text.lower()))):
        found += _pieces(word)
        if len(found) >= limit - 2:
            break
    return [CLASSIFY, *found[: limit - 2], SEPARATE]


@lru_cache(maxsize=1)
def _vocabulary() -> dict[str, int]:
    with gzip.open(_FILE, "rt", encoding="utf-8", newline="\n") as file:
        return {piece: number for number, piece in enumerate(file.read().split("\n"))}


@lru_cache(maxsize=50_000)
def _pieces(word: str) -> tuple[int, ...]:
    known = _vocabulary()
    found: list[int] = []
    start = 0
    while start < len(word):
        head = "##" if start else ""
        for end in range(min(len(word), start + _LONGEST), start, -1):
            number = known.get(head + word[start:end])
            if number is not None:
                found.append(number)
                start = end
                break
        else:
            return (UNKNOWN,)
    return tuple(found)
