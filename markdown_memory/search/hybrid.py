"""Words and meaning together: the scores of the full text and of the vectors, each from 0 to 1, weighted
and added.

A note's cosine is averaged with those of its neighbours in the same source, near ones more: what was said
around a note is part of what it means. Both sides are scaled between the least and the greatest value of
this question, so that a weight means the same whatever the model. Chosen with `python -m
tests.benchmarks.locomo`.
"""

from collections.abc import Callable, Iterable

from markdown_memory.search.port import Match

VECTOR_WEIGHT = 0.45
KEYWORD_WEIGHT = 0.55
CANDIDATES = 100
_NEAR = (1.0, 0.5, 0.3)


def fuse(
    matches: Iterable[Match],
    cosine: Callable[[str], float],
    least: float,
    vector_weight: float = VECTOR_WEIGHT,
    keyword_weight: float = KEYWORD_WEIGHT,
) -> list[Match]:
    """The matches with both scores in one, best first; `least` is the smallest cosine of all notes."""
    held = list(matches)
    meanings = [_smoothed(match, cosine) for match in held]
    most_words = max((match.score for match in held), default=0.0) or 1.0
    span = max(meanings, default=least) - least or 1.0
    whole = vector_weight + keyword_weight
    found = []
    for match, meaning in zip(held, meanings, strict=True):
        words = keyword_weight / whole * match.score / most_words
        means = vector_weight / whole * (meaning - least) / span
        parts = (("words", round(words, 4)), ("meaning", round(means, 4)))
        found.append(match._replace(score=words + means, similarity=cosine(match.path), parts=parts))
    return sorted(found, key=lambda match: (-match.score, match.path))


def _smoothed(match: Match, cosine: Callable[[str], float]) -> float:
    near = ((match.path, 0), *match.around)
    total = sum(_NEAR[distance] * cosine(path) for path, distance in near)
    return total / sum(_NEAR[distance] for _, distance in near)
