"""All numbers that decide the order of full-text hits, in one place.

A note's score is the sum of

* BM25F over its whole text: frequencies in its parts are weighted and added, then saturated once;
* for every query word in its name, title, aliases or tags: the word's inverse document frequency times
  `NAMED`;
* BM25 over the window of notes around it in the same source, for the words that it lacks itself, times `WINDOW`;
* BM25 over all notes of its source together, times `SOURCE`, when they are more than such a window holds.

The values were chosen on one half of the conversations of `python -m tests.benchmarks.locomo` and of the questions of
`python -m tests.benchmarks.notes`, and confirmed on the other halves.
"""

from typing import Final

# How much one occurrence in the text field counts, by the part of the note that it stands in.
BODY: Final = 1.0
NAME: Final = 1.0
DESCRIPTION: Final = 1.0

# A query word in the name, title, aliases or tags.
NAMED: Final = 1.5

# Saturation and length normalisation: notes are short.
K1: Final = 0.9
B: Final = 0.3

# The window: weight of a note at that distance in its source (0 is the note itself: its words count elsewhere), and of
# the whole.
REACH: Final = (0.0, 1.0, 1.0)
WINDOW: Final = 0.8
WINDOW_K1: Final = 0.9
WINDOW_B: Final = 0.4
SOURCE: Final = 0.4
SOURCE_K1: Final = 0.9
SOURCE_B: Final = 0.4

# How many of the best notes by their own text are looked at with their neighbours; a larger source has no
# neighbours.
SEEDS: Final = 60
LARGEST_SOURCE: Final = 5000

# An expanded `prefix*` stands for at most this many terms.
PREFIX_TERMS: Final = 64
