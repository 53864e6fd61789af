"""Our Porter 2 against Whoosh's, over the words of this project and of Python."""

import re
import string
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.lang.porter2 import stem as reference

from markdown_memory.search.stem import stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("running", "run"), ("runs", "run"), ("happily", "happili"), ("generically", "generic"), ("flies", "fli"),
        ("dying", "die"), ("skies", "sky"), ("universities", "univers"), ("national", "nation"), ("hopping", "hop"),
        ("hoping", "hope"), ("agreed", "agre"), ("controlling", "control"), ("ties", "tie"), ("gas", "gas"),
        ("youth", "youth"), ("boyfriend", "boyfriend"), ("sensational", "sensat"), ("is", "is"), ("news", "news"),
    ],
)  # fmt: skip
def test_stems_as_the_description_says(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_agrees_with_whoosh_on_real_words() -> None:
    library = Path(sys.modules["email"].__file__ or "").parent if "email" in sys.modules else Path(re.__file__).parent
    texts = [file.read_text(errors="ignore") for file in sorted(library.glob("*.py"))[:60]]
    words = {word for text in texts for word in re.findall("[a-z]{3,20}", text.lower())}
    assert len(words) > 1000
    assert {word: stem(word) for word in words} == {word: reference(word) for word in words}


@given(st.text(string.ascii_lowercase, min_size=1, max_size=12))
def test_any_letters_have_a_stem(word: str) -> None:
    assert 0 < len(stem(word)) <= len(word) + 1
