"""Checking values from outside with pydantic, against the NamedTuples that the rest of the package uses.

The fields, their types and defaults are read off the NamedTuple, so that there is one model of each thing.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from markdown_memory.core.names import near
from markdown_memory.core.problem import Problem

_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text in quotes"}


def check(
    table: Mapping[str, Any],
    shape: type[Any],
    limits: Mapping[str, tuple[float, float]],
    choices: Mapping[str, Sequence[str]],
    path: str,
    skip: Sequence[str] = (),
) -> tuple[dict[str, Any], list[Problem]]:
    """The values that are right, and a problem for each that is wrong or unknown.

    A problem's code is `settings-value:<key>` or `settings-unknown:<key>`.
    """
    hints = {key: hint for key, hint in get_type_hints(shape).items() if key not in skip}
    allowed = tuple((key, tuple(values)) for key, values in sorted(choices.items()))
    model = _model(cast(Any, shape), tuple(sorted(limits.items())), allowed, tuple(skip))
    problems = [_unknown(key, hints, path) for key in table if key not in hints]
    known = {key: value for key, value in table.items() if key in hints}
    try:
        checked = model.model_validate(known)
    except ValidationError as error:
        bad = {str(one["loc"][0]) for one in error.errors()}
        problems += [
            _wrong(key, known[key], hints[key], limits.get(key), choices.get(key), path) for key in sorted(bad)
        ]
        known = {key: value for key, value in known.items() if key not in bad}
        checked = model.model_validate(known)
    return {key: getattr(checked, key) for key in known}, problems


@cache
def _model(
    shape: Any,
    limits: tuple[tuple[str, tuple[float, float]], ...],
    choices: tuple[tuple[str, tuple[str, ...]], ...],
    skip: tuple[str, ...],
) -> type[BaseModel]:
    bounds, allowed = dict(limits), dict(choices)
    fields: dict[str, Any] = {}
    for key, hint in get_type_hints(shape).items():
        if key not in skip:
            fields[key] = _field(hint, shape._field_defaults.get(key), bounds.get(key), allowed.get(key))
    return create_model(shape.__name__, __config__=ConfigDict(extra="forbid"), **fields)


def _field(hint: Any, default: object, limit: tuple[float, float] | None, choice: tuple[str, ...] | None) -> Any:
    if choice:
        return Literal[choice], Field(default)
    if limit:
        whole: dict[str, Any] = {"strict": True} if hint is int else {"allow_inf_nan": False}
        return hint, Field(default, ge=limit[0], le=limit[1], **whole)
    return hint, Field(default, strict=hint in _WORDS or None)


def _unknown(key: str, hints: Mapping[str, Any], path: str) -> Problem:
    close = near(key, hints, 1)
    hint = f"Did you mean `{close[0]}`?" if close else "Remove it, or check its spelling."
    return Problem(f"settings-unknown:{key}", path, 0, f"The setting `{key}` is not known and has no effect.", hint)


def _wrong(
    key: str, value: object, hint: Any, limit: tuple[float, float] | None, choice: Sequence[str] | None, path: str
) -> Problem:
    if choice:
        allowed = " or ".join(f'"{one}"' for one in choice if one)
    elif limit:
        allowed = f"{_WORDS[hint]} from {limit[0]:g} to {limit[1]:g}"
    else:
        allowed = _WORDS.get(hint, "a list of texts")
    return Problem(
        f"settings-value:{key}", path, 0, f"`{key}` is {value!r}; allowed is {allowed}.", f"Correct `{key}`."
    )
