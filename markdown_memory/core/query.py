"""What a person types to search, as a value.

    words  "a phrase"  prefix*  -not  -"not this phrase"  key:value  key:"value with spaces"

Keys are type, tag, project, branch, agent, category, status, name, kind, and the dates after and before, which are also
understood as people say them: after:"last May", before:"vor zwei Wochen" (spoken_dates.py). Several values of a key,
also with commas between them, are alternatives. A time that the words speak of ("what did we decide last May") excludes
nothing: it is the query's `period`. Anything else is a word: `http://x`, `C++`, `std::vector`,
`12:30`. A slip is a hint, and its words are still searched; every text is a query, of which the first 100 parts count.
"""

import re
import time
from functools import cache
from typing import NamedTuple

from markdown_memory.core import spoken_dates
from markdown_memory.core.names import near
from markdown_memory.core.spoken_dates import Period

FIELDS = ("type", "tag", "project", "branch", "agent", "category", "status", "name", "kind")
DATES = {"after": "after", "since": "after", "before": "before", "until": "before"}
MAX_PARTS = 100
_WHOLE = ("name", "branch")  # their values may hold commas
_DAY = 86400.0
_SPANS = {"d": 1, "day": 1, "w": 7, "week": 7, "m": 30, "month": 30, "y": 365, "year": 365}
_DAYS_AGO = {"tomorrow": -1, "today": 0, "yesterday": 1} | {
    f"{which}{gap}{unit}": _SPANS[unit]
    for which in ("last", "this")
    for gap in (" ", "-", "")
    for unit in ("week", "month", "year")
}
_QUOTES = str.maketrans("“”„‟«»", '""""""')


class Query(NamedTuple):
    """A parsed query. Dates are `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, both ends included; filters are (key, value)."""

    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[tuple[str, str], ...] = ()
    after: str = ""
    before: str = ""
    hints: tuple[str, ...] = ()
    period: Period = Period()


def parse(text: str, now: float | None = None) -> Query:
    """The query that a text means; `now` in seconds since 1970 is what `yesterday` and `7d` count from."""
    reader = _Reader(now)
    for number, match in enumerate(_parts().finditer(reader.balanced(text.translate(_QUOTES)))):
        if number == MAX_PARTS:
            reader.hints.append(f"Only the first {MAX_PARTS} parts of the query were searched.")
            break
        reader.take(match)
    return reader.query()


def date(text: str, now: float | None = None) -> str:
    """A date as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; "" when it is none."""
    text = " ".join(text.lower().replace("_", " ").split())
    match = re.fullmatch(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?)(?:t[\d:.z+-]*)?)?)?", text, re.ASCII)
    if match:
        return _calendar(*match.groups())
    days = _days_ago(text)
    if days is None or now is None:
        return ""
    return time.strftime("%Y-%m-%d", time.gmtime(max(0.0, now - days * _DAY)))


