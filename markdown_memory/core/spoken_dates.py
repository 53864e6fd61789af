"""Dates as people say them, in English, German and French: "last May", "vor zwei Wochen", "la semaine dernière".

`told` finds them in the words of a question, and says which period is meant: what was noted then is likelier to be the
answer. Only what can hardly be anything else counts: `may` and `march` are verbs, and `Friday` is in many a rule, so
these need a word before or behind them. `meant` reads a text that is a date as a whole. Weeks, months and years that
are past are those of the calendar; "two weeks ago" is a week around that day.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january januar janvier jan", "february februar fevrier feb", "march marz mars mar", "april avril apr",
            "may mai", "june juni juin jun", "july juli juillet jul", "august aout aug",
            "september septembre sept sep", "october oktober octobre oct okt", "november novembre nov",
            "december dezember decembre dec dez",
        ), 1,
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lundi", "tuesday dienstag mardi", "wednesday mittwoch mercredi",
            "thursday donnerstag jeudi", "friday freitag vendredi", "saturday samstag sonnabend samedi",
            "sunday sonntag dimanche",
        )
    )
    for name in names.split()
}  # fmt: skip
_UNITS = {
    name: days
    for days, names in (
        (1, "day days tag tage tagen jour jours"),
        (7, "week weeks woche wochen semaine semaines"),
        (30, "month months monat monate monaten mois"),
        (365, "year years jahr jahre jahren an ans annee annees l'annee l'an"),
    )
    for name in names.split()
}
_DAYS_AGO = {
    "today": 0, "heute": 0, "aujourd'hui": 0, "yesterday": 1, "gestern": 1, "vorgestern": 2, "avant-hier": 2,
}  # fmt: skip
_NUMBERS = {
    name: number
    for number, names in enumerate(
        ("a an one ein einem einer einen un une", "two zwei deux", "three drei trois", "four vier quatre",
         "five funf cinq", "six sechs"), 1,
    )
    for name in names.split()
}  # fmt: skip
_AMBIGUOUS = frozenset(("may", "march", "mars", "mar", "mai", "jan", "sep", "dec", "nov", "jun", "jul", "dez"))
_KEPT = re.compile(r"\d{4}|\d.*[-./].*")
_MARKS = ",.?!;:()\"'“”„»«"


class Period(NamedTuple):
    """Two days, `YYYY-MM-DD`, both included; "" and "" for none."""

    first: str = ""
    last: str = ""

    def holds(self, day: str) -> bool:
        """Whether a date, or a date and time, lies within."""
        return bool(self.first) and self.first <= day[:10] <= self.last


class Told(NamedTuple):
    """The period that a question speaks of, and its words without those that only say when."""

    period: Period
    words: tuple[str, ...]


def told(words: Sequence[str], now: float) -> Told:
    """What the words of a question say of time; months, years and dates stay among the words."""
    folded = [_fold(word) for word in words]
    starts = [0]
    for word in folded:
        starts.append(starts[-1] + len(word) + 1)
    found, said = list[tuple[date, date]](), set[int]()
    for match in _pattern().finditer(" ".join(folded)):
        period = _period(match, _day(now))
        if period:
            found.append(period)
            if match["day"] or match["day2"]:
                continue  # "12 May" is what the note may say, too
            said |= {at for at in range(len(words)) if match.start() <= starts[at] < match.end()}
    if not found:
        return Told(Period(), tuple(words))
    telling = tuple(word for at, word in enumerate(words) if at not in said or _is_kept(folded[at]))
    return Told(_text(min(one[0] for one in found), max(one[1] for one in found)), telling or tuple(words))


def meant(text: str, now: float) -> Period:
    """The period that a whole text says; empty when it is no date."""
    folded = " ".join(map(_fold, text.replace("_", " ").split()))
    if folded in ("hier", "may", "march", "mars", "mai"):
        folded = {"hier": "yesterday"}.get(folded, f"in {folded}")
    folded = f"last {folded}" if folded in _WEEKDAYS else folded
    match = _pattern().fullmatch(folded)
    period = _period(match, _day(now)) if match else None
    return _text(*period) if period else Period()


def _fold(word: str) -> str:
    bare = normalize("NFKD", word.casefold().replace("\u2019", "'").replace("\u00df", "ss"))
    return "".join(one for one in bare if not "\u0300" <= one <= "\u036f").strip(_MARKS)


def _is_kept(word: str) -> bool:
    return word in _MONTHS or _KEPT.fullmatch(word) is not None


def _day(now: float) -> date:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=min(max(now, 0.0), 2.5e11))).date()


def _text(first: date, last: date) -> Period:
    return Period(first.isoformat(), last.isoformat())


@cache
def _pattern() -> re.Pattern[str]:
    month, weekday = "|".join(_MONTHS), "|".join(_WEEKDAYS)
    sure = "|".join(name for name in _MONTHS if name not in _AMBIGUOUS)
    unit, number = "|".join(sorted(_UNITS, key=len, reverse=True)), rf"\d{{1,3}}|{'|'.join(_NUMBERS)}"
    last = r"last|past|previous|(?:letzt|vorig|vergangen)e[nrms]?"
    last_behind = "derniere?|passee?"
    this = r"this|current|diese[nrms]?|cette|ce"
    inside = r"in|during|since|from|of|by|early|late|mid|im|seit|anfang|ende|mitte|en|depuis|fin|debut"
    return re.compile(
        rf"""(?<!\S)(?:
        (?P<iso>\d{{4}}-\d\d?(?:-\d\d?)?)
        | (?P<dotted>\d\d?[./]\d\d?[./]\d{{4}})
        | (?P<relative>{"|".join(_DAYS_AGO)})
        | (?:(?:{last})\ (?P<lastmonth>{month}) | (?P<lastmonth2>{month})\ (?:{last_behind}))
        | (?:(?:{last})\ (?P<lastweekday>{weekday}) | (?P<lastweekday2>{weekday})\ (?:{last_behind}))
        | (?:(?:{last})\ (?P<lastunit>{unit}) | (?:(?:la|le)\ )?(?P<lastunit2>{unit})\ (?:{last_behind}))
        | (?:{this})\ (?P<thisunit>{unit})
        | (?P<ago>{number})\ (?P<agounit>{unit})\ ago
        | vor\ (?P<ago2>{number})\ (?P<agounit2>{unit})
        | il\ y\ a\ (?P<ago3>{number})\ (?P<agounit3>{unit})
        | (?P<day>\d\d?)(?:st|nd|rd|th|er)?\ (?:of\ )?(?P<daymonth>{month})(?:\ (?P<dayyear>\d{{4}}))?
        | (?P<daymonth2>{month})\ (?P<day2>\d\d?)(?:st|nd|rd|th)?(?:\ (?P<dayyear2>\d{{4}}))?
        | (?:(?:{inside})\ )?(?P<yearmonth>{month})\ (?P<year>\d{{4}})
        | (?:{inside})\ (?P<month>{month})
        | (?P<sure>{sure})
        | (?:in|during|since|im\ jahr|jahr|seit|en|depuis)\ (?P<bareyear>(?:19|20)\d\d)
        )(?!\S)""",
        re.VERBOSE,
    )


def _period(match: re.Match[str], today: date) -> tuple[date, date] | None:
    said = {name.rstrip("23"): value for name, value in match.groupdict().items() if value is not None}
    try:
        return _READERS[match.lastgroup.rstrip("23") if match.lastgroup else ""](said, today)
    except (ValueError, OverflowError):  # the 31st of February, the year 0
        return None


def _iso(said: dict[str, str], today: date) -> tuple[date, date]:
    parts = [int(part) for part in said["iso"].split("-")]
    return _month(parts[0], parts[1]) if len(parts) == 2 else (date(*parts), date(*parts))


def _dotted(said: dict[str, str], today: date) -> tuple[date, date]:
    day, month, year = (int(part) for part in re.split(r"[./]", said["dotted"]))
    return date(year, month, day), date(year, month, day)


def _relative(said: dict[str, str], today: date) -> tuple[date, date]:
    day = today - timedelta(_DAYS_AGO[said["relative"]])
    return day, day


def _last_month(said: dict[str, str], today: date) -> tuple[date, date]:
    month = _MONTHS[said["lastmonth"]]
    return _month(today.year - (month >= today.month), month)


def _last_weekday(said: dict[str, str], today: date) -> tuple[date, date]:
    day = today - timedelta((today.weekday() - _WEEKDAYS[said["lastweekday"]] - 1) % 7 + 1)
    return day, day


def _last_unit(said: dict[str, str], today: date) -> tuple[date, date]:
    first, _ = _around(today, _UNITS[said["lastunit"]])
    return _around(first - timedelta(1), _UNITS[said["lastunit"]])


def _this_unit(said: dict[str, str], today: date) -> tuple[date, date]:
    return _around(today, _UNITS[said["thisunit"]])


def _ago(said: dict[str, str], today: date) -> tuple[date, date]:
    number = int(said["ago"]) if said["ago"].isdigit() else _NUMBERS[said["ago"]]
    days = _UNITS[said["agounit"]]
    middle, half = today - timedelta(number * days), timedelta(days // 2)
    return middle - half, middle + half


def _day_of_month(said: dict[str, str], today: date) -> tuple[date, date]:
    month, day = _MONTHS[said["daymonth"]], int(said["day"])
    year = int(said.get("dayyear") or today.year - ((month, day) > (today.month, today.day)))
    return date(year, month, day), date(year, month, day)


def _month_of_year(said: dict[str, str], today: date) -> tuple[date, date]:
    return _month(int(said["year"]), _MONTHS[said["yearmonth"]])


def _newest_month(said: dict[str, str], today: date) -> tuple[date, date]:
    month = _MONTHS[said.get("month") or said["sure"]]
    return _month(today.year - (month > today.month), month)


def _year(said: dict[str, str], today: date) -> tuple[date, date]:
    return date(int(said["bareyear"]), 1, 1), date(int(said["bareyear"]), 12, 31)


def _month(year: int, month: int) -> tuple[date, date]:
    first = date(year, month, 1)
    return first, (first + timedelta(31)).replace(day=1) - timedelta(1)


def _around(day: date, days: int) -> tuple[date, date]:
    """The calendar's day, week, month or year that a day is in."""
    if days == 7:
        first = day - timedelta(day.weekday())
        return first, first + timedelta(6)
    if days == 30:
        return _month(day.year, day.month)
    return (date(day.year, 1, 1), date(day.year, 12, 31)) if days == 365 else (day, day)


_READERS: dict[str, Callable[[dict[str, str], date], tuple[date, date]]] = {
    "iso": _iso, "dotted": _dotted, "relative": _relative, "lastmonth": _last_month, "lastweekday": _last_weekday,
    "lastunit": _last_unit, "thisunit": _this_unit, "agounit": _ago, "daymonth": _day_of_month, "day": _day_of_month,
    "dayyear": _day_of_month, "year": _month_of_year, "month": _newest_month, "sure": _newest_month,
    "bareyear": _year,
}  # fmt: skip
