"""Imports point down; rooms on one floor do not know each other; every library has one owner.

The floors are those of the picture in the README's chapter "How it is built".
"""

import ast
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from sys import stdlib_module_names

import pytest

from tests.house.source import PACKAGE, ROOT, Import, imports, is_package, modules

OURS = "markdown_memory"
FLOORS = {
    "errors": 0,
    "core": 1,
    "rules": 2,
    "storage": 3,
    "search": 3,
    "workspace": 4,
    "opening": 5,
    "features": 5,
    "memory": 6,
    "sessions": 6,
    "upkeep": 6,
    "outside": 6,
    "frontends": 7,
    "__main__": 8,
    "": 8,  # the package itself: a front hall that opens onto Memory when asked
}
ROOMS_OF_A_FILE_EACH = ("features", "frontends")
SHARED_ON_ITS_FLOOR = {
    "frontends.render",  # how values look as text, the same behind every door
    "memory",  # what `sessions` and `upkeep` are written upon
}
STARTS_THE_OTHER_DOORS = "frontends.cli"

OWNERS = {
    "cryptography": ("storage.keys",),
    "filelock": ("storage.locks",),
    "frontmatter": ("core.frontmatter",),
    "yaml": ("core.frontmatter", "core.yaml_"),  # reading values, and writing one without touching the rest
    "tomllib": ("core.toml_block", "frontends.wiring"),  # our format, and what other programs wrote
    "pydantic": ("core.schema", "frontends.mcp_server"),  # where values come from outside
    "platformdirs": ("storage.places",),
    "sqlite3": ("storage.catalog",),
    "subprocess": ("storage.git", "frontends.cli"),
    "watchfiles": ("frontends.watch",),
    "whoosh": ("search",),
    "typer": ("frontends.cli",),
    "rich": ("frontends.cli",),
    "mcp": ("frontends.mcp_server",),
    "anthropic": ("frontends.anthropic_tool",),
    "uvicorn": ("frontends.mcp_server",),  # comes with mcp
    "textual": ("frontends.review",),
    "numpy": ("search.vectors", "search.embedders"),
}
STANDARD_LIBRARY_WITH_AN_OWNER = {"tomllib", "sqlite3", "subprocess"}

IMPURE = set(
    "asyncio ctypes fcntl getpass glob io locale logging multiprocessing os pathlib platform random secrets select "
    "shutil signal socket sqlite3 subprocess sys tempfile threading time uuid".split()
)
PURE_PARTS = {"time": {"strptime", "gmtime", "strftime"}, "os": {"path"}, "sys": {"intern", "maxunicode"}}
IMPURE_CALLS = {"open", "input", "print", "breakpoint"}
CLOCKS = {"now", "utcnow", "today"}

SLOW = set(
    "yaml frontmatter tomllib subprocess filelock pydantic cryptography whoosh typer rich difflib inspect dataclasses "
    "pathlib logging urllib uuid tempfile shutil secrets watchfiles platformdirs asyncio email http ssl numpy "
    "argparse unittest multiprocessing concurrent importlib.metadata importlib.resources".split()
)
QUICK_FILES_OF_THE_COMMAND_LINE = {"main", "fast", "call", "failures", "surroundings", "verbs_read", "verbs_log"}
SLOW_AS_A_WHOLE = ("core.schema", "search")  # who needs them imports them lazily, as if they were libraries
WITH_VECTORS = ("search.embedders", "search.vectors")  # likewise within search, for those who configured embeddings
WHAT_WHOOSH_IMPORTS_ITSELF = {"whoosh", "logging", "pathlib", "secrets", "shutil", "tempfile", "urllib"}

LONGEST_FILE = 350


def inner(module: str) -> str:
    """The name within our package: "storage.files" for "markdown_memory.storage.files"."""
    return module.removeprefix(OURS).removeprefix(".")


def is_ours(module: str) -> bool:
    return module == OURS or module.startswith(OURS + ".")


def floor(module: str) -> int:
    return FLOORS[inner(module).split(".")[0]]


def room(module: str) -> str:
    """What other rooms on the floor must not know: a folder, or where every file is a capability, the file."""
    parts = inner(module).split(".")
    return ".".join(parts[:2] if parts[0] in ROOMS_OF_A_FILE_EACH else parts[:1])


def within(module: str, owners: tuple[str, ...]) -> bool:
    """Whether a module is one of the owners or lies inside one."""
    return any(inner(module).startswith(owner) for owner in owners)


def our_imports() -> Iterator[Import]:
    return (one for one in imports() if is_ours(one.target))


def test_every_module_stands_on_a_floor() -> None:
    assert {inner(module).split(".")[0] for module in modules()} <= set(FLOORS)


def test_no_import_climbs() -> None:
    assert not [str(one) for one in our_imports() if floor(one.target) > floor(one.source)]