class _Reader:
    """Gathers the parts of one query."""

    def __init__(self, now: float | None) -> None:
        self._now = now
        self._words: list[str] = []
        self._phrases: list[str] = []
        self._prefixes: list[str] = []
        self._excluded: list[str] = []
        self._filters: list[tuple[str, str]] = []
        self._dates = {"after": "", "before": ""}
        self.hints: list[str] = []

    def query(self) -> Query:
        lists = (self._words, self._phrases, self._prefixes, self._excluded)
        words, phrases, prefixes, excluded = map(tuple, lists)
        period = Period()
        if words and self._now is not None:
            period, words = spoken_dates.told(words, self._now)
        filters, hints = tuple(self._filters), tuple(self.hints)
        return Query(words, phrases, prefixes, excluded, filters, **self._dates, hints=hints, period=period)

    def balanced(self, text: str) -> str:
        """The text without the one quotation mark that has no partner."""
        if text.count('"') % 2 == 0:
            return text
        at = text.rindex('"')
        self.hints.append("A quotation mark has no partner; its words were searched one by one.")
        return f"{text[:at]} {text[at + 1 :]}"

    def take(self, match: re.Match[str]) -> None:
        minus, key, quoted, bare = match["minus"], match["key"], match["quoted"], match["bare"]
        if bare is not None:
            self._bare(bare)
        elif key:
            self._keyed(minus, key, quoted.strip(), match[0])
        elif quoted.strip():
            (self._excluded if minus else self._phrases).append(quoted.strip())

    def _bare(self, token: str) -> None:
        key, colon, value = token.lstrip("-").partition(":")
        if colon and key.isalpha() and key.isascii() and not value.startswith((":", "/")):
            self._keyed("-" if token.startswith("-") else "", key, value, token)
        elif token.startswith("-") and not token.startswith("--") and any(map(str.isalnum, token)):
            self._excluded.append(token[1:])
        elif token.endswith("*") and any(map(str.isalnum, token)) and len(token.rstrip("*")) > 1:
            self._prefixes.append(token.rstrip("*"))
        else:
            self._words.append(token)

    def _keyed(self, minus: str, written_key: str, value: str, written: str) -> None:
        key = written_key.lower()
        if key not in FIELDS and key not in DATES:
            self._unknown(minus, key, written)
        elif minus:
            self.hints.append(f"A filter cannot be turned round; {written!r} was left out.")
        elif not value:
            self.hints.append(
                f"{written!r} has no value; it stands right behind the colon, as in {key}:{_EXAMPLES[key]}."
            )
            self._words.append(written.replace('"', ""))
        elif key in FIELDS:
            values = [value] if key in _WHOLE else value.split(",")
            self._filters += [(key, _tag(one) if key == "tag" else one.strip()) for one in values if one.strip()]
        elif found := date(value, self._now) or self._spoken(DATES[key], value):
            self._dates[DATES[key]] = found
        else:
            self.hints.append(f'{written!r} is no date; write it like {key}:2026-10-31, {key}:7d or {key}:"last May".')
            self._words += value.split()

    def _spoken(self, side: str, value: str) -> str:
        period = spoken_dates.meant(value, self._now) if self._now is not None else Period()
        return period.first if side == "after" else period.last

    def _unknown(self, minus: str, key: str, written: str) -> None:
        close = near(key, (*FIELDS, *DATES), 1) if len(key) > 2 and not minus else ()
        if close:
            self.hints.append(f"{key!r} is no filter, so {written!r} was searched as words; is {close[0]!r} meant?")
        words = written.replace('"', " ").split()
        if minus:
            self._excluded.append(" ".join(words)[1:])
        else:
            self._words += words


_EXAMPLES = dict(
    zip(FIELDS, "project auth harbor main lyra core accepted tea fact".split(), strict=True),
    **dict.fromkeys(DATES, "7d"),
)


@cache
def _parts() -> re.Pattern[str]:
    """A quoted part with a key or a minus before it, a date of two words, or what stands between blanks."""
    spoken = r"(?:last|this|letzte[nrs]?)\s+[^\W\d]+|\d{1,5}\s+(?:day|week|month|year)s?(?:\s+ago)?|vor\s+\w+\s+\w+"
    return re.compile(
        r'(?P<minus>-?)(?:(?P<key>[A-Za-z]{1,40}):(?="))?"(?P<quoted>[^"]*)"'
        rf"|(?P<bare>(?:{'|'.join(DATES)}):(?:{spoken})(?!\S)|\S+)",
        re.IGNORECASE,
    )


def _tag(text: str) -> str:
    return text.strip().lstrip("#")


def _calendar(year: str, month: str | None, day: str | None) -> str:
    from calendar import monthrange

    if month is None:
        return year
    if not 1 <= int(month) <= 12 or year == "0000":
        return ""
    if day is None:
        return f"{year}-{month:>02}"
    return f"{year}-{month:>02}-{day:>02}" if 1 <= int(day) <= monthrange(int(year), int(month))[1] else ""


def _days_ago(text: str) -> int | None:
    if text in _DAYS_AGO:
        return _DAYS_AGO[text]
    match = re.fullmatch(r"(\d{1,5})\s*([dwmy]|day|week|month|year)s?(?:\s+ago)?", text, re.ASCII)
    return int(match[1]) * _SPANS[match[2]] if match else None
