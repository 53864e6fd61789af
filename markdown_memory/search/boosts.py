"""All numbers that decide the order of full-text hits, in one place.

BM25F proper: a term's frequencies in the parts of a note are weighted and added, then saturated once. The
values were chosen with `python -m tests.benchmarks.locomo` and `… search`.
"""

from typing import Final

# How much one occurrence counts, by the part of the note that it stands in.
NAME: Final = 3.0
ALIAS: Final = 3.0
TITLE: Final = 2.0
TAG: Final = 2.0
DESCRIPTION: Final = 2.0
BODY: Final = 1.0

# Saturation and length normalisation: notes are short.
K1: Final = 0.9
B: Final = 0.4

# An expanded `prefix*` stands for at most this many terms.
PREFIX_TERMS: Final = 64
