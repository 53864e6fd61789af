"""The English stemmer Porter 2, for lower-case ASCII words.

After the description at https://snowballstem.org/algorithms/english/stemmer.html; R1 and R2 are the regions
that it defines, and the steps have its numbers. Most words end in no suffix of a step, which one test of
`str.endswith` tells.
"""

import re

_REGION = re.compile(r"[^aeiouy]*[aeiouy]+[^aeiouy]")
_VOWEL = re.compile("[aeiouy]")
_SHORT_END = re.compile(r"(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$")
_CONSONANT_Y = re.compile("(?:^|(?<=[aeiouy]))y")
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_STEP_1B = ("ingly", "edly", "ing", "ed")

_EXCEPTIONS = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
    **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
}  # fmt: skip
_DONE_AFTER_1A = frozenset(("inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"))

# Longest suffix first: what it becomes, when it lies in R1.
_STEP_2 = {
    "ization": "ize", "ational": "ate", "fulness": "ful", "ousness": "ous", "iveness": "ive", "tional": "tion",
    "biliti": "ble", "lessli": "less", "entli": "ent", "ation": "ate", "alism": "al", "aliti": "al", "ousli": "ous",
    "iviti": "ive", "fulli": "ful", "enci": "ence", "anci": "ance", "abli": "able", "izer": "ize", "ator": "ate",
    "alli": "al", "bli": "ble", "ogi": "og", "li": "",
}  # fmt: skip
_STEP_3 = {
    "ational": "ate", "tional": "tion", "alize": "al", "icate": "ic", "iciti": "ic", "ative": "", "ical": "ic",
    "ness": "", "ful": "",
}  # fmt: skip
_STEP_4 = ("ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize",
           "ion", "al", "er", "ic")  # fmt: skip
_ENDS_2, _ENDS_3 = tuple(_STEP_2), tuple(_STEP_3)
_BEFORE_LI = frozenset("cdeghkmnrt")


def stem(word: str) -> str:
    """The stem of one word."""
    if len(word) < 3:
        return word
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    if "y" in word:
        word = _CONSONANT_Y.sub("Y", word)
    r1, r2 = _regions(word)
    word = _step_1a(word)
    if word in _DONE_AFTER_1A:
        return word
    word = _step_1c(_step_1b(word, r1))
    if word.endswith(_ENDS_2):
        word = _step_2(word, r1)
    if word.endswith(_ENDS_3):
        word = _step_3(word, r1, r2)
    if word.endswith(_STEP_4):
        word = _step_4(word, r2)
    return _step_5(word, r1, r2).replace("Y", "y")


def _regions(word: str) -> tuple[int, int]:
    """Where R1 and R2 begin."""
    r1 = 5 if word.startswith(("gener", "arsen")) else 6 if word.startswith("commun") else 0
    if not r1:
        found = _REGION.match(word)
        r1 = found.end() if found else len(word)
    found = _REGION.match(word, r1)
    return r1, found.end() if found else len(word)


def _step_1a(word: str) -> str:
    if not word.endswith(("s", "ied")):
        return word
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith(("us", "ss")):
        return word
    return word[:-1] if _VOWEL.search(word, 0, len(word) - 2) else word


def _step_1b(word: str, r1: int) -> str:
    if word.endswith(("eedly", "eed")):
        at = len(word) - (5 if word.endswith("eedly") else 3)
        return word[: at + 2] if at >= r1 else word
    if not word.endswith(_STEP_1B):
        return word
    at = len(word) - next(len(suffix) for suffix in _STEP_1B if word.endswith(suffix))
    if not _VOWEL.search(word, 0, at):
        return word
    word = word[:at]
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if word.endswith(_DOUBLES):
        return word[:-1]
    return word + "e" if r1 >= len(word) and _SHORT_END.search(word) else word


def _step_1c(word: str) -> str:
    if word[-1] in "yY" and len(word) > 2 and word[-2] not in "aeiouy":
        return word[:-1] + "i"
    return word


def _step_2(word: str, r1: int) -> str:
    suffix = next(suffix for suffix in _ENDS_2 if word.endswith(suffix))
    at = len(word) - len(suffix)
    if at < r1 or (suffix == "ogi" and word[at - 1] != "l") or (suffix == "li" and word[at - 1] not in _BEFORE_LI):
        return word
    return word[:at] + _STEP_2[suffix]


def _step_3(word: str, r1: int, r2: int) -> str:
    suffix = next(suffix for suffix in _ENDS_3 if word.endswith(suffix))
    at = len(word) - len(suffix)
    return word[:at] + _STEP_3[suffix] if at >= (r2 if suffix == "ative" else r1) else word


def _step_4(word: str, r2: int) -> str:
    suffix = next(suffix for suffix in _STEP_4 if word.endswith(suffix))
    at = len(word) - len(suffix)
    if at < r2 or (suffix == "ion" and word[at - 1] not in "st"):
        return word
    return word[:at]


def _step_5(word: str, r1: int, r2: int) -> str:
    last, at = word[-1], len(word) - 1
    if last == "l":
        return word[:at] if at >= r2 and word[at - 1] == "l" else word
    if last == "e" and (at >= r2 or (at >= r1 and not _SHORT_END.search(word, 0, at))):
        return word[:at]
    return word