def test_rooms_on_one_floor_do_not_know_each_other() -> None:
    crossing = [
        str(one)
        for one in our_imports()
        if floor(one.source) == floor(one.target)
        and room(one.source) != room(one.target)
        and inner(one.target) not in {*SHARED_ON_ITS_FLOOR, *ROOMS_OF_A_FILE_EACH}
        and room(one.source) != STARTS_THE_OTHER_DOORS
        and inner(one.source) != "__main__"
    ]
    assert not crossing


def test_frontends_know_the_memory_its_values_and_nothing_that_stores_or_searches() -> None:
    allowed = {"memory", "sessions", "upkeep", "outside", "core", "errors", "frontends", ""}
    through = [one for one in our_imports() if inner(one.source).startswith("frontends")]
    assert not [str(one) for one in through if inner(one.target).split(".")[0] not in allowed]


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {module: set() for module in modules()}
    for one in our_imports():
        front_hall = OURS in (one.source, one.target)
        if not one.typing and one.source != one.target and not front_hall:
            graph[one.source].add(one.target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_a_library_is_imported_by_its_owner_only() -> None:
    foreign = [one for one in imports() if one.target.split(".")[0] in OWNERS]
    assert not [str(one) for one in foreign if not within(one.source, OWNERS[one.target.split(".")[0]])]


def test_every_dependency_has_an_owner() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    modules_of = {"python-frontmatter": "frontmatter", "pyyaml": "yaml", "whoosh-reloaded": "whoosh"}
    for line in project["dependencies"]:
        name = line.split(">")[0].split("=")[0].split("<")[0].strip().lower()
        assert modules_of.get(name, name) in OWNERS, line


def test_what_is_not_the_standard_library_has_an_owner_and_is_declared() -> None:
    roots = {one.target.split(".")[0] for one in imports() if not is_ours(one.target)}
    assert roots - stdlib_module_names <= set(OWNERS) - STANDARD_LIBRARY_WITH_AN_OWNER


def pure_modules() -> list[str]:
    return [module for module in modules() if inner(module).split(".")[0] in ("core", "rules")]


def test_core_and_rules_import_nothing_that_reaches_outside() -> None:
    reaching = []
    for module in pure_modules():
        for node in ast.walk(modules()[module]):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names if alias.name.split(".")[0] in IMPURE - set(PURE_PARTS)]
            elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in IMPURE:
                wanted = PURE_PARTS.get(node.module, set())
                names = [alias.name for alias in node.names if alias.name not in wanted]
            else:
                continue
            reaching += [f"{module}:{node.lineno} {name}" for name in names]
    assert not reaching


def test_core_and_rules_open_print_and_ask_no_clock() -> None:
    found = [
        f"{module}:{call.lineno} {ast.unparse(call.func)}()"
        for module in pure_modules()
        for call in ast.walk(modules()[module])
        if isinstance(call, ast.Call) and _reaches_outside(call.func)
    ]
    assert not found


def _reaches_outside(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in IMPURE_CALLS
    if not isinstance(function, ast.Attribute):
        return False
    owner = ast.unparse(function.value)
    if owner in PURE_PARTS:
        return function.attr not in PURE_PARTS[owner]
    return owner.split(".")[-1] in ("datetime", "date") and function.attr in CLOCKS


def on_the_quick_way(module: str) -> bool:
    """Whether `context` and `show` load the module."""
    name = inner(module)
    if name.startswith("frontends.cli."):
        return name.removeprefix("frontends.cli.") in QUICK_FILES_OF_THE_COMMAND_LINE
    return not name.startswith(("frontends.cli", "frontends.mcp", "frontends.watch", *SLOW_AS_A_WHOLE))


def test_slow_modules_are_imported_where_they_are_used_and_not_at_start() -> None:
    early = [one for one in imports() if one.top and not one.typing and on_the_quick_way(one.source)]
    slow = [one for one in early if one.target in SLOW or one.target.split(".")[0] in SLOW]
    slow += [one for one in early if is_ours(one.target) and inner(one.target).startswith(SLOW_AS_A_WHOLE)]
    assert not [str(one) for one in slow]


def test_search_imports_nothing_slow_that_whoosh_does_not_import_too() -> None:
    early = [one for one in imports() if one.top and not one.typing and inner(one.source).startswith("search")]
    early = [one for one in early if not inner(one.source).startswith(WITH_VECTORS)]
    slow = [one for one in early if one.target.split(".")[0] in SLOW - WHAT_WHOOSH_IMPORTS_ITSELF]
    slow += [one for one in early if inner(one.target).startswith(WITH_VECTORS)]
    assert not [str(one) for one in slow]


def test_packages_cost_nothing_to_enter() -> None:
    entered = [one for one in imports() if is_package(one.source) and one.top and not one.typing]
    assert not [str(one) for one in entered if inner(one.source).count(".") == 0 and one.target != "typing"]


def test_no_file_is_longer_than_can_be_kept_in_mind() -> None:
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    lengths = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in files}
    assert not {path: length for path, length in lengths.items() if length > LONGEST_FILE}
