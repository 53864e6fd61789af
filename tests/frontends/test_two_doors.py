"""The quick parser and the Typer app are two doors to one set of commands: a test keeps them equal."""

from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from markdown_memory.frontends.cli import fast
from markdown_memory.frontends.cli.app import app, hoist

TREE: Any = get_command(app)


def typer_command(name: str) -> Any:
    command: Any = TREE
    for word in name.split():
        command = command.commands[word]
    return command


def options_of(command: Any) -> Iterator[tuple[tuple[str, ...], str, Any]]:
    for param in command.params:
        own = not {"--help", "--version", "--install-completion", "--show-completion"} & set(param.opts)
        if own and param.param_type_name == "option":
            yield tuple(param.opts), kind_of(param), param.default if param.default != [] else ()


def kind_of(param: Any) -> str:
    if param.is_flag:
        return "flag"
    if param.multiple:
        return "list"
    return "number" if isinstance(param.default, int) else "text"


def words_of(command: Any) -> tuple[str, ...]:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    return tuple(param.name + ("+" if param.nargs == -1 else "" if param.required else "?") for param in arguments)


@pytest.mark.parametrize("name", sorted(fast.VERBS))
def test_a_quick_verb_has_the_options_types_and_defaults_of_its_typer_command(name: str) -> None:
    quick = {(option.flags, option.kind, option.default) for option in fast.VERBS[name].options}
    assert quick == set(options_of(typer_command(name)))


@pytest.mark.parametrize("name", sorted(fast.VERBS))
def test_a_quick_verb_takes_the_words_of_its_typer_command(name: str) -> None:
    assert fast.VERBS[name].words == words_of(typer_command(name))


def test_the_global_options_are_the_same_at_both_doors() -> None:
    assert {(option.flags, option.kind, option.default) for option in fast.GLOBALS} == set(options_of(TREE))


def values_at_the_full_door(argv: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    context = TREE.make_context("mdmem", hoist(argv, TREE), obj=None)
    everywhere = {key: tuple(v) if isinstance(v, list) else v for key, v in context.params.items() if key != "version"}
    words = [*context._protected_args, *context.args]
    command = TREE
    while getattr(command, "commands", None) and words:
        command = command.commands[words[0]]
        context = command.make_context(words[0], words[1:], parent=context)
        words = [*getattr(context, "_protected_args", ()), *context.args]
    values = {key: tuple(v) if isinstance(v, list) else v for key, v in context.params.items()}
    return everywhere, values


@pytest.mark.parametrize(
    "line",
    [
        "context",
        "context --query login --limit 300",
        "--vault /v show a --body",
        "search a --vault /v --vault /w --namespace user",
        "show a --vault=/v --agent lyra --json -q",
        "search refresh token -n 3 --tag a --tag b --type project --plain",
        "search -- -n",
        "list --archived --all --status proposal --by ella",
        "where --project shop --branch feature/auth",
        "log append did-it --kind fix --ack lyra-k7f3-1 --ack lyra-k7f3-2 --ref x",
        "log read --unread --since 2026-11-30 --tail 3 --by lyra",
        "--json log read --no-color",
        "retain text --kind decision --source=PR --namespace user",
        "review list --json",
        "review show 1",
    ],
)
def test_both_doors_read_a_command_line_alike(line: str) -> None:
    parsed = fast.parse(line.split())
    assert parsed is not None
    assert (parsed.globals, parsed.values) == values_at_the_full_door(line.split())


@pytest.mark.parametrize(
    "line",
    [
        "",
        "--help",
        "show",
        "show a b",
        "show --help",
        "show a --limit 3",
        "show a --body=yes",
        "search",
        "search x --limit many",
        "search x -n0",
        "search x --limit",
        "log",
        "log adopt x",
        "store x",
        "review",
        "review accept 1",
        "nonsense",
        "--version",
    ],
)
def test_the_quick_door_hands_on_what_it_does_not_fully_understand(line: str) -> None:
    assert fast.parse(line.split()) is None


@pytest.mark.parametrize(
    ("line", "hoisted"),
    [
        ("forget a --reason --json", "forget a --reason --json"),
        ("forget a --json --reason x", "--json forget a --reason x"),
        ("review accept 1 --vault /v", "--vault /v review accept 1"),
        ("store a -- --json", "store a -- --json"),
        ("store a --vault=/v", "--vault=/v store a"),
        ("list --bogus --json", "--json list --bogus"),
    ],
)
def test_global_options_may_stand_anywhere_but_values_stay_values(line: str, hoisted: str) -> None:
    assert hoist(line.split(), TREE) == hoisted.split()
