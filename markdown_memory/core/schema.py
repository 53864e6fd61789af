"""Checking values from outside with pydantic, against the NamedTuples that the rest of the package uses.

The fields, their types and defaults are read off the NamedTuple, so that there is one model of each thing.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from markdown_memory.core.names import near
from markdown_memory.core.problem import Problem
from markdown_memory.core.toml_block import line_of

_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text in quotes"}
_EMPOWERING = ("command", "endpoint", "url", "key", "path", "token", "secret", "host", "script")


class Rules(NamedTuple):
    """What else is known of a table: the file, bounds and choices by key, keys that are checked elsewhere.

    `text` is the TOML, which begins `above` lines below the file's first; `prefix` stands before keys in messages.
    """

    path: str
    limits: Mapping[str, tuple[float, float]] = {}
    choices: Mapping[str, Sequence[str]] = {}
    skip: tuple[str, ...] = ()
    text: str = ""
    above: int = 0
    prefix: str = ""

    def problem(self, code: str, key: str, message: str, remedy: str) -> Problem:
        """A problem at the line in which the key is set."""
        line = line_of(self.text, key)
        return Problem(code, self.path, line + self.above if line else 0, message, remedy)


class Checked(NamedTuple):
    """The values that are right, the problems, and the known keys that are wrong or perhaps misspelt."""

    values: dict[str, Any]
    problems: list[Problem]
    doubtful: frozenset[str]


def check(table: Mapping[str, Any], shape: type[Any], rules: Rules) -> Checked:
    """The values of a table that are right, and a problem for each that is wrong or unknown."""
    hints = {key: hint for key, hint in get_type_hints(shape).items() if key not in rules.skip}
    model = _model(cast(Any, shape), _frozen(rules.limits), _frozen(rules.choices), rules.skip)
    known = {key: value for key, value in table.items() if key in hints}
    meant = {key: near(key, hints, 1) for key in table if key not in hints}
    problems = [_unknown(key, close, rules) for key, close in meant.items()]
    bad: set[str] = set()
    try:
        checked = model.model_validate(known)
    except ValidationError as error:
        bad = {str(one["loc"][0]) for one in error.errors()}
        problems += [_wrong(key, known[key], hints[key], rules) for key in sorted(bad)]
        known = {key: value for key, value in known.items() if key not in bad}
        checked = model.model_validate(known)
    doubtful = bad | {close[0] for close in meant.values() if close and close[0] not in table}
    return Checked({key: getattr(checked, key) for key in known}, problems, frozenset(doubtful))


def _frozen(table: Mapping[str, Sequence[Any]]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    return tuple((key, tuple(values)) for key, values in sorted(table.items()))


@cache
def _model(
    shape: Any,
    limits: tuple[tuple[str, tuple[Any, ...]], ...],
    choices: tuple[tuple[str, tuple[Any, ...]], ...],
    skip: tuple[str, ...],
) -> type[BaseModel]:
    bounds, allowed = dict(limits), dict(choices)
    fields: dict[str, Any] = {}
    for key, hint in get_type_hints(shape).items():
        if key not in skip:
            fields[key] = _field(hint, shape._field_defaults.get(key), bounds.get(key), allowed.get(key))
    return create_model(shape.__name__, __config__=ConfigDict(extra="forbid"), **fields)


def _field(hint: Any, default: object, limit: tuple[Any, ...] | None, choice: tuple[Any, ...] | None) -> Any:
    if choice:
        return Literal[choice], Field(default)
    if limit:
        whole: dict[str, Any] = {"strict": True} if hint is int else {"allow_inf_nan": False}
        return hint, Field(default, ge=limit[0], le=limit[1], **whole)
    return hint, Field(default, strict=hint in _WORDS or None)


def _unknown(key: str, close: Sequence[str], rules: Rules) -> Problem:
    message = f"The setting `{rules.prefix}{key}` is not known and has no effect."
    if any(word in key.lower() for word in _EMPOWERING):
        remedy = "Commands, addresses, keys and paths count in your own config only, never in a vault."
    elif close:
        remedy = f"Did you mean `{close[0]}`?"
    else:
        remedy = "Remove it, or check its spelling."
    return rules.problem("settings-unknown", key, message, remedy)


def _wrong(key: str, value: object, hint: Any, rules: Rules) -> Problem:
    limit, choice = rules.limits.get(key), rules.choices.get(key)
    if choice:
        allowed = " or ".join(f'"{one}"' for one in choice if one)
    elif limit:
        allowed = f"{_WORDS[hint]} from {limit[0]:g} to {limit[1]:g}"
    else:
        allowed = _WORDS.get(hint, "a list of texts")
    shown = repr(value) if len(repr(value)) <= 80 else f"{repr(value)[:80]}…"
    message = f"`{rules.prefix}{key}` is {shown}; allowed is {allowed}."
    return rules.problem("settings-value", key, message, f"Correct `{key}`.")
