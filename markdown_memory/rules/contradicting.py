"""All pairs of texts, among many, of which one says what the other rules out.

Only sentences that share two of their rarest telling words are compared. What very many sentences share brings none of
them together, unless they share nothing else, and then each is held against the last hundred: the work grows with the
number of sentences, not with its square.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from markdown_memory.rules.contradiction import Conflict, Said, compared, conflicts, said

Mark = tuple[str, str]
COMMON = 100
RAREST = 6
SHORT = 2


def pairs(
    texts: Mapping[str, str], meet: Callable[[str, str], bool], first: Callable[[str, str], bool]
) -> Iterator[tuple[str, str, Conflict]]:
    """(newer, older, what differs) for keys of `texts` that `meet`; `first` says whether one is older than another."""
    for one, other in _candidates(texts, meet):
        old, new = (one, other) if first(one, other) else (other, one)
        found = conflicts(texts[new], texts[old])
        if found:
            yield new, old, found[0]


def _candidates(texts: Mapping[str, str], meet: Callable[[str, str], bool]) -> list[tuple[str, str]]:
    sentences = [(key, one) for key in sorted(texts) for one in said(texts[key]) if one.about]
    held_by = Counter(stem for _, one in sentences for stem in one.about)
    marks = [_marks(one, held_by) for _, one in sentences]
    number = Counter(mark for all in marks for mark in all)
    holding: dict[Mark, list[int]] = defaultdict(list)
    found: dict[tuple[str, str], bool] = {}
    for at, (key, one) in enumerate(sentences):
        telling = _telling(marks[at], number)
        for other in {other for mark in telling for other in holding[mark][-COMMON:]}:
            pair = (sentences[other][0], key)
            if pair[0] != key and not found.get(pair) and compared(one, sentences[other][1]):
                found[pair] = meet(*pair)
        for mark in marks[at]:
            holding[mark].append(at)
    return sorted(pair for pair, together in found.items() if together)


def _marks(one: Said, held_by: Mapping[str, int]) -> list[Mark]:
    """Pairs of a sentence's rarest words; of a short sentence the single words, too."""
    rarest = sorted(sorted(one.about, key=lambda stem: (held_by[stem], stem))[:RAREST])
    return [*combinations(rarest, 2), *((stem, "") for stem in rarest if len(one.about) <= SHORT)]


def _telling(marks: Sequence[Mark], number: Mapping[Mark, int]) -> list[Mark]:
    return [mark for mark in marks if number[mark] <= COMMON] or sorted(marks, key=lambda one: (number[one], one))[:1]
