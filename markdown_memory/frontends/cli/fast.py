"""The quick door: the verbs that agents and hooks call at every turn, parsed without argparse, Typer or rich.

`parse` understands the verbs in `VERBS`, written plainly: options by their full name (`--limit 5`,
`--limit=5`) or listed short name, global options anywhere, `--` before words that begin with a dash. For
anything else (help, completion, a misspelt option, a missing word) it returns None, and the Typer app, which
defines every command, takes over and explains. A test keeps the two definitions equal.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Value = str | int | bool | tuple[str, ...] | None


class Option(NamedTuple):
    """One option: `kind` is "flag", "text", "number" or "list" (may be given several times)."""

    flags: tuple[str, ...]
    kind: str = "text"
    default: Value = ""

    @property
    def name(self) -> str:
        """The parameter that it fills, after its first flag."""
        return self.flags[0].lstrip("-").replace("-", "_")


class Verb(NamedTuple):
    """One command: the function `module:name` in this package, its words and its options.

    A word is "name", "name?" (may be left out) or "name+" (all that are left, at least one).
    """

    run: str
    words: tuple[str, ...]
    options: tuple[Option, ...]


class Parsed(NamedTuple):
    """What the command line said."""

    run: str
    globals: dict[str, Value]
    values: dict[str, Value]


def _text(flag: str) -> Option:
    return Option((flag,))


def _flag(*flags: str) -> Option:
    return Option(flags, "flag", False)


def _many(*flags: str) -> Option:
    return Option(flags, "list", ())


def _number(flag: str, short: str, default: int) -> Option:
    return Option((flag, short) if short else (flag,), "number", default)


GLOBALS = (
    _many("--vault"),
    Option(("--agent",)),
    Option(("--project",), default=None),
    Option(("--branch",), default=None),
    _flag("--json"),
    _flag("--plain", "--no-color"),
    _flag("--quiet", "-q"),
)

_FILTERS = (
    Option(("--namespace",), default=None),
    _many("--type"),
    _many("--category"),
    _many("--tag"),
    _many("--in-project"),
    _many("--in-branch"),
    _many("--by"),
    _many("--status"),
)

VERBS: Mapping[str, Verb] = {
    "context": Verb("verbs_read:context", (), (Option(("--query",)), _number("--limit", "", 6000))),
    "show": Verb("verbs_read:show", ("name",), (_flag("--body"), _flag("--path"))),
    "search": Verb(
        "verbs_read:search",
        ("words+",),
        (_number("--limit", "-n", 20), *_FILTERS, *map(_flag, ("--explain", "--expand", "--unfold"))),
    ),
    "list": Verb("verbs_read:list_notes", (), (*_FILTERS, _flag("--archived"), _flag("--all"))),
    "where": Verb("verbs_read:where", (), ()),
    "hook": Verb("verbs_session:hook", ("client", "event"), ()),
    "retain": Verb(
        "verbs_keep:retain",
        ("text?",),
        (
            Option(("--kind",), default="fact"),
            *map(_text, ("--source", "--name", "--description", "--trust")),
            Option(("--namespace",), default=None),
            _flag("--private"),
            Option(("--from-transcript",)),
            _number("--limit", "", 5),
            _flag("--dry-run"),
            Option(("--from-client",)),
        ),
    ),
    "version": Verb("verbs_about:version", (), ()),
    "review list": Verb("verbs_review:list_proposals", (), (_flag("--all"),)),
    "review show": Verb("verbs_review:show", ("ref",), ()),
    "project show": Verb("verbs_project:show", (), ()),
    "log append": Verb(
        "verbs_log:append",
        ("text",),
        (Option(("--channel",)), Option(("--kind",), default="note"), _many("--ack"), _many("--ref")),
    ),
    "log read": Verb(
        "verbs_log:read",
        (),
        (
            _flag("--unread"),
            Option(("--since",)),
            Option(("--by",)),
            Option(("--kind",)),
            _number("--tail", "-n", 0),
        ),
    ),
}


def parse(argv: Sequence[str]) -> Parsed | None:
    """The verb and its values, or None when the full parser should have a look."""
    words, found, rest = _sort(argv)
    if words is None:
        return None
    name = " ".join(words[: 2 if words[:1] in _GROUPS else 1])
    verb = VERBS.get(name)
    if verb is None:
        return None
    spoken = [*words[name.count(" ") + 1 :], *rest]
    given = _words(verb.words, spoken)
    options = _values(verb.options, found)
    everywhere = _values(GLOBALS, found)
    if given is None or options is None or everywhere is None or found:
        return None
    return Parsed(verb.run, everywhere, {**given, **options})


_GROUPS = [["log"], ["project"], ["review"]]
_EVERY_OPTION = (*GLOBALS, *(option for verb in VERBS.values() for option in verb.options))
_FLAGS = frozenset(flag for option in _EVERY_OPTION if option.kind == "flag" for flag in option.flags)


def _sort(argv: Sequence[str]) -> tuple[list[str] | None, list[tuple[str, str]], list[str]]:
    """Part the command line into words, options with their text, and the words after `--`."""
    words: list[str] = []
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(argv):
        token = argv[at]
        at += 1
        if token == "--":
            return words, found, list(argv[at:])
        if not token.startswith("-") or token == "-":
            words.append(token)
            continue
        flag, equals, text = token.partition("=")
        if not equals and flag not in _FLAGS:
            if at == len(argv):
                return None, [], []
            text = argv[at]
            at += 1
        elif equals and flag in _FLAGS:
            return None, [], []
        found.append((flag, text))
    return words, found, []


def _words(names: Sequence[str], spoken: Sequence[str]) -> dict[str, Value] | None:
    given: dict[str, Value] = {}
    left = list(spoken)
    for name in names:
        if name.endswith("+"):
            if not left:
                return None
            given[name[:-1]] = tuple(left)
            left = []
        elif left:
            given[name.rstrip("?")] = left.pop(0)
        elif name.endswith("?"):
            given[name[:-1]] = ""
        else:
            return None
    return None if left else given


def _values(options: Sequence[Option], found: list[tuple[str, str]]) -> dict[str, Value] | None:
    """Take the options that are known here out of `found`."""
    values: dict[str, Value] = {option.name: option.default for option in options}
    by_flag = {flag: option for option in options for flag in option.flags}
    for pair in [pair for pair in found if pair[0] in by_flag]:
        found.remove(pair)
        option, text = by_flag[pair[0]], pair[1]
        value = _value(option, text, values[option.name])
        if value is None:
            return None
        values[option.name] = value
    return values


def _value(option: Option, text: str, so_far: Value) -> Value:
    if option.kind == "flag":
        return True
    if option.kind == "list":
        return (*(so_far if isinstance(so_far, tuple) else ()), text)
    if option.kind == "number":
        return int(text) if text.isascii() and text.isdecimal() else None
    return text
