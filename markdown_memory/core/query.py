"""What a person types to search, as a value.

    words  "a phrase"  prefix*  -not  -"not this phrase"  key:value  key:"value with spaces"

Keys are type, tag, project, branch, agent, category, status, name, kind, and the dates after and before. Anything
else is a word: `http://x`, `C++`, `std::vector`, `12:30`. A slip is a hint, and its words are still searched; every
text is a query.
"""

import re
import time
from typing import Any, NamedTuple

from markdown_memory.core.names import near

FIELDS = ("type", "tag", "project", "branch", "agent", "category", "status", "name", "kind")
DATES = ("after", "before")
_DAY = 86400.0
_SPANS = {"d": 1, "day": 1, "w": 7, "week": 7, "m": 30, "month": 30, "y": 365, "year": 365}


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


def parse(text: str, now: float | None = None) -> Query:
    """The query that a text means; `now` in seconds since 1970 is what `yesterday` and `7d` count from."""
    query = Query()
    balanced, hint = _balanced(text)
    if hint:
        query = query._replace(hints=(hint,))
    for match in re.finditer(r'(-?)(?:([A-Za-z]+):(?="))?"([^"]*)"|(\S+)', balanced):
        minus, key, quoted, bare = match[1], match[2] or "", match[3], match[4]
        if bare is not None:
            query = _bare(query, bare, now)
        elif key:
            query = _field(query, key.lower(), quoted.strip(), f'{key}:"{quoted}"', now)
        elif quoted.strip():
            query = _add(query, "excluded" if minus else "phrases", quoted.strip())
    return query


def date(text: str, now: float | None = None) -> str:
    """A date as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; "" when it is none."""
    text = text.strip().lower()
    if re.fullmatch(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?", text):
        return text
    if re.fullmatch(r"\d{4}-\d\d-\d\dt[\d:.z+-]*", text):
        return text[:10]
    days = _days_ago(text)
    if days is None or now is None:
        return ""
    return time.strftime("%Y-%m-%d", time.gmtime(max(0.0, now - days * _DAY)))


def _days_ago(text: str) -> int | None:
    named = {"today": 0, "yesterday": 1, "last week": 7, "last month": 30, "last year": 365}
    if text in named:
        return named[text]
    match = re.fullmatch(r"(\d{1,5})\s*([dwmy]|day|week|month|year)s?(?:\s+ago)?", text)
    return int(match[1]) * _SPANS[match[2]] if match else None


def _balanced(text: str) -> tuple[str, str]:
    if text.count('"') % 2 == 0:
        return text, ""
    at = text.rindex('"')
    return text[:at] + " " + text[at + 1 :], "A quotation mark has no partner; its words were searched one by one."


def _bare(query: Query, token: str, now: float | None) -> Query:
    key, colon, value = token.partition(":")
    if colon and value and not value.startswith((":", "/")) and key.lstrip("-").isalpha():
        if key.lower() in (*FIELDS, *DATES):
            return _field(query, key.lower(), value, token, now)
        if not key.startswith("-") and (close := near(key.lower(), (*FIELDS, *DATES), 1)) and len(key) > 2:
            query = _add(
                query, "hints", f"{key!r} is no filter, so {token!r} was searched as words; is {close[0]!r} meant?"
            )
    if token.startswith("-") and len(token) > 1 and any(map(str.isalnum, token)):
        return _add(query, "excluded", token.lstrip("-")) if not token.startswith("--") else _add(query, "words", token)
    stem = token.rstrip("*")
    if stem != token and len(stem) > 1 and any(map(str.isalnum, stem)):
        return _add(query, "prefixes", stem)
    return _add(query, "words", token)


def _field(query: Query, key: str, value: str, written: str, now: float | None) -> Query:
    if key in DATES:
        found = date(value.replace("_", " "), now)
        if found:
            return query._replace(after=found) if key == "after" else query._replace(before=found)
        hint = f"{written!r} is no date; write it like {key}:2026-10-31, {key}:2026-10 or {key}:7d."
        return _add(_add(query, "hints", hint), "words", value)
    if key in FIELDS and value:
        return query._replace(filters=(*query.filters, (key, value.lstrip("#") if key == "tag" else value)))
    return _add(query, "words", written.replace('"', " ").strip())


def _add(query: Query, field: str, value: str) -> Query:
    more: dict[str, Any] = {field: (*getattr(query, field), value)}
    return query._replace(**more)
